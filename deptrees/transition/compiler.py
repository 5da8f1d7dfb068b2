"""From a system's table to Python functions, made once for each system.

As attrs writes ``__init__`` from a class's fields, this module writes from a system's rows the functions that its
configurations run on. A row's conditions, effects and lost arcs become expressions over these variables:

======================== ===================================================================================
``stack``, ``buffer``    linked lists: cells (element, cell behind, bits of all elements from here on)
``arcs``                 a linked list: cells (head, dependent, params, cell behind, bits of attached words, and 0)
``s0``, ``s1``, ``b0``…  the elements, -1 where there is none
``kth``, ``sk``          in rows for every k: the k-th cell of the stack, and its element
======================== ===================================================================================

Sets are integers whose bits are positions: intersecting them and counting their elements takes one operation each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache, partial
from typing import Any, NoReturn

import attrs

from deptrees.transition.configuration import last_possible, parameters_of
from deptrees.transition.table import ABOVE_SK, Condition, ConditionKind, Effect, Lost, Place, Region, Row, Variant
from deptrees.transition.transitions import ArcTransition, IllegalTransition, Shift, Transition

__all__ = ["Program", "compile_table"]

_MOST_MADE = 1 << 14
"""How many transitions of a kind are kept."""


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
        one_lazy: the same as ``one``, with the conditions that are asked of lazy oracles only.
        every: all correct transitions.
        derive: the configurations that lead to a tree, each with what ``one`` says: all steps in one function, which
            keeps stack, buffer and arcs at hand. ``None`` if there are rows for every k.
    """

    source: str
    steps: Mapping[type[Transition], Callable[[Any, Any], Any]]
    allowed: Mapping[type[Transition], Callable[[Any, Transition], bool]]
    dependents: Mapping[type[Transition], Callable[[Any, Transition], int]]
    lost: Mapping[type[Transition], Callable[[Any, Any, Transition], int]]
    possible: Callable[[Any], tuple[Transition, ...]]
    is_final: Callable[[Any], bool]
    one: Callable[[Any, Any, Any], Transition]
    one_prefer_shift: Callable[[Any, Any, Any], Transition]
    one_lazy: Callable[[Any, Any, Any], Transition]
    every: Callable[[Any, Any, Any], tuple[Transition, ...]]
    derive: Callable[[Any, Any, Any], Iterator[tuple[Any, Transition]]] | None = None


def compile_table(
    rows: Sequence[Row],
    final: Sequence[Condition],
    variants: Set[Variant],
    longest_arc: int | None,
    kind: type,
) -> Program:
    """Compile a table.

    Args:
        rows: the transitions, in the order in which a static oracle prefers them.
        final: the conditions that hold in final configurations only.
        variants: what the system is; conditions that are meant for other variants are left out.
        longest_arc: the length of the longest arc that the system builds, ``None`` if there is no limit.
        kind: the class of the configurations, whose field ``_state`` is a tuple of source, stack, buffer and arcs.
    """
    lazy_rows = _asked(rows, {*variants, "lazy"})
    rows = _asked(rows, variants)
    shift_first = sorted(rows, key=lambda row: row.dependent is None and row.transition is not Shift)
    functions = {
        "possible": _possible(rows),
        "is_final": _function("is_final", "cfg", f"return {_all(asked(final, variants))}"),
        "one": _one("one", rows),
        "one_prefer_shift": _one("one_prefer_shift", shift_first),
        "one_lazy": _one("one_lazy", lazy_rows),
        "every": _every(rows),
    }
    if all(row.k is not None for row in rows):
        functions["derive"] = _derive(rows, asked(final, variants))
    transitions = {row.transition.__name__: row.transition for row in rows}
    tables: dict[str, dict[str, str]] = {"steps": {}, "allowed": {}, "dependents": {}, "lost": {}}
    for name, transition in transitions.items():
        same_kind = [row for row in rows if row.transition is transition]
        tables["steps"][name] = _by_k(f"take_{name}", "cfg, t", same_kind, _step, "illegal(cfg, t)")
        tables["allowed"][name] = _by_k(f"allows_{name}", "cfg, t", same_kind, _allowed, "return False")
        if same_kind[0].dependent:
            tables["dependents"][name] = _by_k(f"dependent_of_{name}", "cfg, t", same_kind, _dependent, "return -1")
        if same_kind[0].loses is not None:
            tables["lost"][name] = _by_k(f"lost_by_{name}", "cfg, tree, t", same_kind, _losses, "return 0")
    source = "\n\n".join([*functions.values(), *(code for table in tables.values() for code in table.values())])
    namespace: dict[str, Any] = {
        **transitions,
        **{f"THE_{name}": transition() for name, transition in transitions.items()},
        **{f"{row.transition.__name__}_{row.k}": _Made(row.transition, row.k) for row in rows if row.k is not None},
        "made": _made,
        "kind": kind,
        "create": object.__new__,
        "set_state": kind._state.__set__,  # type: ignore[attr-defined]
        "cells": _cells,
        "nth_cell": _nth_cell,
        "union": _union,
        "LONGEST": longest_arc,
        "NEAR": None if longest_arc is None else (1 << 2 * longest_arc + 1) - 1,
        "illegal": _explainer(rows, longest_arc),
        "fallback": last_possible,
        "parameters_of": parameters_of,
        "POSSIBLE": _Subsets(_Made(row.transition, row.k or 1)[()] for row in rows),
    }
    exec(compile(source, "<transition table>", "exec"), namespace)
    made: dict[str, Any] = {name: namespace[name] for name in functions}
    for field, table in tables.items():
        made[field] = {transitions[name]: namespace[_name_of(code)] for name, code in table.items()}
    return Program(source, **made)


