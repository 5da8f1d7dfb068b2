"""The batch engine: parsing, training and oracles over whole treebanks, compiled.

It runs the same rows of a system's table (`deptrees.transition.table`) as the functional layer, on arrays instead of
immutable configurations; tests check that both give the same results. A treebank is encoded once (``Columns``); then it
can be trained on (``train``), parsed (``Model.parse``) and turned into arrays for other learners (``batches``).
Everything that the engine cannot run goes through the functional layer, with the same calls.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
