"""The tables in which a system's rows are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from deptrees.drawing.table import DrawnTable
from deptrees.transition.table.language import Condition, Lost, Row

__all__ = ["asked", "tables_of_rows"]


def tables_of_rows(rows: Sequence[Row], variants: Set[str]) -> Iterator[DrawnTable]:
    """For each way in which costs follow from the rows a table: what is asked, what is done, and what that means.

    Args:
        rows: the rows.
        variants: what the system may be; conditions for anything else are left out.

    >>> from deptrees.transition import ArcHybrid
    >>> [table] = tables_of_rows(ArcHybrid().rows, {"first", "last"})
    >>> [column.title for column in table.columns]
    ['transition', 'is possible if', 'does', 'loses the gold arcs']
    """
    kinds: dict[str, list[tuple[object, ...] | None]] = {
        "loses the gold arcs": [row.loses for row in rows],
        "is correct if": [row.correct for row in rows],
        "is the static oracle's if": [row.canonical for row in rows],
    }
    for title, cells in kinds.items():
        if any(cell is not None for cell in cells):
            body = [
                [_name(row), *map(_joined, (asked(row.when, variants), row.do, asked(cell or (), variants)))]
                for row, cell in zip(rows, cells, strict=True)
            ]
            yield DrawnTable(["transition", "is possible if", "does", title], [body])


def asked(parts: Sequence[object], variants: Set[str]) -> list[object]:
    """The parts that are asked of some variant of a system."""
    return [part for part in parts if not isinstance(part, Condition | Lost) or variants >= set(part.only)]


def _name(row: Row) -> str:
    return row.transition.__name__ if row.k == 1 else f"{row.transition.__name__}(k={row.k or 'k'})"


def _joined(parts: Sequence[object]) -> str:
    return "\n".join(map(str, parts)) or "–"