def asked(conditions: Sequence[Condition], variants: Set[Variant]) -> tuple[Condition, ...]:
    """The conditions that are asked of a system that is all these variants."""
    return tuple(condition for condition in conditions if variants >= set(condition.only))


def _asked(rows: Sequence[Row], variants: Set[Variant]) -> list[Row]:
    return [
        attrs.evolve(
            row,
            when=asked(row.when, variants),
            canonical=None if row.canonical is None else asked(row.canonical, variants),
        )
        for row in rows
    ]


class _Made(dict[tuple[Hashable, ...], Transition]):
    """The transitions of a kind with one k, by their parameters; each is made once for all uses."""

    def __init__(self, kind: Callable[..., Transition], k: int) -> None:
        super().__init__()
        self._make = kind if k == 1 else partial(kind, k=k)

    def __missing__(self, params: tuple[Hashable, ...]) -> Transition:
        if len(self) == _MOST_MADE:
            self.clear()
        return self.setdefault(params, self._make(*params))


@cache
def _made(kind: Callable[..., Transition], k: int) -> _Made:
    return _Made(kind, k)


class _Subsets(dict[int, tuple[Transition, ...]]):
    """For every number, the transitions whose bits are set in it; made when first asked for."""

    def __init__(self, transitions: Iterable[Transition]) -> None:
        super().__init__()
        self._transitions = tuple(transitions)

    def __missing__(self, number: int) -> tuple[Transition, ...]:
        chosen = [transition for bit, transition in enumerate(self._transitions) if number >> bit & 1]
        return self.setdefault(number, tuple(chosen))


def _cells(stack: Any) -> Iterator[tuple[int, Any]]:
    """The cells of the stack from the top, numbered from 1."""
    k = 1
    while stack[0] >= 0:
        yield k, stack
        k, stack = k + 1, stack[1]


def _nth_cell(stack: Any, k: int) -> Any:
    """The k-th cell of the stack, counted from 1; the empty one if there are fewer."""
    for _ in range(1, k):
        stack = stack[1]
    return stack


def _union(sets: Sequence[int], positions: int) -> int:
    """The union of the sets of some positions."""
    found = 0
    while positions:
        lowest = positions & -positions
        found |= sets[lowest.bit_length() - 1]
        positions ^= lowest
    return found


