"""What a treebank says of the tags of its words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.engine import core
from deptrees.tagger.hyperparameters import Hyperparameters
from deptrees.treebanks.hashes import text_hash

__all__ = ["Lexicon", "TagCounts", "words_to_learn", "words_to_tag"]

_Integers = npt.NDArray[np.int32]


@attrs.frozen
class TagCounts:
    """How often words have each tag of a column, as written and in lower case. Tags are numbers, -1 for none."""

    written: Mapping[str, Counter[int]]
    lower: Mapping[str, Counter[int]]

    @classmethod
    def of(cls, forms: Iterable[str], tags: Iterable[int]) -> TagCounts:
        """Count the tags of words."""
        written: defaultdict[str, Counter[int]] = defaultdict(Counter)
        lower: defaultdict[str, Counter[int]] = defaultdict(Counter)
        for form, tag in zip(forms, tags, strict=True):
            if tag >= 0:
                written[form][tag] += 1
                lower[form.lower()][tag] += 1
        return cls(written, lower)

    def elsewhere(self, form: str, tag: int, share: float) -> tuple[int, ...]:
        """The tags of a word with at least this share, if one word with this tag is not counted."""
        others = Counter(self.lower.get(form.lower(), {}))
        others[tag] -= 1
        return _frequent(+others, share)


@attrs.frozen
class Lexicon:
    """What a treebank says of its words in a column. Tags are given by their numbers.

    Args:
        dictionary: the tag of each word that has one whatever stands around it.
        classes: the sets of tags that words have, in each the most frequent first.
        numbers: for each word, in lower case, the number of its class.
    """

    dictionary: Mapping[str, int]
    classes: tuple[tuple[int, ...], ...]
    numbers: Mapping[str, int] = attrs.field()

    @numbers.validator
    def _have_classes(self, _: object, numbers: Mapping[str, int]) -> None:
        if not {*numbers.values()} <= {*range(len(self.classes))}:
            raise ValueError(f"words have classes that are not numbers from 0 to {len(self.classes) - 1}")

    @classmethod
    def of(cls, counts: TagCounts, limits: Hyperparameters) -> Lexicon:
        """Make a lexicon of words and their tags."""
        often = {form: found for form, found in counts.written.items() if found.total() >= limits.dictionary_count}
        certain = {form: _frequent(found, limits.dictionary_share) for form, found in often.items()}
        classes = {form: _frequent(found, limits.known_share) for form, found in counts.lower.items()}
        known = {tags: number for number, tags in enumerate(dict.fromkeys(classes.values()))}
        return cls(
            {form: found[0] for form, found in certain.items() if found},
            tuple(known),
            {form: known[tags] for form, tags in classes.items()},
        )

    @cached_property
    def _hashes(self) -> list[int]:
        """Those of the classes, and, in the end, that of unknown words."""
        return [_class_hash(tags) for tags in (*self.classes, ())]

    def known(self, forms: Iterable[str]) -> npt.NDArray[np.uint64]:
        """For each form a hash of the tags that are known of it."""
        return np.array([self._hashes[self.numbers.get(form.lower(), -1)] for form in forms], np.uint64)

    def fixed(self, forms: Iterable[str]) -> _Integers:
        """For each form its tag in the dictionary, -1 if it is not in it."""
        return np.array([self.dictionary.get(form, -1) for form in forms], np.int32)


def words_to_tag(
    lexicons: Sequence[Lexicon], offsets: npt.NDArray[np.int64], types: _Integers, forms: Sequence[str]
) -> core.tagging.TaggerData:
    """Sentences as the core takes them: where they begin and end, and for each word the number of its form."""
    known = np.stack([lexicon.known(forms) for lexicon in lexicons], axis=1)
    return _data(lexicons, offsets, types, forms, known)


def words_to_learn(
    lexicons: Sequence[Lexicon],
    counts: Sequence[TagCounts],
    offsets: npt.NDArray[np.int64],
    words: Iterable[tuple[str, tuple[int, ...]]],
    share: float,
) -> core.tagging.TaggerData:
    """Sentences to learn from as the core takes them: for each word its form and, for each column, its tag.

    What is known of a word is what the treebank says of it elsewhere, the tags with at least this share. So a word that
    is there once is as unknown in training as others are in use, and it is learned how far a few words can be trusted.
    """
    numbers: dict[tuple[str, tuple[int, ...]], int] = {}
    types = np.array([numbers.setdefault(word, len(numbers)) for word in words], np.int32)
    known = [
        [_class_hash(column.elsewhere(form, tag, share)) for column, tag in zip(counts, tags, strict=True)]
        for form, tags in numbers
    ]
    return _data(lexicons, offsets, types, [form for form, _ in numbers], np.array(known, np.uint64))


def _data(
    lexicons: Sequence[Lexicon],
    offsets: npt.NDArray[np.int64],
    types: _Integers,
    forms: Sequence[str],
    known: npt.NDArray[np.uint64],
) -> core.tagging.TaggerData:
    fixed = np.stack([lexicon.fixed(forms) for lexicon in lexicons])
    return core.tagging.TaggerData(offsets, types, core.tagging.look_at(list(forms), known), fixed)


def _frequent(counts: Counter[int], share: float) -> tuple[int, ...]:
    """The tags with at least this share, the most frequent first."""
    least = share * counts.total()
    return tuple(sorted((tag for tag, count in counts.items() if count >= least), key=lambda tag: (-counts[tag], tag)))


def _class_hash(tags: tuple[int, ...]) -> int:
    return text_hash(" ".join(map(str, tags)))
