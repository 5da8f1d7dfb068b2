"""A tokenizer: an averaged perceptron that decides where tokens and sentences end, on the compiled core.

It looks at the places of a text at which something may end (`deptrees.tokenizer.places`), from left to right, and at
what it decided at the place before. Multiword tokens are then divided into words by a decision list that is counted
(`deptrees.tokenizer.multiword_rules`).
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
