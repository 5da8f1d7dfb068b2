from .enumeration import all_trees, projective_trees, random_projective_tree
from .graph import DependencyGraph, GraphError
from .projectivity import crossing_arcs, crossing_interval_degree, gap_degree, is_projective, non_projective_arcs
from .pseudo_projectivity import deprojectivize, projectivize
from .token import ROOT, Token, TokenRecord
from .tree import DependencyTree, TreeError, TreeRecord

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
