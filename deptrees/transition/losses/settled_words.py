"""The least costs of systems in which a word leaves stack and buffer when it gets its head, by search.

The problem
    A word is *unsettled* as long as it is on the stack or in the buffer: it has no head yet, and its head will be
    another unsettled word or ROOT. All other words have their heads for good. Such systems do all that arc-standard or
    arc-hybrid can do, and more: arcs that pass over words (Attardi), or swaps. What they can build depends on stack and
    buffer only, but no fast way to tell it is known. So the least cost to come is found by A* (see `shortest_path`), in
    O(n³) time for each configuration.

Lower bound
    In the end the unsettled words, with ROOT, make a tree. So the cost to come is at least that of the best tree over
    them, whether its arcs cross or not: a spanning tree of least cost.

Where it is attained
    The system can build every projective tree over the unsettled words, in the order in which they stand now, that
    arc-standard (or arc-hybrid) can build from this stack. Eisner's algorithm finds the best one. If it costs no more
    than the bound, the bound is the cost to come. Mostly this holds where the search begins.

What can be built from a stack
    - Arc-standard builds all trees in which the elements below the top of the stack get no more dependents to their
      left, and in which no subtree to their right ends below the top: its root is attached when it is the top, and then
      all that was above it has become part of the subtree.
    - Arc-hybrid builds all trees in which an element of the stack is the head of no other element of the stack but the
      one right above it.

    These limits may forbid too much. Then the search goes on.

The tree of *What did you discuss about* has an arc that crosses another, so that the best projective tree has an error.
A search in arc-standard with swaps finds that none is needed:

>>> from deptrees.transition import ArcStandardSwap
>>> from deptrees.transition.losses.arc_costs import gold_costs
>>> system, costs = ArcStandardSwap(), gold_costs((4, 4, 4, 0, 1))
>>> start = system.initial(["What", "did", "you", "discuss", "about"])
>>> problem = standard_arcs_search.problem(costs, system)
>>> problem.bound(start), problem.is_attained(start), standard_arcs_search.least_costs(costs, system)(start)
(0, False, 0)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from operator import attrgetter
from typing import TYPE_CHECKING

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.transition.losses.arc_costs import ArcCosts, best_cost_to_come
from deptrees.transition.losses.shortest_path import SearchProblem, ShortestPathLoss
from deptrees.trees.eisner import eisner

if TYPE_CHECKING:
    from deptrees.transition.systems.stack_buffer import StackBufferConfiguration, StackBufferSystem

__all__ = ["SettledWordsLoss", "hybrid_arcs_search", "standard_arcs_search"]

_Matrix = npt.NDArray[np.float64]
Limits = Callable[[int, int], tuple[_Matrix, _Matrix]]
"""From the height of the stack and the number of unsettled elements to what the simple system is not sure to build: the
costs of arcs and of the ends of subtrees as in `eisner`, infinite where forbidden."""


@attrs.frozen
class SettledWordsLoss(ShortestPathLoss["StackBufferConfiguration"]):
    """The loss of systems that also have the arcs of a simple one, of which limits tell what it may not build."""

    limits: Limits = attrs.field(repr=attrgetter("__name__"))

    def problem(self, costs: ArcCosts, system: StackBufferSystem) -> SearchProblem:
        return _UnsettledWords(costs, self.limits)


class _UnsettledWords(SearchProblem["StackBufferConfiguration"]):
    def __init__(self, costs: ArcCosts, limits: Limits) -> None:
        super().__init__(costs)
        self._limits = limits

    def key(self, cfg: StackBufferConfiguration) -> Hashable:
        return cfg.stack, cfg.buffer

    def bound(self, cfg: StackBufferConfiguration) -> int:
        unsettled = sorted((*cfg.stack, *cfg.buffer))
        return best_cost_to_come(cfg, self.costs, lambda word: unsettled)

    def is_attained(self, cfg: StackBufferConfiguration) -> bool:
        return self._projective_cost(cfg) <= self.bound(cfg)

    def _projective_cost(self, cfg: StackBufferConfiguration) -> float:
        """What the best projective tree costs over the unsettled words, in the order in which they stand."""
        unsettled = np.array([*cfg.stack, *cfg.buffer])
        arcs, ends = self._limits(len(cfg.stack), len(unsettled))
        arcs = arcs + self.costs[np.ix_(unsettled, unsettled)]
        if not cfg.system.has_single_root or len(unsettled) == 1:
            root = int(np.flatnonzero(unsettled == 0)[0])
            spans = eisner(arcs, ends).complete
            return float(spans[root, 0] + spans[root, -1])
        words = np.flatnonzero(unsettled)  # ROOT is attached to the root of the best tree without it
        spans = eisner(arcs[np.ix_(words, words)], ends[np.ix_(words, words)]).complete
        return float((self.costs[0, unsettled[words]] + spans[:, 0] + spans[:, -1]).min())


def _standard_limits(height: int, size: int) -> tuple[_Matrix, _Matrix]:
    """No arcs to the left from below the top, and no subtrees on the right of their heads that end below it."""
    below_top = np.arange(size) < height - 1
    arcs = np.where(np.tri(size, dtype=bool) & below_top[:, None], np.inf, 0.0)
    ends = np.where(np.tri(size, k=-1, dtype=bool).T & below_top, np.inf, 0.0)
    return arcs, ends


def _hybrid_limits(height: int, size: int) -> tuple[_Matrix, _Matrix]:
    """No arcs on the stack but those from an element to the one above it."""
    arcs = np.zeros((size, size))
    arcs[:height, :height] = np.inf
    above = np.arange(1, height)
    arcs[above - 1, above] = 0.0
    return arcs, np.zeros((size, size))


standard_arcs_search = SettledWordsLoss(_standard_limits)
"""The loss of systems that can do all that arc-standard can."""
hybrid_arcs_search = SettledWordsLoss(_hybrid_limits)
"""The loss of systems that can do all that arc-hybrid can."""
