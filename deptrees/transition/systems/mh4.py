"""MH₄ and its relatives: arcs between the three top elements of the stack and the front of the buffer."""

from __future__ import annotations

import attrs

from deptrees.transition.losses.settled_words import hybrid_arcs_search
from deptrees.transition.systems.arc_hybrid import ArcHybrid
from deptrees.transition.systems.attardi import PassingArcsSystem
from deptrees.transition.table.language import *
from deptrees.transition.transitions import LeftArc, RightArc, Shift

__all__ = ["MH4", "AttardiAll", "AttardiAllDegree1"]

S2 = Place("s", 2)


def _rows(left: list[tuple[Place, Place]], right: list[tuple[Place, Place]]) -> tuple[Row, ...]:
    """The rows of a system with these arcs, from heads to dependents, and Shift."""
    left_arcs = [_row(LeftArc, k, *ends) for k, ends in enumerate(left, 1)]
    right_arcs = [_row(RightArc, k, *ends) for k, ends in enumerate(right, 1)]
    return *left_arcs, *right_arcs, Row(Shift, when=(word(B0),), do=(push(B0),), canonical=())


def _row(transition: type[LeftArc | RightArc], k: int, head: Place, dependent: Place) -> Row:
    # A single root comes last, when nothing is left to pass over.
    if head == B0:
        single = last(exists(B1) | missing(S1)) if dependent == S0 else last(exists(B1))
    else:
        single = first(word(head) | missing(B0)) if (head, dependent) == (S1, S0) else first(word(head))
    return Row(
        transition,
        k=k,
        when=(word(dependent), exists(head), single_root(single)),
        do=(arc(head, dependent), drop(dependent)),
        canonical=(gold(head, dependent), complete(dependent)),
    )


@attrs.frozen(repr=False)
class _HybridArcsSystem(PassingArcsSystem):
    """One that ends as arc-hybrid does."""

    final = ArcHybrid.final
    search = hybrid_arcs_search


@attrs.frozen(repr=False)
class MH4(_HybridArcsSystem):
    """MH₄ (Gómez-Rodríguez, Shi & Lee 2018): arcs to s0 and s1 from any of s2, s1, s0 and b0.

    It is arc-hybrid with arcs that pass over one waiting word. As a transition system, it is the third variant of
    Attardi's of degree 2 in Shi, Gómez-Rodríguez & Lee 2018, with inference in O(n⁶) time. The deductive parser whose
    name it has takes O(n⁴) time: it joins no more than four heads, and so misses some of the trees that the transitions
    build, the first of them in four words.

    Losses are found as in Attardi's system, and for the same reason: without a word that has all its dependents, no two
    elements are further apart, and all arcs between nearer ones are there.

    A sentence of n words takes 2n transitions.

    Args:
        root: where ROOT stands at the beginning.
        single_root: whether ROOT has a single dependent.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "discuss"), (1, "about")])
    >>> [transition for _, transition in Oracle(MH4(), static_oracle)(tree)]
    [Shift(), Shift(), Shift(), LeftArc(), LeftArc(), Shift(), Shift(), RightArc(k=2), LeftArc(k=3), RightArc()]
    """

    rows = _rows([(B0, S0), (B0, S1), (S0, S1)], [(S1, S0), (S2, S0), (S2, S1)])


@attrs.frozen(repr=False)
class AttardiAllDegree1(_HybridArcsSystem):
    """Attardi's system of degree 2 with all arcs between neighbors (Shi, Gómez-Rodríguez & Lee 2018, variant 1).

    Neighbors are s2, s1, s0 and b0, each with the next; as in Attardi's system, there are arcs between s2 and s0, too.
    Losses are found as there. Inference takes O(n⁷) time.

    A sentence of n words takes 2n transitions.

    Args:
        root: where ROOT stands at the beginning.
        single_root: whether ROOT has a single dependent.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "discuss"), (1, "about")])
    >>> [transition for _, transition in Oracle(AttardiAllDegree1(), static_oracle)(tree)]
    [Shift(), Shift(), Shift(), LeftArc(), LeftArc(), Shift(), Shift(), RightArc(k=2), LeftArc(k=2), RightArc()]
    """

    rows = _rows([(B0, S0), (S0, S1), (S0, S2), (S1, S2)], [(S1, S0), (S2, S0), (S2, S1)])


@attrs.frozen(repr=False)
class AttardiAll(_HybridArcsSystem):
    """Attardi's system of degree 2 with all arcs among s2, s1, s0 and b0 (Shi, Gómez-Rodríguez & Lee 2018, variant 2).

    b0 gets no head before it is on the stack. Of the three variants this one builds the most trees. Losses are found as
    in Attardi's system. Inference takes O(n⁷) time.

    A sentence of n words takes 2n transitions.

    Args:
        root: where ROOT stands at the beginning.
        single_root: whether ROOT has a single dependent.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "discuss"), (1, "about")])
    >>> [transition for _, transition in Oracle(AttardiAll(), static_oracle)(tree)]
    [Shift(), Shift(), Shift(), LeftArc(), LeftArc(), Shift(), Shift(), RightArc(k=2), LeftArc(k=3), RightArc()]
    """

    rows = _rows([(B0, S0), (B0, S1), (S0, S1), (B0, S2), (S0, S2), (S1, S2)], [(S1, S0), (S2, S0), (S2, S1)])
