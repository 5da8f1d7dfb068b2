"""The least costs of systems in which a word leaves stack and buffer when it gets its head, by search.

Most of the time the search ends where it begins. No tree costs less than the best one over the words in play, whether
its arcs cross or not. And if the best projective one over them, in the order in which they stand, costs no more, that
is how parsing can end: the systems can do what arc-standard or arc-hybrid does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from deptrees.transition.losses.arc_costs import ArcCosts, best_tree, cost_to_come
from deptrees.transition.losses.shortest_path import ExactSearch
from deptrees.trees.eisner import eisner

__all__ = ["hybrid_arcs_search", "standard_arcs_search"]

_Matrix = npt.NDArray[np.float64]
_Limits = Callable[[int, int], tuple[_Matrix, _Matrix]]


def _in_play(cfg: Any) -> list[int]:
    return [*cfg.stack, *cfg.buffer]


def _key(cfg: Any) -> tuple[Any, ...]:
    return cfg.stack, cfg.buffer


def _bound(cfg: Any, costs: ArcCosts) -> int:
    """What the best tree costs in which the words in play have any heads that are in play."""
    in_play = sorted(_in_play(cfg))
    return cost_to_come(cfg, best_tree(cfg, costs, lambda word: in_play), costs)


# What is forbidden in a sequence of the stack, given with its height, and the buffer: arcs, and ends of subtrees on the
# right of their heads (see `eisner`). It may be too much, for what is left to find is tried.


def _standard_limits(height: int, size: int) -> tuple[_Matrix, _Matrix]:
    """In arc-standard, of what is below the top, arcs to the left and subtrees on the right that end below the top."""
    below_top = np.arange(size) < height - 1
    forbidden = np.where(np.tri(size, dtype=bool) & below_top[:, None], np.inf, 0.0)
    ends = np.where(np.tri(size, k=-1, dtype=bool).T & below_top, np.inf, 0.0)
    return forbidden, ends


def _hybrid_limits(height: int, size: int) -> tuple[_Matrix, _Matrix]:
    """In arc-hybrid, all arcs on the stack but those from an element to the one above it."""
    forbidden = np.zeros((size, size))
    forbidden[:height, :height] = np.inf
    above = np.arange(1, height)
    forbidden[above - 1, above] = 0.0
    return forbidden, np.zeros((size, size))


def _projective_cost(cfg: Any, costs: ArcCosts, limits: _Limits) -> float:
    """What the best projective tree costs over the words in play, in the order in which they stand."""
    in_play = _in_play(cfg)
    root = in_play.index(0)
    forbidden, ends = limits(len(cfg.stack), len(in_play))
    arcs = costs[np.ix_(in_play, in_play)] + forbidden
    if not cfg.system.has_single_root or len(in_play) == 1:
        halves = eisner(arcs, ends).complete
        return float(halves[root, 0] + halves[root, -1])
    words = np.delete(np.arange(len(in_play)), root)
    halves = eisner(arcs[np.ix_(words, words)], ends[np.ix_(words, words)]).complete
    return float((costs[0, np.array(in_play)[words]] + halves[:, 0] + halves[:, -1]).min())


def _search(limits: _Limits) -> ExactSearch:
    return ExactSearch(
        _key, _bound, is_tight=lambda cfg, costs: _projective_cost(cfg, costs, limits) <= _bound(cfg, costs)
    )


standard_arcs_search = _search(_standard_limits)
"""For systems that can do all that arc-standard can."""
hybrid_arcs_search = _search(_hybrid_limits)
"""For systems that can do all that arc-hybrid can."""
