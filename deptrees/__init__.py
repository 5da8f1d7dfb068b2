"""Dependency trees, and transition-based parsing as iteration over immutable configurations."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from deptrees.drawing import draw
    from deptrees.ensemble import Ensemble, TransitionEnsemble
    from deptrees.evaluation import (
        EvaluationError,
        Predictions,
        Scores,
        analyse,
        compare,
        cross_validate,
        evaluate,
        folds,
        labeled_accuracy,
        statistics,
        tag_accuracy,
        unlabeled_accuracy,
    )
    from deptrees.loading import load_parser
    from deptrees.parser import Parser
    from deptrees.pipeline import train_pipeline
    from deptrees.tagger import Tagger
    from deptrees.tokenizer import Tokenizer
    from deptrees.treebanks import (
        ConlluError,
        Treebank,
        TreebankWarning,
        from_conllu,
        sample_treebank,
        to_conllu,
        to_conllx,
        write_treebank,
    )
    from deptrees.treebanks.columns import Columns
    from deptrees.trees import (
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

__version__ = "0.1.0"

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
    "analyse",
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

_PACKAGES = ("deptrees.trees", "deptrees.treebanks", "deptrees.drawing", "deptrees.evaluation")
_WHERE = {
    "Columns": "deptrees.treebanks.columns",
    "Ensemble": "deptrees.ensemble",
    "Parser": "deptrees.parser",
    "Tagger": "deptrees.tagger",
    "Tokenizer": "deptrees.tokenizer",
    "TransitionEnsemble": "deptrees.ensemble",
    "load_parser": "deptrees.loading",
    "train_pipeline": "deptrees.pipeline",
}
"""The modules of the names that are not in one of the packages: they need NumPy or the engine."""


def __getattr__(name: str) -> Any:
    """A name, imported on first use, so that start-up is short and Ctrl-C ends a command in its first moments."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    modules = map(import_module, [_WHERE[name]] if name in _WHERE else _PACKAGES)
    return next(getattr(module, name) for module in modules if name in module.__all__)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
