"""A necessary condition for target arcs to be built where words swap: they can be built without a stack.

**The problem.** Write down the stack from its bottom to its top, then the buffer. Without a stack, any two neighbors
may change places, once and only if the earlier one is on the left, and a complete word next to its target head may be
attached to it. A free word may be attached to anything. A stack only adds conditions.

**Contractions.** A complete word d is *contracted* into its head h: the words between the two get out of the way, and
d is attached. A word between can leave to the left if it is later than the left one of the two, and to the right if it
is earlier than the right one. On d's side it may stay where it is, for d has gone; on the other side it passes h. So
the words that pass h are the only choice: those that must, as they cannot pass d, and some that might. They keep their
order, and so do those that stay; one that passes h passes those that stay on its way. A word that can do neither
*blocks* the pair: it has to be attached before d.

**Why contractions are enough.** Two words never change back, so the fewer change places, the better. Take a way to
build all target arcs, and its attachments one after the other. Before each, let those words pass h that have passed it
there. Then all pairs that have changed places have done so there: h and a word that has passed it, and two words of
which one has passed h and the other has not. A word that need not pass h does so only if it is on the way of one that
must: otherwise there are more such pairs than without it.

**What need not be tried.** If no word must pass h, d is contracted at once: all others stay as they are, and d is
needed for nothing but to pass others. A complete free word is taken out at once, too. And nothing can be built if words
would have to be attached before themselves: each word comes after its dependents and after those that block it, which
they do until they are attached.

**The algorithm** goes through the orders of words that contractions lead to, depth first. That can take exponential
time, so it looks at a limited number; mostly one or two are enough.

**Examples.** In the order 4 2 5 1, with 4 a dependent of 5, 5 of 1 and 1 of 2, word 2 must pass 5, so that 4 can be
attached to it, and then blocks 5 and 1. In the order 3 1 2, word 1 passes 2 and leaves 3 next to it:

>>> from deptrees.transition.losses.target_arcs import TargetArcs
>>> can_be_built_without_stack((0, 4, 2, 5, 1), TargetArcs({4: 5, 5: 1, 1: 2, 2: 0}))
False
>>> can_be_built_without_stack((0, 3, 1, 2), TargetArcs({3: 2, 2: 1, 1: 0}))
True

In the order 2 1 4 3 5 word 1 must pass 5, so that 2 can be attached to it, and 3 might. If 3 goes along, all can be
built: 4 5 1 3. If it stays, word 1 passes it, 4 3 5 1, and it blocks 4 and 1 for good, since it waits for 1:

>>> can_be_built_without_stack((0, 2, 1, 4, 3, 5), TargetArcs({1: 3, 2: 5, 3: 0, 4: 1, 5: 4}))
True
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

from more_itertools import powerset

from deptrees.transition.losses.target_arcs import TargetArcs

__all__ = ["can_be_built_without_stack"]

_Words = tuple[int, ...]

_ORDERS = 50  # the most orders of words that are looked at
_TRIED = 6  # the most words that might pass a head of which it is tried whether they should


def can_be_built_without_stack(sequence: Sequence[int], targets: TargetArcs) -> bool | None:
    """Whether all target arcs of a stack and buffer could be built without a stack; ``None`` if it is hard to tell."""
    start = tuple(sequence)
    todo, seen = [start], {start}
    while todo:
        order = _Order(todo.pop(), targets)
        if order.contract_at_once():
            return True
        if order.has_cycle():
            continue
        for after in order.contracted():
            if after is None or len(seen) == _ORDERS:
                return None
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return False


class _Order:
    """An order of words, from which complete ones are contracted. Sets of words are the bits of integers."""

    def __init__(self, order: _Words, targets: TargetArcs) -> None:
        self._order, self._targets = order, targets
        self._left_of = [0] * (max(order) + 1)
        """For each word, those to the left of it."""
        self._words = 0
        for word in order:
            self._left_of[word] = self._words
            self._words |= 1 << word

    def contract_at_once(self) -> bool:
        """Take out words as long as nothing has to be chosen; whether no word waits for its target head then."""
        before = None
        while self._words != before:
            before = self._words
            for word in reversed(self._order):
                if word and self._words >> word & 1 and self._is_complete(word) and self._can_go(word):
                    self._words ^= 1 << word
        return not self._targets.waiting & self._words

    def _is_complete(self, word: int) -> bool:
        return not self._targets.dependents.get(word, 0) & self._words

    def _can_go(self, word: int) -> bool:
        """Whether no word must pass the head of a complete word."""
        head = self._targets.heads.get(word)
        if head is None:
            return True
        is_on_right, between = self._between(word, head)
        return not (between >> word if is_on_right else between & (1 << word) - 1)

    def _between(self, word: int, head: int) -> tuple[bool, int]:
        """Whether a word stands on the right of its head, and the words between them."""
        if is_on_right := bool(self._left_of[word] >> head & 1):
            word, head = head, word
        return is_on_right, self._left_of[head] & ~self._left_of[word] & ~(1 << word) & self._words

    def has_cycle(self) -> bool:
        """Whether words would have to be attached before themselves: those that wait, and those that block them."""
        words = [word for word in self._order if word and self._words >> word & 1]
        first = {word: self._targets.dependents.get(word, 0) | self._blocking(word) for word in words}
        left, before = self._words & ~1, None
        while left != before:
            before = left
            left ^= sum([1 << word for word in words if left >> word & 1 and not first[word] & left])
        return left != 0

    def _blocking(self, word: int) -> int:
        """The words that block a word and its head: they can pass neither."""
        head = self._targets.heads.get(word)
        if head is None:
            return 0
        is_on_right, between = self._between(word, head)
        if is_on_right:
            return between >> word << word & ((1 << head) - 1 if head else -1)
        return between >> head << head & (1 << word) - 1

    def contracted(self) -> Iterator[_Words | None]:
        """The orders after each contraction for which words pass the head; ``None`` for more than can be tried."""
        rest = tuple([word for word in self._order if self._words >> word & 1])
        for word, head in self._targets.heads.items():
            if head and self._words >> word & 1 and self._is_complete(word):
                start, end = sorted((rest.index(word), rest.index(head)))
                between, is_on_right = rest[start + 1 : end], rest[start] == head
                for passing in _passing(between[::-1], -word, -head) if is_on_right else _passing(between, word, head):
                    if passing is None:
                        yield None
                        return
                    staying = tuple([other for other in between if other not in passing])
                    moved = tuple([other for other in between if other in passing])
                    middle = (*moved, head, *staying) if is_on_right else (*staying, head, *moved)
                    yield (*rest[:start], *middle, *rest[end + 1 :])


def _passing(between: Sequence[int], word: int, head: int) -> Iterator[frozenset[int] | None]:
    """Which of the words between a word and its head may pass the head; ``None`` if there are too many to try.

    Those between are given from the word to the head. If the word stands on the right of its head, both are negative:
    from the right to the left, words change places if the later one comes first.
    """
    sign = 1 if word > 0 else -1
    must = [other for other in between if sign * other < word]
    if any(sign * other > head for other in must):
        return
    on_way = between[between.index(must[0]) :] if must else ()
    might = [other for other in on_way if word < sign * other < head]
    if len(might) > _TRIED:
        yield None
        return

    def is_possible(passing: frozenset[int]) -> bool:
        """Whether each word that passes the head is earlier than all that stay on its way."""
        latest = -inf
        for other in between:
            if other in passing:
                latest = max(latest, sign * other)
            elif sign * other < latest:
                return False
        return True

    yield from filter(is_possible, (frozenset(must).union(some) for some in powerset(might)))
