from .divisions import Division, Divisions, division
from .model import FEATURES, Hyperparameters
from .places import Decision
from .tokenizer import Tokenizer

__all__ = [
    "FEATURES",
    "Decision",
    "Division",
    "Divisions",
    "Hyperparameters",
    "Tokenizer",
    "division",
]
