"""What networks look at in configurations, as numbers: of all derivations of a batch together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.engine import Derivations
from deptrees.features import Node
from deptrees.features.values import NOTHING, ROOT_VALUE
from deptrees.search.space import Space
from deptrees.torch.rows import roots, word_numbers
from deptrees.transition import System
from deptrees.treebanks.columns import MISSING, Columns
from deptrees.trees.tree import AnyTree

__all__ = ["Extractor"]

_Integers = npt.NDArray[np.int64]


@attrs.frozen(eq=False)
class Extractor:
    """Tells what a network looks at in configurations, and which transitions it scores.

    Args:
        system: the transition system.
        places: the words that are looked at.
        labels: the labels that transitions have; none if they have none.
        labeled: at how many of the places, the last ones, the word's label is looked at, too.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import ArcHybrid
    >>> extractor = Extractor(ArcHybrid(), [Node.read("s0"), Node.read("b0")])
    >>> derivations = extractor.open([DependencyTree([(2, "Birds"), (0, "sing")]), DependencyTree([(0, "Sing")])])
    >>> while derivations:
    ...     gold = derivations.gold()
    ...     extractor.numbers(derivations).tolist(), len(gold)
    ...     derivations.take(gold.argmax(1))
    ([[[1, 2]], [[4, 5]]], 2)
    ([[[2, 3]], [[5, 0]]], 2)
    ([[[1, 3]]], 1)
    ([[[3, 0]]], 1)
    """

    system: System
    places: Sequence[Node]
    labels: Sequence[str] = ()
    labeled: int = 0

    @cached_property
    def space(self) -> Space:
        """The transitions."""
        return Space(self.system.transition_space(self.labels))

    @cached_property
    def label_numbers(self) -> dict[str | None, int]:
        """The numbers of what may be found where labels are looked at; 0 is for no word."""
        values = dict.fromkeys([NOTHING, MISSING, ROOT_VALUE, *self.labels])
        return {value: number for number, value in enumerate(values)}

    @cached_property
    def _numbers_of_labels(self) -> _Integers:
        """The number of each label by its number among the labels; at the end that of no label."""
        return np.array([self.label_numbers[label] for label in (*self.labels, MISSING)], np.int64)

    def open(self, treebank: Columns | Iterable[AnyTree], **how: Any) -> Derivations:
        """Start derivations; see `deptrees.engine.Derivations.open`."""
        return Derivations.open(
            treebank, self.system, nodes=self.places, labels=self.labels, labeled=bool(self.labels), **how
        )

    def numbers(self, derivations: Derivations, first: _Integers | None = None) -> _Integers:
        """The numbers of the words and labels that are looked at, for each configuration and each k.

        There is one k only, unless the k of transitions has no bound; then there are as many as one configuration
        needs, and others see no words there.

        Args:
            derivations: the derivations.
            first: the row of each sentence's ROOT, for each derivation; if not given, that among all sentences.
        """
        positions = derivations.positions().reshape(len(derivations.going), -1, len(self.places))
        if first is None:
            first = roots(derivations.columns)[derivations.sentences]
        words = word_numbers(positions, first[derivations.going, None, None])
        if not self.labeled:
            return words
        positions = positions[:, :, -self.labeled :]
        found = self._numbers_of_labels[derivations.labels_at(positions.reshape(len(positions), -1))]
        found = found.reshape(positions.shape)
        found[positions == 0] = self.label_numbers[ROOT_VALUE]
        found[positions < 0] = self.label_numbers[NOTHING]
        return np.concatenate([words, found], 2)
