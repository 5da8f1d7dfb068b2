"""What the transition systems that build graphs have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, ClassVar

import attrs

from deptrees.drawing.diagram import Arc, ArcDiagram
from deptrees.messages import of_type
from deptrees.transition.losses.graph import GraphLoss, crossing_arcs
from deptrees.transition.system import C
from deptrees.transition.systems.explicit import ExplicitSystem, Latest, StepwiseConfiguration
from deptrees.transition.transitions import ArcTransition, LeftArc, RightArc, Transition
from deptrees.trees.deps import reached
from deptrees.trees.enumeration import all_graphs
from deptrees.trees.graph import DependencyGraph
from deptrees.trees.token import Token
from deptrees.trees.tree import Sentence

__all__ = ["GraphConfiguration", "GraphSystem"]


@attrs.frozen(repr=False)
class GraphSystem(ExplicitSystem[C]):
    """A transition system in which a word can have several heads, or none.

    Losses count arcs, not words: gold arcs that are missing, and arcs that are not gold.

    Args:
        acyclic: whether no arc may close a cycle.
        empty_means_unknown: whether a word without heads in a gold graph may get any; otherwise it is meant to have
            none.
    """

    builds_graphs = True
    builds_plain_trees = False
    leaves_words = True
    loss = GraphLoss
    planar_only: ClassVar[bool] = False
    """Whether it builds graphs without crossing arcs only."""

    acyclic: bool = attrs.field(default=False, kw_only=True)
    empty_means_unknown: bool = attrs.field(default=False, kw_only=True)

    def graph_of(self, source: DependencyGraph | Sentence) -> DependencyGraph:
        """A sentence as a graph, for an initial configuration.

        Raises:
            ValueError: it has more words than configurations take.
        """
        if not isinstance(source, DependencyGraph):
            return self.tree_of(source).graph
        self.check_length(len(source), "the graph")
        return source

    def gold_heads(self, gold: DependencyGraph) -> tuple[tuple[int, ...] | None, ...]:
        """The heads of each word as the oracles take them; ``None`` if they are not known."""
        of_type("gold", gold, DependencyGraph, "a gold graph, such as tree.graph")
        return tuple([heads or (None if self.empty_means_unknown else ()) for heads in gold.heads])

    def is_gold_arc(self, arc: tuple[int, int], gold: DependencyGraph) -> bool:
        return gold.has_arc(*arc) or (self.empty_means_unknown and not gold.heads_of(arc[1]))

    def wrong_arcs(self, heads: Sequence[Sequence[int]], gold: DependencyGraph) -> list[tuple[int | None, int]]:
        """The gold arcs that are missing, and the others that are there, where the gold heads are known."""
        return [
            (head, word)
            for word in self.wrong_words(heads, gold)
            for head in sorted({*heads[word - 1]} ^ {*gold.heads_of(word)})
        ]

    def obstacle(self, gold: DependencyGraph) -> str | None:
        """Why the system cannot build a graph; ``None`` if it can.

        >>> from deptrees import DependencyGraph
        >>> from deptrees.transition import ListBasedGraph
        >>> ListBasedGraph(acyclic=True).obstacle(DependencyGraph(["Round", "and"], [(2, 1), (1, 2)]))
        'ListBasedGraph(acyclic=True) builds acyclic graphs only, and the graph has a cycle'
        """
        of_type("gold", gold, DependencyGraph, "a gold graph, such as tree.graph")
        if self.acyclic and not gold.is_acyclic:
            return f"{self} builds acyclic graphs only, and the graph has a cycle"
        if self.planar_only and (arcs := crossing_arcs({arc[:2] for arc in gold.arcs})):
            one, other = [f"{head} → {word}" for head, word in sorted(arcs)]
            return f"{self} builds graphs without crossing arcs only, and {one} crosses {other}"
        return None

    def structures(self, n: int) -> Iterator[DependencyGraph]:
        return all_graphs(n)


@attrs.frozen(repr=False)
class GraphConfiguration(StepwiseConfiguration):
    """A configuration in which a dependency graph is built.

    Nodes are positions in the graph, from 1, empty nodes among them; 0 is ROOT.
    """

    system: Any = attrs.field(hash=False)
    source: DependencyGraph = attrs.field(eq=attrgetter("nodes"), hash=False)
    label_of: Mapping[tuple[int, int], str | None] = attrs.field(eq=lambda arcs: frozenset(arcs.items()))
    """The label of each arc so far, by its head and its dependent."""
    _latest: Latest | None = attrs.field(default=None, init=False, eq=False)

    @property
    def tokens(self) -> tuple[Token, ...]:
        return self.source.nodes

    @property
    def arcs(self) -> tuple[tuple[int, int], ...]:
        return tuple(sorted(self.label_of, key=lambda arc: arc[::-1]))

    @property
    def heads(self) -> tuple[tuple[int, ...], ...]:
        """The heads of each node so far, from left to right."""
        heads: list[list[int]] = [[] for _ in self.tokens]
        for head, word in self.arcs:
            heads[word - 1].append(head)
        return tuple(map(tuple, heads))

    @property
    def labels(self) -> tuple[tuple[str | None, ...], ...]:
        """The labels of the arcs from these heads."""
        return tuple(
            [tuple([self.label_of[head, word] for head in heads or ()]) for word, heads in enumerate(self.heads, 1)]
        )

    @abstractmethod
    def can_build(self, head: int, word: int) -> bool:
        """Whether an arc that is not there could still be built, were there no others in its way."""

    def lost(self, gold: DependencyGraph) -> tuple[tuple[int, int], ...]:
        """The gold arcs that are not there, and can no longer be built.

        >>> from deptrees import DependencyGraph
        >>> from deptrees.transition import PointerGraph, Shift
        >>> graph = DependencyGraph(["Birds", "sing"], [(2, 1), (0, 2)])
        >>> Shift()(PointerGraph().initial(graph)).lost(graph)
        ((2, 1),)
        """
        arcs = dict.fromkeys([arc[:2] for arc in gold.arcs])
        return tuple([arc for arc in arcs if arc not in self.label_of and not self.can_build(*arc)])

    def wrong_nodes(self, gold: DependencyGraph) -> list[int]:
        """The empty nodes that are there and not gold, or the other way round and can no longer be made."""
        return []

    def gold_arc(self, gold: DependencyGraph) -> ArcTransition | None:
        """LeftArc or RightArc, if it would add a gold arc."""
        for transition in (LeftArc(), RightArc()):
            if (arc := self.arc(transition)) not in self.label_of and gold.has_arc(*arc):
                return transition
        return None

    def is_to_come(self, one: int, other: int, gold: DependencyGraph) -> bool:
        """Whether a gold arc between two nodes is not there yet."""
        arcs = (one, other), (other, one)
        return any(arc not in self.label_of and gold.has_arc(*arc) for arc in arcs)

    def gold_token(self, transition: Transition, gold: DependencyGraph) -> Token | None:
        """The node that it would attach with the head and the label of the arc, ``None`` if that is no gold arc.

        Several labels of an arc are written as one, with | between them.
        """
        if (arc := self.added(transition)) is None:
            return None
        head, word = arc
        return attrs.evolve(gold[word], head=head, label=gold.label_of(head, word))

    def graph(self) -> DependencyGraph:
        """The sentence with the arcs found so far.

        >>> from deptrees.transition import Attach, PointerGraph
        >>> Attach("nsubj", k=3)(PointerGraph().initial(["Birds", "sing"])).graph()
        DependencyGraph(['Birds', 'sing'], [(2, 1, 'nsubj')])
        """
        each = [(arc, label.split("|") if isinstance(label, str) else [label]) for arc, label in self.label_of.items()]
        return attrs.evolve(self.source, arcs=[(*arc, label) for arc, labels in each for label in labels])

    def answer(self) -> DependencyGraph:
        return self.graph()

    def _diagram(self) -> ArcDiagram:
        return ArcDiagram(
            [node.form for node in self.tokens], [Arc(*arc, label) for arc, label in self.label_of.items()]
        )

    def descendants(self, word: int) -> set[int]:
        """The word, and all nodes that arcs lead to from it."""
        heads: dict[int, list[int]] = {}
        for head, dependent in self.label_of:
            heads.setdefault(dependent, []).append(head)
        return reached(word, heads)

    def _missing_of(self, head: int, word: int) -> str | None:
        """The first precondition of an arc that does not hold, whatever the system."""
        if word == 0:
            return "ROOT gets no head"
        if (head, word) in self.label_of:
            return f"{head} → {word} is not there yet"
        if self.system.acyclic and head in self.descendants(word):
            return f"no path leads from {word} to {head}"
        return None

    def _attached(self, transition: Transition) -> Mapping[tuple[int, int], str | None]:
        """The labels of the arcs after a transition."""
        if isinstance(transition, ArcTransition) and self.system.adds_arc(transition):
            return {**self.label_of, self.arc(transition): transition.label}
        return self.label_of
