"""How a tokenizer is trained: an averaged perceptron over the places of a treebank's text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from deptrees.files.sparse import SparseArray
from deptrees.tokenizer.model import Hyperparameters, perceptron, places_data
from deptrees.tokenizer.multiword_rules import MultiwordRules
from deptrees.tokenizer.places import KINDS, SPACE, WITHIN_WORDS, Certain, Decision, Places
from deptrees.training.records import Epoch, TrainingError
from deptrees.training.resumable import ResumableTraining, cut
from deptrees.treebanks.raw_text import surface_tokens
from deptrees.trees.tree import DependencyTree

__all__ = ["TokenizerTraining"]

_SENTENCES_TOGETHER = 20
_PLACES_IN_PORTION = 20_000


class TokenizerTraining(ResumableTraining[npt.NDArray[np.int64]]):
    """Training a tokenizer.

    Args:
        trees: the trees to learn from: their tokens, and the spaces that MISC records.
        hyperparameters: what was chosen before.
        seed: determines the order in which the text is learned from.

    Raises:
        TrainingError: there are no tokens.
    """

    def __init__(self, trees: Iterable[DependencyTree], hyperparameters: Hyperparameters, seed: int) -> None:
        super().__init__(seed)
        sentences = [*surface_tokens(trees)]
        tokens = [token for sentence in sentences for token in sentence]
        if not tokens:
            raise TrainingError("the treebank has no tokens: there is nothing to learn")
        self.multiword_rules = MultiwordRules.count((token.form, token.words) for token in tokens)
        text = "".join([token.text for token in tokens])
        stops = np.cumsum([len(token.text) for token in tokens])
        ends = stops - np.array([len(token.after) for token in tokens]) - 1
        last = np.cumsum([len(sentence) for sentence in sentences]) - 1
        everywhere = np.full(len(text), Decision.INSIDE, np.int32)
        everywhere[ends] = Decision.TOKEN
        everywhere[ends[last]] = Decision.SENTENCE
        self.certain = _certain(text, everywhere, hyperparameters.least)
        places = Places(text, self.certain)
        self._gold = everywhere[places.where]
        self.hyperparameters = hyperparameters.for_places(len(self._gold))
        bounds = np.searchsorted(places.where, ends[last], "right")[_SENTENCES_TOGETHER - 1 :: _SENTENCES_TOGETHER]
        offsets = np.unique(np.concatenate([[0], bounds, [len(places.where)]])).astype(np.int64)
        self._lengths = np.diff(offsets)
        self._data = places_data(places, offsets)
        nothing = SparseArray.empty(self.hyperparameters.table_shape())
        self._perceptron = perceptron(self.hyperparameters, nothing, learning=True)

    def weights(self) -> SparseArray:
        """What has been learned so far: the average of the weights."""
        return SparseArray.of_rows(self.hyperparameters.table_shape(), *self._perceptron.averages())

    def _divide(self) -> Sequence[npt.NDArray[np.int64]]:
        return cut(self._random.permutation(len(self._lengths)), self._lengths, _PLACES_IN_PORTION)

    def _learn(self, portion: npt.NDArray[np.int64]) -> tuple[int, int]:
        counts = [self._perceptron.learn(self._data, number, self._gold) for number in portion.tolist()]
        asked, wrong = map(sum, zip(*counts, strict=True))
        return asked, wrong

    def _record(self, number: int, steps: int, errors: int) -> Epoch:
        return Epoch(number, len(self._lengths), 0, steps, errors)

    def _arrays(self) -> Mapping[str, npt.NDArray[Any]]:
        return {"weights": self._perceptron.weights, "changes": self._perceptron.changes}

    def _other_state(self) -> Mapping[str, Any]:
        return {"time": self._perceptron.time}

    def _restore(self, arrays: Mapping[str, npt.NDArray[Any]], rest: Mapping[str, Any]) -> None:
        self._perceptron.time = rest["time"]
        self._perceptron.invalidate()


def _certain(text: str, decisions: npt.NDArray[np.int32], least: float) -> Certain:
    """What the kinds of two characters say about the place between them."""
    kinds, shape = Places(text).kinds, (len(KINDS), len(KINDS))
    pairs, divided, around, usual = np.zeros((4, *shape), np.int64)
    np.add.at(pairs, (kinds[:-1], kinds[1:]), 1)
    np.add.at(divided, (kinds[:-1], kinds[1:]), decisions[:-1] != Decision.INSIDE)
    at = np.flatnonzero(kinds[1:-1] == SPACE)
    np.add.at(around, (kinds[at], kinds[at + 2]), 1)
    np.add.at(usual, (kinds[at], kinds[at + 2]), decisions[at] == Decision.TOKEN)
    is_plain = (around - usual <= least * around) & (around >= 1 / least)
    is_plain[SPACE] = is_plain[:, SPACE] = False
    return Certain(_pairs(WITHIN_WORDS, divided > least * pairs), _pairs(KINDS, is_plain))


def _pairs(kinds: Iterable[str], chosen: npt.NDArray[np.bool_]) -> tuple[tuple[str, ...], ...]:
    """The pairs of some kinds that are chosen from an array (kinds × kinds)."""
    return tuple(pair for pair in product(kinds, repeat=2) if chosen[KINDS.index(pair[0]), KINDS.index(pair[1])])
