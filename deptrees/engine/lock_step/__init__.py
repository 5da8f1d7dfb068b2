"""Derivations in lock step: many sentences whose configurations are queried, and continue, together."""

from deptrees.engine.lock_step.derivations import Derivations
from deptrees.engine.lock_step.exploring import Scorer, explore

__all__ = ["Derivations", "Scorer", "explore"]
