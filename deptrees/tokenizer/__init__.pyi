from .divider import Divider
from .divisions import Division, division
from .model import FEATURES, Hyperparameters
from .tokenizer import Tokenizer

__all__ = [
    "FEATURES",
    "Divider",
    "Division",
    "Hyperparameters",
    "Tokenizer",
    "division",
]
