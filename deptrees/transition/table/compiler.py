"""From a system's table to Python functions, made once for each system.

As attrs writes ``__init__`` from a class's fields, this module writes from a system's rows the functions that its
configurations run on, out of the expressions of `deptrees.transition.table.expressions`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache, partial
from typing import Any, NoReturn, TypeVar

import attrs

from deptrees.transition.configuration import last_possible
from deptrees.transition.system import parameters_of
from deptrees.transition.table.expressions import (
    Successor,
    bare_transition,
    condition_code,
    conjunction,
    correctness,
    labeled_transition,
    lost_code,
    made_of,
    right_k,
)
from deptrees.transition.table.language import ABOVE_SK, Condition, ConditionKind, Lost, Region, Row, Variant
from deptrees.transition.transitions import IllegalTransition, Shift, Transition

__all__ = ["CompiledTable", "compile_table"]

_MOST_MADE = 1 << 14
"""How many transitions of a kind are kept."""

_OPPOSITES: tuple[tuple[ConditionKind, ConditionKind], ...] = (
    ("exists", "missing"),
    ("missing", "exists"),
    ("attached", "unattached"),
    ("unattached", "attached"),
)


@attrs.frozen
class CompiledTable:
    """The compiled table of one system.

    Args:
        source: the Python code, for reading.
        steps: for each kind of transition, the function from a configuration and a transition to the next.
        is_possible: for each kind of transition, whether it is possible in a configuration.
        dependents: for each kind of transition that adds an arc, the word it attaches in a configuration.
        lost: for each kind of transition, how many arcs of a gold tree it loses in a configuration.
        losses: what a transition loses of a gold tree in a configuration, each with the words that lose their heads.
        possible: the possible transitions, without labels.
        is_final: whether a configuration is final.
        one: the first correct transition in the order of the rows; if there is none, the last that is possible.
        one_prefer_shift: the same, with Shift asked before any other that adds no arc.
        one_lazy: the same as ``one``, with the conditions that are asked of lazy oracles only.
        every: all correct transitions.
        derive: the configurations that lead to a tree, each with what ``one`` says: all steps in one function, which
            keeps stack, buffer and arcs at hand, and hands over the final configuration. ``None`` if there are rows for
            every k.
    """

    source: str
    steps: Mapping[type[Transition], Callable[[Any, Any], Any]]
    is_possible: Mapping[type[Transition], Callable[[Any, Transition], bool]]
    dependents: Mapping[type[Transition], Callable[[Any, Transition], int]]
    lost: Mapping[type[Transition], Callable[[Any, Any, Transition], int]]
    losses: Callable[[Any, Any, Transition], dict[Lost, list[int]]]
    possible: Callable[[Any], tuple[Transition, ...]]
    is_final: Callable[[Any], bool]
    one: Callable[[Any, Any, Any], Transition]
    one_prefer_shift: Callable[[Any, Any, Any], Transition]
    one_lazy: Callable[[Any, Any, Any], Transition]
    every: Callable[[Any, Any, Any], tuple[Transition, ...]]
    derive: Callable[[Any, Any, Any, Callable[[Any], None]], Iterator[tuple[Any, Transition]]] | None = None


def compile_table(
    rows: Sequence[Row],
    final: Sequence[Condition],
    variants: Set[Variant],
    longest_arc: int | None,
    kind: type,
) -> CompiledTable:
    """Compile a table.

    Args:
        rows: the transitions, in the order in which a static oracle prefers them.
        final: the conditions that hold in final configurations only.
        variants: what the system is; conditions that are meant for other variants are left out.
        longest_arc: the length of the longest arc that the system builds, ``None`` if there is no limit.
        kind: the class of the configurations, whose field ``_state`` is a tuple of source, stack, buffer, arcs, the
            last transition and the tuple before it.
    """
    lazy_rows = _asked(rows, {*variants, "lazy"})
    rows = _asked(rows, variants)
    shift_first = sorted(rows, key=lambda row: row.dependent is None and row.transition is not Shift)
    functions = {
        "possible": _possible(rows),
        "is_final": _function("is_final", "cfg", f"return {conjunction(asked(final, variants))}"),
        "one": _one("one", rows),
        "one_prefer_shift": _one("one_prefer_shift", shift_first),
        "one_lazy": _one("one_lazy", lazy_rows),
        "every": _every(rows),
    }
    if all(row.k is not None for row in rows):
        functions["derive"] = _derive(rows, asked(final, variants))
    transitions = {row.transition.__name__: row.transition for row in rows}
    tables: dict[str, dict[str, str]] = {"steps": {}, "is_possible": {}, "dependents": {}, "lost": {}}
    for name, transition in transitions.items():
        same_kind = [row for row in rows if row.transition is transition]
        tables["steps"][name] = _by_k(f"take_{name}", "cfg, t", same_kind, _step, "illegal(cfg, t)")
        tables["is_possible"][name] = _by_k(f"is_possible_{name}", "cfg, t", same_kind, _is_possible, "return False")
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
        "NEAR": _near(longest_arc),
        "illegal": _explainer(rows, longest_arc),
        "fallback": last_possible,
        "parameters_of": parameters_of,
        "POSSIBLE": _Subsets(_Made(row.transition, row.k or 1)[()] for row in rows),
    }
    exec(compile(source, "<transition table>", "exec"), namespace)
    made: dict[str, Any] = {name: namespace[name] for name in functions}
    for field, table in tables.items():
        made[field] = {transitions[name]: namespace[_name_of(code)] for name, code in table.items()}
    return CompiledTable(source, losses=_losses_of(rows, longest_arc), **made)


_Asked = TypeVar("_Asked", Condition, Lost)


def asked(parts: Sequence[_Asked], variants: Set[Variant]) -> tuple[_Asked, ...]:
    """The parts of a table that are asked of a system that is all these variants."""
    return tuple(part for part in parts if variants >= set(part.only))


def _asked(rows: Sequence[Row], variants: Set[Variant]) -> list[Row]:
    return [
        attrs.evolve(
            row,
            when=asked(row.when, variants),
            loses=None if row.loses is None else asked(row.loses, variants),
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
    for position in _positions(positions):
        found |= sets[position]
    return found


def _positions(bits: int) -> Iterator[int]:
    """The positions in a set."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _explainer(rows: Sequence[Row], longest_arc: int | None) -> Callable[[Any, Transition], NoReturn]:
    """The function that says why a transition is impossible: it asks the preconditions one by one."""
    namespace: dict[str, Any] = {"LONGEST": longest_arc, "nth_cell": _nth_cell}
    checks: dict[tuple[type[Transition], int | None], list[tuple[Condition, Callable[[Any, Transition], bool]]]] = {}
    for row in rows:
        for condition in row.when:
            exec(_function("holds", "cfg, t", f"return {condition_code(condition)}"), namespace)
            checks.setdefault((row.transition, row.k), []).append((condition, namespace["holds"]))

    def illegal(cfg: Any, transition: Transition) -> NoReturn:
        kind, k = type(transition), getattr(transition, "k", 1)
        for condition, holds in checks.get((kind, k)) or checks.get((kind, None)) or ():
            if not holds(cfg, transition):
                raise IllegalTransition.lacking(condition, transition, cfg)
        ks = [str(row.k) for row in rows if row.transition is kind and row.k is not None] or ["1 or more"]
        raise IllegalTransition.lacking(f"k = {' or '.join(ks)}", transition, cfg)

    return illegal


