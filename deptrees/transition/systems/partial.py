"""Partial parsing: systems that may leave words without a head (Aufrant & Wisniewski 2017, appendix A.5.5 to A.5.7)."""

from __future__ import annotations

import attrs

from deptrees.files.limits import SPAN
from deptrees.transition.systems.arc_eager import ArcEager
from deptrees.transition.systems.arc_hybrid import ArcHybrid
from deptrees.transition.systems.stack_buffer import StackBufferSystem
from deptrees.transition.table.language import *
from deptrees.transition.transitions import Reduce
from deptrees.trees.tree import DependencyTree

__all__ = ["ArcEagerPartial", "ArcEagerSpan", "ArcHybridPartial", "ArcHybridSpan", "PartialSystem", "SpanSystem"]


def _partial(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """The table of a system with a Reduce for every word, whether it has a head or not.

    No word must find a head before the end, so there is nothing that only ROOT first forbids. A transition that adds an
    arc also loses the empty head that its dependent may have in the gold tree. Transitions that add no arc come first:
    also where empty means unknown the static oracle attaches no word that has no head in the gold tree.
    """
    heads_in_reach = [BUFFER, *[at(S1) for row in rows if arc(S1, S0) in row.do]]
    reduce = Row(
        Reduce,
        when=(word(S0),),
        do=(drop(S0),),
        loses=(*(head(S0, region, unattached(S0)) for region in heads_in_reach), dependents(S0, BUFFER)),
    )
    others = [
        attrs.evolve(
            row,
            when=tuple(condition for condition in row.when if not condition.only),
            loses=(*row.loses, *([no_head(row.dependent)] if row.dependent else [])),
        )
        for row in rows
        if row.transition is not Reduce and row.loses is not None
    ]
    return reduce, *sorted(others, key=lambda row: row.dependent is not None)


def _short(row: Row) -> Row:
    """The row in a system that builds short arcs only, and so has only short arcs to lose."""
    ends = [(lost, lost.place) for lost in row.loses or ()]
    loses = [attrs.evolve(lost, region=lost.region & near(end)) for lost, end in ends if isinstance(end, Place)]
    return attrs.evolve(row, when=(*row.when, *([short(*row.arc)] if row.arc else [])), loses=loses)


@attrs.frozen(repr=False)
class PartialSystem(StackBufferSystem):
    """A system that learns which words to leave without a head.

    An empty head in a gold tree is an annotation like any other: it costs one to give the word a head. In constraints
    words without a head are unknown (see ``Constraints``), and in training data they are where the system is set up so.

    Args:
        empty_means_unknown: whether an empty head in a gold tree means that the head is not known. Such a word costs
            nothing, whether it gets a head or not; the static oracle gives it none.
        root: where ROOT stands at the beginning.

    >>> from deptrees.transition import RightArc, Shift, cost
    >>> tree = DependencyTree([(0, "Birds"), (None, "sing")])
    >>> meant, unknown = ArcEagerPartial(), ArcEagerPartial(empty_means_unknown=True)
    >>> [cost(RightArc(), Shift()(system.initial(tree)), tree) for system in (meant, unknown)]
    [1, 0]
    """

    projective_only = True
    leaves_words = True

    empty_means_unknown: bool = attrs.field(default=False, kw_only=True)


class ArcEagerPartial(PartialSystem):
    """Partial arc-eager (Aufrant & Wisniewski 2017, appendix A.5.5): words may be left without a head.

    Words that were shifted can be reduced. The system reaches the partial trees without crossing arcs in which no arc
    spans an ancestor of its own head. A word with an empty gold head is meant to stay without one; see
    ``PartialSystem``.

    A sentence of n words takes 2n transitions; costs take the same time as in arc-eager.

    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(2, "Birds"), (None, "sing")])
    >>> [transition for _, transition in Oracle(ArcEagerPartial(), static_oracle)(tree)]
    [Shift(), LeftArc(), Shift(), Reduce()]
    """

    rows = _partial(ArcEager.rows)
    final = ArcHybrid.final


class ArcHybridPartial(PartialSystem):
    """Partial arc-hybrid (Aufrant & Wisniewski 2017, appendix A.5.6): words may be left without a head.

    Reduce takes them off the stack. The system reaches the same trees as ``ArcEagerPartial``, and reads gold trees as
    ``PartialSystem`` does.

    A sentence of n words takes 2n transitions; costs take the same time as in arc-hybrid.

    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(2, "Birds"), (None, "sing")])
    >>> [transition for _, transition in Oracle(ArcHybridPartial(), static_oracle)(tree)]
    [Shift(), LeftArc(), Shift(), Reduce()]
    """

    rows = _partial(ArcHybrid.rows)
    final = ArcHybrid.final


@attrs.frozen(repr=False)
class SpanSystem(PartialSystem):
    """A system that builds no long arcs, and learns which words to leave without a head for that.

    Gold heads that are too far away are taken away first. To its oracles these words have no gold head.

    Args:
        max_span: the greatest distance between head and dependent, ROOT standing at position 0; at most 10,000.
        empty_means_unknown: whether an empty head means that the head is not known.
        root: where ROOT stands at the beginning.

    >>> ArcEagerSpan(1).gold_heads(DependencyTree([(2, "Birds"), (0, "sing")]))
    (2, None)
    """

    max_span: int = attrs.field(validator=[attrs.validators.ge(1), attrs.validators.le(SPAN)])

    @property
    def longest_arc(self) -> int | None:
        return self.max_span

    def gold_heads(self, tree: DependencyTree) -> tuple[int | None, ...]:
        heads = enumerate(super().gold_heads(tree), 1)
        return tuple([None if head is None or abs(head - word) > self.max_span else head for word, head in heads])


class ArcEagerSpan(SpanSystem):
    """Partial arc-eager that builds no long arcs (Aufrant & Wisniewski 2017, appendix A.5.7).

    The system is derived from ``ArcEagerPartial``; see ``SpanSystem`` for the arguments. Words with a gold arc that is
    too long are meant to stay without a head.

    A sentence of n words takes 2n transitions; costs take the same time as in arc-eager.

    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(2, "Birds"), (0, "sing")])
    >>> [transition for _, transition in Oracle(ArcEagerSpan(1), static_oracle)(tree)]
    [Shift(), LeftArc(), Shift(), Reduce()]
    """

    rows = tuple(map(_short, ArcEagerPartial.rows))
    final = ArcEagerPartial.final


class ArcHybridSpan(SpanSystem):
    """Partial arc-hybrid that builds no long arcs (Aufrant & Wisniewski 2017, appendix A.5.7).

    The system is derived from ``ArcHybridPartial``; see ``SpanSystem`` for the arguments. Words with a gold arc that is
    too long are meant to stay without a head.

    A sentence of n words takes 2n transitions; costs take the same time as in arc-hybrid.

    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(2, "Birds"), (0, "sing")])
    >>> [transition for _, transition in Oracle(ArcHybridSpan(1), static_oracle)(tree)]
    [Shift(), LeftArc(), Shift(), Reduce()]
    """

    rows = tuple(map(_short, ArcHybridPartial.rows))
    final = ArcHybridPartial.final
