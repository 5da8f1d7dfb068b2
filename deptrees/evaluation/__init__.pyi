from .analysis import analyze, confusions, precision_and_recall
from .calibration import Reliability, reliability
from .comparison import compare, most_different
from .corpus_statistics import statistics
from .cross_validation import cross_validate, folds
from .diagnosis import diagnose
from .enhanced import enhanced_counts, evaluate_enhanced
from .pages import drawn_sentences
from .pairs import EvaluationError
from .plots import plot
from .predictions import Predictions
from .scores import Scores, evaluate, labeled_accuracy, unlabeled_accuracy
from .significance import SentenceCounts, confidence_intervals, paired_test
from .tables import Column, Table
from .tags import tag_accuracy
from .ud import evaluate_ud, ud_counts

__all__ = [
    "Column",
    "EvaluationError",
    "Predictions",
    "Reliability",
    "Scores",
    "SentenceCounts",
    "Table",
    "analyze",
    "compare",
    "confidence_intervals",
    "confusions",
    "cross_validate",
    "diagnose",
    "drawn_sentences",
    "enhanced_counts",
    "evaluate",
    "evaluate_enhanced",
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
