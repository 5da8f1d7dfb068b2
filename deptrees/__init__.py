"""Dependency trees, and transition-based parsing as iteration over immutable configurations."""

from deptrees.conllu import ConlluError, to_conllu, to_conllx
from deptrees.draw import draw
from deptrees.enumeration import all_trees, projective_trees, random_projective_tree
from deptrees.evaluation import EvaluationError, Scores, evaluate, labeled_accuracy, unlabeled_accuracy
from deptrees.projectivity import crossing_arcs, gap_degree, is_projective
from deptrees.pseudo_projectivity import deprojectivize, projectivize
from deptrees.token import ROOT, Token
from deptrees.tree import DependencyTree, TreeError
from deptrees.treebank import Treebank, TreebankWarning, sample_treebank, write_treebank

__version__ = "0.1.0"

__all__ = [
    "ROOT",
    "ConlluError",
    "DependencyTree",
    "EvaluationError",
    "Scores",
    "Token",
    "TreeError",
    "Treebank",
    "TreebankWarning",
    "all_trees",
    "crossing_arcs",
    "deprojectivize",
    "draw",
    "evaluate",
    "gap_degree",
    "is_projective",
    "labeled_accuracy",
    "projective_trees",
    "projectivize",
    "random_projective_tree",
    "sample_treebank",
    "to_conllu",
    "to_conllx",
    "unlabeled_accuracy",
    "write_treebank",
]
