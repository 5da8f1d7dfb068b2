"""What is wrong with a table as it stands, refused when a system is made; `check_system` finds the rest by trying."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from deptrees.messages import quoted
from deptrees.transition.table.language import (
    ABOVE_SK,
    B0,
    BELOW_SK,
    SK,
    Condition,
    Effect,
    Lost,
    Place,
    Region,
    Row,
    drop,
)
from deptrees.transition.transitions import ArcTransition

__all__ = ["check_table"]

_OF_GOLD = {"gold", "pending", "complete", "gold before", "passed", "same component"}
_TAKES = {"empty": Region, "single": Region, "or": Condition, "not": Condition}
"""What the operands of these conditions are; those of all others are places."""
_KINDS = {Place: "a place, such as S0", Region: "a set of words, such as STACK or at(S0)", Condition: "a condition"}


def check_table(rows: Sequence[Row], final: Sequence[Condition], longest_arc: int | None) -> None:
    """Refuse a table that cannot be compiled, or not to what it says.

    Raises:
        TypeError: the rows, or the conditions of final configurations, are no tuple of such.
        ValueError: something is wrong in a row, which the message names, or in these conditions.

    >>> from deptrees.transition import Shift
    >>> from deptrees.transition.table import S0, gold, push, word
    >>> check_table((Row(Shift, when=(word(B0), gold(S0, B0)), do=(push(B0),), loses=()),), (), None)
    Traceback (most recent call last):
    ValueError: the row of Shift: no precondition may ask about the gold tree, as 's0 → b0 in gold' does
    """
    for name, parts, kind in ("rows", rows, Row), ("final", final, Condition):
        if isinstance(parts, kind):
            raise TypeError(f"{name} is a tuple, which needs a comma if it has one part")
        if not isinstance(parts, tuple) or not all(isinstance(part, kind) for part in parts):
            raise TypeError(f"{name} is a tuple whose parts are of type {kind.__name__}, not {quoted(parts)}")
    if not rows:
        raise ValueError("rows is empty: a system has transitions")
    for index, row in enumerate(rows):
        for fault in chain(_faults(row, longest_arc), _repeated(row, rows[:index])):
            raise ValueError(f"the row of {row.transition.__name__}: {fault}")
    for fault in chain(_of_gold(final), _misplaced(final, every_k=False, longest_arc=longest_arc)):
        raise ValueError(f"final: {fault}")


def _faults(row: Row, longest_arc: int | None) -> Iterator[str]:
    """What is wrong with a row by itself."""
    if row.k is not None and not (isinstance(row.k, int) and row.k > 0):
        yield f"k is a number from 1, or None for every k, not {quoted(row.k)}"
    if (row.arc or row.k != 1) and not issubclass(row.transition, ArcTransition):
        yield "what adds an arc, or has a k, is a subclass of ArcTransition"
    yield from _of_gold(row.when)
    told: list[Condition | Lost] = [*(row.correct or ()), *(row.canonical or ()), *(row.loses or ())]
    yield from _misplaced([*row.when, *told], every_k=row.k is None, longest_arc=longest_arc)
    yield from _wrong_effects(row)


def _repeated(row: Row, earlier: Sequence[Row]) -> Iterator[str]:
    """That a transition cannot be told from that of an earlier row."""
    for other in earlier:
        if row.transition.__name__ == other.transition.__name__ and row.transition is not other.transition:
            yield "another class of transitions has the same name"
        if row.transition is other.transition and (row.k == other.k or None in (row.k, other.k)):
            yield f"there are two for k = {row.k or other.k}: a transition does one thing"


def _of_gold(conditions: Iterable[Condition]) -> Iterator[str]:
    """What asks about the gold tree where there is none."""
    for condition in _each(conditions):
        if condition.kind in _OF_GOLD:
            yield f"no precondition may ask about the gold tree, as '{condition}' does"


def _each(conditions: Iterable[object]) -> Iterator[Condition]:
    """Conditions and those that they combine."""
    for condition in conditions:
        if isinstance(condition, Condition):
            yield condition
            yield from _each(condition.operands)


def _misplaced(parts: Iterable[Condition | Lost], *, every_k: bool, longest_arc: int | None) -> Iterator[str]:
    """What cannot be asked of a place or a set, or not in such a row."""
    for part in parts:
        if isinstance(part, Lost):
            yield from _misplaced(part.when, every_k=every_k, longest_arc=longest_arc)
        operands = (part.place, part.region) if isinstance(part, Lost) else part.operands
        for operand in operands:
            if isinstance(part, Condition) and not isinstance(operand, kind := _TAKES.get(part.kind, Place)):
                yield f"'{part}' is about {_KINDS[kind]}, not about {quoted(operand)}"
            elif isinstance(operand, Condition):
                yield from _misplaced([operand], every_k=every_k, longest_arc=longest_arc)
            elif not every_k and _is_of_k(operand):
                yield f"'{part}' names sk, which rows for every k have, with k=None"
            elif longest_arc is None and isinstance(operand, Region) and any(type(of) is tuple for of in operand.parts):
                yield f"'{part}' is about the longest arc, and the system has no longest_arc"
        if longest_arc is None and isinstance(part, Condition) and part.kind == "short":
            yield f"'{part}' is about the longest arc, and the system has no longest_arc"


def _is_of_k(what: Place | Region) -> bool:
    """Whether a place or a set depends on the k of the transition."""
    if isinstance(what, Place):
        return what == SK
    return not {SK, *ABOVE_SK.parts, *BELOW_SK.parts}.isdisjoint(what.parts)


def _wrong_effects(row: Row) -> Iterator[str]:
    """Effects that cannot be, or not together."""
    for effect in row.do:
        if not _can_be(effect):
            yield f"there is no effect '{effect}'"
        if row.k is not None and any(_is_of_k(operand) for operand in effect.operands):
            yield f"'{effect}' names sk, which rows for every k have, with k=None"
    if sum(effect.kind == "arc" for effect in row.do) > 1:
        yield "it adds two arcs, and a transition adds one"
    moves = [_MOVES[effect.kind] for effect in row.do if effect.kind != "arc" and effect != drop(ABOVE_SK)]
    if moves not in ([], [_OFF], [_ON], [_OFF, _ON], [_BACK]) or drop(ABOVE_SK) in row.do[len(row.do) - len(moves) :]:
        most = "after all above it, at most one word leaves the stack; then one is pushed, if none was put back"
        yield f"{most}: not {', '.join(map(str, row.do))}"


_OFF, _ON, _BACK = "off", "on", "back"
_MOVES = {"drop": _OFF, "push": _ON, "back": _BACK, "back after": _BACK}
"""Where effects that move words move them."""


def _can_be(effect: Effect) -> bool:
    """Whether an effect can act upon what it names."""
    match effect.kind, effect.operands:
        case "arc", (Place() as head, Place() as dependent):
            return head != dependent
        case "push", (Place() as place,):
            return place == B0
        case "drop", (Region() as region,):
            return region == ABOVE_SK
        case "drop" | "back", (Place() as place,):
            return place.side == "s"
        case "back after", (Place() as place, Place() as after):
            return place.side == "s" and after == B0
    return False
