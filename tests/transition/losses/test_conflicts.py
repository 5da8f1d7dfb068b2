"""Hitting sets, minimal conflicts and contractions, against enumeration."""

from itertools import chain, combinations, pairwise
from random import Random

from deptrees.transition.losses.conflicts import minimal_conflict, smallest_hitting_set
from deptrees.transition.losses.contractions import cannot_be_contracted
from deptrees.transition.losses.target_arcs import TargetArcs
from tests.transition.configurations import random_tree

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


def test_contractions_one_by_one_and_in_any_order_come_as_far() -> None:
    rng, fail = Random(3), 0
    for _ in range(200):
        n = rng.randint(3, 6)
        targets = TargetArcs({word: head for head, word in random_tree(n, rng).arcs if head})
        sequence = tuple(sorted(range(1, n + 1), key=lambda word: rng.gauss(-word, 2)))
        ends = _ends(sequence, targets)
        assert cannot_be_contracted(sequence, targets, effort=10_000) == (not ends)
        fail += not ends
    assert 20 <= fail <= 180


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
