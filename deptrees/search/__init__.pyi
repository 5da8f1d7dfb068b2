from .beam import Beam, BeamSearch, Derivation, Hypothesis
from .notation import beam_table
from .ranking import BaseRanking, Ranking, Scorer
from .space import Space
from .voting import VotedRanking
from .weighted import WeightedSet

__all__ = [
    "BaseRanking",
    "Beam",
    "BeamSearch",
    "Derivation",
    "Hypothesis",
    "Ranking",
    "Scorer",
    "Space",
    "VotedRanking",
    "WeightedSet",
    "beam_table",
]
