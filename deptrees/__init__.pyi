from .drawing import draw
from .evaluation import (
    EvaluationError,
    Predictions,
    Scores,
    analyze,
    compare,
    cross_validate,
    evaluate,
    folds,
    labeled_accuracy,
    statistics,
    tag_accuracy,
    unlabeled_accuracy,
)
from .parser import Parser, load_parser
from .pipeline import train_pipeline
from .tagger import Tagger
from .tokenizer import Tokenizer
from .treebanks import (
    ConlluError,
    Treebank,
    TreebankWarning,
    from_conllu,
    sample_treebank,
    to_conllu,
    to_conllx,
    write_treebank,
)
from .treebanks.columns import Columns
from .trees import (
    ROOT,
    DependencyTree,
    Token,
    TreeError,
    all_trees,
    crossing_arcs,
    deprojectivize,
    gap_degree,
    is_projective,
    non_projective_arcs,
    projective_trees,
    projectivize,
    random_projective_tree,
)
from .voting import Ensemble, TransitionEnsemble

__version__: str

__all__ = [
    "ROOT",
    "Columns",
    "ConlluError",
    "DependencyTree",
    "Ensemble",
    "EvaluationError",
    "Parser",
    "Predictions",
    "Scores",
    "Tagger",
    "Token",
    "Tokenizer",
    "TransitionEnsemble",
    "TreeError",
    "Treebank",
    "TreebankWarning",
    "all_trees",
    "analyze",
    "compare",
    "cross_validate",
    "crossing_arcs",
    "deprojectivize",
    "draw",
    "evaluate",
    "folds",
    "from_conllu",
    "gap_degree",
    "is_projective",
    "labeled_accuracy",
    "load_parser",
    "non_projective_arcs",
    "projective_trees",
    "projectivize",
    "random_projective_tree",
    "sample_treebank",
    "statistics",
    "tag_accuracy",
    "to_conllu",
    "to_conllx",
    "train_pipeline",
    "unlabeled_accuracy",
    "write_treebank",
]
