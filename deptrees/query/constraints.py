"""What a request asks of nodes, one class for each kind of clause."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import attrs
import numpy as np

from deptrees.query.nodes import Booleans, Condition, Integers, Nodes

__all__ = [
    "MOST",
    "Adjacent",
    "Binary",
    "Dominates",
    "Edge",
    "Features",
    "HasDependent",
    "HasHead",
    "Linked",
    "OtherFeature",
    "Precedes",
    "SameFeature",
    "TooMany",
    "Unary",
    "joined",
]

MOST = 1_000_000
"""How many partial matches a sentence may have."""

_Pairs = tuple[Integers, Integers]
_Masks = tuple[Booleans, Booleans]


class TooMany(Exception):
    """Some sentences have too many partial matches, all together."""


def joined(keys: Integers, others: Integers) -> _Pairs:
    """The pairs of a place in one array and a place in another that have the same key.

    Raises:
        TooMany: there are more than a million.

    >>> [places.tolist() for places in joined(np.array([5, 7, 5]), np.array([7, 5]))]
    [[0, 1, 2], [1, 0, 1]]
    """
    order = np.argsort(others, kind="stable")
    begin, end = (np.searchsorted(others[order], keys, side) for side in ("left", "right"))
    places, of_order = _expanded(begin, end)
    return places, order[of_order]


def _expanded(begin: Integers, end: Integers) -> _Pairs:
    """Each place as often as the range at it is long, with each number of the range."""
    counts = np.maximum(end - begin, 0)
    total = int(counts.sum())
    if total > MOST:
        raise TooMany
    places = np.repeat(np.arange(len(counts)), counts)
    return places, np.arange(total) + np.repeat(begin - np.cumsum(counts) + counts, counts)


@attrs.frozen
class Unary(ABC):
    """What is asked of one node."""

    name: str

    @abstractmethod
    def where(self, nodes: Nodes) -> Booleans:
        """The nodes that fulfill it."""


@attrs.frozen
class Features(Unary):
    """``X [upos=VERB, !Tense]|[upos=AUX]``: all conditions of one of the alternatives."""

    alternatives: tuple[tuple[Condition, ...], ...]

    def where(self, nodes: Nodes) -> Booleans:
        found = np.zeros(len(nodes.heads), bool)
        for conditions in self.alternatives:
            one = np.ones(len(found), bool)
            for condition in conditions:
                one &= nodes.feature(condition.feature).where(condition.holds)
            found |= one
        return found


@attrs.frozen
class HasHead(Unary):
    """``* -[nsubj]-> X``: the arc to the node has such a label."""

    conditions: tuple[Condition, ...]

    def where(self, nodes: Nodes) -> Booleans:
        return nodes.with_label(self.conditions)


@attrs.frozen
class HasDependent(Unary):
    """``X -[nsubj]-> *``: an arc from the node has such a label."""

    conditions: tuple[Condition, ...]

    def where(self, nodes: Nodes) -> Booleans:
        found = np.zeros(len(nodes.heads), bool)
        found[nodes.heads[nodes.with_label(self.conditions)]] = True
        return found


@attrs.frozen
class Binary(ABC):
    """What is asked of two nodes of a sentence."""

    first: str
    second: str

    @abstractmethod
    def holds(self, nodes: Nodes, first: Integers, second: Integers) -> Booleans:
        """Which pairs of nodes fulfill it."""


@attrs.frozen
class Linked(Binary, ABC):
    """What is asked of two nodes, and leads from one of them to the other."""

    rank: ClassVar[int]
    """How many pairs to expect: those of a lower rank are joined first."""

    @abstractmethod
    def reduced(self, nodes: Nodes, firsts: Booleans, seconds: Booleans) -> _Masks:
        """Of candidates for both nodes those that have a partner among the other ones."""

    @abstractmethod
    def pairs(self, nodes: Nodes, firsts: Booleans, seconds: Booleans) -> _Pairs:
        """All pairs of candidates that fulfill it.

        Raises:
            TooMany: there are more than a million, or it takes as many steps to find them.
        """


@attrs.frozen
class _Partner(Linked, ABC):
    """Each second node has one first node at most."""

    rank = 0

    @abstractmethod
    def partners(self, nodes: Nodes) -> Integers:
        """The first node for each second one, or -1."""

    def reduced(self, nodes: Nodes, firsts: Booleans, seconds: Booleans) -> _Masks:
        first, second = self.pairs(nodes, firsts, seconds)
        found = np.zeros_like(firsts), np.zeros_like(seconds)
        found[0][first] = found[1][second] = True
        return found

    def pairs(self, nodes: Nodes, firsts: Booleans, seconds: Booleans) -> _Pairs:
        partners = self.partners(nodes)
        second = np.flatnonzero(seconds & (partners >= 0))
        second = second[firsts[partners[second]]]
        return partners[second], second

    def holds(self, nodes: Nodes, first: Integers, second: Integers) -> Booleans:
        found: Booleans = self.partners(nodes)[second] == first
        return found


@attrs.frozen
class Edge(_Partner):
    """``X -[nsubj]-> Y``: the first node is the head of the second one, by an arc with such a label."""

    conditions: tuple[Condition, ...] = ()

    def partners(self, nodes: Nodes) -> Integers:
        return np.where(nodes.with_label(self.conditions), nodes.heads, -1)


@attrs.frozen
class Adjacent(_Partner):
    """``X < Y``: the second node comes at once after the first one."""

    def partners(self, nodes: Nodes) -> Integers:
        return np.where(nodes.is_word, np.arange(len(nodes.heads)) - 1, -1)


@attrs.frozen
class SameFeature(Linked):
    """``X.lemma = Y.lemma``: both features are defined, and the same."""

    features: tuple[str, str]
    rank = 1

    def _keys(self, nodes: Nodes) -> _Pairs:
        """The value of each node in its sentence as a number, for both features; -1 and -2 where there is none."""
        first, second = map(nodes.feature, self.features)
        known = {text: number for number, text in enumerate(first.texts)}
        same = np.array([*(known.setdefault(text, len(known)) for text in second.texts), -1])[second.numbers]
        sentences = nodes.sentence * len(known)
        return np.where(first.numbers < 0, -1, first.numbers + sentences), np.where(same < 0, -2, same + sentences)

    def reduced(self, nodes: Nodes, firsts: Booleans, seconds: Booleans) -> _Masks:
        first, second = self._keys(nodes)
        return firsts & np.isin(first, second[seconds]), seconds & np.isin(second, first[firsts])

    def pairs(self, nodes: Nodes, firsts: Booleans, seconds: Booleans) -> _Pairs:
        keys = self._keys(nodes)
        first, second = np.flatnonzero(firsts), np.flatnonzero(seconds)
        places = joined(keys[0][first], keys[1][second])
        return first[places[0]], second[places[1]]

    def holds(self, nodes: Nodes, first: Integers, second: Integers) -> Booleans:
        firsts, seconds = self._keys(nodes)
        found: Booleans = firsts[first] == seconds[second]
        return found


@attrs.frozen
class OtherFeature(Binary):
    """``X.lemma <> Y.lemma``: both features are defined, and differ."""

    features: tuple[str, str]

    def holds(self, nodes: Nodes, first: Integers, second: Integers) -> Booleans:
        same = SameFeature(self.first, self.second, self.features).holds(nodes, first, second)
        defined = [nodes.feature(name).numbers >= 0 for name in self.features]
        return defined[0][first] & defined[1][second] & ~same


@attrs.frozen
class Dominates(Linked):
    """``X ->> Y``: a path of arcs leads from the first node to the second one."""

    rank = 2

    def reduced(self, nodes: Nodes, firsts: Booleans, seconds: Booleans) -> _Masks:
        # Each step doubles the length of the paths that are looked at.
        no_one = np.append(nodes.heads, -1)  # whose own head it is
        above, ancestors = np.append(firsts, False)[no_one], no_one
        below = np.zeros_like(above)
        below[no_one[:-1][seconds]] = True
        while (ancestors >= 0).any():
            above = above | above[ancestors]
            below[ancestors[below]] = True
            ancestors = ancestors[ancestors]
        return firsts & below[:-1], seconds & above[:-1]

    def pairs(self, nodes: Nodes, firsts: Booleans, seconds: Booleans) -> _Pairs:
        second, steps = np.flatnonzero(seconds), 0
        first, found = nodes.heads[second], [(second[:0], second[:0])]
        while len(first):
            first, second = first[first >= 0], second[first >= 0]
            steps += len(first)
            if steps > MOST:
                raise TooMany
            wanted = firsts[first]
            found.append((first[wanted], second[wanted]))
            first = nodes.heads[first]
        return np.concatenate([it for it, _ in found]), np.concatenate([it for _, it in found])

    def holds(self, nodes: Nodes, first: Integers, second: Integers) -> Booleans:
        heads = np.append(nodes.heads, -1)
        found, above = np.zeros(len(first), bool), heads[second]
        while (above >= 0).any():
            found |= above == first
            above = heads[above]
        return found


@attrs.frozen
class Precedes(Linked):
    """``X << Y``: the second node comes after the first one."""

    rank = 3

    def reduced(self, nodes: Nodes, firsts: Booleans, seconds: Booleans) -> _Masks:
        first, second, places = np.flatnonzero(firsts), np.flatnonzero(seconds), np.arange(len(firsts))
        earliest, latest = np.full(len(nodes.starts), len(firsts)), np.full(len(nodes.starts), -1)
        earliest[nodes.sentence[first[::-1]]] = first[::-1]
        latest[nodes.sentence[second]] = second
        return firsts & (places < latest[nodes.sentence]), seconds & (places > earliest[nodes.sentence])

    def pairs(self, nodes: Nodes, firsts: Booleans, seconds: Booleans) -> _Pairs:
        first, second = np.flatnonzero(firsts), np.flatnonzero(seconds)
        begin = np.searchsorted(second, first, "right")
        places, of_second = _expanded(begin, np.searchsorted(second, nodes.starts[nodes.sentence[first] + 1]))
        return first[places], second[of_second]

    def holds(self, nodes: Nodes, first: Integers, second: Integers) -> Booleans:
        return first < second
