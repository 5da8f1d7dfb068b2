"""What the list-based systems have in common: b0, the front of the buffer, meets the elements before it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence

from deptrees.transition.systems.explicit import StepwiseConfiguration
from deptrees.transition.transitions import ArcTransition, LeftArc, NoArc, RightArc, Shift, Transition

__all__ = ["ListsConfiguration"]


class ListsConfiguration(StepwiseConfiguration):
    """A configuration with two lists and a buffer: b0 now meets i, the last element of λ1."""

    __slots__ = ()

    _split: int  # how many elements are in λ1
    _front: int  # b0, or one more than there are words

    @property
    def _greatest_k(self) -> int:
        """How many elements of λ1, from its end, an arc can connect with b0."""
        return 1

    @property
    @abstractmethod
    def list1(self) -> tuple[int, ...]:
        """The list λ1 of what b0 has not met yet, what it meets now last."""

    @property
    @abstractmethod
    def list2(self) -> tuple[int, ...]:
        """The list λ2 of what b0 has met, in the order of the sentence."""

    @property
    @abstractmethod
    def _i(self) -> int:
        """What b0 meets now; λ1 is not empty."""

    @abstractmethod
    def _missing_between(self, transition: Transition) -> str | None:
        """The first precondition of an arc between i and b0, or of NoArc, that does not hold."""

    @property
    def buffer(self) -> tuple[int, ...]:
        """The buffer, its front first."""
        return tuple(range(self._front, len(self.tokens) + 1))

    @property
    def is_final(self) -> bool:
        return self._front > len(self.tokens)

    def neighbors(self, k: int = 1) -> tuple[Sequence[int], Sequence[int]]:
        return self.list1[::-1], self.buffer

    def arc(self, transition: ArcTransition) -> tuple[int, int]:
        return (self._front, self._i) if isinstance(transition, LeftArc) else (self._i, self._front)

    def missing(self, transition: Transition) -> str | None:
        if not isinstance(transition, (LeftArc, RightArc, NoArc, Shift)):
            return "it belongs to this system"
        if self.is_final:
            return "β ≠ []"
        if isinstance(transition, Shift):
            return None
        if not self._split:
            return "λ1 ≠ []"
        if isinstance(transition, ArcTransition) and transition.k != 1 and not 1 <= transition.k <= self._greatest_k:
            return "k = 1" if self._greatest_k == 1 else f"1 ≤ k ≤ {self._greatest_k}"
        return self._missing_between(transition)

    @property
    def parts(self) -> Mapping[str, object]:
        return {"λ1": self.list1, "λ2": self.list2, "β": self.buffer}
