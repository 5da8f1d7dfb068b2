import tracemalloc
from collections import Counter
from math import sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deptrees import all_trees, is_projective, projective_trees, random_projective_tree


@pytest.mark.parametrize(("n", "count"), list(enumerate([1, 1, 3, 16, 125, 1296])))
def test_all_trees_are_all_and_different(n: int, count: int) -> None:
    trees = list(all_trees(n))
    assert len(trees) == len(set(trees)) == count
    assert all(len(tree) == n and None not in tree.heads for tree in trees)


@pytest.mark.parametrize(("n", "count"), list(enumerate([1, 1, 3, 12, 55, 273, 1428])))
def test_projective_trees_are_all_and_different(n: int, count: int) -> None:
    trees = list(projective_trees(n))
    assert len(trees) == len(set(trees)) == count
    assert all(map(is_projective, trees))


@pytest.mark.parametrize("n", range(6))
def test_projective_trees_are_the_projective_ones_among_all(n: int) -> None:
    assert set(projective_trees(n)) == {tree for tree in all_trees(n) if is_projective(tree)}


def test_trees_are_made_one_by_one() -> None:
    tracemalloc.start()
    try:
        assert next(all_trees(12)).heads == (0,) * 12
        assert len(next(projective_trees(8))) == 8
        assert tracemalloc.get_traced_memory()[1] < 200_000
    finally:
        tracemalloc.stop()


@given(st.integers(0, 60), st.integers())
def test_random_trees_are_projective_and_follow_from_the_seed(n: int, seed: int) -> None:
    tree = random_projective_tree(n, seed)
    assert len(tree) == n
    assert None not in tree.heads
    assert is_projective(tree)
    assert tree == random_projective_tree(n, seed=seed) == random_projective_tree(n, Random(seed))


def test_a_generator_goes_on() -> None:
    rng = Random(1)
    drawn = [random_projective_tree(20, rng) for _ in range(10)]
    assert len(set(drawn)) == 10
    assert drawn[0] == random_projective_tree(20, 1)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_random_projective_trees_are_equally_likely(n: int) -> None:
    kinds = list(projective_trees(n))
    expected = 150
    rng = Random(2015)
    found = Counter(random_projective_tree(n, rng) for _ in range(expected * len(kinds)))
    assert set(found) == set(kinds)
    chi_square = sum((found[tree] - expected) ** 2 / expected for tree in kinds)
    freedom = len(kinds) - 1
    assert abs(chi_square - freedom) < 4 * sqrt(2 * freedom)  # mean and four standard deviations of that distribution


def test_long_random_trees_need_no_recursion() -> None:
    assert is_projective(random_projective_tree(5000, seed=3))
