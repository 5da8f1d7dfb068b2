"""How far a tree is from being projective."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from deptrees.messages import of_type
from deptrees.trees.tree import DependencyTree

__all__ = ["crossing_arcs", "crossing_interval_degree", "gap_degree", "is_projective", "non_projective_arcs"]


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


def crossing_interval_degree(tree: DependencyTree) -> int:
    """The least k such that the tree is a k-Crossing Interval tree (Pitler & McDonald 2015).

    Arcs that cross, and all that cross these, and so on, make a crossing interval, from the first of their ends to the
    last. In a k-Crossing Interval tree there are, for each crossing interval, at most k words or ROOT such that

    - each crossed arc in the interval begins or ends at one of them, and
    - they include each word in the interval that has a dependent beyond its own head, which is in the interval, too.

    ROOT stands before the first word. The degree is 0 if the tree is projective, and never 1. In a partially annotated
    tree, an arc that spans the head of its own head counts among those that make intervals, even where it crosses none.

    >>> crossing_interval_degree(DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "discuss"), (1, "about")]))
    2
    >>> crossing_interval_degree(DependencyTree([(3, "a"), (4, "b"), (0, "c"), (1, "d")]))
    3
    """
    of_type("tree", tree, DependencyTree, "a tree")
    crossed = {arc for pair in crossing_arcs(tree) for arc in pair}
    beyond = {(head, word) for head, word in tree.arcs if head and _spans(head, word, tree.heads[head - 1])}
    intervals = _joined(crossed | beyond)
    return max((_fewest_ends(tree, crossed & interval, beyond & interval) for interval in intervals), default=0)


def _spans(head: int, word: int, other: int | None) -> bool:
    return other is not None and min(head, word) < other < max(head, word)


def _joined(arcs: Iterable[tuple[int, int]]) -> list[set[tuple[int, int]]]:
    """Arcs, those together that span a common stretch of the sentence, or are connected by others that do."""
    joined: list[set[tuple[int, int]]] = []
    end = 0
    for arc in sorted(arcs, key=min):
        if not joined or min(arc) >= end:
            joined.append(set())
        joined[-1].add(arc)
        end = max(end, *arc)
    return joined


def _fewest_ends(tree: DependencyTree, crossed: Iterable[tuple[int, int]], beyond: Iterable[tuple[int, int]]) -> int:
    """How many positions it takes to have an end of each crossed arc, and all heads that have one beyond their own."""
    ends = {head for head, _ in beyond}
    for head, word in sorted(crossed, key=lambda arc: len(tree.subtree(arc[1]))):
        if word not in ends:
            ends.add(head)  # which has more arcs than the word, of whose others each has an end by now
    return len(ends)
