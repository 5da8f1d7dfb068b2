"""How well predicted trees agree with gold trees, one metric a file."""

from deptrees.evaluation.scores import EvaluationError, Scores, evaluate, labeled_accuracy, unlabeled_accuracy

__all__ = ["EvaluationError", "Scores", "evaluate", "labeled_accuracy", "unlabeled_accuracy"]
