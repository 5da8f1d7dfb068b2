from .model import FEATURES, Hyperparameters
from .multiword_rules import Division, MultiwordRules, division
from .places import Decision
from .tokenizer import Tokenizer

__all__ = [
    "FEATURES",
    "Decision",
    "Division",
    "Hyperparameters",
    "MultiwordRules",
    "Tokenizer",
    "division",
]