def _explainer(rows: Sequence[Row], longest_arc: int | None) -> Callable[[Any, Transition], NoReturn]:
    """The function that says why a transition is illegal: it asks the preconditions one by one."""
    namespace: dict[str, Any] = {"LONGEST": longest_arc, "nth_cell": _nth_cell}
    checks: dict[tuple[type[Transition], int | None], list[tuple[Condition, Callable[[Any, Transition], bool]]]] = {}
    for row in rows:
        for condition in row.when:
            exec(_function("holds", "cfg, t", f"return {_condition(condition)}"), namespace)
            checks.setdefault((row.transition, row.k), []).append((condition, namespace["holds"]))

    def illegal(cfg: Any, transition: Transition) -> NoReturn:
        kind, k = type(transition), getattr(transition, "k", 1)
        for condition, holds in checks.get((kind, k)) or checks.get((kind, None)) or ():
            if not holds(cfg, transition):
                raise IllegalTransition(f"{transition!r} needs {condition} in {cfg!r}")
        ks = [str(row.k) for row in rows if row.transition is kind and row.k is not None] or ["1 or more"]
        raise IllegalTransition(f"{transition!r} needs k = {' or '.join(ks)} in {cfg!r}")

    return illegal


# Python code: whole functions


_STATE = "source, stack, buffer, arcs"
_VARIABLES = {
    _STATE: "cfg._state",
    "attached": "arcs[4]",
    "kth": "nth_cell(stack, t.k)",
    "sk": "kth[0]",
    "tokens": "tree.tokens",
    "parameters": "parameters_of(tree, label)",
    "head_bits": "tree.head_bits",
    "dependent_bits": "tree.dependent_bits",
    "order": "tree.projective_order",
    "components": "tree.projective_components",
}
"""What the variables stand for, each defined by those above it."""


def _function(name: str, parameters: str, body: str) -> str:
    """A function that defines the variables its body uses, and no others."""
    return "\n    ".join([f"def {name}({parameters}):", *_definitions(body), *body.split("\n")])


def _definitions(body: str) -> list[str]:
    """The lines that define the variables which a body uses."""
    places = {
        place: f"{'stack' if place[0] == 's' else 'buffer'}{'[1]' * int(place[1:])}[0]"
        for place in sorted(set(re.findall(r"\b[sb]\d+\b", body)))
    }
    needed: list[str] = []
    text = body
    for variable, value in reversed([*_VARIABLES.items(), *places.items()]):
        defined = variable in ("kth", "sk") and "for k, kth in" in body
        if not defined and re.search(rf"\b({variable.replace(', ', '|')})\b", text):
            needed.append(f"{variable} = {value}")
            text += f" {value}"
    return needed[::-1]


def _name_of(code: str) -> str:
    return code[len("def ") : code.index("(")]


def _by_k(name: str, parameters: str, rows: Sequence[Row], body: Callable[[Row], str], otherwise: str) -> str:
    """A function of a transition: that of the row whose k it has."""
    if len(rows) == 1:
        return _function(name, parameters, body(rows[0]))
    lines: list[str] = []
    for row in rows:
        lines += [f"if t.k == {row.k}:", *[f"    {line}" for line in body(row).split("\n")]]
    return _function(name, parameters, "\n".join([*lines, otherwise]))


def _possible(rows: Sequence[Row]) -> str:
    if any(row.k is None for row in rows):
        found = [line for row in rows for line in _if(_all(row.when), f"found += ({_bare(row)},)", row)]
        return _function("possible", "cfg", "\n".join(["found = ()", *found, "return found"]))
    bits = " | ".join(f"({1 << bit} if {_all(row.when)} else 0)" for bit, row in enumerate(rows))
    return _function("possible", "cfg", f"return POSSIBLE[{bits}]")


def _step(row: Row) -> str:
    values = _Values(row)
    state = f"(source, {values.stack()}, {values.buffer}, {values.arcs})"
    allowed = f"if not ({_all(row.when)}{_right_k(row)}): illegal(cfg, t)"
    return "\n".join([allowed, *values.lines, "after = create(kind)", f"set_state(after, {state})", "return after"])


def _allowed(row: Row) -> str:
    return f"return {_all(row.when)}{_right_k(row)}"


def _dependent(row: Row) -> str:
    return f"return {row.dependent}"


def _losses(row: Row) -> str:
    return "return " + (" + ".join(f"({_lost(lost)}).bit_count()" for lost in row.loses or ()) or "0")


