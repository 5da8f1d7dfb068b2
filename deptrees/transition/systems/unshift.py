"""Arc-eager with the tree constraint (Nivre & Fernández-González 2014)."""

from __future__ import annotations

from deptrees.transition.losses.loss import Loss
from deptrees.transition.losses.unshift import UnshiftLoss
from deptrees.transition.systems.stack_buffer import StackBufferSystem
from deptrees.transition.table.language import *
from deptrees.transition.transitions import LeftArc, Reduce, RightArc, Shift, Unshift

__all__ = ["ArcEagerUnshift"]


class ArcEagerUnshift(StackBufferSystem):
    """Arc-eager in which words without a head go back to the buffer (Nivre & Fernández-González 2014).

    Arc-eager, as published, may end with words on the stack that have no head. Here Unshift puts such a word back as
    soon as the buffer is empty, to become the head or a dependent of what is below it. So the result is always a tree,
    and nothing is forbidden before.

    As published, Shift sets a flag when it empties the buffer, and is not possible once it is set. The last word is
    then put back at once. Here, Shift requires that another word follows, or that the stack is empty: the same trees
    are built by the same other transitions, and the table needs no flag.

    From the beginning, every projective tree can be built. But a word that is shifted, though its head is on the stack,
    is no error yet, as it can be put back; and so the system is not arc-decomposable. Losses are exact for every gold
    tree, see `deptrees.transition.losses.unshift`.

    A sentence of n words takes between n and 4n - 3 transitions, 4n - 5 without ROOT if n > 1. The static oracle takes
    constant time per transition, and losses take O(n³) time per tree.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import Oracle, Shift, dynamic_oracle, static_oracle
    >>> tree = DependencyTree([(0, "Sing"), (1, "it"), (1, "again")])
    >>> [transition for _, transition in Oracle(ArcEagerUnshift(), static_oracle)(tree)]
    [RightArc(), RightArc(), Reduce(), RightArc()]
    >>> cfg = Shift()(ArcEagerUnshift().initial(tree))
    >>> for _ in range(5):
    ...     print(cfg.stack, cfg.buffer, dynamic_oracle(cfg, tree))
    ...     cfg = dynamic_oracle(cfg, tree)[0](cfg)
    (0, 1) (2, 3) (RightArc(),)
    (0, 1, 2) (3,) (Reduce(),)
    (0, 1) (3,) (RightArc(),)
    (0, 1, 3) () (Reduce(),)
    (0, 1) () (Unshift(),)
    """

    rows = (
        Row(
            LeftArc,
            when=(word(S0), unattached(S0), exists(B0)),
            do=(arc(B0, S0), drop(S0)),
            canonical=(gold(B0, S0),),
        ),
        Row(RightArc, when=(exists(S0), word(B0)), do=(arc(S0, B0), push(B0)), canonical=(gold(S0, B0),)),
        Row(Reduce, when=(word(S0), attached(S0)), do=(drop(S0),), canonical=(~pending(S0),)),
        Row(
            Unshift,
            when=(word(S0), unattached(S0), missing(B0), rootless(exists(S1))),
            do=(back(S0),),
            canonical=(),
        ),
        Row(
            Shift,
            when=(word(B0), first(exists(B1)), rootless(exists(B1) | missing(S0))),
            do=(push(B0),),
            canonical=(),
        ),
    )
    projective_only = True
    final = (
        missing(B0),
        first(empty(STACK & UNATTACHED)),
        rootless(single(STACK & UNATTACHED)),
    )
    roots = ("first", "none")

    def loss(self) -> Loss:
        return UnshiftLoss()
