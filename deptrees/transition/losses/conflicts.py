"""The exact loss of systems in which it takes several gold arcs to rule one another out.

Each gold arc that can no longer be built by itself is an error. Beyond these, gold arcs may clash: each could still be
built, but not all of them. A clash is a set of words, as small as can be, that cannot all get their gold heads; the
errors that clashes add up to are the fewest words that take one out of every clash. Clashes are looked for only as
long as they are needed: words that hit all known clashes are given up, and either the other arcs can be built now, or
there is one more clash (an implicit hitting set problem; Chandrasekaran, Karp, Moreno-Centeno & Vempala 2011).

What is left to each system is to find a clash, or that there is none.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import lru_cache
from itertools import count
from typing import Any

import attrs

from deptrees.transition.configuration import Configuration, Label, labeled, untyped
from deptrees.transition.losses.arc_costs import ArcCosts
from deptrees.transition.losses.loss import LeastCosts, Loss
from deptrees.transition.transitions import Transition
from deptrees.trees.tree import DependencyTree

__all__ = ["Aims", "ClashLoss", "FindClash", "minimal_clash", "safe_arcs", "smallest_hitting_set"]


class Aims:
    """Gold arcs that are to be built in a configuration, between words that are on the stack or in the buffer.

    All other words may get any head.

    Args:
        heads: the head of each word that has one to aim for.
    """

    def __init__(self, heads: dict[int, int]) -> None:
        self.heads = heads
        self.dependents: dict[int, int] = {}  # as the bits of integers
        for word, head in heads.items():
            self.dependents[head] = self.dependents.get(head, 0) | 1 << word

    def is_loose(self, word: int) -> bool:
        """Whether a word may get any head, and has no dependents to come."""
        return word not in self.heads and word not in self.dependents

    def of(self, words: Iterable[int]) -> Aims:
        """The aims of some words only."""
        return Aims({word: self.heads[word] for word in words})

    def without(self, words: Set[int]) -> Aims:
        """The aims of all words but some."""
        return Aims({word: head for word, head in self.heads.items() if word not in words})


_Key = tuple[tuple[int, ...], tuple[int, ...]]

FindClash = Callable[[Any, Aims], Callable[[], frozenset[int]] | None]
"""From a configuration and aims to ``None`` if none clash, otherwise a function that says which.

