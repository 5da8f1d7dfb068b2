"""The two tiers of tests: the quick one, which `make test` runs, and the exhaustive one of all that is marked as slow.

A test belongs to the quick tier if it takes less than a second of processor time. What takes longer is run with fewer
words, fewer sentences or fewer variants there; no system, no oracle and no kind of check is left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from deptrees.transition import System

__all__ = ["COLLECTED", "OF_THE_EXHAUSTIVE_TIER", "PATIENCE", "at_length", "slow", "variants_slow"]

COLLECTED = pytest.StashKey[list[pytest.Item]]()
"""The tests of both tiers, whichever of them run."""

OF_THE_EXHAUSTIVE_TIER = ("treebanks", "torch", "integration", "mounts", "browser", "processes")
"""The markers of tests of which the quick tier has none."""
PATIENCE = 300
"""The seconds after which what ought to come at once hangs: no machine is so slow."""


def slow(*values: Any) -> Any:
    """Values of parameters that belong to the exhaustive tier."""
    return pytest.param(*values, marks=pytest.mark.slow)


def at_length(*values: Any) -> Any:
    """Values of parameters that take minutes: of neither tier, they are left to the proof (`proof.__main__.exact`)."""
    return pytest.param(*values, marks=[pytest.mark.slow, pytest.mark.proof])


def variants_slow(systems: Iterable[System]) -> list[Any]:
    """Systems as parameters: the first of each class is quick, its variants belong to the exhaustive tier."""
    kinds: set[type[System]] = set()
    parameters: list[Any] = []
    for system in systems:
        parameters.append(slow(system) if type(system) in kinds else system)
        kinds.add(type(system))
    return parameters
