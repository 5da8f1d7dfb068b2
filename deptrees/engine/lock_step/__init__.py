"""Derivations in lock step: many sentences whose configurations are queried, and continue, together."""

from deptrees.engine.lock_step.derivations import Derivations
from deptrees.engine.lock_step.walking import DerivationScorer, walk

__all__ = ["DerivationScorer", "Derivations", "walk"]
