from .edit_scripts import EditScript, edit_script
from .hyperparameters import FEATURES, Hyperparameters
from .jackknifing import jackknifed
from .tagger import Tagger

__all__ = [
    "FEATURES",
    "EditScript",
    "Hyperparameters",
    "Tagger",
    "edit_script",
    "jackknifed",
]
