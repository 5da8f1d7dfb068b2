"""What marks a word in a tree: the prepositions, markers and conjunctions that labels of enhanced arcs name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from functools import cached_property

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.enhanced.paths import Forest

__all__ = ["MARKERS", "Markers"]

RELATIONS = ("case", "mark", "cc", "advmod")
MARKERS = (*RELATIONS, *(f"last {relation}" for relation in RELATIONS))
"""Which dependent of a word: the first one with this relation, or the last."""

_Places = npt.NDArray[np.intp]


@attrs.frozen(eq=False)
class Markers:
    """The markers of all words in trees.

    >>> from deptrees import DependencyTree
    >>> from deptrees.treebanks.columns import Columns
    >>> trees = [DependencyTree([(2, "because", "case"), (0, "rain", "root"), (1, "of", "fixed")])]
    >>> markers = Markers(Forest(Columns.encode(trees)))
    >>> markers.of["case"].tolist(), markers.form(0)
    ([-1, 0, -1, -1, -1], 'because_of')
    """

    forest: Forest

    @cached_property
    def of(self) -> dict[str, _Places]:
        """For each marker, and each place in the forest, the word that it is; -1 where there is none.

        A conjunct without a conjunction has that of the next conjunct: in "a, b and c" all have "and".
        """
        found = {}
        for relation in RELATIONS:
            words = self._words_with(re.compile(f"{relation}(:.*)?").fullmatch)
            for name, ordered in ((relation, words[::-1]), (f"last {relation}", words)):
                found[name] = np.full(len(self.forest.heads), -1)
                found[name][self.forest.heads[ordered]] = ordered
        following: dict[int, int] = {}
        for word in self._words_with(re.compile("conj").fullmatch)[::-1].tolist():
            head = int(self.forest.heads[word])
            if found["cc"][word] < 0:
                found["cc"][word] = following.get(head, -1)
            following[head] = int(found["cc"][word])
        return found

    def _words_with(self, wanted: Callable[[str], object]) -> _Places:
        columns = self.forest.columns
        numbers = [number for number, label in enumerate(columns.vocabularies["deprel"]) if wanted(label)]
        return np.flatnonzero(np.isin(columns.labels, numbers))

    def form(self, word: int) -> str:
        """The form of a word in lower case, with those of what is fixed to it."""
        return self._joined(word, "form")

    def lemma(self, word: int) -> str:
        """The lemma of a word in lower case, with those of what is fixed to it; forms where there is none."""
        lemma = self._joined(word, "lemma")
        return lemma if all(lemma.split("_")) else self.form(word)  # a missing one is an underscore

    @cached_property
    def _fixed(self) -> dict[int, list[int]]:
        """The words that are fixed to each word, where there are any."""
        found: defaultdict[int, list[int]] = defaultdict(list)
        for word in self._words_with(re.compile("fixed").fullmatch).tolist():
            found[int(self.forest.heads[word])].append(word)
        return found

    def _joined(self, word: int, column: str) -> str:
        texts, numbers = self.forest.columns.vocabularies[column], self.forest.columns.words[column]
        return "_".join([texts[numbers[part]] for part in (word, *self._fixed.get(word, ()))]).lower()
