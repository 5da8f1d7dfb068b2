"""A necessary condition for target arcs to be built where words swap: they can be if nothing ever stands in the way.

**The relaxed problem.** In a derivation two things happen: a word gets its head, or one word *passes* another, an
earlier one to the left of it, by a Swap. In the relaxed problem neither has bad consequences: a word that has been
attached can still be passed, pass others, and be a head; a word that has gone out of the way is never in it again. So
what can happen does, until nothing new can. This is how planners estimate distances ("delete relaxation"; Hoffmann &
Nebel 2001, The FF planning system).

**What has to happen first.** Write down the stack from its bottom to its top, then the buffer.

* For an arc, all words have been attached that are before it in every way to build all target arcs: its dependents,
  and others (`precedences`).
* For a pass, the two words are not known to keep apart (`precedences`).
* For an arc or a pass, nothing stands between the two: each word between them has been attached, has passed the left
  one, or has been passed by the right one.
* If both stand on the stack, the place where they meet is at its top: each word above has been attached, has been
  passed by any word, which puts it back into the buffer, or has passed the one that must come to the top.
* In arc-standard, a word does not come to the top again for nothing: the last word above it has been attached to it, or
  has passed it, which puts it back into the buffer.
* In arc-hybrid, the head of a left arc, and a word that passes, is the front of the buffer: if it is on the stack, some
  word has passed it.

**Why it is necessary.** Take a derivation that builds all target arcs. By induction over its steps, all that happens in
it happens in the relaxed problem as well: two words that meet have nothing between them, and what was there before has
left in one of these ways. With the words of a sentence as the bits of integers it takes O(n²) time in the worst case.

**Examples.** In the order 3 2 1, word 2 stands between 1 and 3 for good. If 1 is the head of 3, and 2 that of 1, then 2
has to be attached before 3, 3 before 1, and 1 before 2.

>>> from deptrees.transition.losses.target_arcs import TargetArcs
>>> from deptrees.transition.table import S0
>>> targets = TargetArcs({3: 1, 1: 2, 2: 0})
>>> can_be_built_if_relaxed((0, 3, 2, 1), (), targets, passing=S0)
False
>>> can_be_built_if_relaxed((0,), (1, 2, 3), targets, passing=S0)
True

On the stack, word 3 comes to the top again only if the last word above it becomes its dependent, or passes it. Word 4
can do either, 1 and 2 cannot:

>>> can_be_built_if_relaxed((0, 3, 1), (2, 4), TargetArcs({3: 0, 1: 2, 2: 0, 4: 3}), passing=S0)
True
>>> can_be_built_if_relaxed((0, 3, 1), (2,), TargetArcs({3: 0, 1: 2, 2: 0}), passing=S0)
False
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from deptrees.transition.losses.swaps.precedences import Precedences
from deptrees.transition.losses.target_arcs import TargetArcs
from deptrees.transition.table import Place

__all__ = ["can_be_built_if_relaxed"]

_Pass = tuple[int, int]  # a word, and a later one, to the right of it, that passes it


def can_be_built_if_relaxed(stack: Sequence[int], buffer: Sequence[int], targets: TargetArcs, passing: Place) -> bool:
    """Whether all target arcs (arguments as in `Arrangement`) could be built if nothing ever stood in the way."""
    problem = _RelaxedProblem(stack, buffer, targets, passing)
    return problem.apply_rules() and problem.is_solved()


class _RelaxedProblem(Precedences):
    """What is known, and what has happened so far."""

    def __init__(self, stack: Sequence[int], buffer: Sequence[int], targets: TargetArcs, passing: Place) -> None:
        super().__init__(stack, buffer, targets, passing)
        self._attached = self._passed = 0
        self._passed_by = [0] * len(self.before)
        """For each word, those that have passed it."""
        self._has_passed = [0] * len(self.before)
        """For each word, those that it has passed."""

    def is_solved(self) -> bool:
        """Let all happen that can, arcs before passes; whether all target arcs are built."""
        self._attach()
        passes = [(left, right) for left, right in combinations(self.sequence, 2) if self.crosses[left] >> right & 1]
        while self.waiting & ~self._attached:
            left = self._pass(passes)
            if len(left) == len(passes):
                return False
            passes = left
            self._attach()
        return True

    def _attach(self) -> None:
        """Attach what can be."""
        before = None
        while self._attached != before:
            before = self._attached
            for word in self.sequence:
                is_waiting = word and not self._attached >> word & 1
                if is_waiting and not self.first[word] & ~self._attached and self._can_be_attached(word):
                    self._attached |= 1 << word

    def _can_be_attached(self, word: int) -> bool:
        """Whether a complete word can get its target head, or any head if it is free."""
        head = self.heads.get(word)
        if head is None:
            above = self._above(word)
            return not above or (not self.is_hybrid and not above & above - 1)  # what is left is the head
        is_left_arc = self.before[head] >> word & 1
        left, right = (word, head) if is_left_arc else (head, word)
        if self._is_anything_between(left, right):
            return False
        if not self.is_hybrid:
            return self._can_come_to_top(right)
        is_at_front = not is_left_arc or self._can_come_to_front(head)
        return is_at_front and not self._above(word) & ~(1 << head)

    def _pass(self, passes: list[_Pass]) -> list[_Pass]:
        """Let all words pass others that can; the passes that are left."""
        others = []
        for left, right in passes:
            if self._can_pass(left, right):
                self._passed |= 1 << left
                self._passed_by[left] |= 1 << right
                self._has_passed[right] |= 1 << left
            else:
                others.append((left, right))
        return others

    def _can_pass(self, left: int, right: int) -> bool:
        """Whether the word on the right can pass the one on the left."""
        if self._is_anything_between(left, right):
            return False
        if not self.is_hybrid or not self.stack_bits >> right & 1:
            return self._can_come_to_top(right)
        return self._can_come_to_front(right) and not self._above(left) & ~(1 << right)

    def _is_anything_between(self, left: int, right: int) -> bool:
        """Whether there are words between two others that have not gone out of their way."""
        gone = self._attached | self._passed_by[left] | self._has_passed[right]
        return bool(self.before[right] & ~(self.before[left] | 1 << left | gone))

    def _above(self, word: int) -> int:
        """The words that stand above another on the stack and have not gone."""
        if not self.stack_bits >> word & 1:
            return 0
        gone = self._attached | self._passed | self._passed_by[word]
        return self.stack_bits & ~(self.before[word] | 1 << word | gone)

    def _can_come_to_top(self, word: int) -> bool:
        """Whether a word can be s0 in arc-standard."""
        if self._above(word):
            return False
        after = ~(self.before[word] | 1 << word)
        own = self.dependents[word] | self.all & ~self.waiting & ~1 & after
        return not self.stack_bits & after or self._can_come_to_front(word) or bool(own & self._attached)

    def _can_come_to_front(self, word: int) -> bool:
        """Whether a word is in the buffer or has gone back to it."""
        return bool((~self.stack_bits | self._passed) >> word & 1)
