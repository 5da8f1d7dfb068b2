"""A configuration in which words swap, written down as a sequence, with the target arcs to be built from it."""

from __future__ import annotations

from collections.abc import Sequence

from deptrees.transition.losses.target_arcs import TargetArcs
from deptrees.transition.table import B0, Place

__all__ = ["Arrangement"]


class Arrangement:
    """The stack from its bottom to its top, then the buffer. Sets of words are the bits of integers.

    Args:
        stack: the stack.
        buffer: the buffer.
        targets: the target arcs, which may include those of words that are settled.
        passing: where the word stands that Swap lets pass the one to the left of it: s0 in arc-standard, b0 in
            arc-hybrid.
    """

    def __init__(self, stack: Sequence[int], buffer: Sequence[int], targets: TargetArcs, passing: Place) -> None:
        self.stack, self.buffer = stack, buffer
        self.sequence = (*stack, *buffer)
        self.words = sorted([word for word in self.sequence if word])
        self.is_hybrid = passing == B0
        size = max(self.sequence) + 1
        self.before = [0] * size
        """For each word, those to the left of it."""
        self.all = self.stack_bits = 0
        for place, word in enumerate(self.sequence, 1):
            self.before[word] = self.all
            self.all |= 1 << word
            if place == len(stack):
                self.stack_bits = self.all
        here = targets.between(self.all)
        self.heads, self.waiting = here.heads, here.waiting
        self.dependents = [here.dependents.get(word, 0) for word in range(size)]
        self.first = list(self.dependents)
        """For each word, those that are attached before it, as far as is known."""
        self.crosses = [0] * size
        """For each word, those with which it may change places, as far as is known."""
        for word in self.words:
            earlier = (1 << word) - 1
            self.crosses[word] = self.all & ~1 & ~(1 << word) & ~(self.before[word] ^ earlier)

    def among(self, words: int) -> list[int]:
        """Which words are in a set."""
        return [word for word in self.words if words >> word & 1]

    def between(self, one: int, other: int) -> int:
        """The words between two others."""
        if self.before[one] >> other & 1:
            one, other = other, one
        return self.before[other] & ~self.before[one] & ~(1 << one)
