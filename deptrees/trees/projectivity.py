"""How far a tree is from being projective."""

from __future__ import annotations

from itertools import pairwise

from deptrees.messages import of_type
from deptrees.trees.tree import DependencyTree

__all__ = ["crossing_arcs", "gap_degree", "is_projective", "non_projective_arcs"]


def is_projective(tree: DependencyTree) -> bool:
    """Whether every arc spans only descendants of its head, with ROOT before the first word, in O(n log n) time.

    A partially annotated tree is projective if its missing heads can be chosen so that it becomes projective: no two
    arcs cross, and no arc spans an ancestor of its own head.

    >>> is_projective(DependencyTree([(2, "I"), (0, "left"), (2, "early")]))
    True
    >>> is_projective(DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "discuss"), (1, "about")]))
    False
    """
    of_type("tree", tree, DependencyTree, "a tree")
    return tree._is_projective


def crossing_arcs(tree: DependencyTree) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """The pairs of arcs that cross, each arc as (head, dependent), the one that begins further left first.

    >>> crossing_arcs(DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "discuss"), (1, "about")]))
    [((0, 4), (1, 5))]
    """
    of_type("tree", tree, DependencyTree, "a tree")
    crossing: list[tuple[tuple[int, int], tuple[int, int]]] = []
    still_open: list[tuple[int, int]] = []
    for arc in sorted(tree.arcs, key=min):
        still_open = [other for other in still_open if max(other) > min(arc)]
        crossing += [(other, arc) for other in still_open if min(other) < min(arc) and max(other) < max(arc)]
        still_open.append(arc)
    return crossing


def non_projective_arcs(tree: DependencyTree) -> list[tuple[int, int]]:
    """The arcs that span a word that is not below their head, as (head, dependent), in the order of dependents.

    A fully annotated tree is projective if and only if there are none. Words whose ancestors up to ROOT are not all
    known do not make an arc non-projective.

    >>> non_projective_arcs(DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "discuss"), (1, "about")]))
    [(1, 5)]
    """
    of_type("tree", tree, DependencyTree, "a tree")
    return [
        arc for arc in tree.arcs if any(_is_outside(tree, other, arc[0]) for other in range(min(arc) + 1, max(arc)))
    ]


def _is_outside(tree: DependencyTree, word: int, head: int) -> bool:
    """Whether following the heads leads from a word to ROOT, and not by way of a certain head."""
    ancestor: int | None = word
    while ancestor and ancestor != head:
        ancestor = tree.heads[ancestor - 1]
    return ancestor == 0 != head


def gap_degree(tree: DependencyTree, position: int | None = None) -> int:
    """The number of gaps in a word's subtree, or the largest number in any word's (Sartorio 2015, definition 2.8).

    A fully annotated tree is projective if and only if its gap degree is 0. The position 0 is ROOT.

    >>> tree = DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "discuss"), (1, "about")])
    >>> gap_degree(tree, 1), gap_degree(tree, 4), gap_degree(tree)
    (1, 0, 1)
    """
    of_type("tree", tree, DependencyTree, "a tree")
    if position is None:
        return max(gap_degree(tree, word) for word in range(len(tree) + 1))
    return sum(after - before > 1 for before, after in pairwise(tree.subtree(position)))
