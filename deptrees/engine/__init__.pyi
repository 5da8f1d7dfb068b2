from .batch import Batch, batches
from .core import EngineError, EngineNotInstalled
from .finding import SearchOptions
from .incremental import Increment, IncrementalParse
from .lock_step import Derivations, walk
from .model import Model
from .spec import ModelSpec
from .stepwise.model import StepwiseModel
from .stepwise.trainer import StepwiseTrainer, train
from .trainer import StepwiseWarning, Trainer

__all__ = [
    "Batch",
    "Derivations",
    "EngineError",
    "EngineNotInstalled",
    "Increment",
    "IncrementalParse",
    "Model",
    "ModelSpec",
    "SearchOptions",
    "StepwiseModel",
    "StepwiseTrainer",
    "StepwiseWarning",
    "Trainer",
    "batches",
    "train",
    "walk",
]
