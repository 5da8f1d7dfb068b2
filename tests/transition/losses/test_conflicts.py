"""Hitting sets and minimal conflicts, against enumeration."""

from itertools import chain, combinations
from random import Random

from deptrees.transition.losses.conflicts import minimal_conflict, smallest_hitting_set

WORDS = range(1, 8)
SUBSETS = [
    frozenset(words) for words in chain.from_iterable(combinations(WORDS, size) for size in range(len(WORDS) + 1))
]


def test_no_smaller_set_hits_all() -> None:
    rng = Random(1)
    for _ in range(50):
        sets = [frozenset(rng.sample(WORDS, rng.randint(1, 4))) for _ in range(rng.randint(0, 8))]
        found = smallest_hitting_set(sets)
        smallest = min((words for words in SUBSETS if all(words & each for each in sets)), key=len)
        assert all(found & each for each in sets)
        assert len(found) == len(smallest)


def test_no_word_of_a_minimal_conflict_can_be_spared() -> None:
    rng = Random(2)
    for _ in range(50):
        conflicts = [frozenset(rng.sample(WORDS, rng.randint(0, 4))) for _ in range(3)]
        found = minimal_conflict(WORDS, lambda words: any(each <= {*words} for each in conflicts))  # noqa: B023
        assert found in conflicts
        assert not any(each < found for each in conflicts)
