"""One sentence: tokens, trees, graphs, projectivity, enumeration, and trees of least cost or highest score."""

from deptrees.trees.enumeration import all_trees, projective_trees, random_projective_tree
from deptrees.trees.graph import DependencyGraph, GraphError
from deptrees.trees.projectivity import (
    crossing_arcs,
    crossing_interval_degree,
    gap_degree,
    is_projective,
    non_projective_arcs,
)
from deptrees.trees.pseudo_projectivity import deprojectivize, projectivize
from deptrees.trees.token import ROOT, Token, TokenRecord
from deptrees.trees.tree import DependencyTree, TreeError, TreeRecord

__all__ = [
    "ROOT",
    "DependencyGraph",
    "DependencyTree",
    "GraphError",
    "Token",
    "TokenRecord",
    "TreeError",
    "TreeRecord",
    "all_trees",
    "crossing_arcs",
    "crossing_interval_degree",
    "deprojectivize",
    "gap_degree",
    "is_projective",
    "non_projective_arcs",
    "projective_trees",
    "projectivize",
    "random_projective_tree",
]
