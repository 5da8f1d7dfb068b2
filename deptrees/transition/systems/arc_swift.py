"""Arc-swift (Qi & Manning 2017)."""

from __future__ import annotations

from deptrees.transition.losses.loss import Loss
from deptrees.transition.losses.rows import Conflicts
from deptrees.transition.losses.tabular import TabularLoss
from deptrees.transition.systems.arc_eager import ArcEager
from deptrees.transition.systems.stack_buffer import StackBufferSystem
from deptrees.transition.table.language import *
from deptrees.transition.transitions import LeftArc, RightArc, Shift

__all__ = ["ArcSwift"]


class ArcSwift(StackBufferSystem):
    """Arc-swift (Qi & Manning 2017): arc-eager with arcs that reach into the stack, over words that have heads.

    The arc removes these words. ``LeftArc(k=k)`` and ``RightArc(k=k)`` do what arc-eager does by taking Reduce k - 1
    times and then adding the arc. From the same configuration, both systems reach the same trees, so arc-swift has the
    losses of arc-eager. The static oracle takes the nearest arc.

    A sentence of n words takes between n and 2n transitions. k is limited by the number of words with heads on top of
    the stack.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(0, "Eat"), (1, "fish"), (4, "and"), (1, "rice")])
    >>> [transition for _, transition in Oracle(ArcSwift(), static_oracle)(tree)]
    [RightArc(), RightArc(), Shift(), LeftArc(), RightArc(k=2)]
    """

    projective_only = True
    rows = (
        Row(
            LeftArc,
            k=None,
            when=(empty(ABOVE_SK & UNATTACHED), word(SK), unattached(SK), exists(B0)),
            do=(arc(B0, SK), drop(ABOVE_SK), drop(SK)),
            loses=(head(SK, BUFFER_REST), dependents(SK, BUFFER), dependents(ABOVE_SK, BUFFER)),
        ),
        Row(
            RightArc,
            k=None,
            when=(
                empty(ABOVE_SK & UNATTACHED),
                exists(SK),
                word(B0),
                first(exists(B1) | empty(STACK & UNATTACHED)),
                single_root(first(word(SK) | empty(ABOVE_SK))),
                single_root(last(word(B1) | single(STACK & UNATTACHED))),
                rootless(exists(B1) | single(STACK & UNATTACHED)),
            ),
            do=(arc(SK, B0), drop(ABOVE_SK), push(B0)),
            loses=(
                head(B0, BUFFER_REST),
                head(B0, ABOVE_SK),
                head(B0, BELOW_SK),
                dependents(B0, STACK & UNATTACHED),
                dependents(ABOVE_SK, BUFFER_REST),
            ),
        ),
        *[row for row in ArcEager.rows if row.transition is Shift],
    )
    final = (first(missing(B0)), last(missing(B1)), last(empty(STACK & UNATTACHED)), rootless(missing(B0)))
    roots = ArcEager.roots
    can_have_single_root = True

    def conflicts(self) -> Conflicts | None:
        return ArcEager(root=self.root).conflicts()

    def loss(self) -> Loss:
        return TabularLoss(ArcEager.rows)
