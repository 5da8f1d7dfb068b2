"""What parsers say about each word that learned from the rest of its treebank."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.engine.finding import Found, SearchOptions
from deptrees.parser import Parser
from deptrees.treebanks.batch import Batch
from deptrees.treebanks.columns import Columns
from deptrees.trees.tree import DependencyTree

__all__ = ["SYSTEMS", "Opinion", "opinions"]

SYSTEMS = ("arc-eager", "arc-hybrid", "arc-standard")
"""Systems that decide about arcs at different moments, and so err in different places."""
_EPOCHS = 5
_TREES = 16
"""How many trees of a sentence are compared."""

_Integers = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float64]


@attrs.frozen(eq=False)
class Opinion:
    """What the parsers of one system found.

    Args:
        found: the best trees of each sentence, with the margins of the first; labels are those of the treebank.
    """

    found: Found

    @property
    def heads(self) -> _Integers:
        """The head of each word."""
        heads: _Integers = self.found.heads[0]
        return heads

    @property
    def labels(self) -> _Integers:
        """The label of each word, as a number of the treebank's."""
        labels: _Integers = self.found.labels[0]
        return labels

    def for_heads(self, heads: _Integers) -> _Floats:
        """How far the best tree with a head of each word is ahead of those without it, on a scale of logarithms."""
        ahead = self.found.ahead(heads)
        return np.asarray(np.sign(ahead) * np.log1p(np.abs(ahead)), np.float64)

    def for_labels(self, heads: _Integers, labels: _Integers) -> _Floats:
        """How sure it is of a label, less than 0 of another one; 0 where it has another head."""
        assert self.found.margins is not None
        sure = np.log1p(np.abs(self.found.margins[1].astype(np.float64)))
        sure = np.minimum(sure, sure[np.isfinite(sure)].max(initial=0))  # only one label is infinitely far ahead
        return np.where(self.heads == heads, np.where(self.labels == labels, sure, -sure), 0)


def opinions(trees: Sequence[DependencyTree], columns: Columns, k: int, seed: int) -> Iterator[Opinion | str]:
    """What the parsers of each system say, trained on all parts of a treebank but the one that they parse.

    Args:
        trees: the treebank.
        columns: the same.
        k: the number of parts.
        seed: determines which sentences are in which part.

    Yields:
        How far it is after each part, and the opinion of each system.
    """
    parts = [number % k for number in range(len(trees))]
    Random(seed).shuffle(parts)
    part_of = np.array(parts)
    numbers = {label: number for number, label in enumerate(columns.vocabularies["deprel"])}
    for system in SYSTEMS:
        whole = Found.empty(columns.offsets, _TREES, margins=True)
        for part in range(k):
            parser = Parser.train(columns.take(np.flatnonzero(part_of != part)), system=system, epochs=_EPOCHS)
            tested = np.flatnonzero(part_of == part)
            batch = Batch.of([trees[number] for number in tested.tolist()])
            found = parser.model.find(batch, SearchOptions(k=_TREES, margins=True))
            found.labels[:] = np.array([*(numbers[label] for label in parser.labels), -1])[found.labels]
            whole.insert(tested.tolist(), found)
            yield f"{system}, {part + 1} of {k} parts"
        yield Opinion(whole)
