"""The exact loss of any configuration against any gold tree, by dynamic programming over the system's table.

Goldberg & Nivre 2012 and Goldberg & Nivre 2013 count the gold arcs that can still be built one by one, which is exact
where all can be built together: never if arcs cross. Here, as in Nederhof 2021 for arc-eager, a best reachable tree is
found. The items are those of Kuhlmann, Gómez-Rodríguez & Satta 2011: a word that is pushed stays on the stack until it
leaves from its top, and what happens in between depends on it and on the two fronts of the buffer only.

A table qualifies if its rows do nothing but push b0, with an arc from s0 or without, and take s0 off, with an arc from
b0, from s1, or with the head that it has, and if they require nothing besides, which `loss_obstacle` checks: arc-hybrid
and all kinds of arc-eager. How a word may leave is read off the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.transition.losses.arc_costs import ArcCosts, ArcCostsLoss
from deptrees.transition.losses.loss import LeastCosts
from deptrees.transition.table import (
    B0,
    B1,
    S0,
    S1,
    STACK,
    UNATTACHED,
    Condition,
    Effect,
    Row,
    arc,
    attached,
    drop,
    empty,
    exists,
    missing,
    push,
    short,
    single,
    unattached,
    word,
)
from deptrees.transition.table.compiler import Cell, applying_to

if TYPE_CHECKING:
    from deptrees.transition.systems.stack_buffer import StackBufferConfiguration, StackBufferSystem

__all__ = ["Exits", "TabularCosts", "TabularLoss", "costs_between", "exits", "loss_obstacle"]

Costs = npt.NDArray[np.float64]

_Effects = tuple[Effect, ...]
_SHIFT: _Effects = (push(B0),)
_RIGHT: _Effects = (arc(S0, B0), push(B0))
_TO_FRONT: _Effects = (arc(B0, S0), drop(S0))
_TO_BELOW: _Effects = (arc(S1, S0), drop(S0))
_ALONE: _Effects = (drop(S0),)
_NEEDED = {
    _SHIFT: {word(B0)},
    _RIGHT: {exists(S0), word(B0), short(S0, B0)},
    _TO_FRONT: {word(S0), exists(B0), short(B0, S0)},
    _TO_BELOW: {exists(S1), short(S1, S0)},
    _ALONE: {word(S0)},
}
"""What a row with these effects has to require, ``short`` if there is a longest arc."""
_HEAD_OF_S0 = {attached(S0), unattached(S0)}


@attrs.frozen
class Exits:
    """How words can leave the stack: with an arc from b0, from s1 (or the head that they have there), or without."""

    to_front: bool
    to_below: bool
    alone: bool


def exits(rows: Sequence[Row]) -> tuple[Exits, Exits] | None:
    """The exits of words without and with a head, or ``None`` if the table does not qualify.

    >>> from deptrees.transition import ArcEager, ArcHybrid, ArcStandard
    >>> exits(ArcEager.rows)
    (Exits(to_front=True, to_below=False, alone=False), Exits(to_front=False, to_below=True, alone=False))
    >>> exits(ArcHybrid.rows)
    (Exits(to_front=True, to_below=True, alone=False), Exits(to_front=True, to_below=True, alone=False))
    >>> exits(ArcStandard.rows) is None
    True
    """
    if any(row.do not in _NEEDED for row in rows):
        return None
    without = {row.do for row in rows if attached(S0) not in row.when}
    with_head = {row.do for row in rows if unattached(S0) not in row.when}
    return (
        Exits(_TO_FRONT in without, _TO_BELOW in without, alone=_ALONE in without),
        Exits(_TO_FRONT in with_head, not with_head.isdisjoint({_TO_BELOW, _ALONE}), alone=False),
    )


def loss_obstacle(system: StackBufferSystem) -> str | None:
    """Why the loss of a system cannot be found in this way; ``None`` if it can.

    A row has to be possible wherever the places that its effects name are occupied, whatever else there is; it may ask
    whether the word that it removes has a head. Only at the end of the sentence may it ask more: see ``_at_the_end``.

    >>> from deptrees.transition import ArcHybrid, ArcStandard
    >>> loss_obstacle(ArcHybrid()) is None, loss_obstacle(ArcStandard())
    (True, 'LeftArc does something else than push b0 or attach and remove s0')
    """
    if (ways := exits(system.rows)) is None:
        wrong = next(row for row in system.rows if row.do not in _NEEDED)
        k = "" if wrong.k in (1, None) else f"(k={wrong.k})"
        return f"{wrong.transition.__name__}{k} does something else than push b0 or attach and remove s0"
    without, with_head = ways
    effects = {row.do for row in system.rows}
    headless_can_leave = without.to_below or without.alone
    if _SHIFT not in effects or (_RIGHT in effects and not with_head.to_below):
        return "not all words can be pushed and removed"
    if not headless_can_leave and not (without.to_front and (_RIGHT in effects or system.root == "last")):
        return "words without a head cannot be removed"
    if system.root == "last" and not (without.to_front or without.alone):
        return "the last word cannot be removed"
    if system.has_single_root and without.alone:
        return "words without a head can be removed, though ROOT is to have a single dependent"
    final, at_the_end = _at_the_end(system, headless_can_leave)
    if final.symmetric_difference(_required(system.final, system)):
        return "it does not end when all words have been removed that can be"
    for row in system.rows:
        needed = {condition for condition in _NEEDED[row.do] if condition.kind != "short" or system.longest_arc}
        needed = {_plain(condition, system.root) for condition in needed | at_the_end.get(row.do, set())}
        required = _required(row.when, system)
        if absent := needed - required:
            return f"{row.transition.__name__} does not require that {min(map(str, absent))}"
        may_ask = needed if row.do in (_SHIFT, _RIGHT) else needed | _HEAD_OF_S0 | {word(S0)}
        if others := required - may_ask:
            return f"{row.transition.__name__} requires that {min(map(str, others))}"
        if required >= _HEAD_OF_S0:
            return f"{row.transition.__name__} is never possible"
    return None


def _required(conditions: Sequence[Condition], system: StackBufferSystem) -> set[Condition]:
    return {_plain(condition, system.root) for condition in applying_to(conditions, system.variant)}


def _plain(condition: Any, root: str) -> Any:
    """A condition in one form: what is there is a word where ROOT never is."""
    if not isinstance(condition, Condition):
        return condition
    operands = tuple([_plain(operand, root) for operand in condition.operands])
    is_word = condition.kind == "exists" and {"first": "s", "last": "b"}.get(root) != operands[0].side
    return attrs.evolve(condition, kind="word" if is_word else condition.kind, operands=operands, only=())


def _at_the_end(
    system: StackBufferSystem, headless_can_leave: bool
) -> tuple[set[Condition], dict[_Effects, set[Condition]]]:
    """The conditions of a final configuration, and what rows have to require besides so that all can end there.

    Words without a head that cannot leave at the end must not be pushed then, and ROOT gets its only dependent last.
    """
    root, waiting = system.root, STACK & UNATTACHED
    final = {missing(S0), missing(B1)} if root == "last" else {missing(B0)}
    if headless_can_leave:
        besides = {("last", _TO_FRONT): exists(B1) | missing(S1), ("first", _TO_BELOW): word(S1) | missing(B0)}
        at_the_end = {do: {asked} for (place, do), asked in besides.items() if system.single_root and place == root}
        return final if root == "last" else final | {missing(S1)}, at_the_end
    if root == "first":
        at_the_end = {_RIGHT: {exists(B1) | empty(waiting)}, _SHIFT: {exists(B1)}}
        if system.single_root:
            at_the_end |= {_ALONE: {word(S1)}, _TO_BELOW: {word(S1)}}
    elif system.has_single_root:
        more = word(B1) if root == "last" else exists(B1)
        at_the_end = {_RIGHT: {more | single(waiting)}, _SHIFT: {more | empty(waiting)}}
    else:
        at_the_end = {}
    return final, at_the_end


def costs_between(to_front: Costs, otherwise: Costs, passed: Costs | None = None) -> Costs:
    """At [k, j] the least cost of all words between k and j, when k is on the stack and j comes to the front.

    Args:
        to_front: at [j, d] what it costs that word d leaves the stack with an arc from j, which is in front.
        otherwise: at [k, d] what it costs that word d leaves it in another way, where k stands below it.
        passed: at [k, j] what it costs that none of the words between them becomes part of the tree, if that can be.
    """
    end = len(to_front) - 1
    costs = np.full((end + 1, end + 1), np.inf) if passed is None else passed.copy()
    for top in range(end - 1, 0, -1):
        costs[top, top + 1] = 0
        for front in range(top + 2, end + 1):
            last = slice(top + 1, front)  # the last of the words that stand right above the top and leave
            leaving = np.minimum(to_front[front, last], otherwise[top, last])
            found = (costs[top, last] + costs[last, front] + leaving).min()
            costs[top, front] = min(costs[top, front], found)
    return costs


class TabularCosts:
    """The least costs with which parsing can end, for some costs of arcs."""

    # Positions are 0 to n + 1: ROOT, the words, and the last position of the buffer, which is ROOT too if ROOT stands
    # last and nothing otherwise. Costs are infinite for what cannot be. Filling the table takes O(n³) time, and O(n²)
    # for each new stack; numpy does the inner loop.

    def __init__(self, costs: ArcCosts, system: StackBufferSystem, rows: tuple[Row, ...]) -> None:
        self._costs = costs.T.tolist()
        self._end = end = len(costs) - 1
        self._root = system.root
        self._has_single_root = system.has_single_root
        ways_out = exits(rows)
        if ways_out is None:
            raise ValueError("the table does other things than push and take off the top of the stack")
        self._exits = without, with_head = ways_out
        self._wrong = costs.copy()
        self._headless = costs[end]
        if system.longest_arc is not None:
            positions = np.arange(end + 1)
            self._wrong[abs(positions[:, None] - positions[:end]) > system.longest_arc] = np.inf
        self._wrong[end] = self._wrong[0] if self._root == "last" and not self._has_single_root else np.inf
        # What a word costs that is pushed above an element and leaves later: with an arc from the front, which depends
        # on when it leaves, or otherwise, which depends on the element; the last row is for no element.
        pushed = [without, with_head] if any(row.do == (arc(S0, B0), push(B0)) for row in rows) else [without]
        self._to_front = self._wrong if any(ways.to_front for ways in pushed) else np.full_like(self._wrong, np.inf)
        self._otherwise = np.full_like(self._wrong, np.inf)
        if any(ways.to_below for ways in pushed):
            self._otherwise[:end] = self._wrong[:end]
        if without.alone:
            self._otherwise = np.minimum(self._otherwise, self._headless)
        self._between = costs_between(self._to_front, self._otherwise)
        # The bottom of the stack, from which nothing leaves: empty or, after all words are gone, ROOT alone.
        at_end = np.where(np.arange(end + 1) == end, 0, np.inf)
        # Without ROOT below it a word has been shifted, so it has no head yet.
        leaves_to_front = without.to_front or (self._root == "first" and any(ways.to_front for ways in pushed))
        leaving = self._to_front if leaves_to_front else np.full_like(self._to_front, np.inf)
        if self._has_single_root:  # a single word becomes ROOT's, at the end
            leaving = leaving.copy()
            leaving[end] = np.minimum(leaving[end], self._wrong[0])
        else:
            leaving = np.minimum(leaving, self._otherwise[end if self._root == "last" else 0])
        self._futures = {(1, 1) if self._root == "first" else (0, 0): self._extended(leaving, at_end, above=0)}

    def _extended(self, leaving: Costs, future: Costs, above: int) -> Costs:
        """From the least costs for fronts after ``above`` if the top leaves at once to those if others come before."""
        # At [j, k] of ``leaving`` is what k costs, pushed above the top, when it leaves and j is in front.
        for front in range(self._end - 1, above, -1):
            later = slice(front + 1, self._end + 1)  # when the word that is pushed now leaves
            pushed = (self._between[front, later] + leaving[later, front] + future[later]).min()
            future[front] = min(future[front], pushed)
        return future

    def _future(self, stack: Cell, attached: int) -> Costs:
        """For each front of the buffer the least cost of all words on the stack and in the buffer."""
        unknown = []
        while (key := (stack[2], stack[2] & attached)) not in self._futures:
            unknown.append((key, stack))
            stack = stack[1]
        future = self._futures[key]
        for key, (top, (below, *_), _) in reversed(unknown):
            ways = self._exits[attached >> top & 1]
            leaving = self._wrong[:, top] if ways.to_front else np.full_like(future, np.inf)
            if self._has_single_root and below <= 0:
                leaving = leaving.copy()
                if ways.to_below or self._root != "first":
                    leaving[-1] = self._wrong[0, top]
            elif ways.to_below and below >= 0:
                leaving = np.minimum(leaving, self._wrong[below, top])
            if ways.alone:
                leaving = np.minimum(leaving, self._headless[top])
            pushed = np.minimum(self._to_front, self._otherwise[top])
            future = self._futures[key] = self._extended(pushed, future + leaving, above=top)
        return future

    def to_come(self, stack: Cell, attached: int, b0: int) -> int:
        """The least cost of all words on the stack and in the buffer.

        Args:
            stack: the stack as linked cells, see `StackBufferConfiguration`.
            attached: the words that have a head, as the bits of an integer.
            b0: the front of the buffer; without a word, 0 or less.
        """
        return int(self._future(stack, attached)[b0 if b0 > 0 else self._end])

    def __call__(self, cfg: StackBufferConfiguration) -> int:
        """The least cost with which parsing can end."""
        to_come = self.to_come(cfg.stack_cells, cfg.attached_bits, cfg.buffer_position(0))
        return to_come + cfg.settled_cost(self._costs)


@attrs.frozen(cache_hash=True)
class TabularLoss(ArcCostsLoss["StackBufferConfiguration"]):
    """The loss of a system whose words leave the stack as they do in a table that qualifies (see ``exits``).

    Args:
        rows: the table.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import ArcEager
    >>> tree = DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "discuss"), (1, "about")])
    >>> TabularLoss(ArcEager.rows)(ArcEager().initial(tree), tree)
    1
    """

    rows: tuple[Row, ...]

    def least_costs(self, costs: ArcCosts, system: StackBufferSystem) -> LeastCosts:
        return TabularCosts(costs, system, self.rows)
