"""What a treebank says of the tags of its words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.engine import core
from deptrees.features import text_hash
from deptrees.tagger.hyperparameters import Hyperparameters
from deptrees.trees.tree import DependencyTree

__all__ = ["Lexicon", "forms_of", "words_to_tag"]

_Integers = npt.NDArray[np.int32]


@attrs.frozen
class Lexicon:
    """What a treebank says of its words in a column. Tags are given by their numbers.

    Args:
        dictionary: the tag of each word that has one whatever stands around it.
        classes: for each word, in lower case, its tags, the most frequent first.
    """

    dictionary: Mapping[str, int]
    classes: Mapping[str, tuple[int, ...]]

    @classmethod
    def count(cls, forms: Iterable[str], tags: Iterable[int], limits: Hyperparameters) -> Lexicon:
        """Make a lexicon of words and their tags; -1 is no tag."""
        as_written: defaultdict[str, Counter[int]] = defaultdict(Counter)
        lower: defaultdict[str, Counter[int]] = defaultdict(Counter)
        for form, tag in zip(forms, tags, strict=True):
            if tag >= 0:
                as_written[form][tag] += 1
                lower[form.lower()][tag] += 1
        certain = _frequent(as_written, limits.dictionary_count, limits.dictionary_share)
        classes = _frequent(lower, limits.known_count, limits.known_share)
        return cls({form: found[0] for form, found in certain.items()}, classes)

    @cached_property
    def _hashes(self) -> dict[str, int]:
        return {form: _class_hash(tags) for form, tags in self.classes.items()}

    def known(self, forms: Iterable[str]) -> npt.NDArray[np.uint64]:
        """For each form a hash of the tags that are known of it."""
        unknown = _class_hash(())
        return np.array([self._hashes.get(form.lower(), unknown) for form in forms], np.uint64)

    def fixed(self, forms: Iterable[str]) -> _Integers:
        """For each form its tag in the dictionary, -1 if it is not in it."""
        return np.array([self.dictionary.get(form, -1) for form in forms], np.int32)


def words_to_tag(
    lexicons: Sequence[Lexicon], offsets: npt.NDArray[np.int64], types: _Integers, forms: Sequence[str]
) -> core.TaggerData:
    """Sentences as the core wants them.

    Args:
        lexicons: those of the columns, in the order in which these are filled in.
        offsets: where each sentence begins, and where the last one ends.
        types: for each word the number of its form.
        forms: the forms.
    """
    known = np.stack([lexicon.known(forms) for lexicon in lexicons], axis=1)
    fixed = np.stack([lexicon.fixed(forms) for lexicon in lexicons])
    return core.TaggerData(offsets, types, core.look_at(list(forms), known), fixed)


def forms_of(trees: Sequence[DependencyTree]) -> tuple[npt.NDArray[np.int64], _Integers, Sequence[str]]:
    """Where each sentence begins and where the last one ends, for each word the number of its form, and the forms.

    >>> offsets, types, forms = forms_of([DependencyTree([(None, form) for form in ("Row", ",", "row", ",")])])
    >>> offsets.tolist(), types.tolist(), forms
    ([0, 4], [0, 1, 2, 1], ('Row', ',', 'row'))
    """
    numbers: dict[str, int] = {}
    types = [numbers.setdefault(token.form, len(numbers)) for tree in trees for token in tree.tokens]
    return np.cumsum([0, *map(len, trees)], dtype=np.int64), np.array(types, np.int32), tuple(numbers)


def _frequent(words: Mapping[str, Counter[int]], least: int, share: float) -> dict[str, tuple[int, ...]]:
    """For words that are there often enough the tags with a share of at least so much, the most frequent first."""
    found = {}
    for form, counts in words.items():
        total = counts.total()
        tags = tuple(tag for tag, count in counts.most_common() if count >= share * total)
        if total >= least and tags:
            found[form] = tags
    return found


def _class_hash(tags: tuple[int, ...]) -> int:
    return text_hash(" ".join(map(str, tags)))
