"""Shift-reduce systems for graphs, in which arcs move nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from deptrees.transition.systems.graph import GraphConfiguration, GraphSystem
from deptrees.transition.transitions import ArcTransition, LeftArc, Reduce, RightArc, Shift, Transition
from deptrees.trees.graph import DependencyGraph
from deptrees.trees.tree import Sentence

__all__ = ["ArcEagerGraph", "ArcEagerGraphConfiguration"]


@attrs.frozen(repr=False)
class ArcEagerGraph(GraphSystem):
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
    >>> graph = DependencyGraph(["She", "sings", "and", "dances"], [(0, 2), (2, 1), (4, 1), (2, 4), (4, 3)])
    >>> ArcEagerGraph().obstacle(graph)
    """

    planar_only = True
    transitions = (LeftArc(), RightArc(), Reduce(), Shift())

    def initial(self, source: DependencyGraph | Sentence) -> ArcEagerGraphConfiguration:
        return ArcEagerGraphConfiguration(self, self.graph_of(source), {}, (0,), 1)

    def preferred(self, cfg: ArcEagerGraphConfiguration, graph: DependencyGraph) -> Transition | None:
        if cfg.is_final:
            return None
        for transition in (LeftArc(), RightArc()):
            if cfg.arc(transition) not in cfg.label_of and graph.has_arc(*cfg.arc(transition)):
                return transition
        s0 = cfg.stack[-1]
        to_come = any(graph.has_arc(s0, word) or graph.has_arc(word, s0) for word in cfg.buffer[1:])
        return Shift() if to_come or s0 == 0 else Reduce()

    def adds_arc(self, transition: ArcTransition) -> bool:
        return not isinstance(transition, Reduce)


@attrs.frozen(repr=False)
class ArcEagerGraphConfiguration(GraphConfiguration):
    """A configuration (σ, β, A).

    >>> cfg = LeftArc("nsubj")(Shift()(ArcEagerGraph().initial(["Birds", "sing"])))
    >>> cfg.stack, cfg.buffer, cfg.heads, cfg.labels
    ((0, 1), (2,), ((2,), ()), (('nsubj',), ()))
    """

    stack: tuple[int, ...]
    """The stack, its top last."""
    _front: int  # b0, or one more than there are words

    @property
    def buffer(self) -> tuple[int, ...]:
        """The buffer, its front first."""
        return tuple(range(self._front, len(self.source) + 1))

    @property
    def is_final(self) -> bool:
        return self._front > len(self.source)

    def neighbors(self, k: int = 1) -> tuple[Sequence[int], Sequence[int]]:
        return self.stack[::-1], self.buffer

    def can_build(self, head: int, word: int) -> bool:
        left, right = sorted((head, word))
        return right >= self._front and (left >= self._front or left in self.stack)

    def arc(self, transition: ArcTransition) -> tuple[int, int]:
        s0, b0 = self.stack[-1], self._front
        return (b0, s0) if isinstance(transition, LeftArc) else (s0, b0)

    def missing(self, transition: Transition) -> str | None:
        if not isinstance(transition, (LeftArc, RightArc, Reduce, Shift)):
            return "it belongs to this system"
        if self.is_final:
            return "β ≠ []"
        if isinstance(transition, Shift):
            return None
        if isinstance(transition, Reduce):
            return None if self.stack[-1] else "s0 ≠ 0"
        return self._missing_of(*self.arc(transition)) if transition.k == 1 else "k = 1"

    def _after(self, transition: Transition) -> ArcEagerGraphConfiguration:
        stack, front = self.stack, self._front
        if isinstance(transition, Shift):
            stack, front = (*stack, front), front + 1
        elif isinstance(transition, Reduce):
            stack = stack[:-1]
        return attrs.evolve(self, label_of=self._attached(transition), stack=stack, front=front)

    @property
    def parts(self) -> Mapping[str, object]:
        return {"σ": self.stack, "β": self.buffer}
