"""Arc-hybrid (Kuhlmann, Gómez-Rodríguez & Satta 2011)."""

from __future__ import annotations

from deptrees.transition.systems.stack_buffer import StackBufferSystem
from deptrees.transition.table.language import *
from deptrees.transition.transitions import LeftArc, RightArc, Shift

__all__ = ["ArcHybrid"]


class ArcHybrid(StackBufferSystem):
    """Arc-hybrid (Kuhlmann, Gómez-Rodríguez & Satta 2011): left arcs as in arc-eager, right arcs as in arc-standard.

    The system is arc-decomposable wherever ROOT is. The lost arcs are from Goldberg & Nivre 2013, section 4.5, and
    Aufrant & Wisniewski 2017, table 6.

    A sentence of n words takes 2n transitions, one less without ROOT. For projective gold trees, a cost takes constant
    time; for other gold trees, and with a single root, losses take O(n³) time per tree.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import Oracle, dynamic_oracle
    >>> tree = DependencyTree([(2, "Birds"), (0, "sing")])
    >>> [transitions for _, transitions in Oracle(ArcHybrid(), dynamic_oracle)(tree)]
    [(Shift(),), (LeftArc(),), (Shift(),), (RightArc(),)]
    """

    projective_only = True
    rows = (
        Row(
            LeftArc,
            when=(word(S0), exists(B0), single_root(last(exists(B1) | missing(S1)))),
            do=(arc(B0, S0), drop(S0)),
            loses=(head(S0, BUFFER_REST), head(S0, at(S1)), dependents(S0, BUFFER)),
        ),
        Row(
            RightArc,
            when=(exists(S1), single_root(first(word(S1) | missing(B0)))),
            do=(arc(S1, S0), drop(S0)),
            loses=(head(S0, BUFFER), dependents(S0, BUFFER)),
        ),
        Row(Shift, when=(word(B0),), do=(push(B0),), loses=(head(B0, STACK_REST), dependents(B0, STACK))),
    )
    final = (
        first(missing(B0)),
        first(missing(S1)),
        last(missing(S0)),
        last(missing(B1)),
        rootless(missing(B0)),
        rootless(missing(S1)),
    )
    roots = ("first", "last", "none")
    can_have_single_root = True
