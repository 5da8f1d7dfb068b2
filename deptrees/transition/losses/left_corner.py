"""The loss of left-corner.

**Trees over words to come.** Any projective tree over words of the buffer can be built above any stack. Eisner's
algorithm finds what the best of them cost, for each head and end, once for each gold tree.

**From the top of the stack down.** What stands above a tree with x will once be a complete tree, with a root r and a
last word e. Let D(r, e) be the least cost of that; r may take more dependents, to the right of e. Then there are two
ways for the tree below:

* A word f that is still to come takes the place of x. All between hangs from f: r, perhaps by way of other words that
  are to the left of f. All projective trees of this form can be built: if f has no dependents on its right, it is
  inserted, when all that it has on its left has been joined with x. Otherwise a tree with f in it takes the place of x
  as a whole.
* r takes the place of x. After that there is a new x, so that r has to get at least one more dependent on its right.

If x is the root, this word is the root of the tree, and D has an entry for each. Otherwise the tree keeps its root; and
that, as it is complete then, may take more dependents. Last, the lowest tree is all there is, or hangs from words to
come. In a final configuration, nothing is to come.

What is attached to x counts as soon as it is known what takes its place. So the dependents of x are costs of that word,
and the rest of the stack does not matter. Each tree takes O(n³) time if its root is x, otherwise O(n²).

Word 1 has been shifted, and its root is predicted on its right. It can be a dependent of 2 or 3, but not of ROOT:

>>> from deptrees import DependencyTree
>>> from deptrees.transition import LeftCorner, LeftPred, Shift
>>> words = ["They", "all", "sing"]
>>> cfg = LeftPred()(Shift()(LeftCorner().initial(words)))
>>> [LeftCornerLoss()(cfg, DependencyTree(zip(heads, words))) for heads in [(2, 3, 0), (3, 3, 0), (0, 1, 2)]]
[0, 0, 2]
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from deptrees.transition.losses.arc_costs import ArcCosts, ArcCostsLoss, cost_so_far
from deptrees.transition.losses.loss import LeastCosts
from deptrees.transition.losses.work import count_chart
from deptrees.trees.eisner import eisner

if TYPE_CHECKING:
    from deptrees.transition.systems.left_corner import LeftCorner

__all__ = ["LeftCornerLoss"]

_Costs = npt.NDArray[np.float64]


class LeftCornerLoss(ArcCostsLoss):
    """The loss of left-corner, exact for every gold tree."""

    def least_costs(self, costs: ArcCosts, system: LeftCorner) -> LeastCosts:
        to_come = lru_cache(maxsize=1 << 12)(_CostsToCome(costs))
        return lambda cfg: (
            cost_so_far(cfg, costs) + (0 if cfg.is_final else to_come(cfg.stack, cfg.complete, cfg.front))
        )


class _CostsToCome:
    """The least cost of the arcs that are still to be added.

    The costs of several trees have a row for each root and a column for each last word. If there is no tree, the root
    is 0. Costs are infinite for what cannot be.
    """

    def __init__(self, costs: ArcCosts) -> None:
        self._costs = costs = costs[:-1]
        self._n = n = len(costs) - 1
        # At [h, e] what all words cost that are between h and e, which is one of them on the right only, if they hang
        # from h; the last for trees in which e depends on h, and has all to the left of it until h on its right.
        charts = eisner(costs[1:, 1:])
        self._left, self._right, self._left_arcs = np.full((3, n + 1, n + 1), np.inf)
        lower = np.tri(n, dtype=bool)
        self._left[1:, :-1] = np.where(lower, charts.complete, np.inf)
        self._right[1:, 1:] = np.where(lower.T, charts.complete, np.inf)
        self._left_arcs[1:, 1:] = np.where(lower, charts.incomplete, np.inf)

    def __call__(self, stack: tuple[tuple[int, int, tuple[int, ...]], ...], complete: int, front: int) -> int:
        count_chart(self._n)
        nothing = np.full((1, self._n + 1), np.inf)
        nothing[0, front - 1] = 0
        roots, ends = [complete], nothing
        if complete:
            ends = np.minimum(ends, self._with_more(roots, ends, front))
        for root, head, dependents in reversed(stack):
            roots, ends = self._filled(root, head, dependents, roots, ends, front)
        as_root = self._over(roots, ends, front) + self._right[:, -1] + self._costs[0]
        as_root[roots] = np.minimum(as_root[roots], ends[:, -1] + self._costs[0, roots])
        return int(as_root[1:].min())

    def _filled(
        self, root: int, head: int, dependents: tuple[int, ...], roots: list[int], ends: _Costs, front: int
    ) -> tuple[list[int], _Costs]:
        """The same for a tree whose x is filled, below a complete one, or nothing."""
        as_x = self._costs[:, list(dependents)].sum(axis=1) + (self._costs[head] if head else 0)
        filled = (self._over(roots, ends, front) + as_x)[:, None] + self._right
        if roots[0]:
            joined = as_x[roots, None] + self._with_more(roots, ends, front)
            filled[roots] = np.minimum(filled[roots], joined)
        if root:
            ends = filled.min(axis=0)[None]
            return [root], np.minimum(ends, self._with_more([root], ends, front))
        return [*range(1, self._n + 1)], filled[1:]

    def _over(self, roots: list[int], ends: _Costs, front: int) -> _Costs:
        """For each word to come the cost of all words to its left, if these and some trees hang from it."""
        over = np.full(self._n + 1, np.inf)
        for word in range(front, self._n + 1):
            as_dependents = (ends + self._costs[word, roots, None]).min(axis=0)
            over[word] = min(
                (as_dependents + self._left[word]).min(),
                (over[:word] + self._left_arcs[word, :word]).min(),
            )
        return over

    def _with_more(self, roots: list[int], ends: _Costs, front: int) -> _Costs:
        """The same if the roots get at least one more dependent on their right."""
        more = np.full_like(ends, np.inf)
        for word in range(front, self._n + 1):
            arcs = (np.minimum(ends, more) + self._left[word]).min(axis=1) + self._costs[roots, word]
            np.minimum(more, arcs[:, None] + self._right[word], out=more)
        return more
