"""How a tagger is trained: an averaged perceptron over the sentences of a treebank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from deptrees.engine import core
from deptrees.evaluation.tags import TagColumn
from deptrees.tagger.hyperparameters import Hyperparameters
from deptrees.tagger.lexicon import Lexicon, forms_of
from deptrees.training.records import Epoch, TrainingError
from deptrees.training.resumable import ResumableTraining, cut
from deptrees.trees.tree import DependencyTree

__all__ = ["TaggerTraining", "tags_in"]

_WORDS_IN_PORTION = 20_000


class TaggerTraining(ResumableTraining[npt.NDArray[np.int64]]):
    """Training a tagger.

    Args:
        trees: the trees to learn from.
        hyperparameters: what was chosen before.
        seed: determines the order of the sentences.

    Raises:
        TrainingError: there is no word with a tag.
    """

    def __init__(self, trees: Sequence[DependencyTree], hyperparameters: Hyperparameters, seed: int) -> None:
        super().__init__(seed)
        column = hyperparameters.column
        self.tags = tags_in(trees, column)
        if not self.tags:
            raise TrainingError(f"no word has a tag in the column {column}: there is nothing to learn")
        tokens, numbers = (
            list(chain.from_iterable(tree.tokens for tree in trees)),
            {tag: number for number, tag in enumerate(self.tags)},
        )
        self._gold = np.array([numbers.get(getattr(token, column), -1) for token in tokens], np.int32)
        self.lexicon = Lexicon.count((token.form for token in tokens), self._gold.tolist(), hyperparameters)
        self._words, self._lengths = self.lexicon.words(*forms_of(trees)), np.array([len(tree) for tree in trees])
        weights = np.zeros(hyperparameters.table_shape(len(self.tags)), np.float32)
        self._perceptron = core.TaggerPerceptron(hyperparameters.parts, weights, len(self.tags), True)

    def weights(self) -> npt.NDArray[np.float32]:
        """The average of the weights so far."""
        return self._perceptron.averages()

    def _divide(self) -> Sequence[npt.NDArray[np.int64]]:
        return cut(self._random.permutation(len(self._lengths)), self._lengths, _WORDS_IN_PORTION)

    def _learn(self, portion: npt.NDArray[np.int64]) -> tuple[int, int]:
        return self._perceptron.learn(self._words, portion, self._gold)

    def _record(self, number: int, steps: int, errors: int) -> Epoch:
        return Epoch(number, len(self._lengths), 0, steps, errors)

    def _arrays(self) -> Mapping[str, npt.NDArray[Any]]:
        return {"weights": self._perceptron.weights, "changes": self._perceptron.changes}

    def _rest(self) -> Mapping[str, Any]:
        return {"time": self._perceptron.time}

    def _take_over(self, arrays: Mapping[str, npt.NDArray[Any]], rest: Mapping[str, Any]) -> None:
        self._perceptron.time = rest["time"]
        self._perceptron.look_again()


def tags_in(trees: Iterable[DependencyTree], column: TagColumn) -> tuple[str | None, ...]:
    """The tags in a column of some trees, in sorted order.

    A word without UPOS or XPOS is not annotated, one without FEATS has none.

    >>> from deptrees import sample_treebank
    >>> tags_in(sample_treebank("dev"), "upos")[:3]
    ('ADJ', 'ADP', 'AUX')
    """
    found = {getattr(token, column) for tree in trees for token in tree.tokens}
    return tuple(sorted(found if column == "feats" else found - {None}, key=str))
