"""The losses of systems that build graphs: the arcs that a best reachable graph gets wrong.

Arcs that are there stay, so the loss of a configuration has three parts, besides wrong and lost empty nodes where these
are made, each of which counts alone:

* the arcs that are there and not gold;
* the gold arcs that are missing, and can no longer be built;
* the fewest of the others, the target arcs, to give up for the rest to be built together.

Where nothing but the arc itself is asked for, target arcs never rule one another out: every arc counts alone, and the
third part is 0. In two cases it is not. Where no arc may close a cycle, target arcs must not be in a cycle of target
arcs and arcs that are there. Where arcs are built over a stack, no two target arcs may cross. There is nothing else:
`deptrees.transition.systems` says of each system why target arcs without such a *conflict* can be built together, and
the loss of all short graphs is compared with exhaustive search. What is given up has an arc of each conflict. It is
found as in `deptrees.transition.losses.conflicts`: by smallest hitting sets of those conflicts that come up.

The worst case takes exponential time. With cycles nothing else is to be expected. To find the fewest arcs that break
all cycles of any graph G (Karp 1972) is to find the loss of a configuration of the list-based system. Its words are two
for each node v, in and out, with a wrong arc from in to out, and after them one word w for each arc u → v of G, with
the gold arcs out(u) → w and w → in(v). The gold graph is acyclic, and to give up one of the two breaks what u → v does.

If 2 → 1 has been built, for example, and the gold arcs are 0 → 1, 1 → 3 and 3 → 2, then one arc is wrong, and one of
the two others to come must be given up:

>>> from deptrees import DependencyGraph
>>> from deptrees.transition import LeftArc, ListBasedGraph, Shift
>>> graph = DependencyGraph(["Round", "and", "round"], [(0, 1), (1, 3), (3, 2)])
>>> cfg = Shift()(ListBasedGraph(acyclic=True).initial(graph))
>>> GraphLoss()(cfg, graph), GraphLoss()(LeftArc()(cfg), graph)
(1, 3)
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from deptrees.transition.losses.conflicts import smallest_hitting_set
from deptrees.transition.losses.loss import Loss, cheapest
from deptrees.transition.transitions import Transition

if TYPE_CHECKING:
    from deptrees.transition.systems.graph import GraphConfiguration

__all__ = ["GraphLoss", "crossing_arcs"]

_Arc = tuple[int, int]


class GraphLoss(Loss):
    """The loss of a system that builds graphs."""

    def __call__(self, cfg: GraphConfiguration, graph: Any) -> int:
        lost = cfg.lost(graph)
        targets = {arc[:2] for arc in graph.arcs}.difference(cfg.label_of, lost)
        wrong = sum([not cfg.system.is_gold_arc(arc, graph) for arc in cfg.label_of])
        return wrong + len(lost) + len(cfg.wrong_nodes(graph)) + _fewest_given_up(targets, cfg)

    def free(self, cfg: GraphConfiguration, graph: Any) -> Iterable[Transition]:
        # An arc that is not gold costs 1 at least, and something always costs nothing.
        added = [(transition, cfg.added(transition)) for transition in cfg.possible_transitions()]
        found = [transition for transition, arc in added if arc is None or cfg.system.is_gold_arc(arc, graph)]
        return cheapest(found, [self(transition(cfg), graph) for transition in found])


def _fewest_given_up(targets: set[_Arc], cfg: GraphConfiguration) -> int:
    """The fewest target arcs to give up so that all others can be built."""
    conflicts: list[frozenset[_Arc]] = []
    while True:
        given_up = smallest_hitting_set(conflicts)
        others, known = targets - given_up, len(conflicts)
        while conflict := _conflict(others, cfg):
            conflicts.append(conflict)
            others -= conflict  # which shares no arc with the next
        if len(conflicts) == known:
            return len(given_up)


def _conflict(targets: set[_Arc], cfg: GraphConfiguration) -> frozenset[_Arc]:
    """Target arcs that cannot all be built; none if all can."""
    crossing = crossing_arcs(targets) if cfg.system.planar_only else frozenset[_Arc]()
    return crossing or (_in_a_cycle(targets, cfg.label_of) if cfg.system.acyclic else crossing)


def crossing_arcs(arcs: Collection[_Arc]) -> frozenset[_Arc]:
    """Two arcs that cross, if there are any.

    >>> sorted(crossing_arcs([(0, 2), (3, 1), (3, 2)])), crossing_arcs([(0, 2), (2, 3), (1, 2)])
    ([(0, 2), (3, 1)], frozenset())
    """
    spanning: list[_Arc] = []  # each within the one before it
    for arc in sorted(arcs, key=lambda arc: (min(arc), -max(arc))):
        while spanning and max(spanning[-1]) <= min(arc):
            spanning.pop()
        if spanning and max(spanning[-1]) < max(arc):
            return frozenset([spanning[-1], arc])
        spanning.append(arc)
    return frozenset()


def _in_a_cycle(targets: set[_Arc], made: Collection[_Arc]) -> frozenset[_Arc]:
    """The target arcs in a cycle of these and arcs that are there, if there is one."""
    heads: dict[int, list[int]] = {}
    for head, word in (*targets, *made):
        heads.setdefault(word, []).append(head)
    try:
        TopologicalSorter(heads).prepare()
    except CycleError as error:
        return frozenset(pairwise(error.args[1])) & targets
    return frozenset()
