"""Search and training strategies: for any system, and for any model that can score configurations."""

from deptrees.search.beam import Beam, BeamSearch, Derivation, Hypothesis
from deptrees.search.global_training import GlobalTraining
from deptrees.search.local_training import LocalTraining
from deptrees.search.ranking import Ranking, Scorer
from deptrees.search.space import Space
from deptrees.search.updates import IncompleteOracle, Update, subsample

__all__ = [
    "Beam",
    "BeamSearch",
    "Derivation",
    "GlobalTraining",
    "Hypothesis",
    "IncompleteOracle",
    "LocalTraining",
    "Ranking",
    "Scorer",
    "Space",
    "Update",
    "subsample",
]
