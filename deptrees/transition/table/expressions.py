"""The parts of a system's table as Python expressions.

A row's conditions, effects and lost arcs become expressions over these variables:

======================== ===================================================================================
``stack``, ``buffer``    linked lists: cells (element, next cell, bits of all elements from here on)
``arcs``                 a linked list: cells (head, dependent, params, next cell, bits of attached words, and 0)
``s0``, ``s1``, ``b0``…  the elements, -1 where there is none
``kth``, ``sk``          in rows for every k: the k-th cell of the stack, and its element
======================== ===================================================================================

Sets are integers whose bits are positions: intersecting them and counting their elements takes one operation each.
"""

from __future__ import annotations

from collections.abc import Sequence

from deptrees.transition.table.language import Condition, Effect, Lost, Place, Region, Row
from deptrees.transition.transitions import ArcTransition

__all__ = [
    "Successor",
    "bare_transition",
    "condition_code",
    "conjunction",
    "correctness",
    "labeled_transition",
    "lost_code",
    "made_of",
    "right_k",
]


class Successor:
    """The parts of the configuration that a row leads to, as expressions over those of the present one.

    Args:
        params: the expression for the parameters of the arc that it adds.
    """

    def __init__(self, row: Row, params: str = "t.params") -> None:
        self.lines: list[str] = []
        self.params = params
        self.kept: list[Place] = []  # stack elements above `below` that stay, the topmost last
        self.below = "stack"
        self.buffer = "buffer"
        self.arcs = "arcs"
        for effect in row.do:
            self._apply(effect)

    def _apply(self, effect: Effect) -> None:
        place = effect.operands[-1]
        if effect.kind == "arc":
            self.arcs = f"({effect.operands[0]}, {place}, {self.params}, arcs, attached | 1 << {place})"
        elif effect.kind == "push" and isinstance(place, Place):
            self.kept.append(place)
            self.buffer = "buffer[1]"
        elif effect.kind == "drop":
            self._drop(place)
        else:
            moved = effect.operands[0]
            self._drop(moved)
            if effect.kind == "back":
                self.buffer = self._cell("buffer", f"{moved}")
            else:
                self.buffer = self._cell(self._cell("buffer[1]", f"{moved}"), f"{place}")

    def _drop(self, what: Place | Region) -> None:
        if isinstance(what, Region):
            self.below = "kth"
        elif what.index == "k":
            self.below = "kth[1]"
        else:
            self.kept = [Place("s", index) for index in reversed(range(what.index))]
            self.below = "stack" + "[1]" * (what.index + 1)

    def stack(self) -> str:
        """The stack: what is left of it below, and what stays above that."""
        cells = self.below
        for place in self.kept:
            cells = self._cell(cells, f"{place}")
        return cells

    def _cell(self, rest: str, element: str) -> str:
        """A new cell in front of others."""
        if not rest.isidentifier():
            self.lines.append(f"cells{len(self.lines)} = {rest}")
            rest = f"cells{len(self.lines) - 1}"
        return f"({element}, {rest}, {rest}[2] | 1 << {element})"


def conjunction(conditions: Sequence[Condition]) -> str:
    """That all conditions hold.

    >>> from deptrees.transition.table.language import B0, S0, exists, unattached
    >>> conjunction([exists(B0), unattached(S0)])
    'b0 >= 0 and (s0 >= 0 and not attached >> s0 & 1)'
    """
    return " and ".join(map(condition_code, conditions)) or "True"


def condition_code(condition: Condition) -> str:
    """That a condition holds."""
    operands = [
        condition_code(operand) if isinstance(operand, Condition) else _region(operand)
        for operand in condition.operands
    ]
    return _CONDITIONS[condition.kind].format(*operands)


