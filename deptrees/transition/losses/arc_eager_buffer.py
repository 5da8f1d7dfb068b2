"""The loss of arc-eager with arcs between the first two elements of the buffer.

These arcs make the same trees reachable as arc-eager has, over what is on the stack and in the buffer:

* LeftBufferArc leads where Shift and LeftArc lead.
* After RightBufferArc, b0 has a dependent that has none itself. Arc-eager can build the rest in the same way, and that
  arc when b0 has been pushed, at once, by RightArc and Reduce.

So with ROOT last the system is arc-decomposable, as arc-eager is, and its losses are those of arc-eager in the sentence
without the words that have been taken out of the buffer. These stood between b0 and b1, which are neighbors then:

>>> from deptrees import DependencyTree
>>> from deptrees.transition import ArcEagerBuffer, RightBufferArc
>>> words = ["sings", "well", "again"]
>>> cfg = RightBufferArc()(ArcEagerBuffer().initial(words))
>>> cfg.buffer, [ArcEagerBufferLoss()(cfg, DependencyTree(zip(heads, words))) for heads in [(0, 1, 1), (0, 1, 2)]]
((1, 3, 0), [0, 1])
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from deptrees.transition.losses.arc_costs import ArcCosts, LostArcsLoss, cost_so_far
from deptrees.transition.losses.loss import LeastCosts
from deptrees.transition.losses.tabular import TabularCosts
from deptrees.transition.transitions import LeftArc, LeftBufferArc, Reduce, RightArc, RightBufferArc, Transition
from deptrees.trees.tree import DependencyTree

if TYPE_CHECKING:
    from deptrees.transition.systems.arc_eager_buffer import ArcEagerBuffer, ArcEagerBufferConfiguration

__all__ = ["ArcEagerBufferLoss"]

_EMPTY: Any = (-1, None, 0)


class ArcEagerBufferLoss(LostArcsLoss["ArcEagerBufferConfiguration"]):
    """The loss of arc-eager with arcs in the buffer, exact for every gold tree."""

    def least_costs(self, costs: ArcCosts, system: ArcEagerBuffer) -> LeastCosts:
        @lru_cache(maxsize=1 << 6)
        def without(start: int, end: int) -> TabularCosts:
            """The costs of arc-eager without the words from one position to another."""
            left = np.delete(np.arange(len(costs)), slice(start, end))
            return TabularCosts(costs[np.ix_(left, left[:-1])], system.base, system.base.rows)

        def least(cfg: ArcEagerBufferConfiguration) -> int:
            stack, attached, made = _EMPTY, 0, cost_so_far(cfg, costs)
            for word in cfg.stack:
                stack = (word, stack, stack[2] | 1 << word)
                if (head := cfg.heads[word - 1]) is not None:
                    attached |= 1 << word
                    made -= int(costs[head, word])  # which is among the costs to come
            gap = without(cfg.first + 1, cfg.front) if cfg.first else without(1, 1)
            return made + gap.to_come(stack, attached, cfg.first)

        return least

    def lost(self, transition: Transition, cfg: ArcEagerBufferConfiguration, tree: DependencyTree) -> int:
        heads, dependents = tree.head_bits, tree.dependent_bits
        stack, buffer, waiting = cfg.stack_bits, cfg.buffer_bits, cfg.waiting_bits
        if isinstance(transition, Reduce):
            return int(dependents[cfg.stack[-1]] & buffer).bit_count()
        if isinstance(transition, LeftArc):
            b0, s0 = cfg.arc(transition)
            return int(heads[s0] & (buffer ^ 1 << b0) | dependents[s0] & buffer).bit_count()
        if isinstance(transition, RightArc):
            s0, b0 = cfg.arc(transition)
            return int(heads[b0] & ((stack | buffer) ^ 1 << s0) | dependents[b0] & waiting).bit_count()
        if isinstance(transition, LeftBufferArc | RightBufferArc):
            head, word = cfg.arc(transition)
            return int(heads[word] & ((stack | buffer) ^ 1 << head) | dependents[word] & (waiting | buffer)).bit_count()
        b0 = cfg.first
        return int(heads[b0] & stack | dependents[b0] & waiting).bit_count()
