"""Heads for words that have none."""

from __future__ import annotations

from deptrees.trees.tree import DependencyTree

__all__ = ["completed"]


def completed(tree: DependencyTree, root_label: str | None = "root", label: str | None = "dep") -> DependencyTree:
    """The tree with a head for every word, for programs that need one; existing heads and labels stay.

    A word without a head becomes a dependent of the first word below ROOT. If there is none, the first word without a
    head becomes that word.

    Args:
        tree: the tree.
        root_label: the label of an added arc from ROOT.
        label: the label of any other added arc; in Universal Dependencies, ``dep`` is an unspecified relation.

    >>> tree = DependencyTree([(None, "Well"), (3, "birds", "nsubj"), (None, "sing"), (None, "!")])
    >>> completed(tree)
    DependencyTree([(0, 'Well', 'root'), (3, 'birds', 'nsubj'), (1, 'sing', 'dep'), (1, '!', 'dep')])
    >>> completed(completed(tree)) == completed(tree)
    True
    """
    if tree.is_annotated:
        return tree
    top = tree.roots[0] if tree.roots else tree.heads.index(None) + 1
    heads, labels = list(tree.heads), list(tree.labels)
    for word, head in enumerate(tree.heads, 1):
        if head is None:
            heads[word - 1], labels[word - 1] = (0, root_label) if word == top else (top, label)
    return tree.reattach(heads, labels)
