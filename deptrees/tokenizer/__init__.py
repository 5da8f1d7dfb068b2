"""A tokenizer: an averaged perceptron that decides where tokens and sentences end, on the compiled core.

It looks at the places of a text at which something may end (`deptrees.tokenizer.places`), from left to right, and at
what it decided at the place before. Tokens are then divided into words: known ones as the treebank does, others as a
second perceptron scores their division (`deptrees.tokenizer.divider`).
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
