"""Against networkx: trees as its directed graphs."""

from __future__ import annotations

import json
from collections.abc import Callable

import networkx as nx
import pytest

from deptrees import DependencyTree, to_conllu
from deptrees.integrations.networkx import from_graph, to_graph
from tests.integrations.sentences import every_text, nasty


@every_text
def test_trees_go_through_graphs(read: Callable[[], list[DependencyTree]]) -> None:
    for tree in read():
        graph = to_graph(tree)
        assert to_conllu(from_graph(graph)) == to_conllu(tree)
        assert {*graph.edges} == {*tree.arcs}
        assert nx.is_arborescence(graph) == tree.is_annotated
        if tree.is_annotated:
            assert all(nx.descendants(graph, head) | {head} == {*tree.subtree(head)} for head in tree.roots)


def test_graphs_go_through_json() -> None:
    for tree in nasty():
        data = json.loads(json.dumps(nx.node_link_data(to_graph(tree), edges="edges")))
        assert from_graph(nx.node_link_graph(data, edges="edges")) == tree


def test_graphs_that_are_no_trees_are_refused() -> None:
    graph = to_graph(DependencyTree([(0, "Go"), (1, "on")]))
    graph.add_edge(0, 2)
    with pytest.raises(ValueError, match=r"word 2 has the heads \[1, 0\], and a tree has one head for each word"):
        from_graph(graph)
    with pytest.raises(ValueError, match=r"nodes are 0 for ROOT and 1 to 1 for the words, not \[0, 2\]"):
        from_graph(nx.DiGraph([(0, 2)]))
