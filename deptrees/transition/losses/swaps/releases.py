"""What has to happen where words swap before a word of the stack is released, so that it can move or be attached.

**The problem.** As long as there are words above a word *f* of the stack, neither *f* nor any word below it can be
attached, pass another or be passed. Call these words *frozen*, and all others *moving*. In arc-standard *f* is
*released* by the first transition after which nothing is above it, or which attaches it to the only word above it, or
lets that word pass it; in arc-hybrid by the transition with which it leaves the stack. If a frozen word waits for its
head, or for a dependent, *f* has to be released. It cannot be if some word above it cannot leave.

**The last word.** When *f* is released, a word *e* stands to the right of it, and nothing between the two. In
arc-standard *e* is the only word above *f*: *f* is attached to it, or it to *f*, or it passes *f*. In arc-hybrid *e* is
the front of the buffer: *f* is attached to it, or to the word below *f*, or *e* passes *f*. So *e* is one of few words.

**Attachable words.** Before *f* is released only such moving words are attached whose heads are moving or, in
arc-hybrid, are *f* itself. All that have to be attached before them (`precedences`) are such words, too.

**Leaving words.** All moving words that are ever above *f* leave. Each is attached, so that it is attachable, or it is
passed by a later word. In arc-standard its head, or the word that passes it, is above *f* then, and leaves later, or is
*e*. In arc-hybrid it may also be the front of the buffer, and either is shifted later, so that it leaves, or is *e*.
So, from the last to leave to the first, each is found from those that leave after it. If only one word can be *e*, it
is not attached.

**What comes no nearer.** The first word of the buffer that cannot leave is not shifted; in arc-hybrid it can be at the
front at most, as *e*. Words after it come no nearer, and are frozen, too: all is found anew, until nothing changes.

For each word of the stack it takes O(n²) steps on sets of words, which are the bits of integers, each time that more
words are frozen.

**Example.** On the stack 3 1 2, word 3 waits for 1. Word 2, between them, waits for ROOT, which is frozen, and there is
no later word to pass it. If 2 waits for 1 as well, it can leave:

>>> before, first, crosses = [0, 0b1001, 0b1011, 0b1], [0b100, 0b1000, 0b10, 0], [0, 0b100, 0b10, 0]
>>> Releases((0, 3, 1, 2), (), {3: 1, 1: 2, 2: 0}, before, is_hybrid=False).release(3, first, crosses)
>>> first = [0b10, 0b1100, 0, 0]
>>> Releases((0, 3, 1, 2), (), {3: 1, 2: 1, 1: 0}, before, is_hybrid=False).release(3, first, crosses)
Release(attachable=4, joining=2, passing=0)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

__all__ = ["Release", "Releases"]


class Release(NamedTuple):
    """How a word of the stack can be released. Sets of words are the bits of integers."""

    attachable: int
    """The words that can be attached before."""
    joining: int
    """Those of which one may be last, if it is attached to the word or gets attached to it."""
    passing: int
    """Those of which one may be last, if it passes the word."""


class Releases:
    """What is known about the stack of a configuration.

    Args:
        stack: the stack, from its bottom to its top.
        buffer: the buffer.
        heads: the target head of each word that has one among these.
        before: for each word, those to the left of it.
        is_hybrid: whether the system is arc-hybrid; otherwise it is arc-standard.
    """

    def __init__(
        self,
        stack: Sequence[int],
        buffer: Sequence[int],
        heads: Mapping[int, int],
        before: Sequence[int],
        *,
        is_hybrid: bool,
    ) -> None:
        self._buffer, self._heads, self._before, self._is_hybrid = buffer, heads, before, is_hybrid
        self._all = sum([1 << word for word in (*stack, *buffer)])
        self._stack = self._all & ~sum([1 << word for word in buffer])
        self._words = sorted([word for word in (*stack, *buffer) if word], reverse=True)
        self._covered = stack if is_hybrid else stack[:-1]

    def needed(self) -> Iterator[int]:
        """The words of the stack that have to be released, the lowest first."""
        frozen = 0
        for word in self._covered:
            frozen |= 1 << word
            if any((1 << dependent | 1 << head) & frozen for dependent, head in self._heads.items()):
                yield word

    def release(self, word: int, first: Sequence[int], crosses: Sequence[int]) -> Release | None:
        """How a word of the stack can be released; ``None`` if it cannot be.

        Args:
            word: the word.
            first: for each word, those that are attached before it.
            crosses: for each word, those with which it may change places.
        """
        frozen, known = self._before[word] | 1 << word, 0
        above = self._stack & ~frozen
        while frozen != known:
            known = frozen
            attachable = self._attachable(word, frozen, first)
            joining = self._joining(word, frozen, attachable, first)
            passing = crosses[word] >> word << word & ~frozen
            leaving = self._leaving(word, frozen, attachable, joining | passing, crosses)
            if not joining | passing or above & ~leaving:
                return None
            frozen |= self._beyond(leaving, joining | passing)
        return Release(attachable, joining, passing)

    def _attachable(self, word: int, frozen: int, first: Sequence[int]) -> int:
        """The words that can be attached before one is released, while others are frozen."""
        blocked = frozen
        for dependent, head in self._heads.items():
            if frozen >> head & 1 and not (self._is_hybrid and head == word):
                blocked |= 1 << dependent
        return sum([1 << other for other in self._words if not (first[other] | 1 << other) & blocked])

    def _joining(self, word: int, frozen: int, attachable: int, first: Sequence[int]) -> int:
        """The words next to which one is attached or, in arc-standard, which are attached to it."""
        joining, head = 0, self._heads.get(word)
        if word and not first[word] & ~attachable:
            if head is None or (self._is_hybrid and self._before[word] >> head & 1):
                return self._all & ~frozen
            joining = 1 << head & ~frozen
        if not self._is_hybrid:
            for other in self._words:
                if self._heads.get(other, word) == word and not first[other] & ~attachable:
                    joining |= 1 << other & ~frozen
        return joining

    def _leaving(self, word: int, frozen: int, attachable: int, last: int, crosses: Sequence[int]) -> int:
        """The moving words that can leave; in arc-standard the last word is one of them."""
        leaving, known = 0 if self._is_hybrid else last, -1
        if not last & last - 1:
            attachable &= ~last
        while leaving != known:
            known = leaving
            for other in self._words:
                if not (frozen | leaving) >> other & 1:
                    head = self._heads.get(other)
                    near = head is None or (last | leaving) >> head & 1 or (self._is_hybrid and head == word)
                    if (attachable >> other & 1 and near) or crosses[other] >> other << other & (last | leaving):
                        leaving |= 1 << other
        return leaving

    def _beyond(self, leaving: int, last: int) -> int:
        """The words that come no nearer, since one before them in the buffer cannot leave."""
        for word in self._buffer:
            if not leaving >> word & 1:
                beyond = self._all & ~(self._before[word] | 1 << word)
                return beyond if self._is_hybrid and last >> word & 1 else beyond | 1 << word
        return 0
