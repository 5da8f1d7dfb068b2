"""The loss of arc-eager with two registers, by search: which gold arcs can still be built together.

The problem
    The system builds arcs between s0 and b0, as arc-eager, and between a register and either of them (see
    `deptrees.transition.systems.arc_eager_registers`). Its loss is found by A* (see `shortest_path`).

Invariants
    1. ROOT can become the head of any word that waits, and that changes nothing else. So in place of an arc that is not
       gold, ROOT becomes the head, and no other arcs need be tried. The exception is the first arc of an interval, for
       Clear does more where there is one. If the registers are empty, words that need it need not be stored.
    2. A word on the stack is there for gold arcs that are available. So s0 leaves at once if there are none that begin
       or end at it, but for the same exception.

Lower bound
    A word is certain to be wrong if its gold arc is not *available*. It is not available if an end has left, or if both
    ends are on the stack. Between a register and a word on the stack, it is available if the register is after the
    word, and the word not before the last interval; between a word that is inside the interval and one in the buffer,
    if a register is free. Where Clear may put the last word that was read in front of the buffer again, arcs are
    available as if it stood there.

Least costs
    Where arcs have any costs (constraints), the bound is the cost of the best tree of available arcs.

Complexity and limits
    A bound takes O(n) time, for any costs O(n³). In the worst case the search takes exponential time.

*What* depends on *discuss*, and has a dependent beyond it. On the stack it would leave with its head, so the arc to
*about* can be built only if *What* waits in a register:

>>> from deptrees import DependencyTree
>>> from deptrees.transition import ArcEagerRegisters, Shift, Store
>>> words = ["What", "discuss", "about", "me"]
>>> tree, start = DependencyTree(zip((2, 0, 1, 2), words)), ArcEagerRegisters().initial(words)
>>> ArcEagerRegistersLoss()(Store()(start), tree), ArcEagerRegistersLoss()(Shift()(start), tree)
(0, 1)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import TYPE_CHECKING

import attrs

from deptrees.transition.losses.arc_costs import ArcCosts, best_cost_to_come, gold_costs
from deptrees.transition.losses.shortest_path import SearchProblem, ShortestPathLoss
from deptrees.transition.transitions import LeftArc, Reduce, Transition
from deptrees.trees.heads import Heads, topmost

if TYPE_CHECKING:
    from deptrees.transition.systems.arc_eager_registers import ArcEagerRegisters, ArcEagerRegistersConfiguration

__all__ = ["ArcEagerRegistersLoss"]


@attrs.frozen
class ArcEagerRegistersLoss(ShortestPathLoss["ArcEagerRegistersConfiguration"]):
    """The loss of arc-eager with two registers, exact for every gold tree."""

    def gold_problem(self, heads: Heads, system: ArcEagerRegisters) -> SearchProblem:
        return _GoldProblem(heads)

    def problem(self, costs: ArcCosts, system: ArcEagerRegisters) -> SearchProblem:
        return _Problem(costs)


class _Problem(SearchProblem["ArcEagerRegistersConfiguration"]):
    """Any costs of arcs."""

    def key(self, cfg: ArcEagerRegistersConfiguration) -> Hashable:
        """All that preconditions look at."""
        seen = (*cfg.stack, *cfg.registers, *cfg.buffer[:1])
        heads = tuple([cfg.heads[word - 1] for word in (*cfg.registers, *cfg.buffer[:1])])
        known = tuple([topmost(word, cfg.heads) for word in seen])
        return cfg.stack, cfg.registers, cfg.front, cfg.interval, cfg.closed, heads, known

    def bound(self, cfg: ArcEagerRegistersConfiguration) -> int:
        elements, available = range(len(cfg.heads) + 1), _available(cfg)
        return best_cost_to_come(cfg, self.costs, lambda word: [head for head in elements if available(head, word)])


class _GoldProblem(_Problem):
    """Errors against a gold tree."""

    def __init__(self, heads: Heads) -> None:
        super().__init__(gold_costs(heads))
        self._arcs: dict[int, list[tuple[int, int]]] = {}  # of each word, but for those from ROOT
        self._heads = heads
        for word, head in enumerate(heads, 1):
            if head:
                self._arcs.setdefault(head, []).append((head, word))
                self._arcs.setdefault(word, []).append((head, word))

    def bound(self, cfg: ArcEagerRegistersConfiguration) -> int:
        available = _available(cfg)
        words = enumerate(zip(cfg.heads, self._heads, strict=True), 1)
        return sum([head is None and gold is not None and not available(gold, word) for word, (head, gold) in words])

    def steps(self, cfg: ArcEagerRegistersConfiguration) -> Iterator[tuple[Transition, ...]]:
        needs_interval = bool(cfg.registers) and not cfg.interval
        if cfg.stack and not needs_interval and not self._waits(cfg, cfg.stack[-1]):
            yield (Reduce() if cfg.is_possible(Reduce()) else LeftArc(k=6),)
            return
        for transition in cfg.possible_transitions():
            head, word = cfg.added(transition) or (0, 0)
            if needs_interval or head in (0, self._heads[word - 1]):
                yield (transition,)

    def _waits(self, cfg: ArcEagerRegistersConfiguration, word: int) -> bool:
        """Whether a gold arc is available that begins or ends at a word."""
        available = _available(cfg)
        return any(cfg.heads[end - 1] is None and available(head, end) for head, end in self._arcs.get(word, []))


def _available(cfg: ArcEagerRegistersConfiguration) -> Callable[[int, int], bool]:
    """Whether an arc from a head to a word without one can still be built if nothing else is asked for."""
    stack, registers = frozenset(cfg.stack), cfg.registers
    front = cfg.front - 1 if registers[-1:] == (cfg.front - 1,) else cfg.front  # which may stand there again
    is_full = len(registers) == 2 and front == cfg.front

    def available(head: int, word: int) -> bool:
        first, last = min(head, word), max(head, word)
        if head == 0:
            return True
        if last >= front:
            return first >= front or first in registers or (first in stack and not (is_full and cfg.is_inside(first)))
        return last in registers and first in stack and first >= cfg.closed

    return available
