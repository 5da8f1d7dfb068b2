"""The functions of a compiled table as Python code, made of the expressions in `deptrees.transition.table`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

import attrs

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
from deptrees.transition.table.language import ABOVE_SK, Condition, Region, Row

__all__ = [
    "by_k",
    "dependent",
    "derive",
    "every",
    "function",
    "is_possible",
    "losses",
    "name_of",
    "one",
    "possible",
    "step",
]

_OPPOSITES = {"exists": "missing", "missing": "exists", "attached": "unattached", "unattached": "attached"}

_PLACE = re.compile(r"[sb]\d+")
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
    "passing_bits": "tree.passing_bits",
}
"""What the variables stand for, each defined by those above it."""


def function(name: str, parameters: str, body: str) -> str:
    """A function that defines the variables its body uses, and no others."""
    return "\n    ".join([f"def {name}({parameters}):", *_definitions(body), *body.split("\n")])


def _definitions(body: str) -> list[str]:
    """The lines that define the variables which a body uses."""
    used = _names(body)
    places = {
        place: f"{'stack' if place[0] == 's' else 'buffer'}{'[1]' * int(place[1:])}[0]"
        for place in sorted(filter(_PLACE.fullmatch, used))
    }
    needed: list[str] = []
    for variable, value in reversed([*_VARIABLES.items(), *places.items()]):
        defined = variable in ("kth", "sk") and "for k, kth in" in body
        if not defined and _names(variable) & used:
            needed.append(f"{variable} = {value}")
            used |= _names(value)
    return needed[::-1]


def _names(code: str) -> set[str]:
    return {*re.findall(r"\w+", code)}


def name_of(code: str) -> str:
    """The name of a function from its code."""
    return code[len("def ") : code.index("(")]


def by_k(name: str, parameters: str, rows: Sequence[Row], body: Callable[[Row], str], otherwise: str) -> str:
    """A function of a transition: that of the row whose k it has."""
    if len(rows) == 1:
        return function(name, parameters, body(rows[0]))
    lines: list[str] = []
    for row in rows:
        lines += [f"if t.k == {row.k}:", *[f"    {line}" for line in body(row).split("\n")]]
    return function(name, parameters, "\n".join([*lines, otherwise]))


def possible(rows: Sequence[Row]) -> str:
    """The function that finds the possible transitions."""
    if any(row.k is None for row in rows):
        return _all_rows("possible", "cfg", [(row, conjunction(row.when), bare_transition(row)) for row in rows])
    bits = " | ".join(f"({1 << bit} if {conjunction(row.when)} else 0)" for bit, row in enumerate(rows))
    return function("possible", "cfg", f"return POSSIBLE[{bits}]")


def step(row: Row) -> str:
    """The body of the function that takes a transition."""
    values = Successor(row)
    state = f"(source, {values.stack()}, {values.buffer}, {values.arcs}, t, cfg._state)"
    check = f"if not ({conjunction(row.when)}{right_k(row)}): illegal(cfg, t)"
    return "\n".join([check, *values.lines, "after = create(kind)", f"set_state(after, {state})", "return after"])


def is_possible(row: Row) -> str:
    """The body of the function that says whether a transition is possible."""
    return f"return {conjunction(row.when)}{right_k(row)}"


def dependent(row: Row) -> str:
    """The body of the function that finds the word that a transition attaches."""
    return f"return {row.dependent}"


def losses(row: Row) -> str:
    """The body of the function that counts the gold arcs that a transition loses."""
    return "return " + (" + ".join(f"({lost_code(lost)}).bit_count()" for lost in row.loses or ()) or "0")


def one(name: str, rows: Sequence[Row]) -> str:
    """The function that finds the first correct transition."""
    body = [line for row in rows for line in _if(_all_of(row, row.when), f"return {labeled_transition(row)}", row)]
    return function(name, "cfg, tree, label", "\n".join([*body, "return fallback(cfg, tree, label)"]))


def every(name: str, rows: Sequence[Row]) -> str:
    """The function that finds all correct transitions."""
    found = [(row, _all_of(row, row.when), labeled_transition(row)) for row in rows]
    return _all_rows(name, "cfg, tree, label", found)


def _all_rows(name: str, parameters: str, rows: Iterable[tuple[Row, str, str]]) -> str:
    """The function that collects the transitions of rows of which a condition holds."""
    body = [line for row, holds, transition in rows for line in _if(holds, f"found += ({transition},)", row)]
    return function(name, parameters, "\n".join(["found = ()", *body, "return found"]))


def derive(rows: Sequence[Row], final: Sequence[Condition]) -> str:
    """The function that follows the first correct transitions to the end."""
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
    if unknown and len(rows) <= _SHARING:
        yes, no = [_consequences(unknown[0], holds) for holds in (True, False)]
        if any(yes.keys() & set(other.when) for other in others):
            then = _indented(_first_correct(rows, {**known, **yes}))
            return [f"if {condition_code(unknown[0])}:", *then, *_otherwise(_first_correct(rows, {**known, **no}))]
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
    if opposite := _OPPOSITES.get(condition.kind):
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
