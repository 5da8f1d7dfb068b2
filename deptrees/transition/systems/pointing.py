"""What the two pointing systems have in common: each transition points at an element of the sentence."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import attrs

from deptrees.transition.systems.explicit import ExplicitConfiguration, ExplicitSystem

__all__ = ["PointingConfiguration", "PointingSystem"]


@attrs.frozen(repr=False)
class PointingSystem(ExplicitSystem):
    """A system in which one word is in turn, and k says at which element of the sentence it points."""

    can_have_single_root = True

    single_root: bool = attrs.field(default=False, kw_only=True)

    @property
    def has_any_k(self) -> bool:
        return True


class PointingConfiguration(ExplicitConfiguration):
    """A configuration in which one word points."""

    __slots__ = ()

    @abstractmethod
    def pair(self, k: int) -> tuple[int, int]:
        """The element that is in turn, and the one at which it points with this k."""

    def neighbors(self, k: int = 1) -> tuple[Sequence[int], Sequence[int]]:
        """The pair that k stands for, s0 and b0; s1 and b1 are the words before these two, s2 and b2 those after."""
        one, other = self.pair(k)
        return self._with_words_beside(one), self._with_words_beside(other)

    def _with_words_beside(self, element: int) -> tuple[int, int, int]:
        return element, element - 1, element + 1 if element < len(self.heads) else -1