It gives words whose aims clash, none of which could be spared.
"""


@attrs.frozen
class ClashLoss(Loss):
    """How many heads the best tree within reach gets wrong, whatever the gold tree.

    What it finds out is remembered for the next configurations with the same gold tree.

    Args:
        find_clash: finds clashes in a system in which a word on the stack or in the buffer has no head yet, any other
            has its head for good, and the future depends on stack and buffer only.
        table: makes the table of the least costs with which parsing can end, for some costs of arcs and the system.
    """

    find_clash: FindClash
    table: Callable[[ArcCosts, Any], LeastCosts]

    def least_costs(self, costs: ArcCosts, system: Any) -> LeastCosts:
        return self.table(costs, system)

    def __call__(self, cfg: Configuration, tree: DependencyTree) -> int:
        """The loss of a configuration."""
        return self._at_most(cfg, tree, len(tree)) or 0

    def zero_cost(self, cfg: Configuration, tree: DependencyTree, label: Label = untyped) -> tuple[Transition, ...]:
        successors = [(transition, transition(cfg)) for transition in cfg.possible_transitions()]
        for limit in count(self(cfg, tree)):
            free = [one for one, successor in successors if self._at_most(successor, tree, limit) is not None]
            if free or not successors:
                return tuple([labeled(transition, cfg, tree, label) for transition in free])
        raise AssertionError  # count never ends

    def _at_most(self, cfg: Configuration, tree: DependencyTree, limit: int) -> int | None:
        """The loss, or ``None`` if it is greater than a limit."""
        heads = zip(cfg.heads, tree.heads, strict=True)
        made = sum(head is not None and gold is not None and head != gold for head, gold in heads)
        to_come = _errors(self.find_clash, cfg.system, tree.heads).to_come(cfg, limit - made)
        return None if to_come is None else made + to_come


@lru_cache(maxsize=256)
def _errors(find_clash: FindClash, system: object, gold: tuple[int | None, ...]) -> _Errors:
    return _Errors(gold, find_clash)


class _Errors:
    """The errors that are still to come in the configurations of one system, against one gold tree."""

    def __init__(self, gold: tuple[int | None, ...], find_clash: FindClash) -> None:
        self._gold = gold
        self._find_clash = find_clash
        self._exact: dict[_Key, int] = {}
        self._clashes: dict[_Key, list[frozenset[int]]] = {}

    def to_come(self, cfg: Any, limit: int) -> int | None:
        """How many errors are to come, or ``None`` if they are more than a limit."""
        key = cfg.stack, cfg.buffer
        if key not in self._exact:
            in_play = cfg.stack_bits | cfg.buffer_bits
            gold = [(word, self._gold[word - 1]) for word in (*cfg.stack, *cfg.buffer) if word]
            aims = Aims({word: head for word, head in gold if head is not None and in_play >> head & 1})
            lost = sum(head is not None for _, head in gold) - len(aims.heads)
            given_up = self._given_up(cfg, aims, limit - lost, self._clashes.setdefault(key, []))
            if given_up is None:
                return None
            self._exact[key] = lost + given_up
        return self._exact[key] if self._exact[key] <= limit else None

    def _given_up(self, cfg: Any, aims: Aims, limit: int, clashes: list[frozenset[int]]) -> int | None:
        """How many aims must be given up so that all others can be reached; ``None`` if more than a limit.

        Args:
            cfg: the configuration.
            aims: the gold arcs that can still be built one by one.
            limit: how many may be given up.
            clashes: what clashes are known; others that are found are added.
        """
        while len(given_up := smallest_hitting_set(clashes)) <= limit:
            others = aims.without(given_up)
            found = 0
            while (clash := self._find_clash(cfg, others)) is not None:
                found += 1
                if found > limit:
                    return None
                clashes.append(clash())
                others = others.without(clashes[-1])  # clashes that share no word with each other all count
            if not found:
                return len(given_up)
        return None


def smallest_hitting_set(sets: Sequence[Set[int]]) -> frozenset[int]:
    """The fewest elements of which every set has one.

    >>> sorted(smallest_hitting_set([{1, 2}, {2, 3}, {3, 4}, {4, 5, 2}]))
    [2, 3]
    """
    best = frozenset[int]().union(*sets)

    def search(rest: list[Set[int]], chosen: frozenset[int]) -> None:
        nonlocal best
        if len(chosen) + _disjoint(rest) >= len(best) or not all(rest):
            return
        if not rest:
            best = chosen
            return
        smallest: Set[int] = min(rest, key=len)
        spared: set[int] = set()
        for element in sorted(smallest, key=lambda element: -sum(element in other for other in rest)):
            search([other - spared for other in rest if element not in other], chosen | {element})
            spared.add(element)

    search(list(sets), frozenset())
    return best


def _disjoint(sets: Iterable[Set[int]]) -> int:
    """How many sets can be found that share no element: at most as many as it takes elements to hit all."""
    found, used = 0, set[int]()
    for one in sorted(sets, key=len):
        if used.isdisjoint(one):
            found, used = found + 1, used | one
    return found


def minimal_clash(words: Iterable[int], clash: Callable[[Sequence[int]], bool]) -> frozenset[int]:
    """The words of a clash that none of them can be spared for.

    Args:
        words: words that clash.
        clash: whether some of the words are known to clash.

    >>> sorted(minimal_clash(range(100), lambda words: {3, 50, 51} <= set(words)))
    [3, 50, 51]
    """
    needed: list[int] = []
    others = sorted(words)
    while not clash(needed):
        # Up to the last of these words they clash, and no longer without it.
        last = bisect_left(range(len(others)), True, key=lambda end: clash([*needed, *others[:end]])) - 1
        needed.append(others[last])
        del others[last:]
    return frozenset(needed)


def safe_arcs(cfg: Any, aims: Aims) -> Iterator[tuple[Transition, Any]]:
    """The possible transitions that attach a word with no more dependents to come, rightly or if it may get any head.

    Each comes with the configuration that it leads to.
    """
    in_play = cfg.stack_bits | cfg.buffer_bits
    for transition in cfg.possible_transitions():
        word = cfg.dependent(transition)
        if word is not None and not aims.dependents.get(word, 0) & in_play:
            head, successor = aims.heads.get(word), transition(cfg)
            if head is None or successor._state[3][0] == head:  # the head of the newest arc
                yield transition, successor
