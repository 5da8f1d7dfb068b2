from .checkpoints import Checkpoint
from .global_training import GlobalTraining
from .hooks import OnSentence, OnUpdate
from .inputs import ON_ERROR
from .local_training import LocalTraining
from .perceptron import Perceptron
from .records import Epoch, Settings, TrainingError
from .update_rules import UPDATE_RULES, Candidate, SearchStep, UpdateRule
from .updates import IncompleteOracle, Update, subsample

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
