"""Arc-standard (Nivre 2004)."""

from __future__ import annotations

from deptrees.transition.stack_buffer import StackBufferSystem
from deptrees.transition.table import B0, S0, S1, Row, arc, drop, exists, gold, missing, pending, push, word
from deptrees.transition.transitions import LeftArc, RightArc, Shift

__all__ = ["ArcStandard"]


class ArcStandard(StackBufferSystem):
    """Arc-standard: arcs between the two topmost elements of the stack, every word complete before it is attached.

    It is not arc-decomposable. Which transitions are correct is from Sartorio 2015, table 5.4.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(2, "Birds"), (0, "sing")])
    >>> [transition for _, transition in Oracle(ArcStandard(), static_oracle)(tree)]
    [Shift(), Shift(), LeftArc(), RightArc()]
    """

    rows = (
        Row(LeftArc, when=(word(S1),), do=(arc(S0, S1), drop(S1)), correct=(gold(S0, S1),)),
        Row(RightArc, when=(exists(S1), word(S0)), do=(arc(S1, S0), drop(S0)), correct=(gold(S1, S0), ~pending(S0))),
        Row(Shift, when=(exists(B0),), do=(push(B0),), correct=(~(gold(S0, S1) | gold(S1, S0)) | pending(S0),)),
    )
    final = (missing(B0), missing(S1))
