"""From a system's table to Python functions, made once for each system.

As attrs writes ``__init__`` from a class's fields, this module writes from a system's rows the functions that its
configurations run on. A row's conditions, effects and lost arcs become expressions over these variables:

======================== ===================================================================================
``stack``, ``buffer``    linked lists: cells (element, cell behind, bits of all elements from here on)
``arcs``                 a linked list: cells (head, dependent, params, cell behind, bits of attached words, and 0)
``s0``, ``s1``, ``b0``…  the elements, -1 where there is none
======================== ===================================================================================

Sets are integers whose bits are positions: intersecting them and counting their elements takes one operation each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NoReturn

import attrs

from deptrees.transition.configuration import last_possible
from deptrees.transition.table import Condition, Effect, Lost, Place, Region, Row
from deptrees.transition.transitions import ArcTransition, IllegalTransition, Shift, Transition

__all__ = ["Program", "compile_table"]


@attrs.frozen
class Program:
    """The compiled table of one system.

    Args:
        source: the Python code, for reading.
        steps: for each kind of transition, the function from a configuration and a transition to the next.
        allowed: for each kind of transition, whether a configuration allows it.
        dependents: for each kind of transition that adds an arc, the word it attaches in a configuration.
        lost: for each kind of transition, how many arcs of a gold tree it loses in a configuration.
        possible: the possible transitions, without labels.
        is_final: whether a configuration is final.
        one: the first correct transition in the order of the rows; if there is none, the last that is possible.
        one_prefer_shift: the same, with Shift asked before any other that adds no arc.
        every: all correct transitions.
    """

    source: str
    steps: Mapping[type[Transition], Callable[[Any, Any], Any]]
    allowed: Mapping[type[Transition], Callable[[Any, Transition], bool]]
    dependents: Mapping[type[Transition], Callable[[Any], int]]
    lost: Mapping[type[Transition], Callable[[Any, Any], int]]
    possible: Callable[[Any], tuple[Transition, ...]]
    is_final: Callable[[Any], bool]
    one: Callable[[Any, Any, Any], Transition]
    one_prefer_shift: Callable[[Any, Any, Any], Transition]
    every: Callable[[Any, Any, Any], tuple[Transition, ...]]


def compile_table(
    rows: Sequence[Row],
    final: Sequence[Condition],
    root: str,
    longest_arc: int | None,
    new: Callable[..., Any],
) -> Program:
    """Compile a table.

    Args:
        rows: the transitions, in the order in which a static oracle prefers them.
        final: the conditions that hold in final configurations only.
        root: where ROOT stands; conditions meant for another position are left out.
        longest_arc: the length of the longest arc that the system builds, ``None`` if there is no limit.
        new: makes a configuration of a tuple of source, stack, buffer and arcs.
    """
    rows = [attrs.evolve(row, when=_for_root(row.when, root)) for row in rows]
    shift_first = sorted(rows, key=lambda row: row.dependent is None and row.transition is not Shift)
    functions = {
        "possible": _possible(rows),
        "is_final": _function("is_final", "cfg", f"return {_all(_for_root(final, root))}"),
        "one": _one("one", rows),
        "one_prefer_shift": _one("one_prefer_shift", shift_first),
        "every": _every(rows),
    }
    tables: dict[str, dict[str, str]] = {"steps": {}, "allowed": {}, "dependents": {}, "lost": {}}
    for row in rows:
        name = row.transition.__name__
        tables["steps"][name] = _step(row)
        tables["allowed"][name] = _function(f"allows_{name}", "cfg, t", f"return {_all(row.when)}{_one_k(row)}")
        if row.dependent:
            tables["dependents"][name] = _function(f"dependent_of_{name}", "cfg", f"return {row.dependent}")
        if row.loses is not None:
            counts = " + ".join(f"({_lost(lost)}).bit_count()" for lost in row.loses) or "0"
            tables["lost"][name] = _function(f"lost_by_{name}", "cfg, tree", f"return {counts}")
    source = "\n\n".join([*functions.values(), *(code for table in tables.values() for code in table.values())])
    kinds = {row.transition.__name__: row.transition for row in rows}
    namespace: dict[str, Any] = {
        **kinds,
        **{f"THE_{name}": kind() for name, kind in kinds.items()},
        "make": _make,
        "new": new,
        "LONGEST": longest_arc,
        "NEAR": None if longest_arc is None else (1 << 2 * longest_arc + 1) - 1,
        "illegal": _explainer(rows, longest_arc),
        "fallback": last_possible,
        "POSSIBLE": _subsets([kind() for kind in kinds.values()]),
    }
    exec(compile(source, f"<table of {new.__name__}>", "exec"), namespace)
    made: dict[str, Any] = {name: namespace[name] for name in functions}
    for field, table in tables.items():
        made[field] = {kinds[name]: namespace[_name_of(code)] for name, code in table.items()}
    return Program(source, **made)


def _for_root(conditions: Sequence[Condition], root: str) -> tuple[Condition, ...]:
    return tuple(condition for condition in conditions if condition.root in (None, root))


@lru_cache(maxsize=1 << 14)
def _make(kind: Callable[..., Transition], params: tuple[Hashable, ...]) -> Transition:
    """A transition, made once for all uses."""
    return kind(*params)


def _subsets(transitions: Sequence[Transition]) -> tuple[tuple[Transition, ...], ...]:
    """For every number, the transitions whose bits are set in it."""
    return tuple(
        tuple(transition for bit, transition in enumerate(transitions) if number >> bit & 1)
        for number in range(1 << len(transitions))
    )


def _explainer(rows: Sequence[Row], longest_arc: int | None) -> Callable[[Any, Transition], NoReturn]:
    """The function that says why a transition is illegal: it asks the preconditions one by one."""
    checks: dict[type[Transition], list[tuple[Condition, Callable[[Any], bool]]]] = {}
    for row in rows:
        for condition in row.when:
            namespace: dict[str, Any] = {"LONGEST": longest_arc}
            exec(_function("holds", "cfg", f"return {_condition(condition)}"), namespace)
            checks.setdefault(row.transition, []).append((condition, namespace["holds"]))

    def illegal(cfg: Any, transition: Transition) -> NoReturn:
        for condition, holds in checks[type(transition)]:
            if not holds(cfg):
                raise IllegalTransition(f"{transition!r} needs {condition} in {cfg!r}")
        raise IllegalTransition(f"{transition!r} needs k = 1 in {cfg!r}")

    return illegal


# Python code: whole functions


_VARIABLES = {
    "source, stack, buffer, arcs": "cfg._state",
    "attached": "arcs[4]",
    "s0": "stack[0]",
    "s1": "stack[1][0]",
    "b0": "buffer[0]",
    "b1": "buffer[1][0]",
    "head_bits": "tree.head_bits",
    "dependent_bits": "tree.dependent_bits",
}
"""What the variables stand for, each defined by those above it."""


def _function(name: str, parameters: str, body: str) -> str:
    """A function that defines the variables its body uses, and no others."""
    needed: list[str] = []
    text = body
    for variable, value in reversed(_VARIABLES.items()):
        if re.search(rf"\b({variable.replace(', ', '|')})\b", text):
            needed.append(f"{variable} = {value}")
            text += f" {value}"
    lines = [*reversed(needed), *body.split("\n")]
    return "\n    ".join([f"def {name}({parameters}):", *lines])


def _name_of(code: str) -> str:
    return code[len("def ") : code.index("(")]


def _possible(rows: Sequence[Row]) -> str:
    bits = " | ".join(f"({1 << bit} if {_all(row.when)} else 0)" for bit, row in enumerate(rows))
    return _function("possible", "cfg", f"return POSSIBLE[{bits}]")


def _step(row: Row) -> str:
    kind = row.transition.__name__
    values = _Values()
    for effect in row.do:
        values.apply(effect)
    result = f"return new((source, {values.stack()}, {values.buffer}, {values.arcs}))"
    body = [f"if not ({_all(row.when)}{_one_k(row)}): illegal(cfg, t)", *values.lines, result]
    return _function(f"take_{kind}", "cfg, t", "\n".join(body))


def _one(name: str, rows: Sequence[Row]) -> str:
    body = [f"if {_all(row.when)} and {_correct(row)}: return {_labeled(row)}" for row in rows]
    return _function(name, "cfg, tree, label", "\n".join([*body, "return fallback(cfg, tree, label)"]))


def _every(rows: Sequence[Row]) -> str:
    body = [f"if {_all(row.when)} and {_correct(row)}: found += ({_labeled(row)},)" for row in rows]
    return _function("every", "cfg, tree, label", "\n".join(["found = ()", *body, "return found"]))


# Python code: expressions


class _Values:
    """The parts of the next configuration as expressions, starting from those of the present one."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.kept: list[Place] = []  # stack elements above `below` that stay, the topmost last
        self.below = "stack"
        self.buffer = "buffer"
        self.arcs = "arcs"

    def apply(self, effect: Effect) -> None:
        place = effect.places[-1]
        if effect.kind == "arc":
            self.arcs = f"({effect.places[0]}, {place}, t.params, arcs, attached | 1 << {place})"
        elif effect.kind == "push":
            self.kept.append(place)
            self.buffer = "buffer[1]"
        else:
            self.kept = [Place("s", index) for index in reversed(range(place.index))]
            self.below = "stack" + "[1]" * (place.index + 1)

    def stack(self) -> str:
        cells = self.below
        for number, place in enumerate(self.kept):
            self.lines.append(f"below{number} = {cells}")
            cells = f"({place}, below{number}, below{number}[2] | 1 << {place})"
        return cells