def _losses_of(rows: Sequence[Row], longest_arc: int | None) -> Callable[[Any, Any, Transition], dict[Lost, list[int]]]:
    """The function that says what a transition loses, one by one; made when it is first asked, as few ask."""

    @cache
    def words_of(lost: Lost) -> Callable[[Any, Any, Transition], int]:
        """From a configuration, a gold tree and a transition to the words that lose their heads, as bits."""
        namespace: dict[str, Any] = {
            "nth_cell": _nth_cell,
            "union": _union,
            "LONGEST": longest_arc,
            "NEAR": _near(longest_arc),
        }
        words = lost_code(lost) if lost.kind == "dependents" else f"(1 << {lost.place} if {lost_code(lost)} else 0)"
        exec(_function("words", "cfg, tree, t", f"return {words}"), namespace)
        return namespace["words"]  # type: ignore[no-any-return]

    def losses(cfg: Any, tree: Any, transition: Transition) -> dict[Lost, list[int]]:
        k = getattr(transition, "k", 1)
        for row in rows:
            if row.transition is type(transition) and row.k in (k, None):
                found = {lost: words_of(lost)(cfg, tree, transition) for lost in row.loses or ()}
                return {lost: list(_positions(words)) for lost, words in found.items() if words}
        return {}

    return losses


def _near(longest_arc: int | None) -> int | None:
    """The positions around one that are not farther than this, as bits to be moved to where that is."""
    return None if longest_arc is None else (1 << 2 * longest_arc + 1) - 1


# Python code


_STATE = "source, stack, buffer, arcs, last, before"
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
        found = [
            line for row in rows for line in _if(conjunction(row.when), f"found += ({bare_transition(row)},)", row)
        ]
        return _function("possible", "cfg", "\n".join(["found = ()", *found, "return found"]))
    bits = " | ".join(f"({1 << bit} if {conjunction(row.when)} else 0)" for bit, row in enumerate(rows))
    return _function("possible", "cfg", f"return POSSIBLE[{bits}]")


