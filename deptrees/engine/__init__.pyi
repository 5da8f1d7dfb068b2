from .batch import Batch, batches, count_collisions
from .core import EngineError, EngineNotInstalled
from .lock_step import Derivations, explore
from .mixing import mix
from .model import Model
from .shape import Shape
from .stepwise.model import StepwiseModel, read_model
from .stepwise.trainer import StepwiseTrainer, train, trainer_for
from .trainer import AnyTrainer, Trainer

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
    "mix",
    "read_model",
    "train",
    "trainer_for",
]
