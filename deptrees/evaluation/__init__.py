"""How well predicted trees agree with gold trees, one file for each metric."""

from deptrees.evaluation.calibration import Reliability, reliability
from deptrees.evaluation.cross_validation import cross_validate, folds
from deptrees.evaluation.pairs import EvaluationError
from deptrees.evaluation.scores import Scores, evaluate, labeled_accuracy, unlabeled_accuracy
from deptrees.evaluation.tags import tag_accuracy

__all__ = [
    "EvaluationError",
    "Reliability",
    "Scores",
    "cross_validate",
    "evaluate",
    "folds",
    "labeled_accuracy",
    "reliability",
    "tag_accuracy",
    "unlabeled_accuracy",
]
