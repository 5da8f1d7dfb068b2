"""The loss of the 2-planar system, by search: which gold arcs two stacks can still build together.

The problem
    The system (Gómez-Rodríguez & Nivre 2010) pushes every word on two stacks and joins b0 with the top of the active
    one. Its loss is found by A* (see `shortest_path`). This file says what that search has to know, and
    `available_arcs` what it asks of gold arcs. Below, an arc has a left and a right end. ROOT stands where the system
    has it: before all words, as 0, or after all words, as n + 1.

Invariants
    1. An arc is built when its right end is b0 and its left end is the top of a stack. So it is *available* (can still
       be built if nothing else is asked for) if its right end is in the buffer and its left end is there, too, which
       leaves it either stack, or on a stack, which leaves it those that hold this end.
    2. Arcs that are built with the same stack do not cross: when an arc is built, all that stood between its ends has
       been taken off its stack, so that no later arc of this stack begins there. The stacks are the paper's planes.
    3. Conversely, some available arcs can all be built if they make a tree together with the arcs that are there, and
       if each can be given one of its stacks so that no two arcs of the same stack cross. For each b0 in turn, go down
       one stack, then the other, as far as there are arcs to b0, and build them. What is taken off for that is not
       needed on this stack any more, or its arc would cross; and if it has no head yet, the arc to its head has the
       other stack, where it remains.
    4. Which stack is active matters only after Switch, for otherwise Switch may follow. So Switch costs nothing if it
       would cost nothing to take one of the other transitions with the other stack.

Conflicts
    A *conflict* is a set of available gold arcs of which at least one must be given up, for one of two reasons:

    - they make a cycle together with arcs that are there;
    - two stacks cannot hold them. By 2, arcs that cross need different stacks. So the stacks color the graph of the
      arcs, in which those are neighbors that cross, with two colors. This is impossible where an odd number of arcs
      make a cycle in it, or where a path between two arcs that have one stack each gives one of them the other stack.

Lower bound: a word is certain to be wrong
    - if its gold arc is not available, which makes it a *lost* arc;
    - once for each conflict, of those that share no arc. If there is one only, each of its arcs is given up in turn, to
      see whether there is a second one afterwards;
    - if there is no conflict, once if a word on the stacks is left without a head when all available gold arcs are
      built. Its head must come from the buffer, must not depend on the word, and the arc must not cross one that has
      no other stack.

Where it is attained
    If nothing is in conflict, and words without a gold arc to be built can be given other heads so that all arcs meet
    the conditions of 3, then only lost arcs are errors. As other heads few are tried: ROOT, or where ROOT stands before
    a word on the stacks, words in the buffer that depend on ROOT by then. If one or two errors are certain beside the
    lost arcs, as many arcs are given up first: one of a conflict, or, where a word is left without a head, an arc to a
    word in the buffer from b0 or from an element of the stacks.

Least costs
    Where arcs have any costs (constraints), the bound is the cost of the best tree of available arcs, however they
    cross: a maximum spanning tree. It is attained if this tree, taken for the gold tree, can be built.

Complexity and limits
    A bound takes O(n²) time, and O(n³) if it gives up one arc after the other. In treebanks it is attained almost
    everywhere, and the search goes straight to the end. Where nearly all arcs cross, it takes exponential time.

The arcs 0 → 3, 1 → 4 and 2 → 5 cross each other. Any two can be shared out between the stacks, not all three:

>>> from deptrees import DependencyTree
>>> from deptrees.transition import TwoPlanar
>>> tree = DependencyTree([(2, "a"), (3, "b"), (0, "c"), (1, "d"), (2, "e")])
>>> start = TwoPlanar().initial(tree)
>>> AvailableArcs.of(start, tree.heads).conflicts
[{3, 4, 5}]
>>> TwoPlanarLoss()(start, tree)
1
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING

import attrs
import numpy as np
from more_itertools import first

from deptrees.transition.losses.arc_costs import ArcCosts, best_tree, cost_to_come, gold_costs
from deptrees.transition.losses.available_arcs import AvailableArcs, arc_of, root_of
from deptrees.transition.losses.loss import LeastCosts
from deptrees.transition.losses.shortest_path import SearchProblem, ShortestPathLoss
from deptrees.transition.transitions import LeftArc, Reduce, RightArc, Shift, Switch, Transition
from deptrees.trees.tree import DependencyTree

if TYPE_CHECKING:
    from deptrees.transition.systems.two_planar import TwoPlanar, TwoPlanarConfiguration

__all__ = ["TwoPlanarLoss"]

_MOST_GIVEN_UP = 2  # up to how many errors that are certain, beside lost arcs, it is asked whether they are all


@attrs.frozen
class TwoPlanarLoss(ShortestPathLoss["TwoPlanarConfiguration"]):
    """The loss of the 2-planar system, exact for every gold tree."""

    def gold_problem(self, heads: tuple[int | None, ...], system: TwoPlanar) -> SearchProblem:
        return _GoldProblem(heads)

    def problem(self, costs: ArcCosts, system: TwoPlanar) -> SearchProblem:
        return _CostsProblem(costs)

    def is_free(self, transition: Transition, cfg: TwoPlanarConfiguration, tree: DependencyTree, now: int) -> bool:
        if not isinstance(transition, Switch):
            return self._has_free([transition], cfg, tree, now)
        after = transition(cfg)
        return self._has_free(after.possible_transitions(), after, tree, now)  # by 4

    def _has_free(
        self, transitions: Sequence[Transition], cfg: TwoPlanarConfiguration, tree: DependencyTree, least: int
    ) -> bool:
        """Whether the loss can be the least after one of some transitions, of which none is Switch."""
        wrong, unserved = _errors(cfg, tree)
        lost = sum(tree.heads[word - 1] is not None for word in unserved)
        if wrong + lost == least:
            plain = [_keeps_all(transition, cfg, tree, unserved) for transition in transitions]
            if True in plain:
                return True
            transitions = [transition for transition, known in zip(transitions, plain, strict=True) if known is None]
        return any(self.is_at_most(transition(cfg), tree, least) for transition in transitions)

    def least_costs(self, costs: ArcCosts, system: TwoPlanar) -> LeastCosts:
        # Fractions of costs, less than 1 in all, decide between trees that cost the same. Those with the leftmost heads
        # are preferred, for arcs from the same head do not cross; otherwise it is random, but always the same: as long
        # as the best tree can be built, it must not give way to another one.
        n = len(costs) - 2
        preferred = np.arange(n + 2)
        preferred[0] = 0 if system.root == "first" else n + 1
        random = np.random.default_rng(0).random(costs.shape)
        return super().least_costs(costs + (preferred[:, None] + random) / (2 * (n + 2) ** 2), system)


def _errors(cfg: TwoPlanarConfiguration, tree: DependencyTree) -> tuple[int, list[int]]:
    """How many arcs that are there are wrong, and the words without a head for which no gold arc is available."""
    wrong, unserved = 0, []
    for word, (head, gold) in enumerate(zip(cfg.heads, tree.heads, strict=True), 1):
        if head is not None:
            wrong += gold is not None and gold != head
        elif gold is None or not arc_of(cfg, word, gold or root_of(cfg)).stacks:
            unserved.append(word)
    return wrong, unserved


def _keeps_all(
    transition: Transition, cfg: TwoPlanarConfiguration, tree: DependencyTree, unserved: list[int]
) -> bool | None:
    """Whether a transition other than Switch costs nothing where all available gold arcs can be built.

    It does if one of them is lost. It does not if it builds one, or if the arcs of a best derivation remain available
    with the same stacks: those, and arcs to words that no gold arc is available for. ``None`` if this is not plain.
    """
    if isinstance(transition, (LeftArc, RightArc)):
        head, word = cfg.arc(transition)
        return None if word in unserved else tree.heads[word - 1] == head
    if isinstance(transition, Reduce):
        if _ends(cfg, tree, cfg.top, unserved):
            return None if cfg.inactive_bits >> cfg.top & 1 else False
        return all(word < cfg.front and word != cfg.top for word in unserved) or None
    if any(end < cfg.front for end in _ends(cfg, tree, cfg.front, unserved)):
        return False
    return all(word > cfg.front for word in unserved) or None


def _ends(cfg: TwoPlanarConfiguration, tree: DependencyTree, place: int, unserved: list[int]) -> list[int]:
    """The other ends of the available gold arcs that end in a place."""
    element = place if place <= len(cfg.heads) else 0
    words = [word for word in (*tree.dependents(element), element) if word and cfg.heads[word - 1] is None]
    served = [word for word in words if word not in unserved]
    return [(tree.heads[word - 1] or root_of(cfg)) if word == element else word for word in served]


class _Problem(SearchProblem["TwoPlanarConfiguration"]):
    """What the search has to know of the system."""

    def key(self, cfg: TwoPlanarConfiguration) -> Hashable:
        """The stacks, the buffer, and of which tree so far each of their elements is a part, but for words after b0."""
        seen = cfg.active_bits | cfg.inactive_bits | 1 << cfg.front
        known = tuple([cfg.topmost_ancestor(word) for word in range(1, len(cfg.heads) + 1) if seen >> word & 1])
        return cfg.active_bits, cfg.inactive_bits, cfg.front, cfg.just_switched, known

    def steps(self, cfg: TwoPlanarConfiguration) -> Iterator[tuple[Transition, ...]]:
        """Shift, and each arc worth building after what prepares it: the only reason to reduce or to switch."""
        if cfg.is_possible(Shift()):
            yield (Shift(),)
        if cfg.just_switched and cfg.is_possible(Reduce()):
            yield (Reduce(),)  # which makes Switch possible
        yield from self._arcs(cfg, ())
        if cfg.is_possible(Switch()):
            yield from self._arcs(Switch()(cfg), (Switch(),))

    def _arcs(self, cfg: TwoPlanarConfiguration, before: tuple[Transition, ...]) -> Iterator[tuple[Transition, ...]]:
        """The arcs between elements of the active stack and b0: of heads in a tree that cost the same, the first."""
        tried: set[tuple[int, int]] = set()
        while True:
            if cfg.is_possible(LeftArc()):
                yield *before, LeftArc()
            if cfg.is_possible(RightArc()):
                head = cfg.topmost_ancestor(cfg.top), int(self.costs[cfg.top, cfg.front])
                if head not in tried:
                    tried.add(head)
                    yield *before, RightArc()
            if not cfg.is_possible(Reduce()):
                break
            cfg, before = Reduce()(cfg), (*before, Reduce())


class _GoldProblem(_Problem):
    """Errors against a gold tree."""

    def __init__(self, heads: tuple[int | None, ...]) -> None:
        super().__init__(gold_costs(heads))
        self._heads = heads
        # Of the last configuration, for its bound is asked for before it is asked whether this is attained.
        self._last: tuple[TwoPlanarConfiguration, AvailableArcs, int] | None = None

    def bound(self, cfg: TwoPlanarConfiguration) -> int:
        available, given_up = self._look(cfg)
        return available.lost() + given_up

    def is_attained(self, cfg: TwoPlanarConfiguration) -> bool:
        return not cfg.just_switched and _can_be_built(*self._look(cfg))

    def _look(self, cfg: TwoPlanarConfiguration) -> tuple[AvailableArcs, int]:
        """The gold arcs that are available, and how many of them are certain to be given up."""
        if self._last is None or self._last[0] is not cfg:
            available = AvailableArcs.of(cfg, self._heads)
            self._last = cfg, available, _certain(available)
        return self._last[1:]


def _certain(available: AvailableArcs) -> int:
    """How many errors are certain, beside the lost arcs."""
    conflicts = available.conflicts
    if len(conflicts) != 1:
        return len(conflicts) or available.leave_a_word_headless()
    (conflict,) = conflicts
    others = (available.without(word) for word in conflict)
    return 1 + min(len(rest.conflicts) or rest.leave_a_word_headless() for rest in others)


def _can_be_built(available: AvailableArcs, given_up: int) -> bool:
    """Whether it is certain that all arcs can be built but ``given_up`` of them, for which a few are tried."""
    if available.can_all_be_built():
        return True
    if not 0 < given_up <= _MOST_GIVEN_UP:
        return False
    tried = first(available.conflicts, default=available.into_buffer())
    return any(_can_be_built(available.without(word), given_up - 1) for word in tried)


class _CostsProblem(_Problem):
    """Any costs of arcs."""

    def bound(self, cfg: TwoPlanarConfiguration) -> int:
        return cost_to_come(cfg, self._best_tree(cfg), self.costs)

    def is_attained(self, cfg: TwoPlanarConfiguration) -> bool:
        return AvailableArcs.of(cfg, tuple(self._best_tree(cfg))).can_all_be_built()

    def _best_tree(self, cfg: TwoPlanarConfiguration) -> list[int | None]:
        """The best tree of available arcs, however they cross."""
        elements = range(len(cfg.heads) + 1)

        def available(word: int) -> list[int]:
            return [head for head in elements if arc_of(cfg, word, head or root_of(cfg)).stacks]

        return best_tree(cfg, self.costs, available)
