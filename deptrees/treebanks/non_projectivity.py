"""How much of a treebank is not projective."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from deptrees.trees.projectivity import non_projective_arcs
from deptrees.trees.tree import DependencyTree

__all__ = ["NonProjectivity", "non_projectivity"]


@attrs.frozen
class NonProjectivity:
    """Counts of trees and arcs, and of those that are not projective.

    Args:
        trees: the trees.
        non_projective_trees: those with a non-projective arc.
        arcs: the arcs, those from ROOT included.
        non_projective_arcs: those that span a word that is no descendant of their head.
    """

    trees: int
    non_projective_trees: int
    arcs: int
    non_projective_arcs: int

    @property
    def share_of_trees(self) -> float:
        """The share of trees with a non-projective arc (not a number if there are no trees)."""
        return self.non_projective_trees / self.trees if self.trees else float("nan")

    @property
    def share_of_arcs(self) -> float:
        """The share of arcs that are not projective (not a number if there are none)."""
        return self.non_projective_arcs / self.arcs if self.arcs else float("nan")


def non_projectivity(trees: Iterable[DependencyTree]) -> NonProjectivity:
    """Count the trees and the arcs of a treebank that are not projective.

    Args:
        trees: the treebank, read once.

    >>> from deptrees import DependencyTree
    >>> birds = DependencyTree([(2, "Birds"), (0, "sing")])
    >>> crossing = DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "talk"), (1, "about")])
    >>> found = non_projectivity([birds, crossing])
    >>> found
    NonProjectivity(trees=2, non_projective_trees=1, arcs=7, non_projective_arcs=1)
    >>> found.share_of_trees
    0.5
    """
    counts = [(len(tree.arcs), len(non_projective_arcs(tree))) for tree in trees]
    return NonProjectivity(
        trees=len(counts),
        non_projective_trees=sum(found > 0 for _, found in counts),
        arcs=sum(arcs for arcs, _ in counts),
        non_projective_arcs=sum(found for _, found in counts),
    )
