from .divider import Divider
from .divisions import Division, End, division
from .model import FEATURES, Hyperparameters
from .places import Decision
from .tokenizer import Tokenizer

__all__ = [
    "FEATURES",
    "Decision",
    "Divider",
    "Division",
    "End",
    "Hyperparameters",
    "Tokenizer",
    "division",
]
