"""A tokenizer: an averaged perceptron that decides where tokens and sentences end, on the compiled core.

It looks at the places of a text at which something may end (`deptrees.tokenizer.places`), from left to right, and at
what it decided at the place before. Words of multiword tokens are made by edit scripts, as lemmas are.
"""

from deptrees.tokenizer.model import FEATURES, Decision, Hyperparameters
from deptrees.tokenizer.tokenizer import Tokenizer

__all__ = ["FEATURES", "Decision", "Hyperparameters", "Tokenizer"]
