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

For each word of the stack it takes O(n²) steps on sets of words each time that more are frozen.

**Example.** On the stack 3 1 2, word 3 waits for 1. Word 2, between them, waits for ROOT, which is frozen, and there is
no later word to pass it. If 2 waits for 1 as well, it can leave:

>>> from deptrees.transition.losses.target_arcs import TargetArcs
>>> from deptrees.transition.table import S0
>>> find_release(Arrangement((0, 3, 1, 2), (), TargetArcs({3: 1, 1: 2, 2: 0}), passing=S0), 3)
>>> find_release(Arrangement((0, 3, 1, 2), (), TargetArcs({3: 1, 2: 1, 1: 0}), passing=S0), 3)
Release(attachable=4, joining=2, passing=0)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from deptrees.transition.losses.swaps.arrangements import Arrangement

__all__ = ["Release", "find_release", "to_be_released"]


class Release(NamedTuple):
    """How a word of the stack can be released. Sets of words are the bits of integers."""

    attachable: int
    """The words that can be attached before."""
    joining: int
    """Those of which one may be last, if it is attached to the word or gets attached to it."""
    passing: int
    """Those of which one may be last, if it passes the word."""


def to_be_released(known: Arrangement) -> Iterator[int]:
    """The words of the stack that have to be released, the lowest first."""
    frozen = 0
    for word in known.stack if known.is_hybrid else known.stack[:-1]:
        frozen |= 1 << word
        if any((1 << dependent | 1 << head) & frozen for dependent, head in known.heads.items()):
            yield word


def find_release(known: Arrangement, word: int) -> Release | None:
    """How a word of the stack can be released; ``None`` if it cannot be."""
    frozen, before = known.before[word] | 1 << word, 0
    above = known.stack_bits & ~frozen
    while frozen != before:
        before = frozen
        attachable = _attachable(known, word, frozen)
        joining = _joining(known, word, frozen, attachable)
        passing = known.crosses[word] >> word << word & ~frozen
        leaving = _leaving(known, word, frozen, attachable, joining | passing)
        if not joining | passing or above & ~leaving:
            return None
        frozen |= _beyond(known, leaving, joining | passing)
    return Release(attachable, joining, passing)


def _attachable(known: Arrangement, word: int, frozen: int) -> int:
    """The words that can be attached before one is released, while others are frozen."""
    blocked = frozen
    for dependent, head in known.heads.items():
        if frozen >> head & 1 and not (known.is_hybrid and head == word):
            blocked |= 1 << dependent
    return sum([1 << other for other in known.words if not (known.first[other] | 1 << other) & blocked])


def _joining(known: Arrangement, word: int, frozen: int, attachable: int) -> int:
    """The words next to which one is attached or, in arc-standard, which are attached to it."""
    joining, head = 0, known.heads.get(word)
    if word and not known.first[word] & ~attachable:
        if head is None or (known.is_hybrid and known.before[word] >> head & 1):
            return known.all & ~frozen
        joining = 1 << head & ~frozen
    if not known.is_hybrid:
        for other in known.words:
            if known.heads.get(other, word) == word and not known.first[other] & ~attachable:
                joining |= 1 << other & ~frozen
    return joining


def _leaving(known: Arrangement, word: int, frozen: int, attachable: int, last: int) -> int:
    """The moving words that can leave; in arc-standard the last word is one of them."""
    leaving, before = 0 if known.is_hybrid else last, -1
    if not last & last - 1:
        attachable &= ~last
    while leaving != before:
        before = leaving
        for other in reversed(known.words):
            if not (frozen | leaving) >> other & 1:
                head = known.heads.get(other)
                is_near = head is None or (last | leaving) >> head & 1 or (known.is_hybrid and head == word)
                if (is_near and attachable >> other & 1) or known.crosses[other] >> other << other & (last | leaving):
                    leaving |= 1 << other
    return leaving


def _beyond(known: Arrangement, leaving: int, last: int) -> int:
    """The words that come no nearer, since one before them in the buffer cannot leave."""
    for word in known.buffer:
        if not leaving >> word & 1:
            beyond = known.all & ~(known.before[word] | 1 << word)
            return beyond if known.is_hybrid and last >> word & 1 else beyond | 1 << word
    return 0
