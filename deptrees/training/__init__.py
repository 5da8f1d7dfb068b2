"""Training strategies, for any system and for any model that can score configurations, and the readable perceptron."""

from deptrees.training.checkpoints import Checkpoint
from deptrees.training.global_training import GlobalTraining
from deptrees.training.hooks import OnSentence, OnUpdate
from deptrees.training.local_training import ON_ERROR, LocalTraining
from deptrees.training.perceptron import Perceptron
from deptrees.training.records import Epoch, Settings, TrainingError
from deptrees.training.update_rules import UPDATE_RULES, Candidate, SearchStep, UpdateRule
from deptrees.training.updates import IncompleteOracle, Update, subsample

__all__ = [
    "ON_ERROR",
    "UPDATE_RULES",
    "Candidate",
    "Checkpoint",
    "Epoch",
    "GlobalTraining",
    "IncompleteOracle",
    "LocalTraining",
    "OnSentence",
    "OnUpdate",
    "Perceptron",
    "SearchStep",
    "Settings",
    "TrainingError",
    "Update",
    "UpdateRule",
    "subsample",
]
