"""What can be built without a stack, against enumeration of all orders of words."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from deptrees.transition.losses.swaps.contractions import can_be_built_without_stack
from deptrees.transition.losses.target_arcs import TargetArcs
from tests.tiers import slow

Words = tuple[int, ...]


@pytest.mark.parametrize(("n", "count"), [(4, 300), (6, 300), (7, 100), slow(8, 1_000), slow(9, 200)])
def test_contractions_against_enumeration(n: int, count: int) -> None:
    rng, conflicts = Random(n), 0
    for _ in range(count):
        words = rng.sample(range(1, n + 1), n)
        heads = {word: words[max(0, i - rng.choice((1, 1, 2, 3)))] for i, word in enumerate(words) if i}
        targets = {**{word: head for word, head in heads.items() if rng.random() < 0.9}, words[0]: 0}
        order = rng.sample(words, n)
        sequence = (0, *order) if rng.random() < 0.5 else (*order, 0)
        expected = can_be_built(sequence, targets)
        assert can_be_built_without_stack(sequence, TargetArcs(targets)) is expected, (sequence, targets)
        conflicts += not expected
    assert 0 < conflicts < count


def test_a_word_that_might_pass_a_head_leaves_along_with_one_that_must() -> None:
    """To let only those pass that must is not enough; without others, this has been found in five words."""
    sequence, targets = (0, 2, 1, 4, 3, 5), {1: 3, 2: 5, 3: 0, 4: 1, 5: 4}
    assert can_be_built(sequence, targets)
    assert can_be_built_without_stack(sequence, TargetArcs(targets))


def can_be_built(sequence: Words, targets: dict[int, int]) -> bool:
    """Whether all target arcs can be built: all swaps and arcs are tried."""
    todo, seen = [sequence], {sequence}
    while todo:
        order = todo.pop()
        if targets.keys().isdisjoint(order):
            return True
        for i, (left, right) in enumerate(pairwise(order)):
            after = []
            if 0 < left < right:
                after.append((*order[:i], right, left, *order[i + 2 :]))
            for word, head in ((left, right), (right, left)):
                is_complete = all(targets.get(other) != word for other in order)
                if word and is_complete and targets.get(word, head) == head:
                    after.append(tuple(other for other in order if other != word))
            for one in after:
                if one not in seen:
                    seen.add(one)
                    todo.append(one)
    return False