def _step(row: Row) -> str:
    values = Successor(row)
    state = f"(source, {values.stack()}, {values.buffer}, {values.arcs}, t, cfg._state)"
    check = f"if not ({conjunction(row.when)}{right_k(row)}): illegal(cfg, t)"
    return "\n".join([check, *values.lines, "after = create(kind)", f"set_state(after, {state})", "return after"])


def _is_possible(row: Row) -> str:
    return f"return {conjunction(row.when)}{right_k(row)}"


def _dependent(row: Row) -> str:
    return f"return {row.dependent}"


def _losses(row: Row) -> str:
    return "return " + (" + ".join(f"({lost_code(lost)}).bit_count()" for lost in row.loses or ()) or "0")


def _one(name: str, rows: Sequence[Row]) -> str:
    body = [line for row in rows for line in _if(_all_of(row, row.when), f"return {labeled_transition(row)}", row)]
    return _function(name, "cfg, tree, label", "\n".join([*body, "return fallback(cfg, tree, label)"]))


def _every(rows: Sequence[Row]) -> str:
    body = [line for row in rows for line in _if(_all_of(row, row.when), f"found += ({labeled_transition(row)},)", row)]
    return _function("every", "cfg, tree, label", "\n".join(["found = ()", *body, "return found"]))


def _derive(rows: Sequence[Row], final: Sequence[Condition]) -> str:
    known = _consequences(_asked_of_all(final)[0], False) if len(final) == 1 else {}
    rows = [attrs.evolve(row, when=_asked_of_all(row.when)) for row in rows]
    body = [
        "cfg = create(kind)",
        f"state = {_STATE}",
        "set_state(cfg, state)",
        f"if {conjunction(final)}: return check_end(cfg)",
        *_first_correct(rows, known),
    ]
    defined = _definitions("\n".join(body))
    once = [line for line in defined if re.search(r"= (tree|cfg)\.|label", line)]
    loop = ["while True:", *_indented([line for line in defined if line not in once]), *_indented(body)]
    return "\n    ".join(["def derive(cfg, tree, label, check_end):", *once, *loop])


def _asked_of_all(conditions: Iterable[Condition]) -> tuple[Condition, ...]:
    """Conditions that are the same whatever variants they are asked of."""
    return tuple(attrs.evolve(condition, only=()) for condition in conditions)


_SHARING = 8
"""How many rows share what they ask: each condition that is asked once may double the code for the rows after it."""


def _first_correct(rows: Sequence[Row], known: Mapping[Condition, bool]) -> list[str]:
    """Yield the first correct transition and take it; what several rows ask is asked once, of the last few rows."""
    if not rows:
        return ["t = fallback(cfg, tree, label)", "yield cfg, t", f"{_STATE} = t(cfg)._state"]
    row, *others = rows
    if any(known.get(condition) is False for condition in row.when):
        return _first_correct(others, known)
    unknown = [condition for condition in row.when if condition not in known]
    if (
        unknown
        and len(rows) <= _SHARING
        and any(_consequences(unknown[0], True).keys() & set(other.when) for other in others)
    ):
        answers = [_first_correct(rows, {**known, **_consequences(unknown[0], holds)}) for holds in (True, False)]
        return [f"if {condition_code(unknown[0])}:", *_indented(answers[0]), *_otherwise(answers[1])]
    return [f"if {_all_of(row, unknown)}:", *_indented(_taken(row)), *_otherwise(_first_correct(others, known))]


def _taken(row: Row) -> list[str]:
    """Yield a row's transition and take it."""
    parts = Successor(row, "params")
    after = {"stack": parts.stack(), "buffer": parts.buffer, "arcs": parts.arcs}
    moves = [f"{part} = {value}" for part, value in after.items() if value != part]
    made = [f"t = {bare_transition(row)}"]
    if row.dependent:
        made = [f"params = parameters[{row.dependent}]", f"t = {made_of(row)}[params]"]
    return [*made, "yield cfg, t", *parts.lines, *moves, "last, before = t, state"]


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
    return " and ".join(part for part in (conjunction(when), correctness(row)) if part != "True") or "True"


def _if(condition: str, statement: str, row: Row) -> list[str]:
    """Do something if a condition holds, for the row's k or for every one."""
    if row.k is not None:
        return [f"if {condition}: {statement}"]
    lines = ["for k, kth in cells(stack):", "    sk = kth[0]"]
    # What holds of all elements above sk holds for a greater k only if it does for a smaller one.
    lines += [f"    if not {condition_code(above)}: break" for above in row.when if _is_above(above)]
    return [*lines, f"    if {condition}: {statement}"]


def _is_above(condition: Condition) -> bool:
    region = condition.operands[0]
    return condition.kind == "empty" and isinstance(region, Region) and set(ABOVE_SK.parts) <= set(region.parts)
