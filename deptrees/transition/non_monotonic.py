"""Non-monotonic arc-eager (Honnibal, Goldberg & Johnson 2013)."""

from __future__ import annotations

from deptrees.transition.stack_buffer import StackBufferSystem
from deptrees.transition.table import (
    B0,
    B1,
    BUFFER,
    BUFFER_REST,
    S0,
    S1,
    STACK,
    STACK_REST,
    Row,
    arc,
    at,
    children,
    drop,
    exists,
    first,
    head,
    last,
    missing,
    push,
    word,
)
from deptrees.transition.transitions import LeftArc, Reduce, RightArc, Shift

__all__ = ["NonMonotonicArcEager"]


class NonMonotonicArcEager(StackBufferSystem):
    """Arc-eager in which a later arc to a word replaces an earlier one.

    RightArc's arc is provisional: LeftArc overrides it, and Reduce, which is possible for words without a head too,
    adds an arc of its own from the element below. The arcs lost are from Aufrant & Wisniewski 2017, table 9; but a
    word on the stack that has a head can still get another one from the buffer.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import Oracle, dynamic_oracle
    >>> tree = DependencyTree([(2, "Birds"), (0, "sing")])
    >>> [transitions for _, transitions in Oracle(NonMonotonicArcEager(), dynamic_oracle)(tree)]
    [(RightArc(), Shift()), (LeftArc(),), (RightArc(), Shift()), (Reduce(),)]
    """

    rows = (
        Row(
            LeftArc,
            when=(word(S0), exists(B0)),
            do=(arc(B0, S0), drop(S0)),
            loses=(head(S0, BUFFER_REST), head(S0, at(S1)), children(S0, BUFFER)),
        ),
        Row(
            RightArc,
            when=(exists(S0), word(B0)),
            do=(arc(S0, B0), push(B0)),
            loses=(head(B0, STACK_REST), children(B0, STACK)),
        ),
        Row(
            Reduce,
            when=(exists(S1),),
            do=(arc(S1, S0), drop(S0)),
            loses=(head(S0, BUFFER), children(S0, BUFFER)),
        ),
        Row(
            Shift,
            when=(word(B0),),
            do=(push(B0),),
            loses=(head(B0, STACK_REST), children(B0, STACK)),
        ),
    )
    final = (first(missing(B0)), first(missing(S1)), last(missing(S0)), last(missing(B1)))