def _one(name: str, rows: Sequence[Row]) -> str:
    body = [line for row in rows for line in _if(_all_of(row, row.when), f"return {_labeled(row)}", row)]
    return _function(name, "cfg, tree, label", "\n".join([*body, "return fallback(cfg, tree, label)"]))


def _every(rows: Sequence[Row]) -> str:
    body = [line for row in rows for line in _if(_all_of(row, row.when), f"found += ({_labeled(row)},)", row)]
    return _function("every", "cfg, tree, label", "\n".join(["found = ()", *body, "return found"]))


def _derive(rows: Sequence[Row], final: Sequence[Condition]) -> str:
    known = _consequences(_asked_of_all(final)[0], False) if len(final) == 1 else {}
    rows = [attrs.evolve(row, when=_asked_of_all(row.when)) for row in rows]
    body = [
        f"if {_all(final)}: return",
        *_first_correct(rows, known),
        "cfg = create(kind)",
        f"set_state(cfg, ({_STATE}))",
    ]
    defined = _definitions("\n".join(body))
    once = [line for line in defined if re.search(r"= (tree|cfg)\.|label", line)]
    loop = ["while True:", *_indented([line for line in defined if line not in once]), *_indented(body)]
    return "\n    ".join(["def derive(cfg, tree, label):", *once, *loop])


def _asked_of_all(conditions: Iterable[Condition]) -> tuple[Condition, ...]:
    """Conditions that are the same whatever variants they are asked of."""
    return tuple(attrs.evolve(condition, only=()) for condition in conditions)


def _first_correct(rows: Sequence[Row], known: Mapping[Condition, bool]) -> list[str]:
    """Yield the first correct transition and take it; what several rows ask is asked once."""
    if not rows:
        return ["t = fallback(cfg, tree, label)", "yield cfg, t", f"{_STATE} = t(cfg)._state"]
    row, *others = rows
    if any(known.get(condition) is False for condition in row.when):
        return _first_correct(others, known)
    unknown = [condition for condition in row.when if condition not in known]
    if unknown and any(_consequences(unknown[0], True).keys() & set(other.when) for other in others):
        answers = [_first_correct(rows, {**known, **_consequences(unknown[0], holds)}) for holds in (True, False)]
        return [f"if {_condition(unknown[0])}:", *_indented(answers[0]), *_otherwise(answers[1])]
    return [f"if {_all_of(row, unknown)}:", *_indented(_taken(row)), *_otherwise(_first_correct(others, known))]


def _taken(row: Row) -> list[str]:
    """Yield a row's transition and take it."""
    parts = _Values(row, "params")
    after = {"stack": parts.stack(), "buffer": parts.buffer, "arcs": parts.arcs}
    moves = [f"{part} = {value}" for part, value in after.items() if value != part]
    made = [f"t = {_bare(row)}"]
    if row.dependent:
        made = [f"params = parameters[{row.dependent}]", f"t = {_made_of(row)}[params]"]
    return [*made, "yield cfg, t", *parts.lines, *moves]


def _consequences(condition: Condition, holds: bool) -> dict[Condition, bool]:
    """What is known when it is known whether a condition holds."""
    known = {condition: holds}
    for kind, opposite in _OPPOSITES:
        if condition.kind == kind:
            known[attrs.evolve(condition, kind=opposite)] = not holds
    if condition.kind == "word" and holds:
        known |= _consequences(attrs.evolve(condition, kind="exists"), True)
    if known.get(attrs.evolve(condition, kind="missing")):
        known[attrs.evolve(condition, kind="word")] = False
    return known


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _otherwise(lines: list[str]) -> list[str]:
    """What to do where the condition before does not hold."""
    first, *others = lines
    return [f"el{first}", *others] if first.startswith("if ") else ["else:", *_indented(lines)]


def _all_of(row: Row, when: Sequence[Condition]) -> str:
    """That a row is correct, and these of its preconditions hold."""
    return " and ".join(part for part in (_all(when), _correct(row)) if part != "True") or "True"


def _if(condition: str, statement: str, row: Row) -> list[str]:
    """Do something if a condition holds, for the row's k or for every one."""
    if row.k is not None:
        return [f"if {condition}: {statement}"]
    lines = ["for k, kth in cells(stack):", "    sk = kth[0]"]
    # What holds of all elements above sk holds for a greater k only if it does for a smaller one.
    lines += [f"    if not {_condition(above)}: break" for above in row.when if _is_above(above)]
    return [*lines, f"    if {condition}: {statement}"]


