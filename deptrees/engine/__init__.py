"""The batch engine: parsing, training and oracles over whole treebanks, compiled.

It runs the same rows of a system's table (`deptrees.transition.table`) as the functional layer, on arrays instead of
immutable configurations; tests check that both give the same results. A treebank is encoded once (``Columns``); then it
can be trained on (``train``), parsed (``Model.parse``) and turned into arrays for other learners (``batches``).
Everything that the engine cannot run goes through the functional layer, with the same calls.
"""

from deptrees.engine.batches import Batch, batches, count_collisions
from deptrees.engine.core import EngineError, EngineNotInstalled
from deptrees.engine.lock_step import Derivations, explore
from deptrees.engine.model import Model
from deptrees.engine.shape import Shape
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
