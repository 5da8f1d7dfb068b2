"""An averaged perceptron that scores transitions: the worked example of a model.

Nothing in `deptrees.transition` knows this file. A model takes part in parsing by being called on configurations: as a
scorer it gives each transition a score, as the model of an exploration policy it gives the one it likes best. How it
gets there, and how it learns, is its own affair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from deptrees.transition import Transition

__all__ = ["Perceptron"]

_SIZE = 1 << 24


class Perceptron:
    """A multi-class averaged perceptron with hashed weights (Collins 2002).

    A feature has one weight for each transition, in a row that begins where the feature's hash says. Rows overlap: as
    most features have weight for few transitions, that wastes the least memory, and two weights seldom meet.

    Args:
        features: from a configuration to its features.
        transitions: the transition space.
        weights: the weights to start from; all 0 if not given.

    >>> def features(cfg):
    ...     return [f"s0 {cfg.stack_token(0).form}", f"b0 {cfg.buffer_token(0).form}"]
    >>> from deptrees.transition import ArcHybrid, LeftArc, RightArc, Shift
    >>> cfg = ArcHybrid().initial(["Birds", "sing"])
    >>> model = Perceptron(features, ArcHybrid().transition_space())
    >>> model.predict(cfg), model.update(cfg, [Shift()]), model.predict(Shift()(cfg))
    (Shift(), False, LeftArc())
    >>> model.update(Shift()(cfg), [RightArc()]), model.predict(Shift()(cfg))
    (True, RightArc())
    """

    def __init__(
        self,
        features: Callable[[Any], Iterable[str]],
        transitions: Sequence[Transition],
        weights: npt.NDArray[np.float32] | None = None,
    ) -> None:
        self.features = features
        self.transitions = tuple(transitions)
        self.weights = np.zeros(_SIZE, np.float32) if weights is None else weights
        self._rows = np.lib.stride_tricks.sliding_window_view(self.weights, len(self.transitions))
        self._history = np.zeros(_SIZE, np.float64)  # the sum of each weight's changes, each times when it happened
        self._time = 0
        self._index = {transition: index for index, transition in enumerate(self.transitions)}
        self._kinds = {
            kind: [index for index, transition in enumerate(self.transitions) if type(transition) is kind]
            for kind in map(type, self.transitions)
        }
        self._seen: tuple[Any, Any, Any] = (None, None, None)

    def __call__(self, configurations: Sequence[Any]) -> npt.NDArray[np.float32]:
        """The score of every transition in every configuration: an array (configurations × transition space)."""
        scores = [self._look(cfg)[1] for cfg in configurations]
        return np.array(scores, np.float32).reshape(-1, len(self.transitions))

    def predict(self, cfg: Any, possible: object = None, gold: object = None) -> Transition:
        """The possible transition with the highest score; callable as the model of an exploration policy."""
        return self.transitions[self._best(self._look(cfg)[1], cfg.possible_transitions())]

    def update(self, cfg: Any, gold: Iterable[Transition]) -> bool:
        """Learn from one configuration: if the prediction is wrong, raise the best gold transition and lower it.

        A gold transition whose label is not known agrees with every label.

        Returns:
            Whether the prediction was wrong.
        """
        self._time += 1
        starts, scores = self._look(cfg)
        predicted, target = self._best(scores, cfg.possible_transitions()), self._best(scores, gold)
        if predicted in self._classes(gold):
            return False
        for index, change in (target, 1), (predicted, -1):
            self.weights[starts + index] += change
            self._history[starts + index] += change * self._time
        self._seen = (None, None, None)
        return True

    def averaged(self) -> Perceptron:
        """A model with the average of the weights after each update so far: the one to parse with."""
        average = self.weights - self._history / (self._time + 1)
        return Perceptron(self.features, self.transitions, average.astype(np.float32))

    def _look(self, cfg: Any) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.float32]]:
        """Where the rows of a configuration's features begin, and their sum; training asks for both twice in a row."""
        seen, starts, scores = self._seen
        if seen is not cfg:
            hashes = np.array([crc32(feature.encode()) for feature in self.features(cfg)], np.intp)
            starts = hashes % len(self._rows)
            scores = self._rows[starts].sum(axis=0)
            self._seen = cfg, starts, scores
        return starts, scores

    def _best(self, scores: npt.NDArray[np.float32], transitions: Iterable[Transition]) -> int:
        classes = self._classes(transitions)
        return classes[int(scores[classes].argmax())]

    def _classes(self, transitions: Iterable[Transition]) -> list[int]:
        """The numbers of transitions; one that has no label, in a space that has labels, stands for all labels."""
        classes: list[int] = []
        for transition in transitions:
            index = self._index.get(transition)
            classes += self._kinds[type(transition)] if index is None else [index]
        return classes
