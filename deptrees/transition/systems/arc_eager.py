"""Arc-eager (Nivre 2003)."""

from __future__ import annotations

from deptrees.transition.losses.last_word import LastWordConflicts
from deptrees.transition.losses.rows import Conflicts
from deptrees.transition.systems.stack_buffer import StackBufferSystem
from deptrees.transition.table.language import *
from deptrees.transition.transitions import LeftArc, Reduce, RightArc, Shift

__all__ = ["ArcEager"]


class ArcEager(StackBufferSystem):
    """Arc-eager (Nivre 2003): every arc as early as possible, right dependents before their own dependents.

    With ROOT last, the system is arc-decomposable (Goldberg & Nivre 2012); the lost arcs are from Goldberg & Nivre
    2013, section 4.5, and include those between s0 and b0, which are missing there. With ROOT first, the last word must
    not be shifted, and must not be attached while other words have no head; Aufrant & Wisniewski 2017, appendix A.5.1,
    state what this adds to the cost. The static oracle reduces as soon as it can (Sartorio 2015, table 5.2).

    A sentence of n words takes at most 2n transitions. For projective gold trees, a cost takes constant time or, with
    ROOT first, time in proportion to the last word's depth; for other gold trees, and with a single root, losses take
    O(n³) time per tree, as in Nederhof 2021.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")])
    >>> [transition for _, transition in Oracle(ArcEager(), static_oracle)(tree)]
    [Shift(), LeftArc(), RightArc(), Shift(), LeftArc(), RightArc()]
    """

    projective_only = True
    rows = (
        Row(
            LeftArc,
            when=(word(S0), unattached(S0), exists(B0)),
            do=(arc(B0, S0), drop(S0)),
            loses=(head(S0, BUFFER_REST), dependents(S0, BUFFER)),
        ),
        Row(
            RightArc,
            when=(
                exists(S0),
                word(B0),
                first(exists(B1) | empty(STACK & UNATTACHED)),
                single_root(last(word(B1) | single(STACK & UNATTACHED))),
                rootless(exists(B1) | single(STACK & UNATTACHED)),
            ),
            do=(arc(S0, B0), push(B0)),
            loses=(head(B0, BUFFER_REST), head(B0, STACK_REST), dependents(B0, STACK & UNATTACHED)),
        ),
        Row(
            Reduce,
            when=(word(S0), attached(S0), single_root(first(word(S1)))),
            do=(drop(S0),),
            loses=(dependents(S0, BUFFER),),
        ),
        Row(
            Shift,
            when=(
                word(B0),
                first(exists(B1)),
                single_root(last(word(B1) | empty(STACK & UNATTACHED))),
                rootless(exists(B1) | empty(STACK & UNATTACHED)),
            ),
            do=(push(B0),),
            loses=(head(B0, STACK), dependents(B0, STACK & UNATTACHED)),
        ),
    )
    final = (first(missing(B0)), last(missing(S0)), last(missing(B1)), rootless(missing(B0)))
    roots = ("first", "last", "none")
    can_have_single_root = True

    def conflicts(self) -> Conflicts | None:
        return LastWordConflicts() if self.root == "first" else None
