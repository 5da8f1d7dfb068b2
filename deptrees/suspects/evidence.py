"""What speaks for the head and the label of a word: parsers, and how the rest of the treebank is annotated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.suspects.opinions import Opinion
from deptrees.treebanks.columns import Columns

__all__ = ["REASONS", "Evidence"]

REASONS = {"parsers": 4, "tags": 2, "words": 3, "variation": 2}
"""What speaks for or against an annotation, and how many numbers say so."""

_MOST_WORDS = 8
"""The number of words in the longest variation n-gram."""
_PRIOR = 2.0
"""How many words that are as likely as what is more general says are added to those that are seen."""

_Integers = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float64]
_Seen = tuple[object, object]
"""A context, and what is seen in it."""


@attrs.frozen(eq=False)
class _Counts:
    """How often something is seen in a context elsewhere: without the word itself, whose own is left out."""

    own: list[_Seen]
    seen: Counter[_Seen]
    contexts: Counter[object]

    @classmethod
    def of(cls, own: list[_Seen], contexts: Counter[object] | None = None) -> _Counts:
        """The counts of all words; of all contexts, if some are seen without a word that would be counted."""
        return cls(own, Counter(own), Counter(context for context, _ in own) if contexts is None else contexts)

    def share(self, seen: list[_Seen], prior: _Floats | float) -> _Floats:
        """The logarithm of the share of what is seen for each word among all of the same context elsewhere."""
        counts = [
            (self.seen[it] - (it == own), self.contexts[it[0]] - (it[0] == own[0]))
            for it, own in zip(seen, self.own, strict=True)
        ]
        same, all_of_them = np.maximum(np.array(counts, np.float64).reshape(-1, 2).T, 0)
        return np.asarray(np.log((same + _PRIOR * prior) / (all_of_them + _PRIOR)))


class Evidence:
    """What speaks for any annotation of a treebank's words, given that of all others.

    Args:
        columns: the treebank.
        opinions: what parsers say about it.
    """

    def __init__(self, columns: Columns, opinions: Sequence[Opinion]) -> None:
        sizes = np.diff(columns.offsets)
        self._columns, self._opinions = columns, opinions
        self._begins = np.repeat(columns.offsets[:-1], sizes)
        self._places = np.arange(columns.offsets[-1]) - self._begins + 1
        # ROOT comes after all words, and what is beside a sentence is like it.
        self._forms, self._tags, self._features = ([*self._texts(it), None] for it in ("form", "upos", "feats"))
        own = columns.heads, columns.labels
        self._by_tags, self._by_features, self._by_dependent, self._by_head, self._heads, self._trigrams = map(
            _Counts.of, map(list, zip(*self._seen(*own), strict=True))
        )
        self._ngrams = _Counts.of([*self._seen_between(*own)], self._all_ngrams())

    def _texts(self, column: str) -> list[str]:
        texts = self._columns.vocabularies[column]
        return [texts[number] for number in self._columns.words[column].tolist()]

    def _arcs(self, heads: _Integers, labels: _Integers) -> Iterable[tuple[int, int, int, int]]:
        """Each word and its head, as positions in the treebank, with the distance and the label of the arc."""
        root = len(self._begins)
        positions = np.where(heads > 0, self._begins + heads - 1, root)
        distances = np.where(heads > 0, heads - self._places, 0)
        return zip(range(root), positions.tolist(), distances.tolist(), labels.tolist(), strict=True)

    def _seen(self, heads: _Integers, labels: _Integers) -> Iterator[tuple[_Seen, ...]]:
        """What is seen of each word in which context."""
        forms, tags = self._forms, self._tags
        edges = {*self._columns.offsets.tolist()}
        for word, head, distance, label in self._arcs(heads, labels):
            form, tag, right = forms[word], tags[word], distance > 0
            before = None if word in edges else forms[word - 1]
            after = None if word + 1 in edges else forms[word + 1]
            yield (
                ((tag, tags[head], right), label),
                ((tag, self._features[word], tags[head], right), label),
                ((form, tags[head], right), label),
                ((tag, forms[head], right), label),
                ((form,), (tags[head], right)),
                ((before, form, after), (distance, label)),
            )

    def _seen_between(self, heads: _Integers, labels: _Integers) -> Iterator[_Seen]:
        """For each word the words from it to its head, and the arc; no words where they are many."""
        for word, head, distance, label in self._arcs(heads, labels):
            is_short = 0 < abs(distance) < _MOST_WORDS
            between = tuple(self._forms[min(word, head) : max(word, head) + 1]) if is_short else ()
            yield between, (distance > 0, label)

    def _all_ngrams(self) -> Counter[object]:
        """How often the words of each sentence follow each other, with or without an arc from the first to the last."""
        return Counter(
            tuple(self._forms[first : first + n])
            for begin, end in pairwise(self._columns.offsets.tolist())
            for n in range(2, _MOST_WORDS + 1)
            for first in range(begin, end - n + 1)
        )

    def __call__(self, heads: _Integers, labels: _Integers) -> _Floats:
        """A row of numbers for each word, the higher the more likely are its head and its label; see ``REASONS``."""
        seen = map(list, zip(*self._seen(heads, labels), strict=True))
        by_tags, by_features, by_dependent, by_head, head, trigrams = seen
        of_tags = self._by_tags.share(by_tags, 1 / len(self._columns.vocabularies["deprel"]))
        return np.column_stack(
            [
                *self._of_parsers(heads, labels),
                of_tags,
                self._by_features.share(by_features, np.exp(of_tags)),
                self._by_head.share(by_head, np.exp(of_tags)),
                self._by_dependent.share(by_dependent, np.exp(of_tags)),
                self._heads.share(head, 0.1),
                self._ngrams.share([*self._seen_between(heads, labels)], 1.0),
                self._trigrams.share(trigrams, 1.0),
            ]
        )

    def _of_parsers(self, heads: _Integers, labels: _Integers) -> Iterator[_Floats]:
        opinions = self._opinions
        yield np.mean([opinion.for_heads(heads) for opinion in opinions], axis=0)
        yield np.mean([opinion.heads == heads for opinion in opinions], axis=0)
        yield np.mean([opinion.for_labels(heads, labels) for opinion in opinions], axis=0)
        # All who agree on something else weigh more than those who each say something else.
        arcs = [(opinion.heads, opinion.labels) for opinion in opinions]
        others = [
            ((head != heads) | (label != labels))
            * np.sum([(head == its_head) & (label == its_label) for its_head, its_label in arcs], axis=0)
            for head, label in arcs
        ]
        yield -np.max(others, axis=0) / len(arcs)

    def usual_labels(self, heads: _Integers, labels: _Integers) -> _Integers:
        """For each word the most frequent label but its own of words with its tag and that of its head."""
        best: dict[object, list[int]] = {}
        for (context, label), _ in self._by_tags.seen.most_common():
            best.setdefault(context, []).append(label)  # type: ignore[arg-type]
        seen = [it for it, *_ in self._seen(heads, labels)]
        found = [next((it for it in best.get(context, ()) if it not in (label, -1)), label) for context, label in seen]
        return np.array(found, np.int32)
