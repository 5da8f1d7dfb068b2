"""Training that can be stopped within an epoch and taken up again: what follows is the same to the last bit."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.files.models import ModelFile, Part
from deptrees.files.parts import TRAINING
from deptrees.files.records import to_record
from deptrees.files.sparse import SparseArray
from deptrees.training.records import Epoch

__all__ = ["AnyTraining", "Arrays", "ResumableTraining", "State", "cut"]


_Portion = TypeVar("_Portion")
_Numbers = npt.NDArray[np.int64]

Arrays = Mapping[str, npt.NDArray[np.generic]]
"""Arrays by their names."""
State = Mapping[str, Any]
"""What else there is besides arrays, as JSON says it."""


@attrs.frozen
class _Record:
    """What is saved of a training besides its arrays."""

    epoch: int
    portions: int  # of the epoch, that have been learned from
    steps: int
    errors: int
    random_before: State  # the state of all that is random, before the epoch
    random: State  # the same as it is now
    rest: State  # what only this kind of training has


class ResumableTraining(ABC, Generic[_Portion]):
    """Training that goes through a treebank epoch by epoch.

    An epoch is cut into portions, each of which takes a fraction of a second. Between any two of them the training can
    be saved, in the middle of an epoch too.

    Args:
        seed: determines all that is random.
    """

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        self._epochs = 0
        self._is_over = True  # whether the epoch has been told of, and the next one begins

    @property
    def epochs(self) -> int:
        """How many epochs have begun."""
        return self._epochs

    @property
    def done(self) -> float:
        """The share of the epoch that has been learned from."""
        return self._learned_from / len(self._portions)

    def epoch(self, pause: Callable[[], None] = lambda: None) -> Epoch:
        """Learn from every sentence once; what happened, also before the training was saved in this epoch.

        ``pause`` is called after each portion: training can be saved, or stopped by an exception.
        """
        if self._is_over:
            self._epochs += 1
            self._begin()
            self._learned_from = self._steps = self._errors = 0
        for portion in self._portions[self._learned_from :]:
            steps, errors = self._learn(portion)
            self._learned_from += 1
            self._steps += steps
            self._errors += errors
            pause()
        self._is_over = True
        return self._record(self._epochs, self._steps, self._errors)

    def _begin(self) -> None:
        self._random_before = self._random.bit_generator.state
        self._portions = self._divide()
        self._is_over = False

    def part(self) -> Part:
        """All that training goes on from."""
        counts = (self._epochs, self._learned_from, self._steps, self._errors)
        record = _Record(*counts, self._random_before, self._random.bit_generator.state, self._other_state())
        arrays = {
            name: SparseArray.of(array) if 2 * np.count_nonzero(array) <= array.size else array  # which takes less room
            for name, array in self._arrays().items()
        }
        return Part(TRAINING, to_record(record), arrays)

    def restore(self, file: ModelFile) -> None:
        """Go on from what a training with the same arguments saved: the next ``epoch`` is the rest of that one.

        Raises:
            ModelError, ValueError: there is no training in the file, or one that could not go on here.
        """
        record = file.read(TRAINING, _Record)
        self._epochs = record.epoch
        self._random.bit_generator.state = record.random_before
        self._begin()
        self._random.bit_generator.state = record.random
        self._learned_from, self._steps, self._errors = record.portions, record.steps, record.errors
        arrays = self._arrays()
        for name, array in arrays.items():
            array[...] = file.sparse_array(name, array.shape, array.dtype).dense()
        self._restore(arrays, record.rest)

    @abstractmethod
    def _divide(self) -> Sequence[_Portion]:
        """Draw what an epoch learns from, and in what order; cut it into portions."""

    @abstractmethod
    def _learn(self, portion: _Portion) -> tuple[int, int]:
        """Learn from a portion; how often the model was asked, and how often it was wrong."""

    @abstractmethod
    def _record(self, number: int, steps: int, errors: int) -> Epoch:
        """What is reported of an epoch."""

    @abstractmethod
    def _arrays(self) -> Arrays:
        """The arrays that change in training, such as weights."""

    @abstractmethod
    def _other_state(self) -> State:
        """All else that changes, as JSON says it."""

    @abstractmethod
    def _restore(self, arrays: Arrays, rest: State) -> None:
        """Go on from what was saved; the arrays are those of ``_arrays``, which it has been written to."""


AnyTraining = ResumableTraining[Any]
"""Training in portions of any kind."""


def cut(order: _Numbers, lengths: npt.NDArray[np.integer], most: int) -> list[_Numbers]:
    """Cut an order of sentences into portions of about so many words, or of a single sentence.

    >>> [portion.tolist() for portion in cut(np.array([2, 0, 1, 3]), np.array([3, 4, 2, 9]), 5)]
    [[2], [0, 1], [3]]
    """
    portion = np.cumsum(lengths[order]) // most
    return np.split(order, np.flatnonzero(np.diff(portion)) + 1)
