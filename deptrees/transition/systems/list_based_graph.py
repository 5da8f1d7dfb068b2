"""A list-based system for graphs, after Covington's algorithm: every word meets every word before it."""

from __future__ import annotations

from typing import ClassVar

import attrs

from deptrees.transition.systems.graph import GraphConfiguration, GraphSystem
from deptrees.transition.systems.lists import ListsConfiguration
from deptrees.transition.transitions import ArcTransition, LeftArc, NoArc, RightArc, Shift, Transition
from deptrees.trees.graph import DependencyGraph
from deptrees.trees.tree import Sentence

__all__ = ["ListBasedGraph", "ListBasedGraphConfiguration"]


@attrs.frozen(repr=False)
class ListBasedGraph(GraphSystem["ListBasedGraphConfiguration"]):
    """Covington's algorithm (Nivre 2008, section 5) for graphs: words may have several heads.

    A configuration has a buffer β and two lists of the words before it, including ROOT: b0 now meets i, the last of λ1,
    and has already met those in λ2. An arc moves nothing, so that both arcs between i and b0 can be built.

    ========== =========================================== ================================== ===============
    Transition Preconditions, besides that i and b0 exist  Arc                                Moves
    ========== =========================================== ================================== ===============
    LeftArc    i ≠ 0, b0 → i ∉ A; acyclic: no path i →* b0 b0 → i
    RightArc   i → b0 ∉ A; acyclic: no path b0 →* i        i → b0
    NoArc                                                                                     i to λ2
    Shift      (i need not exist)                                                             λ2, b0 to λ1
    ========== =========================================== ================================== ===============

    Parsing ends when the buffer is empty. The system can build every graph, or every acyclic one.

    An arc can still be built if its ends have not met. Nothing else is asked for but, perhaps, that no cycle arises. So
    without this precondition every arc counts alone. With it, arcs to come can be built together, in the order in which
    their ends meet, if they make no cycle with those that are there.

    The static oracle shifts as soon as b0 has no more gold arcs to words in λ1. A sentence of n words takes between n
    and n(n + 3)/2 transitions, and one more for each arc.

    >>> from deptrees import DependencyGraph
    >>> from deptrees.transition import Oracle, static_oracle
    >>> graph = DependencyGraph(["She", "sings", "and", "dances"], [(0, 2), (2, 1), (4, 1), (2, 4), (4, 3)])
    >>> for cfg, transition in Oracle(ListBasedGraph(), static_oracle)(graph):
    ...     print(cfg.list1, cfg.list2, cfg.buffer, transition)
    (0,) () (1, 2, 3, 4) Shift()
    (0, 1) () (2, 3, 4) LeftArc()
    (0, 1) () (2, 3, 4) NoArc()
    (0,) (1,) (2, 3, 4) RightArc()
    (0,) (1,) (2, 3, 4) Shift()
    (0, 1, 2) () (3, 4) Shift()
    (0, 1, 2, 3) () (4,) LeftArc()
    (0, 1, 2, 3) () (4,) NoArc()
    (0, 1, 2) (3,) (4,) RightArc()
    (0, 1, 2) (3,) (4,) NoArc()
    (0, 1) (2, 3) (4,) LeftArc()
    (0, 1) (2, 3) (4,) Shift()
    """

    transitions: ClassVar[tuple[Transition, ...]] = (LeftArc(), RightArc(), NoArc(), Shift())
    prefers_shift = True

    def initial(self, source: DependencyGraph | Sentence) -> ListBasedGraphConfiguration:
        return ListBasedGraphConfiguration(self, self.graph_of(source), {}, 1, 1)

    def preferred(self, cfg: ListBasedGraphConfiguration, graph: DependencyGraph) -> Transition | None:
        if cfg.is_final:
            return None
        if cfg.list1 and (arc := cfg.gold_arc(graph)) is not None:
            return arc
        b0 = cfg.buffer[0]
        return NoArc() if any(cfg.is_to_come(i, b0, graph) for i in cfg.list1[:-1]) else Shift()


@attrs.frozen(repr=False)
class ListBasedGraphConfiguration(ListsConfiguration, GraphConfiguration):
    """A configuration (λ1, λ2, β, A).

    >>> cfg = LeftArc("nsubj")(Shift()(ListBasedGraph().initial(["Birds", "sing"])))
    >>> cfg.list1, cfg.list2, cfg.buffer, cfg.heads, cfg.labels
    ((0, 1), (), (2,), ((2,), ()), (('nsubj',), ()))
    """

    _split: int
    _front: int

    @property
    def list1(self) -> tuple[int, ...]:
        return tuple(range(self._split))

    @property
    def list2(self) -> tuple[int, ...]:
        return tuple(range(self._split, self._front))

    @property
    def _i(self) -> int:
        return self._split - 1

    def can_build(self, head: int, word: int) -> bool:
        return max(head, word) > self._front or (max(head, word) == self._front and min(head, word) < self._split)

    def _missing_between(self, transition: Transition) -> str | None:
        return self._missing_of(*self.arc(transition)) if isinstance(transition, ArcTransition) else None

    def _after(self, transition: Transition) -> ListBasedGraphConfiguration:
        split, front = self._split, self._front
        if isinstance(transition, Shift):
            split = front = front + 1
        return attrs.evolve(
            self,
            label_of=self._attached(transition),
            split=split - isinstance(transition, NoArc),
            front=front,
        )
