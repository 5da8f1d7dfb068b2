"""A necessary condition for target arcs to be built where words swap: dependents and heads meet on one side of others.

**The problem.** Write down the stack from its bottom to its top, then the buffer: a sequence of words. While a word
*a* is there, a dependent and its head cannot meet if they stand on different sides of it.

**Invariants.** Words change sides of *a* as pairs change places, once and only if the earlier one is on the left.

* A later word than *a* on its left, or an earlier one on its right, stays where it is for good.
* If such a word gets a head while *a* is there, the head is on the same side. If that is the left and the head is later
  than *a*, or it is the right and the head is earlier, the head stays there for good, too.

**Which words are attached while another is there.** Its dependents and theirs; and if two words that are to be joined
stand in descending order, each word between them that comes between them in the sentence, too, has to be attached
before: it can leave the place between them in no other way. These *precedences* must not have a cycle.

**The algorithm**, `must_cross`: sort the precedences topologically; then for each word *a*, go through those that are
attached before it, dependents first, and see on which side they and their heads stay. If a head has stood on the other
side from the beginning, not all target arcs can be built. It takes O(n²) time, and mostly less: there have to be words
that stay on both sides.

**Example.** In the order 4 2 1 3, with 2 the head of 1, 1 that of 3, and 3 that of 4: word 4 stays on the left of 2, so
3 comes there to meet it. Its head 1 stays on the right, and 2, which waits for 1, between them.

>>> from deptrees.transition.losses.target_arcs import TargetArcs
>>> must_cross((0, 4, 2, 1, 3), TargetArcs({1: 2, 3: 1, 4: 3, 2: 0}))
True
>>> must_cross((0, 1, 2, 3, 4), TargetArcs({1: 2, 3: 1, 4: 3, 2: 0}))
False
"""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter

from deptrees.transition.losses.target_arcs import TargetArcs

__all__ = ["must_cross"]


def must_cross(sequence: Sequence[int], targets: TargetArcs) -> bool:
    """Whether some dependent and its head cannot meet, for a word that has to wait for them stands between.

    Args:
        sequence: the elements of the stack from its bottom to its top, then those of the buffer.
        targets: the target arcs, which may include those of words that are settled.
    """
    words = 0  # those to the left, as the bits of an integer
    left_of: dict[int, int] = {}
    for word in sequence:
        left_of[word] = words
        words |= 1 << word
    # For each word those that stay on its left and on its right; ROOT never moves.
    staying = {
        word: (left_of[word] & (~((2 << word) - 1) | 1), words & ~left_of[word] & ((1 << word) - 1))
        for word in sequence
        if word
    }
    between = [word for word, (left, right) in staying.items() if left and right]
    if not between:
        return False
    first = {word: targets.dependents.get(word, 0) & words for word in staying}
    for word, head in targets.heads.items():
        if word in staying and head in staying and (left_of[head] >> word & 1) == (word > head):
            left, right = max(word, head), min(word, head)
            first[word] |= left_of[right] & ~left_of[left] & (1 << left) - (2 << right)
    try:
        order = [*TopologicalSorter({word: _bits(first[word]) for word in first}).static_order()]
    except CycleError:
        return True
    for word in order:
        for other in _bits(first[word]):
            first[word] |= first[other]
    return any(_crosses(order, first[word], word, staying[word], targets) for word in between)


def _crosses(order: Sequence[int], before: int, word: int, staying: tuple[int, int], targets: TargetArcs) -> bool:
    """Whether an arc to be built before a word is attached crosses it."""
    left, right = staying
    for dependent in order:
        head = targets.heads.get(dependent)
        if not before >> dependent & 1 or head is None or head == word:
            continue
        if left >> dependent & 1:
            if staying[1] >> head & 1:
                return True
            if head > word:
                left |= 1 << head
        elif right >> dependent & 1:
            if staying[0] >> head & 1:
                return True
            if head < word:
                right |= 1 << head
    return False


def _bits(words: int) -> list[int]:
    return [word for word in range(words.bit_length()) if words >> word & 1]
