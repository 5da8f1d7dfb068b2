"""A system's rows as its static-dynamic oracle reads them (de Lhoneux, Stymne & Nivre 2017)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_

import attrs

from deptrees.transition.table.language import Row

__all__ = ["static_dynamic_rows"]


def static_dynamic_rows(rows: Sequence[Row]) -> tuple[Row, ...] | None:
    """The rows as the static-dynamic oracle reads them; ``None`` if they do not define it.

    It is static about rows that do not say what they lose: such a transition, where the static oracle would take it, is
    the only correct one. Elsewhere all those are correct that lose nothing.

    >>> from deptrees.transition import ArcHybrid, ArcHybridSwap
    >>> static_dynamic_rows(ArcHybrid.rows)
    >>> for row in static_dynamic_rows(ArcHybridSwap.rows):
    ...     print(row.transition.__name__, *row.correct)
    LeftArc not (s0 ≠ 0) or not (b0 ≠ 0) or not (s0 < b0) or not (b0 before s0 in gold)
    RightArc not (s0 ≠ 0) or not (b0 ≠ 0) or not (s0 < b0) or not (b0 before s0 in gold)
    Swap b0 before s0 in gold
    Shift not (s0 ≠ 0) or not (b0 ≠ 0) or not (s0 < b0) or not (b0 before s0 in gold)
    """
    if any(row.canonical is None for row in rows) or not any(row.loses is not None for row in rows):
        return None
    taken = [(*row.when, *row.canonical) for row in rows if row.loses is None and row.canonical is not None]
    untaken = tuple([reduce(or_, [~condition for condition in conditions]) for conditions in taken])
    return tuple(
        [
            attrs.evolve(row, correct=row.canonical, canonical=None, loses=())
            if row.loses is None
            else attrs.evolve(row, correct=untaken, canonical=None)
            for row in rows
        ]
    )
