"""The loss of arc-eager with Edit, by dynamic programming as for tables (see `deptrees.transition.losses.tabular`).

**When to edit.** A word that will be taken out is best taken out as soon as it is on top: what it would get on its
right until then would go with it, what it would get on its left would come back, and what stands below its place then
can do more. So in front of the buffer, words that will be taken out are passed over, and no word becomes their
dependent. Fronts of the buffer, j and m below, are words that will be kept.

**Edits of what is there.** Words on the stack of which each is the head of the next are taken out from the last one on:
if a word is kept, its head is. Below a word that is taken out, the stack is what it was, and above that stand its
dependents on the left, without a head. So each word is on top of at most two stacks: the one that it is on, and the one
on which it comes back.

Let F(σ|k, j) be the least cost of all words that are left then. If k is kept, it is that of tables: k leaves at once,
or j is pushed first and leaves when m is in front. Otherwise it is what k costs and all that it has on its right, and F
of the stack that it leaves. Where k has a head, F of the stack below it is needed for when k is kept, too: then the top
of that must be. The front of the buffer is kept with its dependents, or it is taken out at once, and they come back.

There are O(n) stacks, and F takes O(n²) time for each.

After Shift, LeftArc and Shift, word 2 has the dependent 1. If it is disfluent, 1 can still become a dependent of 3:

>>> from deptrees import DependencyTree
>>> from deptrees.transition import ArcEagerEdit, LeftArc, Shift
>>> words = ["I", "want", "need"]
>>> cfg = Shift()(LeftArc()(Shift()(ArcEagerEdit().initial(words))))
>>> [ArcEagerEditLoss()(cfg, DependencyTree(zip(heads, words))) for heads in [(3, None, 0), (None, 3, 0)]]
[0, 1]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.transition.losses.arc_costs import ArcCosts, ArcCostsLoss
from deptrees.transition.losses.loss import LeastCosts
from deptrees.transition.losses.tabular import costs_between
from deptrees.transition.losses.work import count_chart

if TYPE_CHECKING:
    from deptrees.transition.systems.arc_eager_edit import ArcEagerEditConfiguration

__all__ = ["ArcEagerEditLoss"]

_Costs = npt.NDArray[np.float64]


class ArcEagerEditLoss(ArcCostsLoss["ArcEagerEditConfiguration"]):
    """The loss of arc-eager with Edit, exact for every gold tree."""

    def least_costs(self, costs: ArcCosts, system: object) -> LeastCosts:
        return _LeastCosts(costs)


@attrs.frozen
class _Stack:
    """What can still come of a stack: F, if its top may be taken out, and if it must be kept."""

    free: _Costs
    kept: _Costs


class _LeastCosts:
    # Positions are 1 to n + 1, the last of which is ROOT.

    def __init__(self, costs: ArcCosts) -> None:
        self.end = end = len(costs) - 1
        self.out = costs[end]
        self.head = costs.copy()
        self.head[end] = costs[0]
        until = np.concatenate([[0.0], np.cumsum(self.out)])  # what all words before one cost, if they are taken out
        self.passed = until - until[1:, None]
        self._between = costs_between(self.head, self.head, self.passed)

    def __call__(self, cfg: ArcEagerEditConfiguration) -> int:
        """The least cost with which parsing can end."""
        count_chart(self.end)
        return int(_OfConfiguration(self, cfg).least())

    def future(self, leaving: _Costs, future: _Costs, front: int) -> _Costs:
        """F, from what it is if the top leaves at once.

        Args:
            leaving: at [j, d] what d costs that is pushed above the top and leaves when j is in front.
            future: F if the top leaves at once.
            front: the first of the fronts.
        """
        for at in range(self.end - 1, front - 1, -1):
            later = slice(at + 1, self.end + 1)
            future[at] = min(future[at], (self._between[at, later] + leaving[later, at] + future[later]).min())
        return future


class _OfConfiguration:
    def __init__(self, costs: _LeastCosts, cfg: ArcEagerEditConfiguration) -> None:
        self._costs, self._cfg, self._on_stack = costs, cfg, {*cfg.stack}

    def least(self) -> float:
        """The least cost of all words."""
        costs, front = self._costs, self._cfg.front
        b0 = self._cfg.buffer[0]
        stack = self._empty()
        for word in self._cfg.stack:
            stack = self._with(stack, word, self._cfg.heads[word - 1])
        left = [word for word, head in enumerate(self._cfg.heads, 1) if head == b0 and word not in self._on_stack]
        least = stack.free[front] + sum(map(self._made, left))
        if b0:
            for word in left:
                stack = self._with(stack, word, None)
            taken_out = costs.passed[front - 1, front + 1 :] + stack.free[front + 1 :]
            least = min(least, taken_out.min())
        return float(costs.out[[*self._cfg.disfluent]].sum() + least)

    def _empty(self) -> _Stack:
        at_end = np.where(np.arange(self._costs.end + 1) == self._costs.end, 0, np.inf)
        future = self._costs.future(self._costs.head, at_end, self._cfg.front)
        return _Stack(future, future)

    def _with(self, below: _Stack, word: int, head: int | None) -> _Stack:
        """The stack with a word on top, which has a head or not."""
        costs, left = self._costs, self._cfg.below(word, left=True)
        right = [at for at in self._cfg.below(word, left=False) if at not in self._on_stack]
        made = sum(map(self._made, (*left, *right)))
        leaving = costs.head[:, word] + below.free if head is None else costs.head[head, word] + below.kept
        kept = costs.future(np.minimum(costs.head, costs.head[word]), leaving + made, self._cfg.front)
        gone = [word, *[at for each in right for at in self._cfg.all_below(each)]]
        rest = below
        for freed in left:
            rest = self._with(rest, freed, None)
        return _Stack(np.minimum(kept, costs.out[gone].sum() + rest.free), kept)

    def _made(self, word: int) -> float:
        """What a word that is not on the stack, and all below it, cost with the heads that they have."""
        words = self._cfg.all_below(word)
        return float(sum([self._costs.head[self._cfg.heads[at - 1] or self._costs.end, at] for at in words]))
