"""Rankings that vote on each transition."""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from functools import reduce
from operator import or_

import attrs
import numpy as np
from more_itertools import unique_everseen

from deptrees.search.ranking import BaseRanking, ScoredRow, Wanted
from deptrees.transition import BaseConfiguration, System
from deptrees.transition.labels import LabelHeads

__all__ = ["VotedRanking"]


@attrs.frozen
class VotedRanking(BaseRanking):
    """The transitions of a system, ranked by the votes of several rankings (Aufrant & Wisniewski 2017, section 4.6).

    In each configuration a voter gives its weight to the transition that it finds best, with its label. The score of a
    transition is the sum of the weights that it is given; of equals, the first in the transition space is the best.

    Args:
        voters: the rankings, all of the same system. One without labels gives its weight to a transition with every
            label.
        weights: how much each vote counts, by default equally.

    Raises:
        ValueError: there is no voter, not one weight for each, or their systems differ.

    >>> from deptrees.search import Ranking
    >>> from deptrees.transition import ArcHybrid
    >>> def of(*scores):
    ...     return Ranking(ArcHybrid(), lambda configurations: [scores] * len(configurations))
    >>> ranking = VotedRanking([of(9, 0, 1), of(0, 1, 9), of(0, 8, 9)], weights=[1.1, 1, 1])
    >>> ranking.space.transitions
    (LeftArc(), RightArc(), Shift())
    >>> cfg = ArcHybrid().initial(["Birds", "sing"])
    >>> cfg = ranking(cfg)(cfg)
    >>> ranking.ranked(cfg)
    [(Shift(), 2.0), (LeftArc(), 1.1), (RightArc(), 0.0)]
    """

    voters: tuple[BaseRanking, ...] = attrs.field(
        converter=tuple[BaseRanking, ...], validator=attrs.validators.min_len(1), repr=reprlib.repr
    )
    weights: tuple[float, ...] = attrs.field(
        default=attrs.Factory(lambda self: (1.0,) * len(self.voters), takes_self=True),
        converter=tuple[float, ...],
        repr=reprlib.repr,
    )

    def __attrs_post_init__(self) -> None:
        if len(self.weights) != len(self.voters):
            raise ValueError(f"there are {len(self.voters)} voters and {len(self.weights)} weights")
        if others := [voter.system for voter in self.voters if voter.system != self.system]:
            raise ValueError(f"those who vote on transitions have one system, and not {self.system} and {others[0]}")

    @property
    def system(self) -> System:
        return self.voters[0].system

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(unique_everseen(label for voter in self.voters for label in voter.labels))

    @property
    def label_heads(self) -> LabelHeads:
        return reduce(or_, [voter.label_heads for voter in self.voters])

    def scores(self, configurations: Sequence[BaseConfiguration], wanted: Wanted) -> list[ScoredRow]:
        chosen = {id(cfg): tuple(wanted(cfg)) for cfg in configurations}  # asked once, for all voters
        candidates = [self.space.columns_in(cfg, chosen[id(cfg)]) for cfg in configurations]
        votes = [np.zeros(len(columns)) for columns in candidates]
        for voter, weight in zip(self.voters, self.weights, strict=True):
            scored = voter.scores(configurations, lambda cfg: chosen[id(cfg)])
            for columns, found, (its_columns, scores) in zip(candidates, votes, scored, strict=True):
                if len(columns):
                    elected = voter.space.transition(int(its_columns[scores.argmax()]))
                    found[np.isin(columns, self.space.columns(elected))] += weight
        return [*zip(candidates, votes, strict=True)]
