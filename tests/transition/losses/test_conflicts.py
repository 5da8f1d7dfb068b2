"""Hitting sets, minimal conflicts and contractions, against enumeration."""

from collections.abc import Sequence
from itertools import chain, combinations, pairwise
from random import Random

import pytest

from deptrees.transition.losses.conflicts import minimal_conflict, smallest_hitting_set
from deptrees.transition.losses.contractions import cannot_be_contracted
from deptrees.transition.losses.target_arcs import TargetArcs
from tests.transition.configurations import random_tree

WORDS = range(1, 8)
SUBSETS = [
    frozenset(words) for words in chain.from_iterable(combinations(WORDS, size) for size in range(len(WORDS) + 1))
]


@pytest.mark.parametrize("seed", range(50))
def test_no_smaller_set_hits_all(seed: int) -> None:
    rng = Random(seed)
    sets = [frozenset(rng.sample(WORDS, rng.randint(1, 4))) for _ in range(rng.randint(0, 8))]
    found = smallest_hitting_set(sets)
    smallest = min((words for words in SUBSETS if all(words & each for each in sets)), key=len)
    assert all(found & each for each in sets)
    assert len(found) == len(smallest)


@pytest.mark.parametrize("seed", range(50))
def test_no_word_of_a_minimal_conflict_can_be_spared(seed: int) -> None:
    rng = Random(seed)
    minimal = [frozenset(rng.sample(WORDS, rng.randint(0, 4))) for _ in range(3)]

    def is_conflict(words: Sequence[int]) -> bool:
        return any(each <= {*words} for each in minimal)

    found = minimal_conflict(WORDS, is_conflict)
    assert is_conflict([*found])
    assert not any(is_conflict([*found - {word}]) for word in found)


@pytest.mark.parametrize("seed", range(100))
def test_contractions_one_by_one_in_any_order_come_as_far(seed: int) -> None:
    rng = Random(seed)
    n = rng.randint(2, 6)
    targets = TargetArcs({word: head for head, word in random_tree(n, rng).arcs if head})
    sequence = tuple(rng.sample(range(1, n + 1), n))
    assert cannot_be_contracted(sequence, targets, effort=10_000) == (not _ends(sequence, targets))


def _ends(start: tuple[int, ...], targets: TargetArcs) -> bool:
    """Whether swaps and contractions, one at a time and in any order, lead to a sequence without target arcs."""
    todo, seen = [start], {start}
    while todo:
        sequence = todo.pop()
        if targets.heads.keys().isdisjoint(sequence):
            return True
        complete = {word for word in sequence if not any(targets.heads.get(other) == word for other in sequence)}
        after = []
        for i, (left, right) in enumerate(pairwise(sequence)):
            before, rest = sequence[:i], sequence[i + 2 :]
            if left < right:
                after.append((*before, right, left, *rest))
            if left in complete and targets.heads.get(left, right) == right:
                after.append((*before, right, *rest))
            if right in complete and targets.heads.get(right, left) == left:
                after.append((*before, left, *rest))
        todo += [one for one in after if one not in seen]
        seen.update(after)
    return False
