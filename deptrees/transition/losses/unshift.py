"""The loss of arc-eager with Unshift.

**The last word.** As long as it is not in front, words are pushed and leave as in arc-eager, but any number of them may
be left without a head on the stack. From then on the buffer has at most one word, x, and no word is pushed without a
head. Let k be the top of the stack:

* if k has a head, it leaves, and may become the head of x before;
* if it has none, it gets the head x, or becomes the head of x, and is put back, which makes it the next x.

So the least cost of all that is left then, E(σ|k, x), follows from that of the stack below. x is 0 if the buffer is
empty.

**The rest.** The words that are left on the stack then are found from the last to the first. Let P(x, k) be the least
cost of all words above k, if k and x are left when all above k has gone. What is between two of them, or between the
last of them and the last word, leaves as in arc-eager, at the costs that `costs_between` has; see the proof for tables
in *What is new*. P is the same for all configurations. F(σ|k, j), for a stack and a front j, is then the minimum over
whether k leaves at once, or j is pushed and leaves later, or j is pushed and stays to the end.

P takes O(n³) time, and F as much as for other tables, O(n²) for each new stack.

After two Shifts, word 1 can still get the head 0. If it is the head of 2 and 3, it gets only the last of them, as 2
stands between them and is put back, when 3 has left:

>>> from deptrees import DependencyTree
>>> from deptrees.transition import ArcEagerUnshift, Shift
>>> words = ["Sing", "it", "again"]
>>> cfg = Shift()(Shift()(ArcEagerUnshift().initial(words)))
>>> [UnshiftLoss()(cfg, DependencyTree(zip(heads, words))) for heads in [(0, 1, 2), (0, 1, 1)]]
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
from deptrees.transition.table.compiler import Cell

if TYPE_CHECKING:
    from deptrees.transition.systems.stack_buffer import StackBufferConfiguration, StackBufferSystem

__all__ = ["UnshiftLoss"]

_Costs = npt.NDArray[np.float64]


class _LeastCosts:
    # Positions are 0 to n. Costs are infinite for what cannot be. Below the stack is ROOT or, without it, nothing: the
    # last word without a head is its dependent in both cases, but only ROOT can be the head of words that are pushed.

    def __init__(self, costs: ArcCosts, has_root: bool) -> None:
        self._settled = costs.T.tolist()
        self._costs = costs = costs[:-1]
        self._n = n = len(costs) - 1
        self._between = costs_between(costs, costs)
        self._to_end = np.full_like(costs, np.inf)  # P, and what the word k itself costs, with a head and without:
        self._attached, self._unattached = self._to_end.copy(), self._to_end.copy()
        for word in range(n - 1, 0, -1):
            self._add_last_words_above(word)
        end = costs[0].copy()
        below = costs[0] if has_root else np.full(n + 1, np.inf)
        self._known = {(int(has_root), int(has_root)): (end, self._future(end, np.full(n + 1, np.inf), below, 0))}

    def _add_last_words_above(self, word: int) -> None:
        """Find out what is left of words if this one is left, too, but nothing above it."""
        to_end, costs, n = self._to_end[:, word], self._costs, self._n
        next_ones = slice(word + 1, n)
        with_next = np.minimum(self._attached[:, next_ones] + costs[word, next_ones], self._unattached[:, next_ones])
        to_end[:] = (self._between[word, next_ones] + with_next).min(axis=1, initial=np.inf)
        to_end[n] = min(to_end[n], self._between[word, n])
        alone = (to_end + costs[word]).min()  # as head of x, if there is one
        self._attached[:, word] = to_end
        self._attached[0, word] = alone
        self._unattached[1:, word] = to_end[1:] + costs[1:, word]
        self._unattached[word, word] = alone

    def _future(self, end: _Costs, leaving: _Costs, as_head: _Costs, top: int) -> _Costs:
        """F: for each front the least cost of all words on a stack and in the buffer.

        Args:
            end: E.
            leaving: the least costs if the top leaves at once.
            as_head: what it costs that the top becomes the head of each word.
            top: the top.
        """
        future, n = leaving, self._n
        future[n] = end[n]
        stays = np.minimum(self._attached + as_head, self._unattached) + end[:, None]
        for front in range(n - 1, top, -1):
            later = slice(front + 1, n + 1)  # when the word that is pushed now leaves
            pops = np.minimum(self._costs[later, front], as_head[front])
            pushed = (self._between[front, later] + pops + future[later]).min()
            future[front] = min(future[front], pushed, stays[:, front].min())
        return future

    def _of(self, stack: Cell, attached: int) -> tuple[_Costs, _Costs]:
        """E and F of a stack."""
        unknown = []
        while (key := (stack[2], stack[2] & attached)) not in self._known:
            unknown.append((key, stack))
            stack = stack[1]
        end, future = self._known[key]
        for key, (top, (below, *_), _) in reversed(unknown):
            as_head = self._costs[top]
            if attached >> top & 1:
                made = self._costs[below, top]
                end, leaving = made + np.minimum(end, as_head + end[0]), future + made
            else:
                leaving = future + self._costs[:, top]
                alone = end[top]
                end = np.minimum(end + self._costs[:, top], as_head + alone)
                end[0] = alone
            future = self._future(end, leaving, as_head, top)
            self._known[key] = end, future
        return end, future

    def __call__(self, cfg: StackBufferConfiguration) -> int:
        """The least cost with which parsing can end."""
        end, future = self._of(cfg.stack_cells, cfg.attached_bits)
        b0, has_b1 = max(cfg.buffer_position(0), 0), cfg.buffer_position(1) > 0
        return int((future if has_b1 else end)[b0]) + cfg.settled_cost(self._settled)


@attrs.frozen
class UnshiftLoss(ArcCostsLoss["StackBufferConfiguration"]):
    """The loss of arc-eager with Unshift, exact for every gold tree."""

    def least_costs(self, costs: ArcCosts, system: StackBufferSystem) -> LeastCosts:
        return _LeastCosts(costs, has_root=system.root == "first")
