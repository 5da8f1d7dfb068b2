"""A necessary condition for target arcs to be built where words swap: their words can be contracted.

**The relaxed problem.** Write down the stack from its bottom to its top, then the buffer: a sequence of words. Two
neighbours in ascending order (the earlier word of the sentence first) may change places. A complete word next to its
target head, or next to anything if it is free, may be *contracted* into it: it vanishes. Can all words with a target
arc be contracted?

**Why it is necessary.** A system that swaps words can do no more: Swap exchanges an ascending pair of neighbours, an
arc connects two neighbours, and Shift leaves the sequence as it is. It can do less, for not every two neighbours are
where it can swap them. So what cannot be contracted is a conflict, whatever the system.

**Invariants.** A pair that stands in descending order stays so for as long as it is there. To contract a word is never
wrong: here it is in the way of others, and of no use to them. What is left to choose is the order of swaps.

**The algorithm** looks at all sequences that come about by swaps, each contracted as far as it goes, until there is one
without target arcs. There can be exponentially many, so it looks at a limited number.

**Examples.** Three words in the order 3 2 1 stay in it. If 2 is the head of 1 and 1 the head of 3, word 2 stands
between 3 and 1 for good: it blocks their arc, and is not complete before 1, which waits for 3, is contracted into it.

>>> from deptrees.transition.losses.target_arcs import TargetArcs
>>> cannot_be_contracted((0, 3, 2, 1), TargetArcs({3: 1, 1: 2, 2: 0}), effort=100)
True
>>> cannot_be_contracted((0, 1, 2, 3), TargetArcs({3: 1, 1: 2, 2: 0}), effort=100)
False

Here no word blocks any arc for good, and still one arc too many is asked for:

>>> cannot_be_contracted((4, 2, 5, 1), TargetArcs({4: 5, 5: 1, 1: 2}), effort=100)
True
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from deptrees.transition.losses.target_arcs import TargetArcs

__all__ = ["cannot_be_contracted"]


def cannot_be_contracted(sequence: Sequence[int], targets: TargetArcs, effort: int) -> bool:
    """Whether it is certain that target arcs cannot be built even if any two neighbours may change places once.

    Args:
        sequence: the elements of the stack from its bottom to its top, then those of the buffer.
        targets: the target arcs.
        effort: how many sequences may be looked at; if they are not enough, the answer is ``False``.
    """
    todo = [_contracted(sequence, targets)]
    seen = set(todo)
    while todo and len(seen) <= effort:
        sequence = todo.pop()
        if targets.heads.keys().isdisjoint(sequence):
            return False
        for i, (left, right) in enumerate(pairwise(sequence)):
            if 0 < left < right:
                swapped = _contracted((*sequence[:i], right, left, *sequence[i + 2 :]), targets)
                if swapped not in seen:
                    seen.add(swapped)
                    todo.append(swapped)
    return not todo


def _contracted(sequence: Sequence[int], targets: TargetArcs) -> tuple[int, ...]:
    """What is left when all words are contracted that can be, one after the other."""
    left, heads = list(sequence), targets.heads
    i = 0
    while i < len(left):
        word = left[i]
        neighbourhood = left[max(i - 1, 0) : i + 2]
        is_next_to_head = word not in heads or heads[word] in neighbourhood
        if word and is_next_to_head and not any(heads.get(other) == word for other in left):
            del left[i]
            i = max(i - 1, 0)  # its two neighbours stand next to each other now, and its head may be complete
        else:
            i += 1
    return tuple(left)
