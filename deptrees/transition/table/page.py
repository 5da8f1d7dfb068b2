"""A system's rows as tables for readers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import groupby

import attrs

from deptrees.drawing.table import DrawnColumn, DrawnTable
from deptrees.transition.table.language import ABOVE_SK, B0, SK, Condition, Lost, Place, Row, for_variants
from deptrees.transition.table.static_dynamic import static_dynamic_rows

__all__ = ["drawn_rows", "endings", "tables_of_rows"]


def tables_of_rows(rows: Sequence[Row], variants: Set[str]) -> Iterator[DrawnTable]:
    """A table of the rows for each way in which costs follow from them: preconditions, effects, and what these mean.

    Conditions for other variants of the system than these are left out.

    >>> from deptrees.transition import ArcHybrid
    >>> [table] = tables_of_rows(ArcHybrid().rows, {"first", "last"})
    >>> [column.title for column in table.columns]
    ['transition', 'is possible if', 'does', 'loses the gold arcs']
    """
    lost: list[tuple[object, ...] | None] = [row.loses for row in rows]
    kinds: dict[str, list[tuple[object, ...] | None]] = {
        "loses the gold arcs": lost,
        "is correct if": [row.correct for row in rows],
        "is the static oracle's if": [row.canonical for row in rows],
    }
    if static_dynamic_rows(rows) is not None:
        del kinds["loses the gold arcs"]
        kinds["loses, if words are swapped by the static oracle"] = [loses or ("static",) for loses in lost]
    for title, cells in kinds.items():
        if any(cell is not None for cell in cells):
            body = [
                [_name(row), *map(_joined, (_asked(row.when, variants), row.do, _asked(cell or (), variants)))]
                for row, cell in zip(rows, cells, strict=True)
            ]
            yield DrawnTable(["transition", "is possible if", "does", title], [body])


def drawn_rows(rows: Sequence[Row]) -> DrawnTable:
    """Stack and buffer before and after each transition, as papers write them, with σ and β for the rest.

    >>> from deptrees.transition import ArcHybrid
    >>> print(drawn_rows(ArcHybrid.rows).text())
    transition        σ  β           σ  β     adds
    ----------  -------  ----  -  ----  ----  -------
    LeftArc        σ|s0  b0|β  ⇒     σ  b0|β  b0 → s0
    RightArc    σ|s1|s0  β     ⇒  σ|s1  β     s1 → s0
    Shift             σ  b0|β  ⇒  σ|b0  β
    """
    stack = DrawnColumn("σ", align="right")
    return DrawnTable(["transition", stack, "β", "", stack, "β", "adds"], [list(map(_drawn, rows))])


def _drawn(row: Row) -> list[str]:
    places = [place for effect in row.do for place in effect.operands if isinstance(place, Place)]
    depths = [place.index for place in places if place.side == "s" and isinstance(place.index, int)]
    numbered = [str(Place("s", index)) for index in reversed(range(max(depths, default=-1) + 1))]
    stack = ["σ", *([str(SK), "…"] if SK in places else numbered)]
    buffer = [str(B0), "β"] if B0 in places else ["β"]
    before = ["|".join(stack), "|".join(buffer)]
    for effect in row.do:
        match effect.kind, effect.operands[0]:
            case "push", _:
                stack.append(buffer.pop(0))
            case "drop", what:
                stack.remove("…" if what == ABOVE_SK else str(what))
            case "back" | "back after", place:
                stack.remove(str(place))
                buffer.insert(len(effect.operands) - 1, str(place))
    arcs = ["{} → {}".format(*row.arc)] if row.arc else []
    return [_name(row), *before, "⇒", "|".join(stack), "|".join(buffer), *arcs, *[""] * (1 - len(arcs))]


def endings(final: Sequence[Condition], variants: Set[str]) -> Iterator[str]:
    """The conditions of final configurations, a line for each variant that has its own.

    >>> from deptrees.transition import ArcHybrid
    >>> list(endings(ArcHybrid.final, {"first", "last"}))
    ['ROOT first: there is no b0 and there is no s1', 'ROOT last: there is no s0 and there is no b1']
    """
    conditions = [condition for condition in final if variants >= set(condition.only)]
    for only, together in groupby(conditions, lambda condition: condition.only):
        yield for_variants(only, " and ".join(str(attrs.evolve(condition, only=())) for condition in together))


def _asked(parts: Sequence[object], variants: Set[str]) -> list[object]:
    """The parts that apply to one of the variants."""
    return [part for part in parts if not isinstance(part, Condition | Lost) or variants >= set(part.only)]


def _name(row: Row) -> str:
    return row.transition.__name__ if row.k == 1 else f"{row.transition.__name__}(k={row.k or 'k'})"


def _joined(parts: Sequence[object]) -> str:
    return "\n".join(map(str, parts)) or "–"
