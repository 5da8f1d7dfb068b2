"""The batch engine: parsing, training and oracles over whole treebanks, compiled.

It runs the rows of a system's table (`deptrees.transition.table`), the same that the functional layer runs, on arrays
instead of immutable configurations; tests check that both give the same. A treebank is encoded once (``Columns``); then
it can be trained on (``train``), parsed (``Model.parse``) and turned into arrays for other ways of learning
(``batches``). What it cannot run goes through the functional layer, with the same calls.
"""

from deptrees.engine.batches import Batch, batches, count_collisions
from deptrees.engine.core import EngineError, EngineNotInstalled
from deptrees.engine.lock_step import Derivations, explore
from deptrees.engine.model import Model, Shape
from deptrees.engine.stepwise import StepwiseModel, StepwiseTrainer, read_model, train, trainer_for
from deptrees.engine.trainer import AnyTrainer, Trainer

__all__ = [
    "AnyTrainer",
    "Batch",
    "Derivations",
    "EngineError",
    "EngineNotInstalled",
    "Model",
    "Shape",
    "StepwiseModel",
    "StepwiseTrainer",
    "Trainer",
    "batches",
    "count_collisions",
    "explore",
    "read_model",
    "train",
    "trainer_for",
]
