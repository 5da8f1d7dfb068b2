from .batch import Batch, batches
from .core import EngineError, EngineNotInstalled
from .lock_step import Derivations, walk
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
    "read_model",
    "train",
    "trainer_for",
    "walk",
]
