"""Arc-standard (Nivre 2004)."""

from __future__ import annotations

from deptrees.transition.losses.arc_standard import ArcStandardLoss
from deptrees.transition.losses.loss import Loss
from deptrees.transition.systems.stack_buffer import StackBufferSystem
from deptrees.transition.table.language import *
from deptrees.transition.transitions import LeftArc, RightArc, Shift

__all__ = ["ArcStandard"]


class ArcStandard(StackBufferSystem):
    """Arc-standard (Nivre 2004): arcs between the two topmost elements of the stack, from complete dependents only.

    The system is not arc-decomposable. The conditions for correct transitions are those of Sartorio 2015, table 5.4.
    Losses come from a dynamic program like that of Goldberg, Sartorio & Satta 2014, but over the whole buffer, which
    makes them exact for every gold tree, as they are in Nederhof 2019. The algorithm there that takes linear time if
    the gold tree is projective is not implemented.

    A sentence of n words takes 2n transitions, one more with ROOT last and one less without ROOT. The static and the
    non-deterministic oracle take constant time per transition; losses take O(n³) time per tree, and as much again for
    each new stack.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(2, "Birds"), (0, "sing")])
    >>> [transition for _, transition in Oracle(ArcStandard(), static_oracle)(tree)]
    [Shift(), Shift(), LeftArc(), RightArc()]
    """

    projective_only = True
    rows = (
        Row(LeftArc, when=(word(S1),), do=(arc(S0, S1), drop(S1)), correct=(gold(S0, S1),)),
        Row(
            RightArc,
            when=(exists(S1), word(S0), single_root(first(word(S1) | missing(B0)))),
            do=(arc(S1, S0), drop(S0)),
            correct=(gold(S1, S0), ~pending(S0)),
        ),
        Row(
            Shift,
            when=(exists(B0), single_root(last(word(B0) | missing(S1)))),
            do=(push(B0),),
            correct=(~(gold(S0, S1) | gold(S1, S0)) | pending(S0),),
        ),
    )
    final = (missing(B0), missing(S1))
    roots = ("first", "last", "none")
    can_have_single_root = True

    def loss(self) -> Loss:
        return ArcStandardLoss()
