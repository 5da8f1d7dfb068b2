"""How labels of enhanced arcs are made: of the labels on a path in the tree, and of words that mark those on it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.enhanced.markers import MARKERS, Markers
from deptrees.enhanced.paths import DOWN, UP, Paths
from deptrees.trees.deps import is_relation

__all__ = ["LabelPattern", "Labels", "spelling"]

ROOT_LABEL = "root"
UNSPECIFIED = "dep"
"""The label of an arc whose word has none in the tree."""

_PLACE = attrs.validators.optional(attrs.validators.and_(attrs.validators.ge(0), attrs.validators.lt(UP + DOWN)))


@attrs.frozen
class LabelPattern:
    """How a label is made: ``nmod:of`` is the label of the first word on the path, with the lemma of its ``case``.

    Args:
        copied: the place on the path of the word whose label it begins with.
        marker: what follows after a colon, one of ``MARKERS``; ``None`` for nothing.
        marked: the place on the path of the word that this marks.
        text: the label itself, if it is always the same.
    """

    copied: int | None = attrs.field(default=None, validator=_PLACE)
    marker: str | None = attrs.field(default=None, validator=attrs.validators.optional(attrs.validators.in_(MARKERS)))
    marked: int | None = attrs.field(default=None, validator=_PLACE)
    text: str | None = None

    def __attrs_post_init__(self) -> None:
        if (self.text is None) != (self.copied is not None) or (self.marker is None) != (self.marked is None):
            raise ValueError(f"{self} says nothing, or too much")
        if self.text is not None and not is_relation(self.text):
            raise ValueError(f"{self.text!r} is no relation")


@attrs.frozen(eq=False)
class Labels:
    """The labels that the arcs of some paths can have.

    Args:
        markers: the markers of the words.
        paths: the paths.
        spelled: what marking words are in labels, by their forms, where these are known: ``&`` is ``and``.
    """

    markers: Markers
    paths: Paths
    spelled: Mapping[str, str]

    def possible(self, patterns: Sequence[LabelPattern]) -> npt.NDArray[np.bool_]:
        """Which patterns each path has all words for, by paths and patterns.

        Arcs from ROOT have the label of an arc from ROOT in the tree, and no other arcs have it.
        """
        forest = self.markers.forest
        from_root, below_root = (heads >= forest.n_words for heads in (self.paths.heads, forest.heads))
        found = np.ones((len(from_root), len(patterns)), np.bool_)
        for column, pattern in zip(found.T, patterns, strict=True):
            if pattern.copied is None or pattern.marker is not None:
                column &= ~from_root
            if pattern.copied is not None:
                words = self.paths.words[:, pattern.copied]
                column &= (words >= 0) & (below_root[words] == from_root)
            if pattern.marker is not None:
                column &= self._marking(slice(None), pattern) >= 0
        return found

    def _copied(self, paths: slice | npt.NDArray[np.intp], pattern: LabelPattern) -> npt.NDArray[np.int32]:
        """The label of the tree on each path that is copied."""
        assert pattern.copied is not None
        return np.asarray(self.markers.forest.columns.labels[self.paths.words[paths, pattern.copied]])

    def _marking(self, paths: slice | npt.NDArray[np.intp], pattern: LabelPattern) -> npt.NDArray[np.intp]:
        """The marking word on each path, -1 where there is none."""
        assert pattern.marker is not None
        assert pattern.marked is not None
        marked = self.paths.words[paths, pattern.marked]
        return np.where(marked < 0, -1, self.markers.of[pattern.marker][marked])

    def texts(
        self, patterns: Sequence[LabelPattern], chosen: npt.NDArray[np.intp]
    ) -> tuple[npt.NDArray[np.intp], list[str]]:
        """The label of each path with the pattern that is chosen for it: numbers of texts, and the texts."""
        columns = self.markers.forest.columns
        vocabulary, known = [*columns.vocabularies["deprel"], UNSPECIFIED], dict[str, int]()
        numbers = np.empty(len(chosen), np.intp)
        for number, pattern in enumerate(patterns):
            paths = np.flatnonzero(chosen == number)
            if pattern.copied is None:
                numbers[paths] = known.setdefault(str(pattern.text), len(known))
                continue
            copied = self._copied(paths, pattern)
            if pattern.marker is None:
                of_labels = [known.setdefault(vocabulary[label], len(known)) for label in np.unique(copied).tolist()]
                numbers[paths] = np.array(of_labels, np.intp)[np.unique(copied, return_inverse=True)[1]]
                continue
            rows = np.stack([paths, copied, self._marking(paths, pattern)], axis=1)
            for path, label, word in rows.tolist():
                numbers[path] = known.setdefault(self._marked(vocabulary[label], word), len(known))
        return numbers, [*known]

    def _marked(self, label: str, word: int) -> str:
        """A label with the word that marks it, or without, if labels cannot have such a word."""
        text = self.spelled.get(self.markers.form(word), self.markers.lemma(word))
        found = f"{label}:{text}"
        return found if is_relation(found) else label

    def fitting(self, path: int, label: str) -> Iterator[tuple[LabelPattern, str | None]]:
        """The patterns that make a label, the simplest first, each with the form of the word that marks it."""
        columns = self.markers.forest.columns
        words = [word for word in self.paths.words[path].tolist() if word >= 0]
        copied = [[*columns.vocabularies["deprel"], ""][columns.labels[word]] for word in words]
        yield from ((LabelPattern(place), None) for place, text in enumerate(copied) if text == label)
        for place, text in enumerate(copied):
            if not text or not label.startswith(f"{text}:"):
                continue
            ending = label[len(text) + 1 :]
            for marked in sorted(range(len(words)), key=lambda other: (other != place, other)):
                for marker in MARKERS:
                    word = int(self.markers.of[marker][words[marked]])
                    if word >= 0 and self._can_be(word, ending):
                        yield LabelPattern(place, marker, marked), self.markers.form(word)
        if is_relation(label) and label != ROOT_LABEL:
            yield LabelPattern(text=label), None

    def _can_be(self, word: int, text: str) -> bool:
        """Whether a marking word can be so in labels: as it is, or in another way if labels cannot have it, like &."""
        form, lemma = self.markers.form(word), self.markers.lemma(word)
        if text in (form, lemma):
            return True
        return self.spelled.get(form, text) == text and not is_relation(f"{UNSPECIFIED}:{lemma}")


def spelling(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """How most labels spell each marking word, given its form and what a label has."""
    counts = defaultdict[str, Counter[str]](Counter)
    for form, text in pairs:
        counts[form][text] += 1
    return {form: found.most_common(1)[0][0] for form, found in sorted(counts.items())}
