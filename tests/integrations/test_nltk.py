"""Against NLTK: trees as its dependency graphs."""

from __future__ import annotations

from collections.abc import Callable

import attrs
import pytest
from more_itertools import flatten
from nltk.parse import DependencyGraph

from deptrees import DependencyTree, to_conllu
from deptrees.integrations.nltk import from_dependency_graph, to_dependency_graph
from tests.integrations.sentences import every_text


def held(tree: DependencyTree) -> DependencyTree:
    """What a dependency graph can hold of a tree."""
    return DependencyTree(attrs.evolve(token, deps=None, misc=None) for token in tree)


@every_text
def test_trees_go_through_dependency_graphs(read: Callable[[], list[DependencyTree]]) -> None:
    for tree in filter(lambda tree: tree.is_annotated, read()):
        graph = to_dependency_graph(tree)
        assert to_conllu(from_dependency_graph(graph)) == to_conllu(held(tree))
        assert graph.root["address"] == tree.roots[0]
        dependents = {head: flatten(graph.nodes[head]["deps"].values()) for head in graph.nodes}
        assert {(head, word) for head, words in dependents.items() for word in words} == {*tree.arcs}


def test_graphs_that_nltk_has_read() -> None:
    graph = DependencyGraph("Pierre NNP 2 NMOD\nVinken NNP 3 SUB\nis VBZ 0 ROOT\n")
    tree = from_dependency_graph(graph)
    assert (tree.heads, tree.labels) == ((2, 3, 0), ("NMOD", "SUB", "ROOT"))
    assert tree[1].xpos == "NNP"
    assert tree[1].feats is None
    assert to_dependency_graph(tree).to_conll(4) == graph.to_conll(4)
    assert [*to_dependency_graph(tree).triples()] == [*graph.triples()]


def test_words_without_a_head_are_refused() -> None:
    with pytest.raises(ValueError, match="sentence 'Go on' has a word without a head, which NLTK leaves out"):
        to_dependency_graph(DependencyTree([(0, "Go"), (None, "on")]))
