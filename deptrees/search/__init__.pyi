from .beam import Beam, BeamSearch, Derivation, Hypothesis
from .notation import beam_table
from .ranking import BaseRanking, Ranking, Scorer
from .space import Space

__all__ = [
    "BaseRanking",
    "Beam",
    "BeamSearch",
    "Derivation",
    "Hypothesis",
    "Ranking",
    "Scorer",
    "Space",
    "beam_table",
]
