"""The loss of the 2-planar system, by search: which gold arcs two stacks can still build together.

The problem
    The system (Gómez-Rodríguez & Nivre 2010) pushes every word on two stacks and joins b0 with the top of the active
    one. Its loss is the length of a shortest path, found by A* (see `shortest_path`). This file says what that search
    has to know: on what the future depends, which transitions are worth trying, how many errors are certain, and when
    there are no more than these.

    Below, an arc has a left and a right end. ROOT stands where the system has it: before all words, as 0, or after all
    words, as n + 1.

Invariants
    1. An arc is built when its right end is b0 and its left end is the top of a stack. So an arc is *available* (it can
       still be built if nothing else is asked for) if its right end is in the buffer and its left end is there, too, or
       on a stack. In the first case it can be built with either stack, in the second with those that hold its left end.
    2. Arcs that are built with the same stack do not cross: when an arc is built, all that stood between its ends has
       been taken off its stack, so that no later arc of this stack begins there. The stacks are the two planes of the
       paper.
    3. Conversely, some available arcs can all be built if they make a tree together with the arcs that are there, and
       if each of them can be given one of its stacks so that no two arcs of the same stack cross. For each b0 in turn,
       go down one stack, then the other, as far as there are arcs to b0, and build them. What is taken off for that is
       not needed on this stack any more, or its arc would cross; and if it has no head yet, the arc to its head has the
       other stack, where it remains.

Conflicts
    A *conflict* is a set of available gold arcs of which at least one must be given up, for one of two reasons:

    - they make a cycle together with arcs that are there. In Covington's system such cycles are all that adds to lost
      arcs (Gómez-Rodríguez & Fernández-González 2015);
    - two stacks cannot hold them. By 2, arcs that cross need different stacks. So the stacks colour the graph of the
      arcs, in which those are neighbours that cross, with two colours. This is impossible where an odd number of arcs
      make a cycle in it, or where a path between two arcs that have one stack each gives one of them the other stack.

Lower bound: a word is certain to be wrong
    - if its gold arc is not available (by 1), which makes it a *lost* arc;
    - in addition, once for each conflict, of those that share no arc. If there is one only, each of its arcs is given
      up in turn, to see whether there is a second one afterwards;
    - if there is no conflict, once if a word on the stacks is left without a head when all available gold arcs are
      built. Its head must come from the buffer, must not depend on the word, and the arc must not cross one that has
      no other stack.

Where it is attained
    If nothing is in conflict, and words for which there is no gold arc to be built can be given other heads so that all
    arcs, taken together, still meet the conditions of 3, then only lost arcs are errors. As other heads few are tried:
    ROOT, or where ROOT stands before a word on the stacks, words in the buffer that depend on ROOT by then.

Least costs
    Where arcs have any costs (constraints), the bound is the cost of the best tree of available arcs, however they
    cross, and it is attained if this tree can be built: if it were the gold tree, there would be no error.

Complexity and limits
    A bound takes O(n²) time, and O(n³) if it gives up one arc after the other; for least costs it takes a maximum
    spanning tree. In treebanks the bound is attained almost everywhere, and the search goes straight to the end.
    Where nearly all arcs cross, it takes exponential time.

For example, the arcs 0 → 3, 1 → 4 and 2 → 5 cross each other. Any two can be shared out between the stacks, not all
three: the loss is 1.

>>> from deptrees.transition import TwoPlanar
>>> tree = DependencyTree([(2, "a"), (3, "b"), (0, "c"), (1, "d"), (2, "e")])
>>> start = TwoPlanar().initial(tree)
>>> AvailableArcs.of(start, tree.heads).conflicts()
[{3, 4, 5}]
>>> TwoPlanarLoss()(start, tree)
1
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import attrs
import numpy as np

from deptrees.transition.losses.arc_costs import ArcCosts, best_tree, cost_to_come, gold_costs
from deptrees.transition.losses.loss import LeastCosts
from deptrees.transition.losses.shortest_path import SearchProblem, ShortestPathLoss
from deptrees.transition.transitions import LeftArc, Reduce, RightArc, Shift, Switch, Transition
from deptrees.trees.projectivity import crossing_arcs
from deptrees.trees.tree import DependencyTree

__all__ = ["Arc", "AvailableArcs", "TwoPlanarLoss", "crossing_conflicts"]

Heads = Sequence[int | None]

ACTIVE, INACTIVE, EITHER = 0b01, 0b10, 0b11
"""The stacks, as bits."""


@attrs.frozen
class TwoPlanarLoss(ShortestPathLoss):
    """The loss of the 2-planar system, exact for every gold tree."""

    def gold_problem(self, heads: tuple[int | None, ...], system: Any) -> SearchProblem:
        return _GoldProblem(heads)

    def problem(self, costs: ArcCosts, system: Any) -> SearchProblem:
        return _CostsProblem(costs)

    def least_costs(self, costs: ArcCosts, system: Any) -> LeastCosts:
        """The least costs with which parsing can end.

        Fractions of costs decide between trees that cost the same. Those with the leftmost heads are preferred, for
        arcs from the same head do not cross; otherwise it is random, but always the same: as long as the best tree can
        be built, it must not give way to another one. For all words together the fractions are less than 1.
        """
        n = len(costs) - 2
        preferred = np.arange(n + 2)
        preferred[0] = 0 if system.root == "first" else n + 1
        random = np.random.default_rng(0).random(costs.shape)
        return super().least_costs(costs + (preferred[:, None] + random) / (2 * (n + 2) ** 2), system)


class _Problem(SearchProblem):
    """What the search has to know of the system."""

    def key(self, cfg: Any) -> Hashable:
        """The stacks, the buffer, and of which tree built so far each of their elements is a part.

        Of words after b0, which have no arcs yet, each is a tree of its own.
        """
        elements = range(min(cfg.front, len(cfg.heads)) + 1)
        seen = cfg.active_bits | cfg.inactive_bits | 1 << cfg.front
        tops = [cfg.topmost_ancestor(element) for element in elements if seen >> element & 1]
        return cfg.active_bits, cfg.inactive_bits, cfg.front, cfg.just_switched, tuple(tops)

    def steps(self, cfg: Any) -> Iterator[tuple[Transition, ...]]:
        """Shift, and all arcs that are worth building, each after the transitions that prepare it.

        What is on a stack hinders nothing but such an arc, so there is no other reason to reduce or to switch.
        """
        if cfg.is_possible(Shift()):
            yield (Shift(),)
        if cfg.just_switched and cfg.is_possible(Reduce()):
            yield (Reduce(),)  # which makes Switch possible
        yield from self._arcs(cfg, ())
        if cfg.is_possible(Switch()):
            yield from self._arcs(Switch()(cfg), (Switch(),))

    def _arcs(self, cfg: Any, before: tuple[Transition, ...]) -> Iterator[tuple[Transition, ...]]:
        """The arcs between elements of the active stack and b0.

        Of heads in the same tree that cost the same the first will do.
        """
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

    def bound(self, cfg: Any) -> int:
        available = AvailableArcs.of(cfg, self._heads)
        lost = available.lost()
        conflicts = available.conflicts()
        if len(conflicts) != 1:
            return lost + (len(conflicts) or available.leave_a_word_headless())
        (conflict,) = conflicts
        others = (available.without(word) for word in conflict)
        return lost + 1 + min(len(rest.conflicts()) or rest.leave_a_word_headless() for rest in others)

    def is_attained(self, cfg: Any) -> bool:
        return AvailableArcs.of(cfg, self._heads).can_all_be_built()


class _CostsProblem(_Problem):
    """Any costs of arcs."""

    def bound(self, cfg: Any) -> int:
        return cost_to_come(cfg, self._best_tree(cfg), self.costs)

    def is_attained(self, cfg: Any) -> bool:
        return AvailableArcs.of(cfg, tuple(self._best_tree(cfg))).can_all_be_built()

    def _best_tree(self, cfg: Any) -> list[int | None]:
        """The best tree of available arcs, however they cross."""
        root = 0 if cfg.system.root == "first" else len(cfg.heads) + 1
        elements = range(len(cfg.heads) + 1)

        def available(word: int) -> list[int]:
            return [head for head in elements if arc_of(cfg, word, head or root).stacks]

        return best_tree(cfg, self.costs, available)


class Arc(NamedTuple):
    """An arc that is still to be built.

    Args:
        left: its left end.
        right: its right end.
        stacks: the stacks that it can be built with, as bits: none if it is not available.
    """

    left: int
    right: int
    stacks: int

    def crosses(self, other: Arc) -> bool:
        """Whether two arcs cross if they are built with the same stack, and can be so."""
        return bool(self.stacks & other.stacks) and (
            self.left < other.left < self.right < other.right or other.left < self.left < other.right < self.right
        )


def arc_of(cfg: Any, one: int, other: int) -> Arc:
    """The arc between two elements, of which ROOT is given by its place."""
    left, right = (one, other) if one < other else (other, one)
    if left >= cfg.front:
        return Arc(left, right, EITHER)
    if right < cfg.front:
        return Arc(left, right, 0)
    return Arc(left, right, (cfg.active_bits >> left & 1) | (cfg.inactive_bits >> left & 1) << 1)


class AvailableArcs:
    """The gold arcs that are available in a configuration.

    Args:
        cfg: the configuration.
        gold: the gold head of each word, if it has one.
        arcs: the arcs, by their dependents.
    """

    def __init__(self, cfg: Any, gold: tuple[int | None, ...], arcs: dict[int, Arc]) -> None:
        self._cfg = cfg
        self._gold = gold
        self._arcs = arcs

    @classmethod
    def of(cls, cfg: Any, gold: tuple[int | None, ...]) -> AvailableArcs:
        """The arcs of a gold tree that are available."""
        root = 0 if cfg.system.root == "first" else len(gold) + 1
        arcs = {}
        for word, (head, gold_head) in enumerate(zip(cfg.heads, gold, strict=True), 1):
            if head is None and gold_head is not None:
                arc = arc_of(cfg, word, gold_head or root)
                if arc.stacks:
                    arcs[word] = arc
        return cls(cfg, gold, arcs)

    def without(self, word: int) -> AvailableArcs:
        """All but the arc to a word."""
        return AvailableArcs(self._cfg, self._gold, {other: arc for other, arc in self._arcs.items() if other != word})

    @cached_property
    def heads(self) -> list[int | None]:
        """The head of each word when all available gold arcs are built."""
        pairs = enumerate(zip(self._cfg.heads, self._gold, strict=True), 1)
        return [gold if word in self._arcs else head for word, (head, gold) in pairs]

    @cached_property
    def _tops_and_cycles(self) -> tuple[list[int], list[list[int]]]:
        return tops_and_cycles(self.heads)

    def lost(self) -> int:
        """How many gold arcs are not available, of words that have no head."""
        return sum(head is None and gold is not None for head, gold in zip(self.heads, self._gold, strict=True))

    def conflicts(self) -> list[set[int]]:
        """Conflicts that share no arc, given by the dependents of their arcs."""
        _, cycles = self._tops_and_cycles
        in_cycles = [self._arcs.keys() & cycle for cycle in cycles]
        cyclic = set[int]().union(*in_cycles)
        acyclic = {word: arc for word, arc in self._arcs.items() if word not in cyclic}
        return in_cycles + crossing_conflicts(acyclic, _crossing(self._gold))

    def leave_a_word_headless(self) -> bool:
        """Whether some word on the stacks can get no head if all arcs are built, which are not in conflict."""
        cfg = self._cfg
        headless = {word for word, head in enumerate(self.heads[: cfg.front - 1], 1) if head is None}
        if not headless:
            return False
        tops, _ = self._tops_and_cycles
        buffer = {word: tops[word] for word in range(cfg.front, len(tops))}
        if cfg.system.root == "last":
            buffer[len(tops)] = 0
        if headless.issuperset(buffer.values()):
            return True  # all that could be a head depends on a word that needs one
        return not all(
            (cfg.active_bits >> word & 1 and self._allow_a_head(word, ACTIVE, buffer))
            or (cfg.inactive_bits >> word & 1 and self._allow_a_head(word, INACTIVE, buffer))
            for word in headless
        )

    def _allow_a_head(self, word: int, stack: int, buffer: dict[int, int]) -> bool:
        """Whether a word on a stack can get a head with this stack.

        Args:
            word: the word.
            stack: the stack.
            buffer: the elements of the buffer, with the topmost ancestor of each.
        """
        only_here = [arc for arc in self._arcs.values() if arc.stacks == stack]
        first = max((arc.right for arc in only_here if arc.left > word), default=0)
        last = min((arc.right for arc in only_here if arc.left < word), default=max(buffer))
        return any(top != word for element, top in buffer.items() if first <= element <= last)

    def can_all_be_built(self) -> bool:
        """Whether it is certain that all arcs can be built, together with some arc to each word that gets none so."""
        cfg = self._cfg
        if cfg.just_switched or self.conflicts():
            return False
        arcs, crossing = dict(self._arcs), _crossing(self._gold)
        headless = [word for word, head in enumerate(self.heads, 1) if head is None]
        below_root = {0, *[word for word in headless if word >= cfg.front]}  # words in the buffer can have ROOT as head
        for word in headless:
            for head in self._heads_to_try(word, below_root):
                arc = arc_of(cfg, word, head)
                with_arc = crossing + [(word, other) for other in arcs if arc.crosses(arcs[other])]
                if not crossing_conflicts({**arcs, word: arc}, with_arc):
                    arcs[word], crossing = arc, with_arc
                    below_root.add(word)
                    break
            else:
                return False
        return True

    def _heads_to_try(self, word: int, below_root: set[int]) -> Iterable[int]:
        """Some heads for a word that gets none from the gold tree, in the order in which they are tried.

        Args:
            word: the word.
            below_root: the topmost ancestors that have been attached.
        """
        tops, _ = self._tops_and_cycles
        if self._cfg.system.root == "last":
            return (len(tops),)
        if word >= self._cfg.front:
            return (0,)
        return [head for head in range(len(tops) - 1, self._cfg.front - 1, -1) if tops[head] in below_root]


def tops_and_cycles(heads: Heads) -> tuple[list[int], list[list[int]]]:
    """The topmost ancestor of ROOT and of each word, -1 if there is none because of a cycle; and these cycles.

    >>> tops_and_cycles([2, None, 5, 3, 4])
    ([0, 2, 2, -1, -1, -1], [[3, 5, 4]])
    """
    unknown, on_path = -3, -2
    tops, cycles = [0, *[unknown] * len(heads)], []
    for start in range(1, len(heads) + 1):
        path, word = [], start
        while tops[word] == unknown:
            tops[word] = on_path
            path.append(word)
            head = heads[word - 1]
            if head is None:
                tops[word] = word
            else:
                word = head
        top = tops[word]
        if top == on_path:
            cycles.append(path[path.index(word) :])
            top = -1
        for word in path:
            tops[word] = top
    return tops, cycles


@lru_cache(maxsize=64)
def _crossing(heads: tuple[int | None, ...]) -> list[tuple[int, int]]:
    """The pairs of arcs that cross, given by their dependents.

    Arcs from ROOT cross the same others whether ROOT stands before or after all words.
    """
    pairs = crossing_arcs(DependencyTree((head, "") for head in heads))
    return [(dependent, other) for (_, dependent), (_, other) in pairs]


def crossing_conflicts(arcs: dict[int, Arc], crossing: Iterable[tuple[int, int]]) -> list[set[int]]:
    """Sets of arcs that two stacks cannot hold. The sets share no arc, and without them there are no more.

    Args:
        arcs: the arcs, by their dependents.
        crossing: which of them cross, and maybe others, which do not count.

    Of the arcs 1 → 3, 2 → 6 and 4 → 8, the second crosses the others. These have the active stack only, which leaves it
    the other one. If the last had the inactive stack only, there would be none left.

    >>> arcs = {3: Arc(1, 3, ACTIVE), 6: Arc(2, 6, EITHER), 8: Arc(4, 8, ACTIVE)}
    >>> crossing_conflicts(arcs, [(3, 6), (6, 8)])
    []
    >>> crossing_conflicts({**arcs, 8: Arc(4, 8, INACTIVE)}, [(3, 6), (6, 8)])
    [{8, 3, 6}]
    """
    neighbours: dict[int, list[int]] = {}
    for one, other in crossing:
        if one in arcs and other in arcs:
            neighbours.setdefault(one, []).append(other)
            neighbours.setdefault(other, []).append(one)
    conflicts = []
    while conflict := _crossing_conflict(arcs, neighbours):
        conflicts.append(conflict)
        neighbours = {
            word: [other for other in others if other not in conflict]
            for word, others in neighbours.items()
            if word not in conflict
        }
    return conflicts


def _crossing_conflict(arcs: dict[int, Arc], neighbours: dict[int, list[int]]) -> set[int]:
    """Some arcs that two stacks cannot hold; none if they can hold all.

    The graph is coloured breadth first. Each part of it begins with an arc that has one stack only, if there is one, so
    that all stacks are forced: a conflict is a path, or two, from there to where they contradict.
    """
    stack: dict[int, int] = {}
    before: dict[int, int] = {}
    for start in sorted(neighbours, key=lambda word: arcs[word].stacks):  # those that have no choice come first
        if start in stack:
            continue
        stack[start] = arcs[start].stacks & ACTIVE or INACTIVE
        todo = deque([start])
        while todo:
            word = todo.popleft()
            for other in neighbours[word]:
                if other not in stack:
                    stack[other] = EITHER - stack[word]
                    before[other] = word
                    todo.append(other)
                    if not stack[other] & arcs[other].stacks:
                        return set(_path(other, before))
                elif stack[other] == stack[word]:
                    return {*_path(word, before), *_path(other, before)}
    return set()


def _path(word: int, before: dict[int, int]) -> Iterator[int]:
    yield word
    while word in before:
        word = before[word]
        yield word
