"""Non-monotonic arc-eager (Honnibal, Goldberg & Johnson 2013)."""

from __future__ import annotations

import attrs

from deptrees.transition.systems.arc_hybrid import ArcHybrid
from deptrees.transition.systems.stack_buffer import StackBufferSystem
from deptrees.transition.table import B0, S0, Row, arc, exists, push, word
from deptrees.transition.transitions import LeftArc, Reduce, RightArc, Shift

__all__ = ["NonMonotonicArcEager"]


def _non_monotonic(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """Arc-hybrid's table, its RightArc called Reduce, and a second Shift that adds a provisional arc."""
    by_kind = {row.transition: row for row in rows}
    left_arc, reduce, shift = by_kind[LeftArc], by_kind[RightArc], by_kind[Shift]
    right_arc = attrs.evolve(shift, transition=RightArc, when=(exists(S0), word(B0)), do=(arc(S0, B0), push(B0)))
    return left_arc, right_arc, attrs.evolve(reduce, transition=Reduce), shift


class NonMonotonicArcEager(StackBufferSystem):
    """Non-monotonic arc-eager (Honnibal, Goldberg & Johnson 2013): a later arc to a word replaces an earlier one.

    RightArc's arc is provisional: LeftArc overrides it. Reduce is also possible for words without a head, and then adds
    an arc from the element below. So this is arc-hybrid with a second way to shift: it loses the same arcs (Aufrant &
    Wisniewski 2017, appendix A.5.4), and costs take the same time.

    A sentence of n words takes 2n transitions, one less without ROOT.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import Oracle, dynamic_oracle
    >>> tree = DependencyTree([(2, "Birds"), (0, "sing")])
    >>> [transitions for _, transitions in Oracle(NonMonotonicArcEager(), dynamic_oracle)(tree)]
    [(RightArc(), Shift()), (LeftArc(),), (RightArc(), Shift()), (Reduce(),)]
    """

    projective_only = True
    rows = _non_monotonic(ArcHybrid.rows)
    final = ArcHybrid.final
    roots = ArcHybrid.roots
    can_have_single_root = True
