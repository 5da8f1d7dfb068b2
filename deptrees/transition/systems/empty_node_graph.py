"""A list-based system for graphs that makes their empty nodes as it goes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import attrs

from deptrees.transition.systems.list_based_graph import ListBasedGraph, ListBasedGraphConfiguration
from deptrees.transition.transitions import AddNode, LeftArc, NoArc, RightArc, Shift, Transition
from deptrees.trees.graph import DependencyGraph
from deptrees.trees.token import Token
from deptrees.trees.tree import Sentence

__all__ = ["EmptyNodeGraph", "EmptyNodeGraphConfiguration"]


@attrs.frozen(repr=False)
class EmptyNodeGraph(ListBasedGraph):
    """Covington's algorithm (Nivre 2008, section 5) for graphs, and a transition that makes an empty node.

    The empty nodes of the sentence are places: there may be such a node, and at first there is none. A gold graph has a
    node in a place that any arcs lead to or from, and in those between it and the word before.
    ``DependencyGraph.with_places`` adds places to a sentence.

    Configurations and transitions are those of ``ListBasedGraph``, and one more. Here p is the first place without a
    node between b0 and the next word.

    ========== ================================= === =================
    Transition Preconditions, besides b0 and p   Arc Moves
    ========== ================================= === =================
    AddNode                                          p to β, behind b0
    ========== ================================= === =================

    Parsing ends when the buffer is empty. The system can build every graph, or every acyclic one, that has no empty
    node before the first word. Losses count arcs and nodes: those that are missing, and those that are not gold.

    An arc can still be built if its ends have not met, and each of them is there or can still be: places behind b0
    can, in their order, and others that have been passed cannot. To make a node changes nothing for other arcs and
    nodes. So arcs count as they do in ``ListBasedGraph``, and every node counts alone.

    The static oracle makes the nodes behind b0 first. A sentence of n words takes between n and n(n + 3)/2 transitions,
    where empty nodes count as words, and one more for each arc and each empty node.

    >>> from deptrees import Token
    >>> from deptrees.transition import Oracle, static_oracle
    >>> nodes = ["She", "tea", Token("drinks", id="2.1")]
    >>> graph = DependencyGraph(nodes, [(0, 3), (3, 1), (3, 2)])
    >>> for cfg, transition in Oracle(EmptyNodeGraph(), static_oracle)(graph):
    ...     print(cfg.list1, cfg.list2, cfg.buffer, transition)
    (0,) () (1, 2) Shift()
    (0, 1) () (2,) AddNode()
    (0, 1) () (2, 3) Shift()
    (0, 1, 2) () (3,) LeftArc()
    (0, 1, 2) () (3,) NoArc()
    (0, 1) (2,) (3,) LeftArc()
    (0, 1) (2,) (3,) NoArc()
    (0,) (1, 2) (3,) RightArc()
    (0,) (1, 2) (3,) Shift()
    """

    transitions = (LeftArc(), RightArc(), NoArc(), AddNode(), Shift())

    def initial(self, source: DependencyGraph | Sentence) -> EmptyNodeGraphConfiguration:
        graph = self.graph_of(source)
        first = next((position for position, node in enumerate(graph, 1) if _is_word(node)), len(graph) + 1)
        return EmptyNodeGraphConfiguration(self, graph, {}, first, first, frozenset())

    def gold_heads(self, gold: DependencyGraph) -> tuple[tuple[int, ...] | None, ...]:
        """The heads of each node; ``None`` for places without one, and for heads that are not known."""
        found = super().gold_heads(gold)
        nodes = _nodes(gold)
        return tuple([heads if word in nodes else None for word, heads in enumerate(found, 1)])

    def wrong_nodes(self, nodes: Iterable[int], gold: DependencyGraph) -> list[int]:
        """The places in which there is a node and should be none, and the other way round."""
        heads = self.gold_heads(gold) if self.empty_means_unknown else ()
        return [place for place in sorted(_nodes(gold) ^ {*nodes}) if not heads or heads[place - 1] is not None]

    def wrong_arcs(self, heads: Sequence[Sequence[int] | None], gold: DependencyGraph) -> list[tuple[int | None, int]]:
        """As in other systems for graphs, and the place of each wrong node, without a head."""
        nodes = [word for word, of_word in enumerate(heads, 1) if of_word is not None]
        arcs = super().wrong_arcs([of_word or () for of_word in heads], gold)
        return [*[(None, place) for place in self.wrong_nodes(nodes, gold)], *arcs]

    def obstacle(self, gold: DependencyGraph) -> str | None:
        found = super().obstacle(gold)
        if found is None and any(str(gold[node].id).startswith("0.") for node in _nodes(gold)):
            return f"{self} makes no empty node before the first word, and the graph has one"
        return found

    def preferred(self, cfg: ListBasedGraphConfiguration, graph: DependencyGraph) -> Transition | None:
        assert isinstance(cfg, EmptyNodeGraphConfiguration)
        return AddNode() if cfg.place in _nodes(graph) else super().preferred(cfg, graph)


def _is_word(node: Token) -> bool:
    return isinstance(node.id, int)


def _nodes(graph: DependencyGraph) -> set[int]:
    """The words, and the empty nodes that any arcs lead to or from, with those between them and the word before."""
    joined = {position for arc in graph.arcs for position in arc[:2]}
    nodes, is_joined = set[int](), False
    for position in range(len(graph), 0, -1):
        is_joined |= position in joined
        if is_joined or _is_word(graph[position]):
            nodes.add(position)
        is_joined &= not _is_word(graph[position])
    return nodes


@attrs.frozen(repr=False)
class EmptyNodeGraphConfiguration(ListBasedGraphConfiguration):
    """A configuration (λ1, λ2, β, A), whose lists and buffer have the empty nodes that are there.

    >>> graph = DependencyGraph(["She", "tea"], []).with_places()
    >>> cfg = AddNode()(EmptyNodeGraph().initial(graph))
    >>> cfg.buffer, cfg.heads, [node.id for node in cfg.graph()]
    ((1, 2, 3), ((), (), (), None), [1, '1.1', 2])
    """

    made: frozenset[int]
    """The places in which an empty node has been made."""

    def is_there(self, position: int) -> bool:
        """Whether there is a node: ROOT, a word, or an empty node that has been made."""
        return position == 0 or position in self.made or _is_word(self.source[position])

    @property
    def place(self) -> int | None:
        """The first place without a node between b0 and the next word."""
        for position in range(self._front + 1, len(self.source) + 1):
            if not self.is_there(position):
                return position
            if _is_word(self.source[position]):
                break
        return None

    @property
    def list1(self) -> tuple[int, ...]:
        return tuple(filter(self.is_there, range(self._split)))

    @property
    def list2(self) -> tuple[int, ...]:
        return tuple(filter(self.is_there, range(self._split, self._front)))

    @property
    def buffer(self) -> tuple[int, ...]:
        return tuple(filter(self.is_there, range(self._front, len(self.source) + 1)))

    @property
    def _i(self) -> int:
        return next(filter(self.is_there, range(self._split - 1, -1, -1)))

    @property
    def heads(self) -> tuple[Any, ...]:
        """The heads of each node so far, from left to right; ``None`` for places without one."""
        return tuple([heads if self.is_there(word) else None for word, heads in enumerate(super().heads, 1)])

    def can_build(self, head: int, word: int) -> bool:
        ends = head, word
        return super().can_build(*ends) and all(end > self._front or self.is_there(end) for end in ends)

    def wrong_nodes(self, gold: DependencyGraph) -> list[int]:
        nodes = [word for word in range(1, len(self.source) + 1) if self.is_there(word)]
        return [place for place in self.system.wrong_nodes(nodes, gold) if place in nodes or place < self._front]

    def missing(self, transition: Transition) -> str | None:
        if not isinstance(transition, AddNode):
            return super().missing(transition)
        if self.is_final:
            return "β ≠ []"
        return "there is a place without a node between b0 and the next word" if self.place is None else None

    def _after(self, transition: Transition) -> EmptyNodeGraphConfiguration:
        split, front, made = self._split, self._front, self.made
        if isinstance(transition, AddNode):
            assert self.place is not None
            made |= {self.place}
        elif isinstance(transition, Shift):
            split = front = next(iter(self.buffer[1:]), len(self.source) + 1)
        elif isinstance(transition, NoArc):
            split = self._i
        return attrs.evolve(self, label_of=self._attached(transition), split=split, front=front, made=made)

    def graph(self) -> DependencyGraph:
        """The sentence with the empty nodes and the arcs found so far."""
        there = [position for position in range(len(self.source) + 1) if self.is_there(position)]
        number = {position: place for place, position in enumerate(there)}
        arcs = [(number[head], number[word], label) for head, word, label in super().graph().arcs]
        return DependencyGraph([self.source[position] for position in there[1:]], arcs)
