"""Search: for any system, and for any model that can score configurations."""

from deptrees.search.beam import Beam, BeamSearch, Derivation, Hypothesis
from deptrees.search.ranking import Ranking, Scorer
from deptrees.search.space import Space

__all__ = ["Beam", "BeamSearch", "Derivation", "Hypothesis", "Ranking", "Scorer", "Space"]
