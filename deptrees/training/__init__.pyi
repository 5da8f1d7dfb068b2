from .checkpoints import Checkpoint
from .global_training import GlobalTraining
from .inputs import ON_ERROR
from .local_training import LocalTraining
from .options import LinearOptions, Options, ParserOptions
from .perceptron import Perceptron
from .records import Epoch, TrainingError
from .update_rules import UPDATE_RULES, Candidate, SearchStep, UpdateRule
from .updates import IncompleteOracle, OnSentence, OnUpdate, Update, subsample

__all__ = [
    "ON_ERROR",
    "UPDATE_RULES",
    "Candidate",
    "Checkpoint",
    "Epoch",
    "GlobalTraining",
    "IncompleteOracle",
    "LinearOptions",
    "LocalTraining",
    "OnSentence",
    "OnUpdate",
    "Options",
    "ParserOptions",
    "Perceptron",
    "SearchStep",
    "TrainingError",
    "Update",
    "UpdateRule",
    "subsample",
]
