"""What marks a word in a tree: the prepositions, markers and conjunctions that labels of enhanced arcs name."""

from __future__ import annotations

import re
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
    >>> markers.of["case"].tolist(), markers.forms[0]
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

    @cached_property
    def forms(self) -> list[str]:
        """The form of each word in lower case, with those of what is fixed to it."""
        return self._joined("form")

    @cached_property
    def lemmas(self) -> list[str]:
        """The lemma of each word in lower case, with those of what is fixed to it; forms where there is none."""
        pairs = zip(self._joined("lemma"), self.forms, strict=True)
        return [lemma if all(lemma.split("_")) else form for lemma, form in pairs]  # a missing one is an underscore

    def _joined(self, column: str) -> list[str]:
        columns = self.forest.columns
        texts = [text.lower() for text in columns.vocabularies[column]]
        found = [texts[number] for number in columns.words[column].tolist()]
        for word in self._words_with(re.compile("fixed").fullmatch).tolist():
            head = int(self.forest.heads[word])
            if head < len(found):
                found[head] += f"_{texts[columns.words[column][word]]}"
        return found
