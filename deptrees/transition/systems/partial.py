"""Partial parsing: systems that may leave words without a head (Aufrant & Wisniewski 2017, appendix A.5.5 to A.5.7)."""

from __future__ import annotations

import attrs

from deptrees.transition.systems.arc_eager import ArcEager
from deptrees.transition.systems.arc_hybrid import ArcHybrid
from deptrees.transition.systems.stack_buffer import StackBufferSystem
from deptrees.transition.table import (
    BUFFER,
    S0,
    S1,
    UNATTACHED,
    Place,
    Row,
    arc,
    at,
    dependents,
    drop,
    head,
    near,
    short,
    word,
)
from deptrees.transition.transitions import Reduce

__all__ = ["ArcEagerPartial", "ArcEagerSpan", "ArcHybridPartial", "ArcHybridSpan", "SpanSystem"]


def _partial(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """The table of a system with a Reduce for every word, whether it has a head or not.

    No word must find a head before the end, so there is nothing that only ROOT first forbids. Transitions that add no
    arc come first: the static oracle attaches no word that has no head in the gold tree.
    """
    heads_in_reach = [BUFFER, *[at(S1) for row in rows if arc(S1, S0) in row.do]]
    reduce = Row(
        Reduce,
        when=(word(S0),),
        do=(drop(S0),),
        loses=(*(head(S0, region, among=UNATTACHED) for region in heads_in_reach), dependents(S0, BUFFER)),
    )
    others = [
        attrs.evolve(row, when=tuple(condition for condition in row.when if not condition.only))
        for row in rows
        if row.transition is not Reduce
    ]
    return reduce, *sorted(others, key=lambda row: row.dependent is not None)


def _short(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """The table of a system that builds short arcs only, and so has only short arcs to lose."""
    return tuple(
        attrs.evolve(
            row,
            when=(*row.when, *([short(*row.arc)] if row.arc else [])),
            loses=[
                attrs.evolve(lost, region=lost.region & near(lost.place))
                for lost in row.loses or ()
                if isinstance(lost.place, Place)
            ],
        )
        for row in rows
    )


class ArcEagerPartial(StackBufferSystem):
    """Partial arc-eager (Aufrant & Wisniewski 2017, appendix A.5.5): words may be left without a head.

    Words that are shifted can be reduced. It reaches the partial trees without crossing arcs in which no arc spans an
    ancestor of its own head. Words without a gold head cost nothing, whether they get a head or not; the static oracle
    gives them none.

    A sentence of n words takes 2n transitions; costs take the time that they take in arc-eager.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(2, "Birds"), (None, "sing")])
    >>> [transition for _, transition in Oracle(ArcEagerPartial(), static_oracle)(tree)]
    [Shift(), LeftArc(), Shift(), Reduce()]
    """

    leaves_words = True
    rows = _partial(ArcEager.rows)
    final = ArcHybrid.final


class ArcHybridPartial(StackBufferSystem):
    """Partial arc-hybrid (Aufrant & Wisniewski 2017, appendix A.5.6): words may be left without a head.

    Reduce takes them off the stack. It reaches what ``ArcEagerPartial`` reaches.

    A sentence of n words takes 2n transitions; costs take the time that they take in arc-hybrid.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(2, "Birds"), (None, "sing")])
    >>> [transition for _, transition in Oracle(ArcHybridPartial(), static_oracle)(tree)]
    [Shift(), LeftArc(), Shift(), Reduce()]
    """

    leaves_words = True
    rows = _partial(ArcHybrid.rows)
    final = ArcHybrid.final


@attrs.frozen(repr=False)
class SpanSystem(StackBufferSystem):
    """A system that may leave words without a head and builds no long arcs.

    Words whose gold head is far away are the same to its oracles as words without a gold head.

    Args:
        max_span: the greatest distance between head and dependent, ROOT standing at position 0.
        root: where ROOT stands at the beginning.
    """

    leaves_words = True

    max_span: int = attrs.field(validator=attrs.validators.ge(1))

    @property
    def longest_arc(self) -> int | None:
        return self.max_span


class ArcEagerSpan(SpanSystem):
    """Partial arc-eager that builds no long arcs (Aufrant & Wisniewski 2017, appendix A.5.7).

    It is made from ``ArcEagerPartial``; see ``SpanSystem`` for the arguments. Gold arcs that are too long count as if
    they were not annotated.

    A sentence of n words takes 2n transitions; costs take the time that they take in arc-eager.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(2, "Birds"), (0, "sing")])
    >>> [transition for _, transition in Oracle(ArcEagerSpan(1), static_oracle)(tree)]
    [Shift(), LeftArc(), Shift(), Reduce()]
    """

    rows = _short(ArcEagerPartial.rows)
    final = ArcEagerPartial.final


class ArcHybridSpan(SpanSystem):
    """Partial arc-hybrid that builds no long arcs (Aufrant & Wisniewski 2017, appendix A.5.7).

    It is made from ``ArcHybridPartial``; see ``SpanSystem`` for the arguments. Gold arcs that are too long count as if
    they were not annotated.

    A sentence of n words takes 2n transitions; costs take the time that they take in arc-hybrid.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(2, "Birds"), (0, "sing")])
    >>> [transition for _, transition in Oracle(ArcHybridSpan(1), static_oracle)(tree)]
    [Shift(), LeftArc(), Shift(), Reduce()]
    """

    rows = _short(ArcHybridPartial.rows)
    final = ArcHybridPartial.final
