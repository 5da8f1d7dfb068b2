from .batch import Batch, batches
from .core import EngineError, EngineNotInstalled
from .finding import AnyModel, Found, SearchOptions, read_model
from .incremental import Increment, IncrementalParse
from .lock_step import Derivations, walk
from .mixing import mix
from .model import Model
from .spec import ModelSpec
from .stepwise.model import StepwiseModel
from .stepwise.trainer import StepwiseTrainer, train, trainer_for
from .trainer import AnyTrainer, StepwiseWarning, Trainer

__all__ = [
    "AnyModel",
    "AnyTrainer",
    "Batch",
    "Derivations",
    "EngineError",
    "EngineNotInstalled",
    "Found",
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
    "mix",
    "read_model",
    "train",
    "trainer_for",
    "walk",
]
