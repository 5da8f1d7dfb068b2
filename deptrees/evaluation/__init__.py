"""How well predicted trees agree with gold trees, one file for each metric."""

from deptrees.evaluation.pairs import EvaluationError
from deptrees.evaluation.scores import Scores, evaluate, labeled_accuracy, unlabeled_accuracy
from deptrees.evaluation.tags import tag_accuracy

__all__ = ["EvaluationError", "Scores", "evaluate", "labeled_accuracy", "tag_accuracy", "unlabeled_accuracy"]
