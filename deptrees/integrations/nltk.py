"""NLTK: trees as its dependency graphs."""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter
from typing import Any

from deptrees.extras import require
from deptrees.messages import of_type

require("nltk", "deptrees.integrations.nltk needs NLTK", "nltk")

import attrs
from nltk.parse import DependencyGraph

from deptrees.treebanks.conllu import to_conllu
from deptrees.trees.token import Token
from deptrees.trees.tree import DependencyTree

__all__ = ["from_dependency_graph", "to_dependency_graph"]

_COLUMNS = {"lemma": "lemma", "upos": "ctag", "xpos": "tag", "feats": "feats", "label": "rel"}


def to_dependency_graph(tree: DependencyTree) -> DependencyGraph:
    """A tree as a dependency graph. Its root is the first word below ROOT.

    Raises:
        ValueError: a word has no head, or there are no words.

    >>> graph = to_dependency_graph(DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root")]))
    >>> graph.tree().pformat()
    '(sing Birds)'
    """
    of_type("tree", tree, DependencyTree, "a tree")
    if not len(tree):
        raise ValueError(f"{tree.name} has no words")
    if not tree.is_annotated:
        reason = "has a word without a head, which NLTK leaves out: see deptrees.treebanks.completion"
        raise ValueError(f"{tree.name} {reason}")
    top = tree.labels[tree.roots[0] - 1] or "_"
    words = DependencyTree([attrs.evolve(token, deps=None, misc=None) for token in tree])
    return DependencyGraph(to_conllu(words), cell_separator="\t", top_relation_label=top)


def from_dependency_graph(graph: DependencyGraph) -> DependencyTree:
    """The tree of a dependency graph, one that NLTK has read or found, too.

    Raises:
        TreeError: it is not a tree, or its words are not numbered 1, 2, 3, ...

    >>> tree = DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root")])
    >>> from_dependency_graph(to_dependency_graph(tree)) == tree
    True
    """
    of_type("graph", graph, DependencyGraph, "a dependency graph")
    nodes = (node for node in graph.nodes.values() if node["address"])
    return DependencyTree(map(_token, sorted(nodes, key=itemgetter("address"))))


def _token(node: Mapping[str, Any]) -> Token:
    columns: dict[str, Any] = {column: node[name] or None for column, name in _COLUMNS.items()}
    return Token(node["word"], node["head"], id=node["address"], **columns)
