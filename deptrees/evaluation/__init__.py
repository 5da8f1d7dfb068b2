"""How well predicted trees agree with gold trees, one file for each metric."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from deptrees.evaluation.calibration import Reliability, reliability
from deptrees.evaluation.cross_validation import cross_validate, folds
from deptrees.evaluation.pairs import EvaluationError
from deptrees.evaluation.scores import Scores, evaluate, labeled_accuracy, unlabeled_accuracy
from deptrees.evaluation.tables import Column, Table
from deptrees.evaluation.tags import tag_accuracy

if TYPE_CHECKING:
    from deptrees.evaluation.analysis import analyse, confusions, precision_and_recall
    from deptrees.evaluation.comparison import compare, most_different
    from deptrees.evaluation.corpus_statistics import statistics
    from deptrees.evaluation.pages import drawn_sentences
    from deptrees.evaluation.plots import plot
    from deptrees.evaluation.predictions import Predictions
    from deptrees.evaluation.significance import SentenceCounts, confidence_intervals, paired_test
    from deptrees.evaluation.ud import evaluate_ud, ud_counts

__all__ = [
    "Column",
    "EvaluationError",
    "Predictions",
    "Reliability",
    "Scores",
    "SentenceCounts",
    "Table",
    "analyse",
    "compare",
    "confidence_intervals",
    "confusions",
    "cross_validate",
    "drawn_sentences",
    "evaluate",
    "evaluate_ud",
    "folds",
    "labeled_accuracy",
    "most_different",
    "paired_test",
    "plot",
    "precision_and_recall",
    "reliability",
    "statistics",
    "tag_accuracy",
    "ud_counts",
    "unlabeled_accuracy",
]

_WHERE = {
    "Predictions": "predictions",
    "analyse": "analysis",
    "compare": "comparison",
    "SentenceCounts": "significance",
    "confidence_intervals": "significance",
    "confusions": "analysis",
    "drawn_sentences": "pages",
    "evaluate_ud": "ud",
    "most_different": "comparison",
    "paired_test": "significance",
    "plot": "plots",
    "precision_and_recall": "analysis",
    "statistics": "corpus_statistics",
    "ud_counts": "ud",
}
"""The modules of the names that need numpy or drawings; they are imported on first use."""


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
