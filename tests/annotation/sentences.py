"""Sentences to annotate."""

from __future__ import annotations

from deptrees import DependencyTree
from deptrees.annotation import AnnotatedSentence
from deptrees.treebanks.conllu import to_conllu

__all__ = ["sentence_of", "without_arcs"]


def sentence_of(tree: DependencyTree) -> AnnotatedSentence:
    """A sentence in which all that a tree has is decided."""
    return AnnotatedSentence(tuple(to_conllu(tree).rstrip("\n").split("\n")))


def without_arcs(tree: DependencyTree) -> DependencyTree:
    """A tree of which nothing is known but the words."""
    return tree.reattach([None] * len(tree), [None] * len(tree))
