"""Subtrees at the end of the buffer, each taken for a single word where words swap.

**The problem.** In real sentences most words of the buffer have not moved yet, and stand in subtrees that are complete
in themselves. To try every word of these as one that passes others is what makes searches long.

**What is contracted.** The *tail* of the buffer is its longest end in which each word is later than all that stand to
the left of it, on the stack and in the buffer. In the tail a complete word next to its target head is contracted into
it, and a free word without dependents into such a word on the left of it, until nothing is left to be contracted. What
a word has taken up are its *inner words*.

**It suffices.** What can be built with the inner words contracted can be built with all words: take a derivation
without inner words. Just before a word is at the front of the buffer, those on its left are shifted and attached, one
after the other, as they were contracted. Nothing below them on the stack is touched. Those on its right follow in the
same way as soon as it is shifted. If it has passed others as the front of the buffer, in arc-hybrid, these stand
between it and its inner words now. All of them are earlier than the word, and so than its inner words on the right:
each of these passes them before it is shifted.

**It is not necessary.** Inner words can be needed to pass others before they are attached.

**Example.** Of the words 4 to 8, which are all later than those before, 6 takes up 4, 5 and 7. It waits for 2,
and 8 for 3.

>>> from deptrees.transition.losses.target_arcs import TargetArcs
>>> targets = TargetArcs({3: 0, 1: 3, 4: 6, 5: 6, 6: 2, 7: 6, 8: 3})
>>> contracted_subtrees((0, 3, 2), (1, 4, 5, 6, 7, 8), targets)
(1, 6, 8)
"""

from __future__ import annotations

from collections.abc import Sequence

from deptrees.transition.losses.target_arcs import TargetArcs

__all__ = ["contracted_subtrees"]


def contracted_subtrees(stack: Sequence[int], buffer: Sequence[int], targets: TargetArcs) -> tuple[int, ...]:
    """The buffer in which subtrees at its end are contracted. Target arcs of settled words do not count."""
    words = buffer[:-1] if buffer and buffer[-1] == 0 else buffer  # ROOT last is in no one's way
    unsettled = sum([1 << word for word in (*stack, *words)])
    start, others = len(words), unsettled
    while start and words[start - 1] == others.bit_length() - 1:
        start -= 1
        others ^= 1 << words[start]
    head_of, dependents_of = targets.heads.get, targets.dependents.get
    waiting = targets.waiting & unsettled
    tail: list[int] = []
    for word in words[start:]:
        while tail:
            before = tail[-1]
            head_before, head = head_of(before), head_of(word)
            if head_before == word and not dependents_of(before, 0) & waiting:
                waiting ^= 1 << tail.pop()
            elif head == before and not dependents_of(word, 0) & waiting:
                waiting ^= 1 << word
                word = tail.pop()
            elif head is head_before is None and not (dependents_of(word, 0) | dependents_of(before, 0)) & waiting:
                word = tail.pop()
            else:
                break
        tail.append(word)
    return (*words[:start], *tail, *buffer[len(words) :])
