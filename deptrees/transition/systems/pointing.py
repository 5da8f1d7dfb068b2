"""What the pointing systems have in common: each transition points at an element of the sentence."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import lru_cache

from deptrees.transition.systems.explicit import StepwiseConfiguration
from deptrees.transition.transitions import Attach, Reduce, Transition

__all__ = ["PointingConfiguration", "pointing_at"]


class PointingConfiguration(StepwiseConfiguration):
    """A configuration in which one word is in turn, and k says at which element of the sentence it points."""

    __slots__ = ()

    @abstractmethod
    def pair(self, k: int) -> tuple[int, int]:
        """The element that is in turn, and the one at which it points with this k."""

    def neighbors(self, k: int = 1) -> tuple[Sequence[int], Sequence[int]]:
        """The pair that k stands for, s0 and b0; s1 and b1 are the words before these two, s2 and b2 those after."""
        n = len(self.tokens)
        one, other = [(element, element - 1, element + 1 if element < n else -1) for element in self.pair(k)]
        return one, other


@lru_cache(maxsize=1 << 12)
def pointing_at(attached: tuple[int, ...], reduced: int | None = None) -> tuple[Transition, ...]:
    """Attach and Reduce with these k: always the same objects, which are quickly found again where they were seen."""
    return (*[Attach(k=k) for k in attached], *([] if reduced is None else [Reduce(k=reduced)]))
