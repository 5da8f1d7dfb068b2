"""Search: for any system, and for any model that can score configurations."""

from deptrees.search.beam import Beam, BeamSearch, Derivation, Hypothesis, beam_table
from deptrees.search.ranking import BaseRanking, Ranking, Scorer
from deptrees.search.space import Space
from deptrees.search.voting import VotedRanking

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
    "beam_table",
]
