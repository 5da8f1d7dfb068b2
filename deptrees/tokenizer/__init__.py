"""A tokenizer: an averaged perceptron that decides where tokens and sentences end, on the compiled core.

It looks at the places of a text at which something may end (`deptrees.tokenizer.places`), from left to right, and at
what it decided at the place before. Multiword tokens are then divided into words by a decision list that is counted
(`deptrees.tokenizer.divisions`).
"""

from deptrees.tokenizer.divisions import Division, Divisions, division
from deptrees.tokenizer.model import FEATURES, Hyperparameters
from deptrees.tokenizer.places import Decision
from deptrees.tokenizer.tokenizer import Tokenizer

__all__ = ["FEATURES", "Decision", "Division", "Divisions", "Hyperparameters", "Tokenizer", "division"]