def _all(conditions: Sequence[Condition]) -> str:
    return " and ".join(map(_condition, conditions)) or "True"


def _condition(condition: Condition) -> str:
    operands = [
        _condition(operand) if isinstance(operand, Condition) else _region(operand) for operand in condition.operands
    ]
    return _CONDITIONS[condition.kind].format(*operands)


_CONDITIONS = {
    "exists": "{0} >= 0",
    "missing": "{0} < 0",
    "word": "{0} > 0",
    "attached": "attached >> {0} & 1",
    "unattached": "not attached >> {0} & 1",
    "empty": "not {0}",
    "short": "abs({0} - {1}) <= LONGEST",
    "gold": "({0} >= 0 and {1} > 0 and head_bits[{1}] >> {0} & 1)",
    "pending": "({0} >= 0 and dependent_bits[{0}] & buffer[2])",
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
        # The elements from the place on, less those behind it: nothing where there is no such place.
        cell = {"s": "stack", "b": "buffer"}[part.side] + "[1]" * part.index
        return f"({cell}[2] ^ {cell}[1][2])"
    return {
        "σ": "stack[2]",
        "σ below s0": "stack[1][2]",
        "β": "buffer[2]",
        "β behind b0": "buffer[1][2]",
        "unattached": "~attached",
    }[part]


def _lost(lost: Lost) -> str:
    gold = {"head": "head_bits", "children": "dependent_bits"}[lost.kind]
    arcs = f"{gold}[{lost.place}] & {_region(lost.region)}"
    return arcs if lost.among is None else f"({arcs} if {_region(lost.among)} >> {lost.place} & 1 else 0)"


def _correct(row: Row) -> str:
    if row.loses is None:
        return _all(row.correct or ())
    return f"not ({' or '.join(map(_lost, row.loses)) or 'False'})"


def _one_k(row: Row) -> str:
    return " and t.k == 1" if issubclass(row.transition, ArcTransition) else ""


def _labeled(row: Row) -> str:
    """The row's transition with the gold label of the word that it attaches."""
    kind = row.transition.__name__
    return f"make({kind}, label(tree.tokens[{row.dependent} - 1]))" if row.dependent else f"THE_{kind}"
