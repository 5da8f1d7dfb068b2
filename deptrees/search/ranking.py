"""The transitions of a configuration, ranked by a scorer."""

from __future__ import annotations

import reprlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, Generic

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.search.space import Space
from deptrees.transition import BaseConfiguration, System, Transition
from deptrees.transition.labels import ANY_LABELS, LabelHeads
from deptrees.transition.system import C

__all__ = ["BaseRanking", "Ranking", "ScoredRow", "Scorer", "Wanted"]

Scorer = Callable[[Sequence[Any]], npt.ArrayLike]
"""From a batch of configurations to a table of scores: a row for each, and a column for each transition.

`Space` says which column is whose. A learner that learns between two calls may give other scores.
"""

Wanted = Callable[[Any], Iterable[Transition]]
"""From a configuration to those of its possible transitions that count."""

ScoredRow = tuple[npt.NDArray[np.intp], npt.NDArray[np.float64]]
"""Of a configuration, columns of the transition space, in ascending order, and the score of each."""


def _tuple(labels: Iterable[str]) -> tuple[str, ...]:
    return tuple(labels)


class BaseRanking(ABC, Generic[C]):
    """The transitions of a system with scores. Called on a configuration, it returns the best, as policies expect."""

    @property
    @abstractmethod
    def system(self) -> System[C]:
        """The transition system."""

    @property
    @abstractmethod
    def labels(self) -> tuple[str, ...]:
        """The labels that arcs can have; none for parsing without labels."""

    @property
    def label_heads(self) -> LabelHeads:
        """Which of them arcs from ROOT can have, and which arcs from words; by default all."""
        return ANY_LABELS

    @cached_property
    def space(self) -> Space:
        """The transition space."""
        return Space(self.system.transition_space(self.labels), self.label_heads)

    def __call__(self, cfg: BaseConfiguration, possible: object = None, gold: object = None) -> Transition:
        """The possible transition with the highest score."""
        return self.best(cfg, cfg.possible_transitions())

    def best(self, cfg: BaseConfiguration, transitions: Iterable[Transition]) -> Transition:
        """The transition with the highest score among those that agree with the given ones; of equals, the first."""
        [(columns, scores)] = self.scores([cfg], lambda _: transitions)
        return self.space.transition(int(columns[scores.argmax()]))

    def ranked(self, cfg: BaseConfiguration) -> list[tuple[Transition, float]]:
        """The possible transitions with their scores, the best first."""
        [(columns, scores)] = self.scores([cfg], lambda _: cfg.possible_transitions())
        order = np.argsort(-scores, kind="stable")
        return [*zip(map(self.space.transition, columns[order].tolist()), scores[order].tolist(), strict=True)]

    @abstractmethod
    def scores(self, configurations: Sequence[Any], wanted: Wanted) -> list[ScoredRow]:
        """For each configuration, the columns of the transitions that agree with the wanted ones, and their scores.

        Args:
            configurations: configurations that are not final.
            wanted: returns those possible transitions of a configuration that count.
        """


@attrs.frozen
class Ranking(BaseRanking[C]):
    """The transitions of a system, ranked by a scorer, which is called once on all configurations of a step.

    Args:
        system: the transition system.
        scorer: returns the scores; a model of any kind.
        labels: the labels that arcs can have; none for parsing without labels.
        label_heads: which of them arcs from ROOT can have, and which arcs from words; by default all.
        normalize: whether to turn scores into logarithms of probabilities, by a softmax over the possible transitions
            of a configuration.

    >>> from deptrees.transition import ArcHybrid
    >>> ranking = Ranking(ArcHybrid(), lambda configurations: [[1, 0, 2]] * len(configurations))
    >>> cfg = ArcHybrid().initial(["Birds", "sing"])
    >>> ranking(cfg), ranking.ranked(cfg.take(ranking(cfg)))
    (Shift(), [(Shift(), 2.0), (LeftArc(), 1.0), (RightArc(), 0.0)])
    """

    system: System[C]
    scorer: Scorer
    labels: tuple[str, ...] = attrs.field(default=(), converter=_tuple, repr=reprlib.repr)
    label_heads: LabelHeads = ANY_LABELS
    normalize: bool = attrs.field(default=False, kw_only=True)

    def scores(self, configurations: Sequence[Any], wanted: Wanted) -> list[ScoredRow]:
        """See `BaseRanking`; ``ValueError`` if the scorer's table has a wrong shape or something that is no number."""
        table = np.asarray(self.scorer(configurations), np.float64)
        if table.ndim != 2 or len(table) != len(configurations) or table.shape[1] % len(self.space):
            raise ValueError(
                f"the scores of {len(configurations)} configurations have the shape {table.shape}, which is not a row "
                f"for each with {len(self.space)} columns, or as many for each k"
            )
        found = []
        for cfg, row in zip(configurations, table, strict=True):
            possible, asked = cfg.possible_transitions(), wanted(cfg)
            columns = self.space.columns_in(cfg, asked)
            scores = self._of(row, columns)
            if self.normalize:
                of_all = scores if asked is possible else self._of(row, self.space.columns_in(cfg, possible))
                scores = scores - np.logaddexp.reduce(of_all)
            found.append((columns, scores))
        return found

    def _of(self, row: npt.NDArray[np.float64], columns: npt.NDArray[np.intp]) -> npt.NDArray[np.float64]:
        if len(columns) and columns[-1] >= len(row):
            missing = self.space.transition(int(columns[-1]))
            raise ValueError(f"there is no score for {missing!r}: the row ends before it")
        scores = row[columns]
        if np.isnan(scores).any():
            wrong = self.space.transition(int(columns[np.isnan(scores).argmax()]))
            raise ValueError(f"the score of {wrong!r} is not a number")
        return scores
