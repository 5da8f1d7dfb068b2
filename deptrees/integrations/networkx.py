"""networkx: trees as its directed graphs."""

from __future__ import annotations

from deptrees.extras import require

require("networkx", "deptrees.integrations.networkx needs networkx", "networkx")

import attrs
from networkx import DiGraph

from deptrees.trees.extra_tokens import words_before
from deptrees.trees.token import ROOT, Token
from deptrees.trees.tree import DependencyTree

__all__ = ["from_graph", "to_graph"]


def to_graph(tree: DependencyTree) -> DiGraph:
    """A tree as a directed graph, with arcs from heads to dependents.

    Nodes are the positions of words, 0 for ROOT. The columns of a word that are not empty are attributes of its node,
    but its label is one of its arc, if there is one. Comments and extra tokens are attributes of the graph.

    >>> graph = to_graph(DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root")]))
    >>> list(graph.edges(data="label")), graph.nodes[1]
    ([(0, 2, 'root'), (2, 1, 'nsubj')], {'form': 'Birds'})
    """
    graph = DiGraph()
    graph.add_node(0, form=ROOT.form)
    for position, token in enumerate(tree, 1):
        columns = _columns(token)
        del columns["id"]
        head = columns.pop("head", None)
        if head is not None:
            label = columns.pop("label", None)
            graph.add_edge(head, position, **({} if label is None else {"label": label}))
        graph.add_node(position, **columns)
    if tree.comments:
        graph.graph["comments"] = [*tree.comments]
    if tree.extra_tokens:
        graph.graph["extra_tokens"] = [_columns(token) for _, token in tree.extra_tokens]
    return graph


def _columns(token: Token) -> dict[str, object]:
    return attrs.asdict(token, filter=lambda _, value: value is not None)


def from_graph(graph: DiGraph) -> DependencyTree:
    """The tree of a directed graph whose nodes are 0 for ROOT and 1, 2, 3, ... for the words.

    Raises:
        TreeError: the arcs are not those of a tree.
        ValueError: a word has several heads, or a node is missing.

    >>> tree = DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root")])
    >>> from_graph(to_graph(tree)) == tree
    True
    """
    words = range(1, len(graph.nodes))
    if {*graph.nodes} != {0, *words}:
        raise ValueError(f"nodes are 0 for ROOT and 1 to {len(words)} for the words, not {[*graph.nodes]}")
    extra = [Token(**columns) for columns in graph.graph.get("extra_tokens", ())]
    return DependencyTree(
        (_word(graph, word) for word in words),
        graph.graph.get("comments", ()),
        [(words_before(str(token.id)), token) for token in extra],
    )


def _word(graph: DiGraph, word: int) -> Token:
    heads = [*graph.predecessors(word)]
    if len(heads) > 1:
        raise ValueError(f"word {word} has the heads {heads}, and a tree has one head for each word")
    arc = {"head": heads[0], "label": graph.edges[heads[0], word].get("label")} if heads else {}
    return Token(**{**graph.nodes[word], **arc})
