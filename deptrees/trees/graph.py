"""Dependency graphs: several heads of a word, empty nodes and cycles, as in the enhanced dependencies of UD."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import zip_longest
from operator import index
from typing import TypeAlias

import attrs

from deptrees.messages import TooLarge, of_type, quoted
from deptrees.trees.deps import arcs_in, deps_of, is_relation, reached
from deptrees.trees.extra_tokens import check_extra_tokens
from deptrees.trees.heads import TreeError
from deptrees.trees.token import ROOT, Token

__all__ = ["DependencyGraph", "GraphArc", "GraphError"]

_MOST_PATHS = 100_000
"""How many paths through empty nodes are followed in a sentence."""
_MOST_PLACES = 1000

GraphArc: TypeAlias = "tuple[int, int, str | None]"
"""The positions of a head and of a dependent, and the label of the arc between them."""


class GraphError(ValueError):
    """Nodes and arcs do not form a graph.

    Attributes:
        node: the id of the first node at fault.
    """

    def __init__(self, node: int | str, message: str) -> None:
        super().__init__(message)
        self.node = node

    def __reduce__(self) -> tuple[type[GraphError], tuple[int | str, str]]:
        return GraphError, (self.node, str(self))


def _numbered(items: Iterable[str | Token]) -> tuple[Token, ...]:
    """The nodes with ids, and without DEPS, whose place the arcs take."""
    if isinstance(items, str) or not isinstance(items, Iterable):
        raise TypeError(f"nodes is {quoted(items)}: give a list, with a form or a Token for each node")
    nodes: list[Token] = []
    words = 0
    for item in items:
        node = Token(item) if isinstance(item, str) else item
        if not isinstance(node, Token):
            raise TypeError(f"{quoted(node)} is in nodes: give a form or a Token for each node")
        if not isinstance(node.id, str):
            words += 1
            if node.id not in (None, words):
                raise GraphError(words, f"word {words} has the id {quoted(node.id)}: ids must run 1, 2, 3, ...")
        nodes.append(attrs.evolve(node, deps=None, id=node.id if isinstance(node.id, str) else words))
    return tuple(nodes)


def _sorted(arcs: Iterable[tuple[int, int] | GraphArc]) -> tuple[GraphArc, ...]:
    found = [(index(arc[0]), index(arc[1]), arc[2] if len(arc) > 2 and arc[2] != "_" else None) for arc in arcs]
    return tuple(sorted(found, key=lambda arc: (arc[1], arc[0], arc[2] or "")))


@attrs.frozen(repr=False)
class DependencyGraph:
    """A sentence whose words, and empty nodes, may have several heads or none.

    Nodes have their positions in the sentence, from 1; position 0 is ``ROOT``. Arcs may form cycles, and there may be
    several between two nodes, with different labels. They are a set, sorted by dependents, heads and labels.

    Args:
        nodes: the words, each as its form or a ``Token``, and the empty nodes, each as a ``Token`` with an id such as
            ``"8.1"``. Their columns are kept, except for DEPS, whose place the arcs take.
        arcs: ``(head, dependent)`` or ``(head, dependent, label)``, where head and dependent are positions.

    Raises:
        GraphError: an arc is there twice, leads from a node to itself, or from or to a position that does not exist, or
            a label cannot be written; or the id of a node is another one than its place says.
        TypeError: nodes are something else, such as one string, or positions are no integers.

    >>> graph = DependencyGraph(["She", "sings", "and", "dances"], [(0, 2), (2, 1), (4, 1), (2, 4, "conj:and"), (4, 3)])
    >>> len(graph), graph[4].form, graph.heads_of(1), graph.labels_of(2, 4)
    (4, 'dances', (2, 4), ('conj:and',))
    >>> DependencyGraph(["Sing"], [(1, 1)])
    Traceback (most recent call last):
    deptrees.trees.graph.GraphError: node 1 is its own head
    """

    nodes: tuple[Token, ...] = attrs.field(converter=_numbered)
    arcs: tuple[GraphArc, ...] = attrs.field(converter=_sorted)

    def __attrs_post_init__(self) -> None:
        words = 0
        empty_nodes = []
        for position, node in enumerate(self.nodes, 1):
            if isinstance(node.id, int):
                words = node.id
            elif "-" in str(node.id):
                raise GraphError(str(node.id), f"{quoted(node.id)} is a multiword token, which is no node of a graph")
            elif self.positions[str(node.id)] != position:
                raise GraphError(str(node.id), f"two empty nodes have the id {quoted(node.id)}")
            else:
                empty_nodes.append((words, node))
        try:
            check_extra_tokens(tuple(empty_nodes), words)
        except TreeError as error:
            raise GraphError(error.word, str(error)) from None
        before: GraphArc | None = None
        for arc in self.arcs:
            self._check(arc, before)
            before = arc

    def _check(self, arc: GraphArc, before: GraphArc | None) -> None:
        head, dependent, label = arc
        if not 1 <= dependent <= len(self):
            raise GraphError(dependent, f"an arc leads to {dependent}, which is not one of 1 to {len(self)}")
        id_ = self.ids[dependent]
        if not 0 <= head <= len(self):
            raise GraphError(id_, f"an arc leads to {id_} from {head}, which is not one of 0 to {len(self)}")
        if head == dependent:
            raise GraphError(id_, f"node {id_} is its own head")
        if arc == before:
            raise GraphError(id_, f"the arc from {self.ids[head]} to {id_} is there twice: {quoted(label)}")
        if label is not None and (not label or "|" in label):
            raise GraphError(id_, f"the label of an arc to {id_} is {quoted(label)}, which cannot be written")

    @classmethod
    def from_tokens(cls, tokens: Iterable[Token]) -> DependencyGraph:
        """The graph that DEPS of words and empty nodes describes; multiword tokens are left out.

        Raises:
                GraphError: DEPS has a head that is none of the tokens, or that has no label; or see above.

        >>> DependencyGraph.from_tokens([Token("Birds", deps="2:nsubj", id=1), Token("sing", deps="0:root", id=2)])
        DependencyGraph(['Birds', 'sing'], [(2, 1, 'nsubj'), (0, 2, 'root')])
        """
        given = [*tokens]
        for token in given:
            of_type("tokens", token, Token, "a list of tokens")
        nodes = [token for token in given if not (isinstance(token.id, str) and "-" in token.id)]
        positions = {"0": 0} | {str(node.id): position for position, node in enumerate(nodes, 1)}
        arcs: list[GraphArc] = []
        for position, node in enumerate(nodes, 1):
            for head, label in arcs_in(node.deps):
                if not label or head not in positions:
                    fault = "is no word or empty node of the sentence" if label else "has no label: write 2:nsubj or so"
                    raise GraphError(str(node.id), f"DEPS of {node.id} has the head {quoted(head)}, which {fault}")
                arcs.append((positions[head], position, label))
        return cls(nodes, arcs)

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The id of each position (0 to n), as it is in files."""
        return ("0", *[str(node.id) for node in self.nodes])

    @cached_property
    def positions(self) -> dict[str, int]:
        """The position of each id.

        >>> DependencyGraph(["She", "sings", Token("her", id="2.1"), "."], []).positions
        {'0': 0, '1': 1, '2': 2, '2.1': 3, '3': 4}
        """
        return {id_: position for position, id_ in enumerate(self.ids)}

    @cached_property
    def deps(self) -> tuple[str | None, ...]:
        """DEPS of each node; of one without arcs it is ``None``.

        >>> DependencyGraph(["Birds", "sing"], [(2, 1, "nsubj")]).deps
        ('2:nsubj', None)
        """
        above: list[list[tuple[str, str]]] = [[] for _ in self.ids]
        for head, dependent, label in self.arcs:
            above[dependent].append((self.ids[head], label or "_"))
        return tuple(map(deps_of, above[1:]))

    @cached_property
    def _heads(self) -> dict[int, dict[int, tuple[str | None, ...]]]:
        """The labels of the arcs by their dependents and heads."""
        found: dict[int, dict[int, tuple[str | None, ...]]] = {position: {} for position in range(1, len(self) + 1)}
        for head, dependent, label in self.arcs:
            found[dependent][head] = (*found[dependent].get(head, ()), label)
        return found

    def heads_of(self, position: int) -> tuple[int, ...]:
        """The heads of a node, from left to right; ROOT has none.

        >>> DependencyGraph(["She", "sings", "dances"], [(3, 1, "nsubj"), (2, 1, "nsubj"), (2, 1, "agent")]).heads_of(1)
        (2, 3)
        """
        return tuple(self._above(position))

    @cached_property
    def heads(self) -> tuple[tuple[int, ...], ...]:
        """The heads of each node, from left to right.

        >>> DependencyGraph(["She", "sings", "dances"], [(2, 1), (3, 1), (0, 2)]).heads
        ((2, 3), (0,), ())
        """
        return tuple(map(tuple, self._heads.values()))

    def has_arc(self, head: int, dependent: int) -> bool:
        """Whether there is an arc from one node to another.

        >>> DependencyGraph(["She", "sings"], [(2, 1)]).has_arc(2, 1)
        True
        """
        return head in self._heads.get(dependent, ())

    def labels_of(self, head: int, dependent: int) -> tuple[str | None, ...]:
        """The labels of the arcs from one node to another, which there may be none of.

        >>> graph = DependencyGraph(["She", "sings"], [(2, 1, "nsubj"), (2, 1, "agent")])
        >>> graph.labels_of(2, 1), graph.labels_of(1, 2)
        (('agent', 'nsubj'), ())
        """
        return self._above(dependent).get(head, ())

    def _above(self, position: int) -> dict[int, tuple[str | None, ...]]:
        """The labels of the arcs to a node by their heads; ROOT has none."""
        if position not in self._heads:
            self[position]  # which there may not be
            return {}
        return self._heads[position]

    def with_places(self, k: int = 1) -> DependencyGraph:
        """The same graph with places for k empty nodes after each word: empty nodes, most of them without arcs.

        Systems that make empty nodes make them in such places.

        Raises:
            TooLarge: k is greater than 1,000.

        >>> graph = DependencyGraph(["She", "tea", Token("drinks", id="2.1")], [(3, 1), (3, 2)]).with_places()
        >>> [node.id for node in graph], graph.arcs
        ([1, '1.1', 2, '2.1'], ((4, 1, None), (4, 3, None)))
        """
        if k > _MOST_PLACES:
            raise TooLarge(f"k is {quoted(k)}: there are at most {_MOST_PLACES} places for empty nodes after a word")
        nodes: list[Token] = []
        for node, following in zip_longest(self.nodes, self.nodes[1:]):
            nodes.append(node)
            if following is None or isinstance(following.id, int):
                word, _, number = str(node.id).partition(".")
                nodes += [Token("_", id=f"{word}.{more}") for more in range(int(number or 0) + 1, k + 1)]
        place = {"0": 0} | {str(node.id): position for position, node in enumerate(nodes, 1)}
        arcs = [(place[self.ids[head]], place[self.ids[word]], label) for head, word, label in self.arcs]
        return DependencyGraph(nodes, arcs)

    def label_of(self, head: int, dependent: int) -> str | None:
        """The labels of the arcs from one node to another as one, with | between them; ``None`` without any.

        >>> graph = DependencyGraph(["She", "sings"], [(2, 1, "nsubj"), (2, 1, "agent")])
        >>> graph.label_of(2, 1), graph.label_of(1, 2)
        ('agent|nsubj', None)
        """
        return "|".join([label for label in self.labels_of(head, dependent) if label is not None]) or None

    @cached_property
    def paths(self) -> tuple[tuple[int, int, tuple[str, ...]], ...]:
        """The arcs between words, and the paths between words through empty nodes: head, dependent, and labels.

        Here words have the numbers that they have among words. No path passes an empty node twice, and a label that is
        missing is an underscore. So the shared tasks on enhanced dependencies do without empty nodes (Bouma, Seddah &
        Zeman 2020).

        Raises:
            TooLarge: there are more than 100,000, or beginnings of them: each order of the empty nodes can be one.

        >>> nodes = ["She", "drinks", "tea", "he", Token("drinks", id="4.1"), "coffee"]
        >>> DependencyGraph(nodes, [(0, 2, "root"), (2, 5, "conj"), (5, 4, "nsubj"), (5, 6, "obj")]).paths
        ((0, 2, ('root',)), (2, 4, ('conj', 'nsubj')), (2, 5, ('conj', 'obj')))
        """
        number = {position: node.id for position, node in enumerate((ROOT, *self.nodes)) if isinstance(node.id, int)}
        found = set[tuple[int, int, tuple[str, ...]]]()
        todo: list[tuple[tuple[int, ...], tuple[str, ...]]] = [((word,), ()) for word in number]
        for _ in range(_MOST_PATHS + len(todo)):
            if not todo:
                break
            path, labels = todo.pop()
            for head in self.heads_of(path[0]):
                for label in self.labels_of(head, path[0]):
                    longer = (label or "_", *labels)
                    if head in number:
                        found.add((number[head], number[path[-1]], longer))
                    elif head not in path:
                        todo.append(((head, *path), longer))
        if todo:
            raise TooLarge(f"there are more than {_MOST_PATHS:,} paths through empty nodes: they have too many arcs")
        return tuple(sorted(found, key=lambda arc: (arc[1], arc[0], arc[2])))

    @cached_property
    def unreached(self) -> tuple[int, ...]:
        """The nodes that no arcs lead to from ROOT; UD allows none.

        >>> DependencyGraph(["Round", "and", "round"], [(0, 1), (3, 2), (2, 3)]).unreached
        (2, 3)
        """
        found = reached(0, self._heads)
        return tuple(position for position in self._heads if position not in found)

    @cached_property
    def is_acyclic(self) -> bool:
        """Whether no arcs lead from a node back to it.

        >>> DependencyGraph(["Round", "and", "round"], [(0, 1), (3, 2), (2, 3)]).is_acyclic
        False
        """
        missing = {position: len(heads) for position, heads in self._heads.items()}
        dependents: list[list[int]] = [[] for _ in self.ids]
        for dependent, heads in self._heads.items():
            for head in heads:
                dependents[head].append(dependent)
        done = [0, *[position for position, count in missing.items() if not count]]
        for position in done:  # which grows meanwhile
            for dependent in dependents[position]:
                missing[dependent] -= 1
                if not missing[dependent]:
                    done.append(dependent)
        return len(done) > len(self)

    def faults(self) -> Iterator[tuple[int, str]]:
        """The nodes that are not as UD wants them, and what is wrong: labels, and nodes that ROOT does not reach.

        >>> [*DependencyGraph(["Birds", "sing"], [(2, 1, "subject"), (0, 2, "root")]).faults()]
        [(1, "the label of an arc to 1 is 'subject', which is no relation such as nsubj or nmod:of")]
        """
        for _, dependent, label in self.arcs:
            if not is_relation(label or ""):
                fault = f"is {quoted(label)}, which is no relation such as nsubj or nmod:of"
                yield dependent, f"the label of an arc to {self.ids[dependent]} {fault}"
        for position in self.unreached:
            yield position, f"no arcs lead from ROOT to {self.ids[position]}"

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[Token]:
        return iter(self.nodes)

    def __getitem__(self, position: int) -> Token:
        if not 0 <= position <= len(self):
            raise IndexError(f"there is no node {position}: nodes have the positions 1 to {len(self)}, 0 is ROOT")
        return self.nodes[position - 1] if position else ROOT

    def __repr__(self) -> str:
        nodes = [
            repr(node.form) if isinstance(node.id, int) else f"Token({node.form!r}, id={node.id!r})" for node in self
        ]
        arcs = [arc if arc[2] is not None else arc[:2] for arc in self.arcs]
        return f"DependencyGraph([{', '.join(nodes)}], {arcs!r})"
