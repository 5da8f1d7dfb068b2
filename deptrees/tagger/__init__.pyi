from .column_model import ColumnModel
from .edit_scripts import EditScript, edit_script
from .hyperparameters import FEATURES, Hyperparameters
from .jackknifing import jackknifed
from .lemmatizer import Lemmatizer
from .lexicon import Lexicon
from .tag_sets import TagSet
from .tagger import Tagger

__all__ = [
    "FEATURES",
    "ColumnModel",
    "EditScript",
    "Hyperparameters",
    "Lemmatizer",
    "Lexicon",
    "TagSet",
    "Tagger",
    "edit_script",
    "jackknifed",
]
