"""Gold arcs in the 2-planar system: which are available, which are in conflict, and whether all can be built.

`two_planar` states the problem, its invariants and what a conflict is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

import attrs

from deptrees.trees.heads import Heads
from deptrees.trees.projectivity import crossing_arcs
from deptrees.trees.tree import DependencyTree

if TYPE_CHECKING:
    from deptrees.transition.systems.two_planar import TwoPlanarConfiguration

__all__ = ["Arc", "AvailableArcs", "arc_of", "root_of"]

ACTIVE, INACTIVE, EITHER = 0b01, 0b10, 0b11
"""The stacks, as bits."""


class Arc(NamedTuple):
    """An arc that is still to be built: its ends, and the stacks that are left for it as bits, none if unavailable."""

    left: int
    right: int
    stacks: int

    def crosses(self, other: Arc) -> bool:
        """Whether two arcs can be built with the same stack and cross then."""
        return bool(self.stacks & other.stacks) and (
            self.left < other.left < self.right < other.right or other.left < self.left < other.right < self.right
        )


def arc_of(cfg: TwoPlanarConfiguration, one: int, other: int) -> Arc:
    """The arc between two elements, of which ROOT is given by its place."""
    left, right = (one, other) if one < other else (other, one)
    if left >= cfg.front:
        return Arc(left, right, EITHER)
    if right < cfg.front:
        return Arc(left, right, 0)
    return Arc(left, right, (cfg.active_bits >> left & 1) | (cfg.inactive_bits >> left & 1) << 1)


def root_of(cfg: TwoPlanarConfiguration) -> int:
    """The place of ROOT."""
    return 0 if cfg.system.root == "first" else len(cfg.heads) + 1


@attrs.frozen(slots=False, eq=False)
class AvailableArcs:
    """The gold arcs that are available in a configuration, by their dependents, and the gold head of each word."""

    _cfg: TwoPlanarConfiguration
    _gold: Heads
    _arcs: dict[int, Arc]

    @classmethod
    def of(cls, cfg: TwoPlanarConfiguration, gold: Heads) -> AvailableArcs:
        """The arcs of a gold tree that are available."""
        root, heads = root_of(cfg), enumerate(zip(cfg.heads, gold, strict=True), 1)
        arcs = {
            word: arc_of(cfg, word, gold_head or root)
            for word, (head, gold_head) in heads
            if head is None and gold_head is not None
        }
        return cls(cfg, gold, {word: arc for word, arc in arcs.items() if arc.stacks})

    def without(self, word: int) -> AvailableArcs:
        """All but the arc to a word."""
        return attrs.evolve(self, arcs={other: arc for other, arc in self._arcs.items() if other != word})

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

    @cached_property
    def conflicts(self) -> list[set[int]]:
        """Conflicts that share no arc, given by the dependents of their arcs."""
        _, cycles = self._tops_and_cycles
        in_cycles = [self._arcs.keys() & cycle for cycle in cycles]
        cyclic = set[int]().union(*in_cycles)
        acyclic = {word: arc for word, arc in self._arcs.items() if word not in cyclic}
        return in_cycles + crossing_conflicts(acyclic, _crossing(self._gold))

    def into_buffer(self) -> set[int]:
        """The words in the buffer whose head is on a stack or is b0."""
        return {word for word, arc in self._arcs.items() if arc.left <= self._cfg.front <= arc.right == word}

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
        """Whether a word can get a head with a stack from the buffer: its elements with their topmost ancestors."""
        only_here = [arc for arc in self._arcs.values() if arc.stacks == stack]
        first = max((arc.right for arc in only_here if arc.left > word), default=0)
        last = min((arc.right for arc in only_here if arc.left < word), default=max(buffer))
        return any(top != word for element, top in buffer.items() if first <= element <= last)

    def can_all_be_built(self) -> bool:
        """Whether it is certain that all arcs can be built, together with some arc to each word that gets none so."""
        cfg = self._cfg
        if cfg.just_switched or self.conflicts:
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
        """Some heads for a word that gets none from the gold tree, where some topmost ancestors have been attached."""
        tops, _ = self._tops_and_cycles
        if self._cfg.system.root == "last":
            return (len(tops),)
        if word >= self._cfg.front:
            return (0,)
        return [head for head in range(len(tops) - 1, self._cfg.front - 1, -1) if tops[head] in below_root]


def tops_and_cycles(heads: Sequence[int | None]) -> tuple[list[int], list[list[int]]]:
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
def _crossing(heads: Heads) -> list[tuple[int, int]]:
    """The pairs of arcs that cross, given by their dependents, wherever ROOT stands: it makes no difference."""
    pairs = crossing_arcs(DependencyTree((head, "") for head in heads))
    return [(dependent, other) for (_, dependent), (_, other) in pairs]


def crossing_conflicts(arcs: dict[int, Arc], crossing: list[tuple[int, int]]) -> list[set[int]]:
    """Sets of arcs that two stacks cannot hold. The sets share no arc, and without them there are no more.

    Arcs are given by their dependents; pairs of which not both are among them do not count.

    Of the arcs 1 → 3, 2 → 6 and 4 → 8, the second crosses the others. These have the active stack only, which leaves it
    the other one. If the last had the inactive stack only, there would be none left.

    >>> arcs = {3: Arc(1, 3, ACTIVE), 6: Arc(2, 6, EITHER), 8: Arc(4, 8, ACTIVE)}
    >>> crossing_conflicts(arcs, [(3, 6), (6, 8)])
    []
    >>> crossing_conflicts({**arcs, 8: Arc(4, 8, INACTIVE)}, [(3, 6), (6, 8)])
    [{8, 3, 6}]
    """
    conflicts = []
    while conflict := _crossing_conflict(arcs, crossing):
        conflicts.append(conflict)
        arcs = {word: arc for word, arc in arcs.items() if word not in conflict}
    return conflicts


def _crossing_conflict(arcs: dict[int, Arc], crossing: list[tuple[int, int]]) -> set[int]:
    """Some arcs that two stacks cannot hold; none if they can hold all."""
    neighbors: dict[int, list[int]] = {}
    for one, other in crossing:
        if one in arcs and other in arcs:
            neighbors.setdefault(one, []).append(other)
            neighbors.setdefault(other, []).append(one)
    # The graph is colored breadth first, each part from an arc that has one stack only, if there is one, so that all
    # stacks are forced: a conflict is a path, or two, from there to where they contradict.
    stack: dict[int, int] = {}
    before: dict[int, int] = {}
    for start in sorted(neighbors, key=lambda word: arcs[word].stacks):
        if start in stack:
            continue
        stack[start] = arcs[start].stacks & ACTIVE or INACTIVE
        todo = deque([start])
        while todo:
            word = todo.popleft()
            for other in neighbors[word]:
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
