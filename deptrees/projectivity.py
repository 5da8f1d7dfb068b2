"""How far a tree is from being projective."""

from __future__ import annotations

from itertools import pairwise

from deptrees.tree import DependencyTree

__all__ = ["crossing_arcs", "gap_degree", "is_projective"]


def is_projective(tree: DependencyTree) -> bool:
    """Whether every arc spans only descendants of its head, ROOT standing before the first word.

    A partially annotated tree is projective if its missing heads can be chosen so that it becomes projective: no two
    arcs cross, and no arc spans an ancestor of its own head. Takes O(n log n) time.

    >>> is_projective(DependencyTree([(2, "I"), (0, "left"), (2, "early")]))
    True
    >>> is_projective(DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "discuss"), (1, "about")]))
    False
    """
    heads = tree.heads
    opening: list[list[int]] = [[] for _ in range(len(heads) + 1)]
    for word, head in enumerate(heads, 1):
        if head is not None:
            opening[min(word, head)].append(max(word, head))
    open_ends: list[tuple[int, int]] = []  # (right end, left end) of the arcs that are open, the innermost last
    for position, right_ends in enumerate(opening):
        while open_ends and open_ends[-1][0] <= position:
            open_ends.pop()
        if open_ends and position and heads[position - 1] is None:
            # An arc of the word's own tree goes over it: there is no head left to give it.
            if _topmost(open_ends[-1][1], heads) == position:
                return False
        for right_end in sorted(right_ends, reverse=True):
            if open_ends and open_ends[-1][0] < right_end:
                return False
            open_ends.append((right_end, position))
    return True


def _topmost(word: int, heads: tuple[int | None, ...]) -> int:
    """The last ancestor that following the heads reaches."""
    while word and (head := heads[word - 1]) is not None:
        word = head
    return word


def crossing_arcs(tree: DependencyTree) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """The pairs of arcs that cross, each arc as (head, dependent), the arc that begins first in front.

    >>> crossing_arcs(DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "discuss"), (1, "about")]))
    [((0, 4), (1, 5))]
    """
    crossing, still_open = [], []
    for arc in sorted(tree.arcs, key=min):
        still_open = [other for other in still_open if max(other) > min(arc)]
        crossing += [(other, arc) for other in still_open if min(other) < min(arc) and max(other) < max(arc)]
        still_open.append(arc)
    return crossing


def gap_degree(tree: DependencyTree, position: int | None = None) -> int:
    """The number of gaps in a word's subtree, or the largest number in any word's (Sartorio 2015, definition 2.8).

    A subtree that is a contiguous part of the sentence has gap degree 0. A fully annotated tree is projective if and
    only if its gap degree is 0.

    Args:
        tree: the tree.
        position: a word, or 0 for ROOT; ``None`` for the whole tree.

    >>> tree = DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "discuss"), (1, "about")])
    >>> gap_degree(tree, 1), gap_degree(tree, 4), gap_degree(tree)
    (1, 0, 1)
    """
    if position is None:
        return max(gap_degree(tree, word) for word in range(len(tree) + 1))
    return sum(after - before > 1 for before, after in pairwise(tree.subtree(position)))
