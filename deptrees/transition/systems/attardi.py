"""Attardi's system for non-projective parsing, simplified as in Sartorio 2015, and what its relatives share with it."""

from __future__ import annotations

from typing import ClassVar

import attrs

from deptrees.files.limits import DEGREE
from deptrees.transition.losses.attardi import BuildableArcs, attardi_conflicts
from deptrees.transition.losses.conflicts import ConflictLoss
from deptrees.transition.losses.loss import Loss
from deptrees.transition.losses.settled_words import standard_arcs_search
from deptrees.transition.losses.target_arcs import TargetArcs
from deptrees.transition.systems.arc_standard import ArcStandard
from deptrees.transition.systems.stack_buffer import StackBufferSystem
from deptrees.transition.table.language import *
from deptrees.transition.transitions import LeftArc, RightArc, Shift
from deptrees.trees.projectivity import is_projective
from deptrees.trees.tree import DependencyTree

__all__ = ["Attardi", "PassingArcsSystem"]


@attrs.frozen(repr=False)
class PassingArcsSystem(StackBufferSystem):
    """A system with arcs that pass over waiting words, in which a word is gone when it gets its head.

    If it has an arc between two places, it has the one that this becomes when a word between the two is gone, too.
    """

    learns_best_from = "static"
    roots = ("first", "last")
    can_have_single_root = True

    search: ClassVar[Loss]
    """The least costs for any costs of arcs."""

    def loss(self) -> Loss:
        return ConflictLoss(attardi_conflicts, self.search)

    def obstacle(self, tree: DependencyTree) -> str | None:
        obstacle = super().obstacle(tree)
        if obstacle is not None or is_projective(tree):
            return obstacle
        cfg = self.initial(tree)
        if BuildableArcs().can_build(cfg, TargetArcs.remaining(cfg, tree.heads)):
            return None
        return f"{self} cannot build the tree: arcs would have to pass over too many words"


@attrs.frozen(repr=False)
class Attardi(PassingArcsSystem):
    """Arc-standard with arcs that pass over waiting words (Attardi 2006; simplified in Sartorio 2015, section 4.1.6).

    ``LeftArc(k=k)`` and ``RightArc(k=k)`` connect the top of the stack and the k-th element below it. With degree 1,
    this is arc-standard; with degree 2, it builds most but not all of the non-projective trees in treebanks, and has
    inference in polynomial time (Cohen, Gómez-Rodríguez & Satta 2011).

    No simple property describes the trees that the system builds, but trying once decides: a gold arc is right as soon
    as its dependent has all its own dependents, and if there is no such arc, the next word is needed. The static oracle
    is from Sartorio 2015, table 5.3. Losses are exact: the smallest number of gold arcs that must be given up so that
    the others can be built (see `deptrees.transition.losses.conflicts`). Gómez-Rodríguez, Sartorio & Satta 2014 find
    them for an adaptation of the system in O(n⁸) time.

    A sentence of n words takes 2n transitions, one more with ROOT last, and a try takes as many. The loss takes a few
    tries for each set of conflicting gold arcs, and in the worst case time exponential in the number of such sets;
    sentences of treebanks have few.

    Args:
        degree: the greatest k, at most 10.
        root: where ROOT stands at the beginning.
        single_root: whether ROOT has a single dependent.

    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "discuss"), (1, "about")])
    >>> [transition for _, transition in Oracle(Attardi(), static_oracle)(tree)]
    [Shift(), Shift(), Shift(), Shift(), LeftArc(), LeftArc(), Shift(), RightArc(k=2), LeftArc(), RightArc()]
    """

    final = ArcStandard.final
    search = standard_arcs_search

    degree: int = attrs.field(default=2, validator=[attrs.validators.ge(1), attrs.validators.le(DEGREE)])

    @property
    def rows(self) -> tuple[Row, ...]:  # type: ignore[override]  # they depend on the degree
        """The transitions, in the order in which the static oracle prefers them."""
        ks = range(1, self.degree + 1)
        return *map(_left_arc, ks), *map(_right_arc, ks), _SHIFT


def _left_arc(k: int) -> Row:
    below = Place("s", k)
    return Row(
        LeftArc,
        k=k,
        when=(word(below),),
        do=(arc(S0, below), drop(below)),
        canonical=(gold(S0, below), complete(below)),
    )


def _right_arc(k: int) -> Row:
    below = Place("s", k)
    # A single root comes last, when nothing is left to pass over.
    may_be_root = word(below) | missing(B0) if k == 1 else word(below)
    return Row(
        RightArc,
        k=k,
        when=(exists(below), word(S0), single_root(first(may_be_root))),
        do=(arc(below, S0), drop(S0)),
        canonical=(gold(below, S0), complete(S0)),
    )


_SHIFT = attrs.evolve(next(row for row in ArcStandard.rows if row.transition is Shift), correct=None, canonical=())
