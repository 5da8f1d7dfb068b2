"""Every kind of system, and scorers that know nothing: what search and training are tested with."""

from collections.abc import Sequence
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from deptrees.search import Ranking, Space
from deptrees.training import Update
from deptrees.transition import ArcEager, ArcHybridSpan, ArcStandard, System
from deptrees.transition.systems.registry import REGISTRY

EVERY_KIND_OF_SYSTEM: list[System] = [
    *(registered.example for registered in REGISTRY.values()),
    ArcStandard(root="none"),
    ArcEager(root="last", single_root=True),
    ArcHybridSpan(2, root="last"),
]


class RandomScorer:
    """Gives every configuration scores of its own, always the same. Those of small integers are often equal."""

    def __init__(self, columns: int, seed: int = 0, *, integers: bool = False) -> None:
        self.columns, self.seed, self.integers = columns, seed, integers
        self.calls = 0
        self._rows: dict[Any, npt.NDArray[np.float64]] = {}

    def __call__(self, configurations: Sequence[Any]) -> npt.NDArray[np.float64]:
        self.calls += 1
        return np.array([self._row(cfg) for cfg in configurations])

    def learn(self, update: Update, space: Space) -> None:
        """Raise the scores of the positive derivation, lower those of the negative."""
        for derivation, change in (update.positive, 1), (update.negative, -1):
            for cfg, transition in derivation:
                self._row(cfg)[space.column(transition)] += change

    def _row(self, cfg: Any) -> npt.NDArray[np.float64]:
        if cfg not in self._rows:
            rng = np.random.default_rng(crc32(f"{self.seed} {cfg!r} {cfg.labels}".encode()))
            scores = rng.normal(size=self.columns)
            self._rows[cfg] = scores.round() if self.integers else scores
        return self._rows[cfg]


def random_ranking(
    system: System, seed: int = 0, labels: Sequence[str] = (), *, integers: bool = False, normalize: bool = False
) -> Ranking:
    """A ranking of a system's transitions by scores that know nothing, for sentences of up to six words."""
    blocks = 7 if system.has_any_k else 1
    columns = blocks * len(system.transition_space(labels))
    return Ranking(system, RandomScorer(columns, seed, integers=integers), tuple(labels), normalize=normalize)
