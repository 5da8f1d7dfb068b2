"""Arc-standard (Nivre 2004)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from deptrees.transition.costs import Loss
from deptrees.transition.eisner import eisner
from deptrees.transition.stack_buffer import StackBufferConfiguration, StackBufferSystem
from deptrees.transition.table import B0, S0, S1, Row, arc, drop, exists, gold, missing, pending, push, word
from deptrees.transition.transitions import LeftArc, RightArc, Shift
from deptrees.tree import DependencyTree

__all__ = ["ArcStandard"]

Costs = npt.NDArray[np.float64]


class ArcStandard(StackBufferSystem):
    """Arc-standard: arcs between the two topmost elements of the stack, every word complete before it is attached.

    It is not arc-decomposable. Which transitions are correct is from Sartorio 2015, table 5.4; losses are tabular, in
    the manner of Goldberg, Sartorio & Satta 2014, but over the whole buffer, and so exact for every gold tree.

    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(2, "Birds"), (0, "sing")])
    >>> [transition for _, transition in Oracle(ArcStandard(), static_oracle)(tree)]
    [Shift(), Shift(), LeftArc(), RightArc()]
    """

    rows = (
        Row(LeftArc, when=(word(S1),), do=(arc(S0, S1), drop(S1)), correct=(gold(S0, S1),)),
        Row(RightArc, when=(exists(S1), word(S0)), do=(arc(S1, S0), drop(S0)), correct=(gold(S1, S0), ~pending(S0))),
        Row(Shift, when=(exists(B0),), do=(push(B0),), correct=(~(gold(S0, S1) | gold(S1, S0)) | pending(S0),)),
    )
    final = (missing(B0), missing(S1))

    def loss(self) -> Loss:
        return _loss


def _loss(cfg: StackBufferConfiguration, tree: DependencyTree) -> int:
    """How many heads the best tree within reach gets wrong, whatever the gold tree."""
    return _losses(tree.heads, cfg.system.root == "last").loss(cfg)


@lru_cache(maxsize=64)
def _losses(heads: tuple[int | None, ...], root_last: bool) -> _Losses:
    return _Losses(heads, root_last)


class _Losses:
    """The losses of all configurations against one gold tree.

    Positions are 0 to n + 1; ROOT is the first of them or the last, and the other one is not used. Costs count wrong
    heads, and are infinite for what cannot be.
    """

    def __init__(self, heads: tuple[int | None, ...], root_last: bool) -> None:
        n = len(heads)
        self._heads = heads
        self._root = n + 1 if root_last else 0
        self._end = n + 2 if root_last else n + 1  # the front of the buffer when it is empty
        self._wrong = np.full((n + 2, n + 2), np.inf)
        for position, gold_head in enumerate(heads, 1):
            self._wrong[1 : n + 1, position] = self._wrong[self._root, position] = gold_head is not None
            if gold_head is not None:
                self._wrong[gold_head or self._root, position] = 0
        # half[d, e] is the cost of all words from d to e, at one side of d, under d.
        self._half = eisner(self._wrong).complete
        nothing = np.full((n + 2, n + 3), np.inf)
        nothing[self._root, self._end] = 0
        self._futures: dict[int, Costs] = {0: self._extended(nothing)}

    def loss(self, cfg: StackBufferConfiguration) -> int:
        """The fewest wrong heads with which parsing can end."""
        _, stack, buffer, _ = cfg._state
        front = self._position(buffer[0])
        if stack[0] < 0:
            # The first tree that is shifted: its root, with all that stands before it.
            futures = self._futures[0]
            future = min(self._half[top, front] + futures[top, top + 1] for top in range(front, self._end))
        else:
            future = self._future(stack[1])[self._position(stack[0]), front]
        return int(future) + cfg.settled_errors(self._heads)

    def _position(self, element: int) -> int:
        return element if element > 0 else self._root if element == 0 else self._end

    def _future(self, below: Any) -> Costs:
        """At [h, j] the least cost of all words in play when h stands on top of ``below`` and j is in front."""
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
        with_right_half = np.full_like(
            wrong, np.inf
        )  # at [h, d] the cost when d is h's dependent but for its left half
        as_top = np.full(len(wrong), np.inf)  # the cost when a word is on top and all behind it is in the buffer
        for front in range(end - 1, 0, -1):
            roots = slice(front, end)  # of the tree that is made next of the words from the front of the buffer on
            with_right_half[:, front] = (half[front, roots] + future[:, front + 1 : end + 1]).min(axis=1)
            as_top[front] = future[front, front + 1]
            right_arc = (wrong[:, roots] + with_right_half[:, roots] + half[roots, front]).min(axis=1)
            left_arc = (wrong[roots].T + half[roots, front] + as_top[roots]).min(axis=1)
            future[:, front] = np.minimum(future[:, front], np.minimum(right_arc, left_arc))
        return future
