"""What a search does next in a system that swaps words, and what it need not try.

A search looks at thousands of configurations. So these are nothing but tuples here: the stack, from its bottom to its
top; the buffer; and the words that still wait for a target head, as the bits of an integer.

**What need not be tried.**

* A word *d* that is complete is attached at once, to its target head or, if it is free, to any, unless it could pass an
  earlier word below it on the stack. In arc-standard the lowest word does not count.
* The front of the buffer, if it is in no target arc, is shifted at once under the same condition.

**Why: d is needed for nothing but to pass others.** Words that pass *d* are later than *d*. So all that is to the left
of *d* now, and all that ever comes there, is later, and *d* passes nothing. Take a derivation that builds all target
arcs, and take *d* out of all its configurations. A transition that shifts or attaches *d*, or in which another word
passes it, now does nothing; the others do what they did, for neighbors are neighbors still. That is a derivation
without *d*, as it is after the arc. A free word that had *d* for its head gets another next to it; if it is alone on
the stack, it stays there until the next word comes, which takes it. The front of the buffer is attached in the same way
once it is shifted.

**Why the lowest word does not count.** In arc-standard, let *d* pass the lowest word *w*, which it can do once. With
*d* taken out, a stack σ *w* would have to become σ, and *w* to go back to the buffer, with no word that passes it. Up
to the step in which *w* is shifted again, only words of σ are at work, among themselves. If σ is ROOT or empty, these
do nothing, and *w* can stay. Otherwise a word has passed *w* before. It was alone on the stack then, above ROOT at
most, and all others were in the buffer. So the last word of σ has been s0 since. What σ does can be done the last time
that it was: σ was the stack, and nothing has touched it from then on. Then *w* can stay as well. In arc-hybrid this
proves nothing, since *w* in the buffer can pass words of σ, or be their head.

**The order.** Safe arcs come first. After them Swap is tried before Shift if the word that passes is *eager*, or if it
has all its dependents from the right, and a target arc with a word further down the stack. Word n is eager if the
search has set bit n modulo 64 of a number.

>>> from deptrees.transition.losses.target_arcs import TargetArcs
>>> steps = StandardSteps(TargetArcs({1: 3, 2: 0, 3: 2}), 3, has_single_root=False)
>>> steps.after(((0, 1, 2), (3,), 14), eager=0)
[((0, 2), (1, 3), 14), ((0, 1, 2, 3), (), 14)]
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from deptrees.transition.losses.target_arcs import TargetArcs

__all__ = ["HybridSteps", "StandardSteps", "State", "Steps"]

_Words = tuple[int, ...]

State = tuple[_Words, _Words, int]
"""Stack, buffer, and the words that wait for a target head, as the bits of an integer."""
_ANY = -1
"""The target head of a word that may get any head."""


class Steps(ABC):
    """The steps toward some target arcs of so many words, where ROOT may get a single dependent."""

    def __init__(self, targets: TargetArcs, words: int, *, has_single_root: bool) -> None:
        self._has_single_root = has_single_root
        self._heads = [targets.heads.get(word, _ANY) for word in range(words + 1)]
        self._dependents = [targets.dependents.get(word, 0) for word in range(words + 1)]

    @abstractmethod
    def after(self, state: State, *, eager: int) -> list[State]:
        """What comes next, the most promising last; one alone if none is better."""

    def _is_safe(self, word: int, head: int, waiting: int) -> bool:
        """Whether an arc takes away no target arc."""
        return self._heads[word] in (head, _ANY) and not self._dependents[word] & waiting

    def _is_isolated(self, word: int, waiting: int) -> bool:
        """Whether a word is in no target arc."""
        return self._heads[word] == _ANY and not self._dependents[word] & waiting

    def _passes_first(self, word: int, below: _Words, right: _Words, waiting: int, eager: int) -> bool:
        """Whether Swap is tried before Shift where a word can pass, with some others below and to the right of it."""
        dependents = self._dependents[word] & waiting
        if eager >> word % 64 & 1:
            return True
        if any(dependents >> other & 1 for other in right):
            return False
        return self._heads[word] in below or any(dependents >> other & 1 for other in below)


class StandardSteps(Steps):
    """The steps of arc-standard with Swap."""

    def after(self, state: State, *, eager: int) -> list[State]:
        stack, buffer, waiting = state
        # To pass the lowest word is of no use.
        lowest = 2 if stack[:1] == (0,) else 1
        rest, around = stack[:-2], stack[-2:]
        steps = []
        if len(around) == 2:
            below, top = around
            if below and self._is_safe(below, top, waiting):
                left_arc = (*rest, top), buffer, waiting & ~(1 << below)
                if not _could_pass(below, rest[lowest:]):
                    return [left_arc]
                steps.append(left_arc)
            may_be_root = below or not buffer or not self._has_single_root
            if top and may_be_root and self._is_safe(top, below, waiting):
                right_arc = stack[:-1], buffer, waiting & ~(1 << top)
                if not _could_pass(top, stack[lowest:-1]):
                    return [right_arc]
                steps.append(right_arc)
        can_shift = bool(buffer) and (buffer[0] > 0 or len(stack) < 2 or not self._has_single_root)
        if can_shift:
            front = buffer[0]
            shift = (*stack, front), buffer[1:], waiting
            if front and self._is_isolated(front, waiting) and not _could_pass(front, stack[lowest:]):
                return [shift]
            steps.insert(0, shift)
        if len(around) == 2 and 0 < around[0] < around[1]:
            below, top = around
            swap = (*rest, top), (below, *buffer), waiting
            steps.insert(1 if can_shift and self._passes_first(top, rest, buffer, waiting, eager) else 0, swap)
        return steps


class HybridSteps(Steps):
    """The steps of arc-hybrid with Swap, ROOT last."""

    def after(self, state: State, *, eager: int) -> list[State]:
        stack, buffer, waiting = state
        rest, front = stack[:-1], buffer[0]
        steps = []
        if stack:
            top = stack[-1]
            may_be_root = front or not rest or not self._has_single_root
            if (may_be_root and self._is_safe(top, front, waiting)) or (rest and self._is_safe(top, rest[-1], waiting)):
                arc = rest, buffer, waiting & ~(1 << top)
                if not _could_pass(top, rest):
                    return [arc]
                steps.append(arc)
        if front:
            shift = (*stack, front), buffer[1:], waiting
            if self._is_isolated(front, waiting) and not _could_pass(front, stack):
                return [shift]
            steps.insert(0, shift)
        if stack and top < front:
            swap = rest, (front, top, *buffer[1:]), waiting
            steps.insert(1 if self._passes_first(front, rest, buffer[1:], waiting, eager) else 0, swap)
        return steps


def _could_pass(word: int, below: _Words) -> bool:
    """Whether there is a word among those below another on the stack that it may pass."""
    return any(0 < other < word for other in below)
