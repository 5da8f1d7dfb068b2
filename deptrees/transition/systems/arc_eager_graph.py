"""Shift-reduce systems for graphs, in which arcs move nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import ClassVar

import attrs

from deptrees.transition.oracles import Oracles
from deptrees.transition.systems.graph import GraphConfiguration, GraphSystem
from deptrees.transition.transitions import ArcTransition, LeftArc, Reduce, RightArc, Shift, Swap, Transition
from deptrees.trees.graph import DependencyGraph
from deptrees.trees.tree import Sentence

__all__ = ["ArcEagerGraph", "ArcEagerGraphConfiguration", "ArcEagerSwapGraph"]


@attrs.frozen(repr=False)
class ArcEagerGraph(GraphSystem["ArcEagerGraphConfiguration"]):
    """Arc-eager parsing for graphs (Sagae & Tsujii 2008; Tokgöz & Eryiğit 2015): arcs move nothing.

    A configuration has a stack σ, at first with ROOT, and a buffer β. A word gets heads and dependents for as long as
    it is the top of the stack or the front of the buffer.

    ========== ======================================================= ========= ==================
    Transition Preconditions, besides that s0 and b0 exist             Arc       Moves
    ========== ======================================================= ========= ==================
    LeftArc    s0 ≠ 0, b0 → s0 ∉ A; acyclic: no path s0 →* b0          b0 → s0
    RightArc   s0 → b0 ∉ A; acyclic: no path b0 →* s0                  s0 → b0
    Reduce     s0 ≠ 0                                                            s0 is dropped
    Shift                                                                        b0 to σ
    ========== ======================================================= ========= ==================

    Parsing ends when the buffer is empty. The system can build every graph whose arcs do not cross, ROOT being before
    the first word, or every acyclic one of these.

    An arc can still be built if its left end is in σ or β, and its right end in β. For b0 to get an arc to a word in σ,
    all that is above that word must be dropped. This loses the arcs of what is dropped to words after b0, and these
    cross the arc; the arcs to b0 itself can be built before. So arcs to come can be built together if no two of them
    cross and they make no cycle with those that are there, where that is asked for. Those that are there may cross
    them: they are built.

    The static oracle drops a word as soon as it has no more gold arcs to words in β. A sentence of n words takes up to
    2n transitions, and one for each arc.

    >>> from deptrees import DependencyGraph
    >>> from deptrees.transition import Oracle, static_oracle
    >>> graph = DependencyGraph(["She", "sings", "dances"], [(2, 1), (3, 1), (2, 3)])
    >>> for cfg, transition in Oracle(ArcEagerGraph(), static_oracle)(graph):
    ...     print(cfg.stack, cfg.buffer, transition)
    (0,) (1, 2, 3) Shift()
    (0, 1) (2, 3) LeftArc()
    (0, 1) (2, 3) Shift()
    (0, 1, 2) (3,) RightArc()
    (0, 1, 2) (3,) Reduce()
    (0, 1) (3,) LeftArc()
    (0, 1) (3,) Reduce()
    (0,) (3,) Shift()
    """

    planar_only = True
    transitions: ClassVar[tuple[Transition, ...]] = (LeftArc(), RightArc(), Reduce(), Shift())

    def initial(self, source: DependencyGraph | Sentence) -> ArcEagerGraphConfiguration:
        graph = self.graph_of(source)
        return ArcEagerGraphConfiguration(self, graph, {}, (0,), tuple(range(1, len(graph) + 1)))

    def preferred(self, cfg: ArcEagerGraphConfiguration, graph: DependencyGraph) -> Transition | None:
        if cfg.is_final:
            return None
        if (arc := cfg.gold_arc(graph)) is not None:
            return arc
        s0 = cfg.stack[-1]
        is_needed = s0 == 0 or any(cfg.is_to_come(s0, word, graph) for word in cfg.buffer[1:])
        return Shift() if is_needed else Reduce()

    def adds_arc(self, transition: ArcTransition) -> bool:
        return not isinstance(transition, Reduce)


@attrs.frozen(repr=False)
class ArcEagerSwapGraph(ArcEagerGraph):
    """Arc-eager parsing for graphs with Swap (Tokgöz & Eryiğit 2015), for arcs that cross.

    Configurations and transitions are those of ``ArcEagerGraph``, and one more:

    ========== ======================================================= ========= ==================
    Transition Preconditions, besides that s0 and b0 exist             Arc       Moves
    ========== ======================================================= ========= ==================
    Swap       s0 ≠ 0, s0 < b0                                                   s0 to β, behind b0
    ========== ======================================================= ========= ==================

    Parsing ends when the buffer is empty, which it will be, since two words change places once at most. The system can
    build every graph, or every acyclic one.

    The static oracle swaps whatever is between b0 and a word in σ to which it has a gold arc, and shifts what was
    swapped as soon as it is b0 again: all its arcs to words in σ were built when it was b0 for the first time. There is
    no dynamic oracle: what words can still meet depends on the order of all others. A sentence of n words takes up to
    n(n + 1) transitions, and one for each arc.

    >>> from deptrees import DependencyGraph
    >>> from deptrees.transition import Oracle, static_oracle
    >>> crossing = DependencyGraph(["She", "sings", "dances"], [(0, 2), (2, 1), (3, 1), (2, 3)])
    >>> for cfg, transition in Oracle(ArcEagerSwapGraph(), static_oracle)(crossing):
    ...     print(cfg.stack, cfg.buffer, transition)
    (0,) (1, 2, 3) Shift()
    (0, 1) (2, 3) LeftArc()
    (0, 1) (2, 3) Swap()
    (0,) (2, 1, 3) RightArc()
    (0,) (2, 1, 3) Shift()
    (0, 2) (1, 3) Shift()
    (0, 2, 1) (3,) LeftArc()
    (0, 2, 1) (3,) Reduce()
    (0, 2) (3,) RightArc()
    (0, 2) (3,) Reduce()
    (0,) (3,) Shift()
    """

    planar_only = False
    transitions = (LeftArc(), RightArc(), Reduce(), Swap(), Shift())

    def preferred(self, cfg: ArcEagerGraphConfiguration, graph: DependencyGraph) -> Transition | None:
        transition = ArcEagerGraph.preferred(self, cfg, graph)
        if transition != Shift():
            return transition
        return Swap() if any(cfg.is_to_come(below, cfg.buffer[0], graph) for below in cfg.stack[:-1]) else transition

    @cached_property
    def oracles(self) -> Oracles:
        """The static oracle."""
        return Oracles(static=self._static)


@attrs.frozen(repr=False)
class ArcEagerGraphConfiguration(GraphConfiguration):
    """A configuration (σ, β, A).

    >>> cfg = LeftArc("nsubj")(Shift()(ArcEagerGraph().initial(["Birds", "sing"])))
    >>> cfg.stack, cfg.buffer, cfg.heads, cfg.labels
    ((0, 1), (2,), ((2,), ()), (('nsubj',), ()))
    """

    stack: tuple[int, ...]
    """The stack, its top last."""
    buffer: tuple[int, ...]
    """The buffer, its front first."""

    @property
    def is_final(self) -> bool:
        return not self.buffer

    def neighbors(self, k: int = 1) -> tuple[Sequence[int], Sequence[int]]:
        return self.stack[::-1], self.buffer

    def can_build(self, head: int, word: int) -> bool:
        left, right = sorted((head, word))
        return right in self.buffer and (left in self.buffer or left in self.stack)

    def arc(self, transition: ArcTransition) -> tuple[int, int]:
        s0, b0 = self.stack[-1], self.buffer[0]
        return (b0, s0) if isinstance(transition, LeftArc) else (s0, b0)

    def missing(self, transition: Transition) -> str | None:
        if type(transition) not in {type(other) for other in self.system.transitions}:
            return "it belongs to this system"
        if self.is_final:
            return "β ≠ []"
        if isinstance(transition, Shift):
            return None
        if isinstance(transition, ArcTransition) and not isinstance(transition, Reduce):
            return self._missing_of(*self.arc(transition)) if transition.k == 1 else "k = 1"
        if self.stack[-1] == 0:
            return "s0 ≠ 0"
        return "s0 < b0" if isinstance(transition, Swap) and self.stack[-1] > self.buffer[0] else None

    def _after(self, transition: Transition) -> ArcEagerGraphConfiguration:
        stack, buffer = self.stack, self.buffer
        if isinstance(transition, Shift):
            stack, buffer = (*stack, buffer[0]), buffer[1:]
        elif isinstance(transition, Swap):
            stack, buffer = stack[:-1], (buffer[0], stack[-1], *buffer[1:])
        elif isinstance(transition, Reduce):
            stack = stack[:-1]
        return attrs.evolve(self, label_of=self._attached(transition), stack=stack, buffer=buffer)

    @property
    def parts(self) -> Mapping[str, object]:
        return {"σ": self.stack, "β": self.buffer}