_CONDITIONS = {
    "exists": "{0} >= 0",
    "missing": "{0} < 0",
    "word": "{0} > 0",
    "attached": "({0} >= 0 and attached >> {0} & 1)",
    "unattached": "({0} >= 0 and not attached >> {0} & 1)",
    "empty": "not {0}",
    "single": "not {0} & {0} - 1",
    "before": "{0} < {1}",
    "short": "abs({0} - {1}) <= LONGEST",
    "gold": "({0} >= 0 and {1} > 0 and head_bits[{1}] >> {0} & 1)",
    "pending": "({0} >= 0 and dependent_bits[{0}] & buffer[2])",
    "complete": "not dependent_bits[{0}] & ~attached",
    "gold before": "order[{0}] < order[{1}]",
    "passed": "({0} >= 0 and passing_bits[{0}] & buffer[2])",
    "same component": "({1} >= 0 and components[{0}] == components[{1}])",
    "or": "({0} or {1})",
    "not": "(not {0})",
}


def _region(region: Region | Place) -> str:
    if isinstance(region, Place):
        return str(region)
    return "(" + " & ".join(_set(part) for part in region.parts) + ")"


def _set(part: str | Place | tuple[str, Place]) -> str:
    if isinstance(part, tuple):
        return f"(NEAR << {part[1]} >> LONGEST)"
    if isinstance(part, Place):
        # The elements from the place on, less those after it: nothing where there is no such place.
        cell = "kth" if part.index == "k" else {"s": "stack", "b": "buffer"}[part.side] + "[1]" * part.index
        return f"({cell}[2] ^ {cell}[1][2])"
    return {
        "σ": "stack[2]",
        "σ below s0": "stack[1][2]",
        "σ above sk": "(stack[2] ^ kth[2])",
        "σ below sk": "kth[1][2]",
        "β": "buffer[2]",
        "β after b0": "buffer[1][2]",
        "unattached": "~attached",
        "anywhere": "-1",
    }[part]


def lost_code(lost: Lost) -> str:
    """The set of the gold arcs that a row loses for one reason; for an empty head any set of one element.

    >>> from deptrees.transition import ArcEager
    >>> lost_code(ArcEager().rows[0].loses[0])
    'head_bits[s0] & (buffer[1][2])'
    """
    gold = "dependent_bits" if lost.kind == "dependents" else "head_bits"
    of = f"union({gold}, {_region(lost.place)})" if isinstance(lost.place, Region) else f"{gold}[{lost.place}]"
    arcs = f"{of} & {_region(lost.region)}"
    if lost.kind == "no head":
        return f"(0 if {arcs} else 1)"
    return f"({arcs} if {conjunction(lost.when)} else 0)" if lost.when else arcs


def correctness(row: Row) -> str:
    """That a row, where it is possible, is correct."""
    if row.canonical is not None:
        return conjunction(row.canonical)
    conditions = [*map(condition_code, row.correct or ())]
    if row.loses is not None:
        conditions.append(f"not ({' or '.join(map(lost_code, row.loses)) or 'False'})")
    return " and ".join(conditions) or "True"


def right_k(row: Row) -> str:
    """That a transition has the row's k."""
    return f" and t.k {'>= 1' if row.k is None else f'== {row.k}'}" if issubclass(row.transition, ArcTransition) else ""


def bare_transition(row: Row) -> str:
    """The row's transition without a label."""
    return f"THE_{row.transition.__name__}" if row.k == 1 else f"{made_of(row)}[()]"


def labeled_transition(row: Row) -> str:
    """The row's transition with the gold label of the word that it attaches.

    >>> from deptrees.transition import ArcHybrid
    >>> [labeled_transition(row) for row in ArcHybrid().rows]
    ['LeftArc_1[label(tokens[s0 - 1])]', 'RightArc_1[label(tokens[s0 - 1])]', 'THE_Shift']
    """
    if not row.dependent:
        return bare_transition(row)
    return f"{made_of(row)}[label(tokens[{row.dependent} - 1])]"


def made_of(row: Row) -> str:
    """The row's transitions by their parameters."""
    name = row.transition.__name__
    return f"made({name}, k)" if row.k is None else f"{name}_{row.k}"
