"""An averaged perceptron that scores transitions: the worked example of a learner.

Nothing in `deptrees.transition` and `deptrees.search` depends on this file. A learner takes part in parsing by giving
each transition a score, and in training by applying updates. How it does so is up to the model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from zlib import crc32

import numpy as np
import numpy.typing as npt

from deptrees.search import Space
from deptrees.training.updates import Update
from deptrees.transition import Transition
from deptrees.transition.configuration import SentenceConfiguration

__all__ = ["Perceptron"]

_SIZE = 1 << 22


class Perceptron:
    """A multi-class averaged perceptron with hashed weights (Collins 2002).

    A feature has one weight for each transition, in a row that begins where the feature's hash says. Rows overlap:
    because most features have weights for few transitions, this saves memory, and two weights rarely collide.

    Args:
        features: returns the features of a configuration: names, or a mapping from names to real numbers, by which the
            weights are multiplied.
        transitions: the transition space.
        by_k: whether ``features`` has a second argument, k, so that transitions with another k have other features. Use
            it in systems in which k has no upper bound (arc-swift, easy-first, LR-spines, the pointing systems; see
            `deptrees.search.Space`).

    >>> from deptrees import DependencyTree
    >>> from deptrees.search import Ranking
    >>> from deptrees.training import LocalTraining
    >>> from deptrees.transition import ArcHybrid, Oracle, static_oracle
    >>> def features(cfg):
    ...     return [f"s0 {cfg.stack_token(0).form}", f"b0 {cfg.buffer_token(0).form}"]
    >>> model = Perceptron(features, ArcHybrid().transition_space())
    >>> training = LocalTraining(Oracle(ArcHybrid(), static_oracle), Ranking(ArcHybrid(), model))
    >>> for epoch in 1, 2:
    ...     for update in training(DependencyTree([(0, "Sing"), (1, "again")])):
    ...         model.update(update)
    ...         print(epoch, update.negative[0][1], "should be", update.positive[0][1])
    1 LeftArc() should be Shift()
    """

    def __init__(
        self,
        features: Callable[..., Iterable[str] | Mapping[str, float]],
        transitions: Sequence[Transition],
        *,
        by_k: bool = False,
    ) -> None:
        self.features = features
        self.space = Space(tuple(transitions))
        self.by_k = by_k
        self.weights = np.zeros(_SIZE, np.float32)
        self._history = np.zeros(_SIZE, np.float64)  # the sum of each weight's changes, each times when it happened
        self._time = 0

    def __call__(self, configurations: Sequence[SentenceConfiguration]) -> npt.NDArray[np.float32]:
        """The scores of all transitions in some configurations: a row for each, a column for each transition."""
        blocks = [self._blocks(cfg) for cfg in configurations]
        table = np.zeros((len(configurations), max(blocks, default=1), len(self.space)), np.float32)
        columns = np.arange(len(self.space))
        for number, cfg in enumerate(configurations):
            for block in range(blocks[number]):
                starts, values = self._found(cfg, block)
                rows = self.weights[starts[:, None] + columns]
                table[number, block] = rows.sum(axis=0) if values is None else values @ rows
        return table.reshape(len(table), table.shape[1] * table.shape[2])

    def update(self, update: Update) -> None:
        """Raise the score of the positive derivation and lower that of the negative one."""
        self._time += 1
        for cfg, transition, change in update.changes():
            block, column = divmod(self.space.column(transition), len(self.space))
            starts, values = self._found(cfg, block)
            changes = change if values is None else change * values
            self.weights[starts + column] += changes
            self._history[starts + column] += changes * self._time

    def averaged(self) -> Perceptron:
        """A model with the average of the weights after each update so far, for parsing."""
        model = Perceptron(self.features, self.space.transitions, by_k=self.by_k)
        model.weights = (self.weights - self._history / (self._time + 1)).astype(np.float32)
        return model

    def _blocks(self, cfg: SentenceConfiguration) -> int:
        """How many different k there are to score."""
        return self.space.blocks(cfg.possible_transitions()) if self.by_k else 1

    def _found(
        self, cfg: SentenceConfiguration, block: int
    ) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.float32] | None]:
        """Where the rows of a configuration's features begin, and their values if they have some."""
        features = self.features(cfg, block + 1) if self.by_k else self.features(cfg)
        names = list(features)
        if not all(isinstance(name, str) for name in names):
            raise TypeError(f"features are names, or a mapping from names to values, and not {names}")
        hashes = np.array([crc32(name.encode()) for name in names], np.intp)
        values = np.array([*features.values()], np.float32) if isinstance(features, Mapping) else None
        return hashes % (_SIZE - len(self.space) + 1), values
