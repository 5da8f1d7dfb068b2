"""The batch engine: parsing, training and oracles over whole treebanks, compiled.

It runs the rows of a system's table (`deptrees.transition.table`), the same that the functional layer runs, on arrays
instead of immutable configurations; tests hold the two equal. A treebank is encoded once (``Columns``); then it can be
trained on (``train``), parsed (``Model.parse``) and turned into arrays for other ways of learning (``batches``).
"""

from deptrees.engine.columns import Columns
from deptrees.engine.model import Model, ModelError, Shape
from deptrees.engine.program import EngineError
from deptrees.engine.training import Batch, Epoch, Trainer, TrainingError, batches, count_collisions, train

__all__ = [
    "Batch",
    "Columns",
    "EngineError",
    "Epoch",
    "Model",
    "ModelError",
    "Shape",
    "Trainer",
    "TrainingError",
    "batches",
    "count_collisions",
    "train",
]
