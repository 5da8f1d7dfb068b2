"""The left-to-right pointer for graphs: each word in turn picks its heads."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from deptrees.transition.systems.graph import GraphConfiguration, GraphSystem
from deptrees.transition.systems.pointing import PointingConfiguration, pointing_at
from deptrees.transition.transitions import ArcTransition, Attach, Shift, Transition
from deptrees.trees.graph import DependencyGraph
from deptrees.trees.tree import Sentence

__all__ = ["PointerGraph", "PointerGraphConfiguration"]


@attrs.frozen(repr=False)
class PointerGraph(GraphSystem["PointerGraphConfiguration"]):
    """The left-to-right pointer for graphs (Fernández-González & Gómez-Rodríguez 2020): each word picks its heads.

    A configuration is the current word i, at first word 1, and arcs A. The k of a transition says which head i gets:
    the k-th element of the sentence, counting ROOT as the first, which is k - 1. ``Shift`` goes on to the next word.

    ========== ============================================================ ========= ==========
    Transition Preconditions                                                Arc       Turn
    ========== ============================================================ ========= ==========
    Attach(k)  k - 1 ≠ i, k - 1 → i ∉ A; acyclic: no path i →* k - 1        k - 1 → i
    Shift                                                                             i + 1
    ========== ============================================================ ========= ==========

    Parsing ends after the last word. The system can build every graph, or every acyclic one.

    The arcs of words before i are settled. Nothing else is asked for but, perhaps, that no cycle arises. So without
    this precondition every arc counts alone. With it, arcs to come can be built together, in the order of their
    dependents, if they make no cycle with those that are there.

    The static oracle takes the heads of a word from left to right. A sentence of n words takes n transitions, and one
    for each arc.

    >>> from deptrees import DependencyGraph
    >>> from deptrees.transition import Oracle, static_oracle
    >>> graph = DependencyGraph(["She", "sings", "and", "dances"], [(0, 2), (2, 1), (4, 1), (2, 4), (4, 3)])
    >>> for cfg, transition in Oracle(PointerGraph(), static_oracle)(graph):
    ...     print(cfg.word, cfg.heads[cfg.word - 1], transition)
    1 () Attach(k=3)
    1 (2,) Attach(k=5)
    1 (2, 4) Shift()
    2 () Attach()
    2 (0,) Shift()
    3 () Attach(k=5)
    3 (4,) Shift()
    4 () Attach(k=3)
    4 (2,) Shift()
    """

    transitions = (Attach(), Shift())

    @property
    def has_any_k(self) -> bool:
        return True

    def initial(self, source: DependencyGraph | Sentence) -> PointerGraphConfiguration:
        return PointerGraphConfiguration(self, self.graph_of(source), {}, 1)

    def preferred(self, cfg: PointerGraphConfiguration, graph: DependencyGraph) -> Transition | None:
        if cfg.is_final:
            return None
        to_come = [head for head in graph.heads_of(cfg.word) if (head, cfg.word) not in cfg.label_of]
        return Attach(k=to_come[0] + 1) if to_come else Shift()


@attrs.frozen(repr=False)
class PointerGraphConfiguration(PointingConfiguration, GraphConfiguration):
    """A configuration (i, A).

    >>> cfg = Attach("nsubj", k=3)(PointerGraph(acyclic=True).initial(["Birds", "sing"]))
    >>> cfg.word, cfg.heads, cfg.labels, cfg.possible_transitions()
    (1, ((2,), ()), (('nsubj',), ()), (Attach(), Shift()))
    """

    word: int
    """The word i whose turn it is; one more than there are words in the end."""

    @property
    def is_final(self) -> bool:
        return self.word > len(self.source)

    def can_build(self, head: int, word: int) -> bool:
        return word >= self.word

    def arc(self, transition: ArcTransition) -> tuple[int, int]:
        return transition.k - 1, self.word

    def pair(self, k: int) -> tuple[int, int]:
        return self.word, k - 1

    def possible_transitions(self) -> tuple[Transition, ...]:
        if self.is_final:
            return ()
        barred = {self.word, *[head for head, word in self.label_of if word == self.word]}
        if self.system.acyclic:
            barred |= self.descendants(self.word)
        heads = [head for head in range(len(self.source) + 1) if head not in barred]
        return (*pointing_at(tuple([head + 1 for head in heads])), Shift())

    def missing(self, transition: Transition) -> str | None:
        if not isinstance(transition, (Attach, Shift)):
            return "it belongs to this system"
        if self.is_final:
            return "there is a word left"
        if isinstance(transition, Shift):
            return None
        head = transition.k - 1
        if not 0 <= head <= len(self.source):
            return f"1 ≤ k ≤ {len(self.source) + 1}"
        return self._missing_of(head, self.word) if head != self.word else f"k - 1 ≠ {head}"

    def _after(self, transition: Transition) -> PointerGraphConfiguration:
        word = self.word + isinstance(transition, Shift)
        return attrs.evolve(self, label_of=self._attached(transition), word=word)

    @property
    def parts(self) -> Mapping[str, object]:
        return {"i": self.word}
