"""The losses of the 2-planar system: by search, which is short because of what it knows beforehand.

That is what a configuration's future depends on, which transitions are worth trying, and how many errors are certain:
gold arcs that can no longer be built, and one of each set of gold arcs that rule one another out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from deptrees.transition.configuration import Configuration
from deptrees.transition.losses.arc_costs import ArcCosts, best_tree, cost_to_come
from deptrees.transition.losses.loss import LeastCosts
from deptrees.transition.losses.shortest_path import ExactSearch
from deptrees.transition.transitions import LeftArc, Reduce, RightArc, Shift, Switch, Transition
from deptrees.trees.projectivity import crossing_arcs
from deptrees.trees.tree import DependencyTree

__all__ = ["elements", "error_bound", "search"]


def elements(bits: int) -> tuple[int, ...]:
    """The elements of a set that is the bits of an integer, in ascending order."""
    return tuple([element for element in range(bits.bit_length()) if bits >> element & 1])


def _key(cfg: Any) -> tuple[Any, ...]:
    """The stacks, the buffer, and how the words in them hang together."""
    words = elements((cfg.active_bits | cfg.inactive_bits | 1 << cfg.front) & (2 << len(cfg.heads)) - 1)
    return (
        cfg.active_bits,
        cfg.inactive_bits,
        cfg.front,
        cfg.just_switched,
        tuple([cfg.topmost_ancestor(word) for word in words]),
    )


def _steps(cfg: Any, costs: ArcCosts) -> Iterator[tuple[Transition, ...]]:
    """Shift, and all arcs that are worth building, each behind the transitions that prepare it.

    What is on a stack is in nobody's way but that of such an arc, so there is no other need to reduce or to switch.
    """
    if cfg.allows(Shift()):
        yield (Shift(),)
    if cfg.just_switched and cfg.allows(Reduce()):
        yield (Reduce(),)  # which makes Switch possible
    yield from _arcs(cfg, costs, ())
    if cfg.allows(Switch()):
        yield from _arcs(Switch()(cfg), costs, (Switch(),))


def _arcs(cfg: Any, costs: ArcCosts, before: tuple[Transition, ...]) -> Iterator[tuple[Transition, ...]]:
    """The arcs between elements of the active stack and b0.

    Of heads that hang together and cost the same the first will do.
    """
    tried: set[tuple[int, int]] = set()
    while True:
        if cfg.allows(LeftArc()):
            yield *before, LeftArc()
        if cfg.allows(RightArc()):
            head = cfg.topmost_ancestor(cfg.top), int(costs[cfg.top, cfg.front])
            if head not in tried:
                tried.add(head)
                yield *before, RightArc()
        if not cfg.allows(Reduce()):
            break
        cfg, before = Reduce()(cfg), (*before, Reduce())


_ACTIVE, _INACTIVE, _BOTH = 0b01, 0b10, 0b11
_Arc = tuple[int, int, int]
"""The left end of an arc, its right end, and the stacks that it can be built with, as bits."""
_Live = dict[int, _Arc]
"""Gold arcs that can still be built, by their dependents. ROOT is 0 if it stands first, and otherwise n + 1."""


def error_bound(cfg: Any, tree: DependencyTree) -> int:
    """How many gold arcs are lost, and how many more must be given up for the others, as far as can be told quickly."""
    live = _live_arcs(cfg, tree)
    lost = sum(aim is None and gold is not None for aim, gold in zip(_aims(cfg, tree, live), tree.heads, strict=True))
    clashes = _clashes(cfg, tree, live)
    if len(clashes) != 1:
        return lost + (len(clashes) or _is_stranded(cfg, tree, live))
    (clash,) = clashes
    others = ({word: arc for word, arc in live.items() if word != given_up} for given_up in clash)
    return lost + 1 + min(len(_clashes(cfg, tree, rest)) or _is_stranded(cfg, tree, rest) for rest in others)


def _clashes(cfg: Any, tree: DependencyTree, live: _Live) -> list[set[int]]:
    """Sets of live arcs, apart from each other, of each of which one must be given up.

    They make a cycle together with the arcs that are there (as in Gómez-Rodríguez & Fernández-González 2015), or cross
    so that two stacks are not enough.
    """
    _, cycles = _tops(_aims(cfg, tree, live))
    clashes = [live.keys() & cycle for cycle in cycles]
    acyclic = {word: arc for word, arc in live.items() if not any(word in clash for clash in clashes)}
    return clashes + _tangles(acyclic, _crossing(tree.heads))


def _aims(cfg: Any, tree: DependencyTree, live: _Live) -> list[int | None]:
    """For each word its head, or its gold head if that arc can still be built."""
    pairs = enumerate(zip(cfg.heads, tree.heads, strict=True), 1)
    return [gold if word in live else head for word, (head, gold) in pairs]


def _live_arcs(cfg: Any, tree: DependencyTree) -> _Live:
    root = 0 if cfg.system.root == "first" else len(tree) + 1
    live = {}
    for word, (head, gold) in enumerate(zip(cfg.heads, tree.heads, strict=True), 1):
        if head is None and gold is not None:
            arc = _arc_between(cfg, word, gold or root)
            if arc[2]:
                live[word] = arc
    return live


def _arc_between(cfg: Any, one: int, other: int) -> _Arc:
    left, right = (one, other) if one < other else (other, one)
    if left >= cfg.front:
        return left, right, _BOTH
    if right < cfg.front:
        return left, right, 0
    return left, right, (cfg.active_bits >> left & 1) | (cfg.inactive_bits >> left & 1) << 1


def _tops(heads: Sequence[int | None]) -> tuple[list[int], list[list[int]]]:
    """For ROOT and each word the topmost of its ancestors, -1 if they run in a circle; and these cycles."""
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
    """The dependents of arcs that cross."""
    pairs = crossing_arcs(DependencyTree((head, "") for head in heads))
    return [(dependent, other) for (_, dependent), (_, other) in pairs]


def _tangles(live: _Live, crossing: list[tuple[int, int]]) -> list[set[int]]:
    """Sets of arcs, apart from each other, that two stacks are not enough for."""
    neighbours: dict[int, list[int]] = {}
    for one, other in crossing:
        if one in live and other in live:
            neighbours.setdefault(one, []).append(other)
            neighbours.setdefault(other, []).append(one)
    tangles = []
    while tangle := _tangle(live, neighbours):
        tangles.append(tangle)
        neighbours = {
            word: [other for other in others if other not in tangle]
            for word, others in neighbours.items()
            if word not in tangle
        }
    return tangles


def _tangle(live: _Live, neighbours: dict[int, list[int]]) -> set[int]:
    """Some arcs, by their dependents, that cannot be shared out between two stacks; none if all can."""
    stack: dict[int, int] = {}
    before: dict[int, int] = {}
    for start in sorted(neighbours, key=lambda word: live[word][2]):  # those that have no choice come first
        if start in stack:
            continue
        stack[start] = live[start][2] & _ACTIVE or _INACTIVE
        todo = deque([start])
        while todo:
            word = todo.popleft()
            for other in neighbours[word]:
                if other not in stack:
                    stack[other] = _BOTH - stack[word]
                    before[other] = word
                    todo.append(other)
                    if not stack[other] & live[other][2]:
                        return set(_way(other, before))
                elif stack[other] == stack[word]:
                    return {*_way(word, before), *_way(other, before)}
    return set()


def _way(word: int, before: dict[int, int]) -> Iterator[int]:
    yield word
    while word in before:
        word = before[word]
        yield word


def _is_stranded(cfg: Any, tree: DependencyTree, live: _Live) -> bool:
    """Whether some word on the stacks finds no head if all live arcs are built.

    Its head must come from the buffer, must not be below it, and the arc must not cross any that have no other stack.
    """
    aims = _aims(cfg, tree, live)
    orphans = {word for word, aim in enumerate(aims[: cfg.front - 1], 1) if aim is None}
    if not orphans:
        return False
    tops, _ = _tops(aims)
    buffer = {word: tops[word] for word in range(cfg.front, len(tops))}
    if cfg.system.root == "last":
        buffer[len(tops)] = 0
    return orphans.issuperset(buffer.values()) or not all(
        (cfg.active_bits >> word & 1 and _has_head(word, _ACTIVE, live, buffer))
        or (cfg.inactive_bits >> word & 1 and _has_head(word, _INACTIVE, live, buffer))
        for word in orphans
    )


def _has_head(word: int, stack: int, live: _Live, buffer: dict[int, int]) -> bool:
    """Whether the buffer, given with the topmost ancestors of its elements, holds a head for a word on a stack."""
    only_here = [(left, right) for left, right, stacks in live.values() if stacks == stack]
    first = max((right for left, right in only_here if left > word), default=0)
    last = min((right for left, right in only_here if left < word), default=max(buffer))
    return any(top != word for element, top in buffer.items() if first <= element <= last)


def _is_tight(cfg: Any, tree: DependencyTree) -> bool:
    """Whether all live arcs can be built together with some arcs to the words that have none.

    Arcs that make a tree can be built if they can be shared out between the stacks so that none cross. As heads of
    those words only some are tried: ROOT, or, for a word on the stacks that ROOT stands before, words in the buffer.
    """
    live = _live_arcs(cfg, tree)
    if cfg.just_switched or _clashes(cfg, tree, live):
        return False
    aims = _aims(cfg, tree, live)
    tops, _ = _tops(aims)
    crossing = _crossing(tree.heads)
    orphans = [word for word, aim in enumerate(aims, 1) if aim is None]
    attached = {0, *[word for word in orphans if word >= cfg.front]}
    for word in orphans:
        for head in _heads_to_try(cfg, word, tops, attached):
            arc = _arc_between(cfg, word, head)
            crossing_too = crossing + [(word, other) for other in live if _cross(arc, live[other])]
            if not _tangles({**live, word: arc}, crossing_too):
                live[word], crossing = arc, crossing_too
                attached.add(word)
                break
        else:
            return False
    return True


def _heads_to_try(cfg: Any, word: int, tops: Sequence[int], attached: set[int]) -> Iterable[int]:
    """Heads for a word that has no other; those in the buffer must hang together with what is attached already."""
    if cfg.system.root == "last":
        return (len(tops),)
    if word >= cfg.front:
        return (0,)
    return [head for head in range(len(tops) - 1, cfg.front - 1, -1) if tops[head] in attached]


def _cross(arc: _Arc, other: _Arc) -> bool:
    """Whether two arcs cross if they are built with the same stack, and can be so."""
    (left, right, stacks), (other_left, other_right, other_stacks) = arc, other
    return bool(stacks & other_stacks) and (
        left < other_left < right < other_right or other_left < left < other_right < right
    )


class TwoPlanarLoss(ExactSearch):
    """The loss of the 2-planar system, exact for every gold tree, by search."""

    def __init__(self) -> None:
        super().__init__(key=_key, bound=error_bound, is_tight=_is_tight, steps=_steps)

    def least_costs(self, costs: ArcCosts, system: Any) -> LeastCosts:
        return least_cost(costs, system)


search = TwoPlanarLoss()


def _best_tree(cfg: Any, costs: ArcCosts) -> list[int | None]:
    """The best tree, however arcs cross, of those that can still be built one by one."""
    elements = range(len(cfg.source) + 1)
    root = 0 if cfg.system.root == "first" else len(elements)
    return best_tree(cfg, costs, lambda word: [head for head in elements if _arc_between(cfg, word, head or root)[2]])


def _cost_bound(cfg: Any, costs: ArcCosts) -> int:
    return cost_to_come(cfg, _best_tree(cfg, costs), costs)


def _cost_is_tight(cfg: Any, costs: ArcCosts) -> bool:
    return _is_tight(cfg, DependencyTree((head, "") for head in _best_tree(cfg, costs)))


_cost_search = ExactSearch(key=_key, bound=_cost_bound, is_tight=_cost_is_tight, steps=_steps)


def least_cost(costs: ArcCosts, system: Any) -> Callable[[Configuration], int]:
    """From a configuration to the least cost with which parsing can end.

    Of trees that cost the same, the one with the leftmost heads is the best, for arcs from the same head do not cross;
    or else it is a matter of chance, but always the same one: as long as it can be built, no other takes its place.
    """
    n = len(costs) - 2
    preferred = np.arange(n + 2)
    preferred[0] = 0 if system.root == "first" else n + 1
    chance = np.random.default_rng(0).random(costs.shape)
    return _cost_search.least_costs(costs + (preferred[:, None] + chance) / (2 * (n + 2) ** 2), system)  # < 1 in all
