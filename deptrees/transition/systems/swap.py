"""Systems that build all trees, projective or not, by changing the order of words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import attrs

from deptrees.transition.losses.conflicts import ConflictLoss
from deptrees.transition.losses.loss import Loss
from deptrees.transition.losses.settled_words import hybrid_arcs_search, standard_arcs_search
from deptrees.transition.losses.swaps.conflicts import estimated_swap_conflicts, swap_conflicts
from deptrees.transition.systems.arc_hybrid import ArcHybrid
from deptrees.transition.systems.arc_standard import ArcStandard
from deptrees.transition.systems.stack_buffer import StackBufferSystem
from deptrees.transition.table.language import *
from deptrees.transition.transitions import LeftArc, RightArc, Shift, Swap, Transition

__all__ = ["ArcHybridSwap", "ArcStandardSwap"]


def _with_swap(
    rows: tuple[Row, ...], swap: Row, loses: Mapping[type[Transition], Sequence[Lost]] = {}
) -> tuple[Row, ...]:
    """The table of a system with a transition that swaps words.

    An arc of the gold tree is right when its dependent is complete; if there is no such arc, words have to be swapped,
    or the next one is needed. What the other transitions lose, if words are swapped as the static oracle swaps them, is
    given where it is known.
    """

    def canonical(row: Row, *conditions: Condition) -> Row:
        return attrs.evolve(row, loses=loses.get(row.transition), correct=None, canonical=conditions)

    arcs = [canonical(row, gold(*row.arc), complete(row.arc[1])) for row in rows if row.arc]
    shift = next(row for row in rows if row.transition is Shift)
    return *arcs, swap, canonical(shift)


class ArcStandardSwap(StackBufferSystem):
    """Arc-standard with a transition Swap that moves s1 back to the buffer (Nivre 2009).

    The system builds all trees. The static oracle swaps words as soon as their order is wrong (Nivre 2009, section
    3.2); ``static_oracle_lazy_swap`` does so only when the words belong to different maximal projective components
    (Nivre, Kuhlmann & Hall 2009). Björkelund & Nivre 2015 have non-deterministic oracles, which are not implemented.

    A sentence of n words takes 2n transitions, one more with ROOT last, and two more for each Swap, of which there are
    at most n(n - 1)/2. The static oracle takes constant time per transition.

    No exact dynamic oracle has been published for this system; approximate ones find losses by search or by learning
    (Straka et al. 2015; Yu, Vu & Kuhn 2018). Here, losses and the dynamic oracle are exact for every gold tree,
    projective or not, and are found by search (see `deptrees.transition.losses.swaps`). In real sentences the
    search is mostly short, but in the worst case it takes exponential time: then it gives up and raises LossNotFound.
    This is rare if derivations continue with the first of the transitions that cost nothing, and less rare if they
    continue with any of them, which leave words in orders that no static oracle reaches.

    ``approximate_dynamic_oracle`` always answers. Its estimates of losses are never too low. It may miss a transition
    that costs nothing, mostly a Shift before words change places, and occasionally returns one that costs something.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "discuss"), (1, "about")])
    >>> [transition for _, transition in Oracle(ArcStandardSwap(), static_oracle)(tree)]
    [Shift(), Shift(), Shift(), Shift(), LeftArc(), LeftArc(), Shift(), Swap(), RightArc(), Shift(), LeftArc(),
    RightArc()]
    """

    rows = _with_swap(
        ArcStandard.rows,
        Row(
            Swap,
            when=(word(S1), before(S1, S0)),
            do=(back(S1),),
            canonical=(gold_before(S0, S1), lazy(~same_component(S0, B0))),
        ),
    )
    final = ArcStandard.final
    learns_best_from = "static_lazy_swap"
    roots = ("first", "last")
    can_have_single_root = True

    def loss(self) -> Loss:
        return _STANDARD_LOSS

    def estimated_loss(self) -> Loss:
        return _STANDARD_ESTIMATE


@attrs.frozen(repr=False)
class ArcHybridSwap(StackBufferSystem):
    """Arc-hybrid, ROOT last, with a transition Swap that moves s0 to the right of b0 (de Lhoneux, Stymne & Nivre 2017).

    The system builds all trees. The static oracle swaps words as soon as their order is wrong.

    A sentence of n words takes 2n transitions, and two more for each Swap, of which there are at most n(n - 1)/2. The
    static oracle takes constant time per transition.

    The published oracle, ``static_dynamic_oracle``, is dynamic except for Swap. It needs no search, and training takes
    it by default.

    Losses and the dynamic oracle are exact for every gold tree, and are found by search or estimated as in
    ``ArcStandardSwap``.

    Args:
        root: ``"last"``.
        single_root: whether ROOT has a single dependent.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "discuss"), (1, "about")])
    >>> [transition for _, transition in Oracle(ArcHybridSwap(), static_oracle)(tree)]
    [Shift(), Shift(), Shift(), LeftArc(), LeftArc(), Shift(), Swap(), Shift(), RightArc(), LeftArc(), Shift(),
    LeftArc()]
    """

    rows = _with_swap(
        ArcHybrid.rows,
        Row(
            Swap, when=(word(S0), word(B0), before(S0, B0)), do=(back(S0, after=B0),), canonical=(gold_before(B0, S0),)
        ),
        {
            LeftArc: (
                head(S0, BUFFER_REST),
                head(S0, at(S1), ~passed(S0)),
                head(S0, STACK_REST, passed(S0)),
                dependents(S0, BUFFER),
                dependents(S0, STACK, passed(S0)),
            ),
            RightArc: (
                head(S0, BUFFER),
                head(S0, STACK_REST, passed(S0), ~gold(S1, S0)),
                dependents(S0, BUFFER),
                dependents(S0, STACK, passed(S0)),
            ),
            Shift: (head(B0, STACK_REST, ~passed(B0)), dependents(B0, STACK, ~passed(B0))),
        },
    )
    final = ArcHybrid.final
    learns_best_from = "static_dynamic"
    roots = ("last",)
    can_have_single_root = True

    root: Literal["first", "last", "none"] = attrs.field(default="last", kw_only=True)

    def loss(self) -> Loss:
        return _HYBRID_LOSS

    def estimated_loss(self) -> Loss:
        return _HYBRID_ESTIMATE


_STANDARD_ESTIMATE = ConflictLoss(estimated_swap_conflicts(S0), standard_arcs_search)
_HYBRID_ESTIMATE = ConflictLoss(estimated_swap_conflicts(B0), hybrid_arcs_search)
_STANDARD_LOSS = ConflictLoss(swap_conflicts(S0), standard_arcs_search, swap_conflicts(S0, gives_up_soon=True))
_HYBRID_LOSS = ConflictLoss(swap_conflicts(B0), hybrid_arcs_search, swap_conflicts(B0, gives_up_soon=True))
