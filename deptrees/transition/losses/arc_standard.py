"""The exact loss of arc-standard, by dynamic programming over the stack and the buffer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from deptrees.transition.losses.arc_costs import ArcCosts, ArcCostsLoss
from deptrees.transition.losses.loss import LeastCosts
from deptrees.transition.table.compiler import Cell
from deptrees.trees.eisner import eisner

if TYPE_CHECKING:
    from deptrees.transition.systems.stack_buffer import StackBufferConfiguration, StackBufferSystem

__all__ = ["ArcStandardLoss"]

Costs = npt.NDArray[np.float64]


class ArcStandardLoss(ArcCostsLoss["StackBufferConfiguration"]):
    """The loss of arc-standard, in the manner of Goldberg, Sartorio & Satta 2014, but over the whole buffer: exact.

    Nederhof 2019 has exact losses, too. Here they take O(n³) time for each gold tree, and as much again for each new
    stack.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import ArcStandard, Shift
    >>> tree = DependencyTree([(0, "Sing"), (1, "again")])
    >>> ArcStandardLoss()(Shift()(ArcStandard().initial(tree)), tree)
    0
    """

    def least_costs(self, costs: ArcCosts, system: StackBufferSystem) -> LeastCosts:
        return _LeastCosts(costs, system)


class _LeastCosts:
    # Positions are 0 to n + 1; ROOT is the first of them or the last, and the other one is not used. Costs are infinite
    # for what cannot be. If ROOT gets a single dependent, what counts is which word is left alone on the stack.

    def __init__(self, costs: ArcCosts, system: StackBufferSystem) -> None:
        n = len(costs) - 2
        self._costs = costs.T.tolist()
        self._has_single_root = system.has_single_root
        root_last = system.root == "last" and not self._has_single_root
        self._root = n + 1 if root_last else 0
        self._end = n + 2 if root_last else n + 1  # the front of the buffer when it is empty
        self._wrong = np.full((n + 2, n + 2), np.inf)
        self._wrong[1 : n + 1, 1 : n + 1] = costs[1 : n + 1, 1:]
        self._wrong[self._root, 1 : n + 1] = costs[0, 1:]
        # half[d, e] is the cost of all words from d to e, at one side of d, under d.
        self._half = eisner(self._wrong).complete
        alone = np.full((n + 2, n + 3), np.inf)  # the cost of ending with the word on top of the bottom
        if self._has_single_root:
            alone[:, self._end] = self._wrong[0]
        else:
            alone[self._root, self._end] = 0
        bottom = 1 if self._has_single_root and system.root == "first" else 0
        self._futures: dict[int, Costs] = {bottom: self._extended(alone)}
        self._bottom = self._futures[bottom]

    def __call__(self, cfg: StackBufferConfiguration) -> int:
        """The least cost with which parsing can end."""
        stack, b0 = cfg.stack_cells, cfg.buffer_position(0)
        front = self._end if self._has_single_root and b0 == 0 else self._position(b0)
        if self._has_single_root and stack[0] == 0:
            stack = stack[1]
        if stack[0] >= 0:
            future = self._future(stack[1])[self._position(stack[0]), front]
        else:  # the first tree that is shifted: its root, with all that stands before it
            tops = range(front, self._end)
            future = min((self._half[top, front] + self._bottom[top, top + 1] for top in tops), default=0)
        return int(future) + cfg.settled_cost(self._costs)

    def _position(self, element: int) -> int:
        return element if element > 0 else self._root if element == 0 else self._end

    def _future(self, below: Cell) -> Costs:
        """At [h, j] the least cost of all unsettled words when h stands on top of ``below`` and j is in front."""
        unknown = []
        while below[2] not in self._futures:
            unknown.append(below)
            below = below[1]
        for cell in reversed(unknown):
            element, rest = self._position(cell[0]), self._futures[cell[1][2]]
            left_arc = self._wrong[:, element, None] + rest
            right_arc = self._wrong[element, :, None] + rest[element]
            self._futures[cell[2]] = self._extended(np.minimum(left_arc, right_arc))
        return self._futures[unknown[0][2] if unknown else below[2]]

    def _extended(self, future: Costs) -> Costs:
        """From the costs if the next arc is one with the element below to those if it may be one with the buffer."""
        half, wrong, end = self._half, self._wrong, self._end
        # At [h, d] the cost when d is h's dependent but for its left half; and the cost when a word is on top and all
        # words after it are in the buffer.
        with_right_half, as_top = np.full_like(wrong, np.inf), np.full(len(wrong), np.inf)
        for front in range(end - 1, 0, -1):
            roots = slice(front, end)  # of the tree that is made next of the words from the front of the buffer on
            with_right_half[:, front] = (half[front, roots] + future[:, front + 1 : end + 1]).min(axis=1)
            as_top[front] = future[front, front + 1]
            right_arc = (wrong[:, roots] + with_right_half[:, roots] + half[roots, front]).min(axis=1)
            left_arc = (wrong[roots].T + half[roots, front] + as_top[roots]).min(axis=1)
            future[:, front] = np.minimum(future[:, front], np.minimum(right_arc, left_arc))
        return future