def _is_above(condition: Condition) -> bool:
    region = condition.operands[0]
    return condition.kind == "empty" and isinstance(region, Region) and set(ABOVE_SK.parts) <= set(region.parts)


# Python code: expressions


class _Values:
    """The parts of the configuration that a row leads to, as expressions over those of the present one."""

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
        cells = self.below
        for place in self.kept:
            cells = self._cell(cells, f"{place}")
        return cells

    def _cell(self, behind: str, element: str) -> str:
        """A new cell in front of others."""
        if not behind.isidentifier():
            self.lines.append(f"cells{len(self.lines)} = {behind}")
            behind = f"cells{len(self.lines) - 1}"
        return f"({element}, {behind}, {behind}[2] | 1 << {element})"


def _all(conditions: Sequence[Condition]) -> str:
    return " and ".join(map(_condition, conditions)) or "True"


def _condition(condition: Condition) -> str:
    operands = [
        _condition(operand) if isinstance(operand, Condition) else _region(operand) for operand in condition.operands
    ]
    return _CONDITIONS[condition.kind].format(*operands)


_OPPOSITES: tuple[tuple[ConditionKind, ConditionKind], ...] = (
    ("exists", "missing"),
    ("missing", "exists"),
    ("attached", "unattached"),
    ("unattached", "attached"),
)
_CONDITIONS = {
    "exists": "{0} >= 0",
    "missing": "{0} < 0",
    "word": "{0} > 0",
    "attached": "attached >> {0} & 1",
    "unattached": "not attached >> {0} & 1",
    "empty": "not {0}",
    "single": "not {0} & {0} - 1",
    "before": "{0} < {1}",
    "short": "abs({0} - {1}) <= LONGEST",
    "gold": "({0} >= 0 and {1} > 0 and head_bits[{1}] >> {0} & 1)",
    "pending": "({0} >= 0 and dependent_bits[{0}] & buffer[2])",
    "complete": "not dependent_bits[{0}] & ~attached",
    "gold before": "order[{0}] < order[{1}]",
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
        # The elements from the place on, less those behind it: nothing where there is no such place.
        cell = "kth" if part.index == "k" else {"s": "stack", "b": "buffer"}[part.side] + "[1]" * part.index
        return f"({cell}[2] ^ {cell}[1][2])"
    return {
        "σ": "stack[2]",
        "σ below s0": "stack[1][2]",
        "σ above sk": "(stack[2] ^ kth[2])",
        "σ below sk": "kth[1][2]",
        "β": "buffer[2]",
        "β behind b0": "buffer[1][2]",
        "unattached": "~attached",
    }[part]


def _lost(lost: Lost) -> str:
    gold = {"head": "head_bits", "children": "dependent_bits"}[lost.kind]
    if isinstance(lost.place, Region):
        return f"union({gold}, {_region(lost.place)}) & {_region(lost.region)}"
    arcs = f"{gold}[{lost.place}] & {_region(lost.region)}"
    return arcs if lost.among is None else f"({arcs} if {_region(lost.among)} >> {lost.place} & 1 else 0)"


def _correct(row: Row) -> str:
    if row.loses is None:
        return _all(row.correct or row.canonical or ())
    return f"not ({' or '.join(map(_lost, row.loses)) or 'False'})"


def _right_k(row: Row) -> str:
    return f" and t.k {'>= 1' if row.k is None else f'== {row.k}'}" if issubclass(row.transition, ArcTransition) else ""


def _bare(row: Row) -> str:
    """The row's transition without a label."""
    return f"THE_{row.transition.__name__}" if row.k == 1 else f"{_made_of(row)}[()]"


def _labeled(row: Row) -> str:
    """The row's transition with the gold label of the word that it attaches."""
    if not row.dependent:
        return _bare(row)
    return f"{_made_of(row)}[label(tokens[{row.dependent} - 1])]"


def _made_of(row: Row) -> str:
    """The row's transitions by their parameters."""
    name = row.transition.__name__
    return f"made({name}, k)" if row.k is None else f"{name}_{row.k}"
