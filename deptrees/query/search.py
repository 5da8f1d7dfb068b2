"""The search for matches: candidates are reduced until each has partners, and then joined.

Constraints that form a tree leave nothing behind that is in no match (Freuder 1982), but for nodes
that must not be the same. With others, partial matches may come to nothing, and so there is a limit to them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs
import numpy as np

from deptrees.query.constraints import Binary, Linked, Unary, joined
from deptrees.query.nodes import Booleans, Integers, Nodes

__all__ = ["Item", "Rows", "extended"]


@attrs.frozen
class Item:
    """A part of a request: the names of its nodes, and what is asked of them."""

    names: tuple[str, ...] = ()
    unary: tuple[Unary, ...] = ()
    binary: tuple[Binary, ...] = ()


@attrs.frozen(eq=False)
class Rows:
    """Partial matches.

    Args:
        sentences: the sentence of each.
        words: for each name that is bound, the node of each.
        origins: which partial match each was extended from.
    """

    sentences: Integers
    words: dict[str, Integers] = attrs.Factory(dict)
    origins: Integers = attrs.field()

    @origins.default
    def _each_its_own(self) -> Integers:
        return np.arange(len(self.sentences))

    def taken(self, places: Integers | Booleans) -> Rows:
        """Some of them."""
        words = {name: its[places] for name, its in self.words.items()}
        return Rows(self.sentences[places], words, self.origins[places])


def extended(nodes: Nodes, rows: Rows, item: Item) -> Rows:
    """All extensions of partial matches by the nodes of an item.

    Raises:
        TooMany: there are too many partial matches on the way.
    """
    rows = Rows(rows.sentences, rows.words)
    candidates = _candidates(nodes, rows, item)
    for name in [name for name in item.names if name in rows.words]:
        rows = rows.taken(candidates[name][rows.words[name]])
    rows = _fulfilled(nodes, rows, item.binary)
    missing = [name for name in item.names if name not in rows.words]
    while missing:
        name, rows = _joined(nodes, rows, candidates, missing, item.binary)
        missing.remove(name)
        differs = np.ones(len(rows.sentences), bool)
        for other in rows.words.keys() - {name}:
            differs &= rows.words[other] != rows.words[name]
        rows = _fulfilled(nodes, rows.taken(differs), [it for it in item.binary if name in (it.first, it.second)])
    return rows


def _candidates(nodes: Nodes, rows: Rows, item: Item) -> dict[str, Booleans]:
    """For each name the nodes that can be meant by it: all that are in a match, and few others."""
    found = {name: np.ones(len(nodes.heads), bool) for name in item.names}
    for name in found.keys() & rows.words.keys():
        found[name][:] = False
        found[name][rows.words[name]] = True
    for asked in item.unary:
        found[asked.name] &= asked.where(nodes)
    every = np.arange(len(nodes.heads))
    for it in item.binary:
        if it.first == it.second:
            found[it.first] &= it.holds(nodes, every, every)
    linked = [it for it in item.binary if isinstance(it, Linked) and it.first != it.second]
    before, after = -1, sum(int(mask.sum()) for mask in found.values())
    for _ in found:  # each time what is known reaches one more node at least, wherever constraints form a tree
        if before == after:
            break
        for link in (*linked, *reversed(linked)):
            found[link.first], found[link.second] = link.reduced(nodes, found[link.first], found[link.second])
        counts = [np.bincount(nodes.sentence[mask], minlength=len(nodes.columns)) for mask in found.values()]
        of_all = np.min(counts, axis=0)[nodes.sentence] > 0
        found = {name: mask & of_all for name, mask in found.items()}
        before, after = after, sum(int(mask.sum()) for mask in found.values())
    return found


def _joined(
    nodes: Nodes, rows: Rows, candidates: Mapping[str, Booleans], missing: Sequence[str], binary: Sequence[Binary]
) -> tuple[str, Rows]:
    """A name that is missing, and all extensions by a node of that name: one that is linked to others, if there is."""
    links = [it for it in binary if isinstance(it, Linked) and (it.first in missing) != (it.second in missing)]
    if links:
        # A word has one head, and many dependents: a head is the better choice.
        link = min(links, key=lambda it: (it.rank, it.first not in missing))
        first, second = link.pairs(nodes, candidates[link.first], candidates[link.second])
        if link.first in missing:
            name, new, keys, known = link.first, first, second, rows.words[link.second]
        else:
            name, new, keys, known = link.second, second, first, rows.words[link.first]
    else:
        name = min(missing, key=lambda it: int(candidates[it].sum()))
        new, known = np.flatnonzero(candidates[name]), rows.sentences
        keys = nodes.sentence[new]
    places, of_new = joined(known, keys)
    rows = rows.taken(places)
    return name, attrs.evolve(rows, words={**rows.words, name: new[of_new]})


def _fulfilled(nodes: Nodes, rows: Rows, binary: Sequence[Binary]) -> Rows:
    """The partial matches that fulfill all constraints of which they have both nodes."""
    for it in binary:
        if it.first in rows.words and it.second in rows.words:
            rows = rows.taken(it.holds(nodes, rows.words[it.first], rows.words[it.second]))
    return rows
