from collections.abc import Iterable
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from deptrees import projective_trees, random_projective_tree
from deptrees.trees.eisner import eisner, least_projective, least_projective_with

Costs = npt.NDArray[np.float64]


def random_costs(n: int, seed: int) -> Costs:
    """Whole numbers, so that sums are exact and ties common; some arcs are forbidden."""
    rng = np.random.default_rng(seed)
    costs = rng.integers(-3, 4, (n, n)).astype(np.float64)
    costs[rng.random((n, n)) < 0.2] = np.inf
    return costs


def least(costs: Costs, arcs_of_trees: Iterable[list[tuple[int, int]]]) -> float:
    return min((float(sum(costs[arc] for arc in arcs)) for arcs in arcs_of_trees), default=np.inf)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_minimum_is_that_of_all_projective_trees(n: int) -> None:
    trees = [list(tree.arcs) for tree in projective_trees(n)]
    for seed in range(100):
        costs = random_costs(n + 1, seed)
        assert eisner(costs).minimum == least(costs, trees)


@pytest.mark.parametrize("seed", range(20))
def test_charts_hold_the_minimum_of_every_half_span(seed: int) -> None:
    costs = random_costs(6, seed)
    charts = eisner(costs)
    for head in range(6):
        for end in range(6):
            step = 1 if end > head else -1  # a half-span to the left is one to the right, mirrored
            trees = [
                [(head + step * above, head + step * word) for above, word in tree.arcs]
                for tree in projective_trees(abs(end - head))
            ]
            assert charts.complete[head, end] == least(costs, trees)
            if end == head:
                assert charts.incomplete[head, end] == np.inf
            else:
                assert charts.incomplete[head, end] == least(costs, [tree for tree in trees if (head, end) in tree])


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_where_subtrees_end_may_cost_too(n: int) -> None:
    trees = list(projective_trees(n))
    for seed in range(100):
        costs, ends = random_costs(n + 1, seed), random_costs(n + 1, seed + 100)
        totals = [
            sum(costs[head, word] + ends[head, tree.span(word)[word > head]] for head, word in tree.arcs)
            for tree in trees
        ]
        assert eisner(costs, ends).minimum == min(totals)


def test_costs_that_are_never_paid_do_not_matter() -> None:
    costs = random_costs(6, 1)
    changed = costs.copy()
    changed[:, 0] = 99  # no tree has an arc to its root
    np.fill_diagonal(changed, -99)
    assert eisner(changed).minimum == eisner(costs).minimum


def test_a_root_alone_costs_nothing_and_what_is_forbidden_costs_infinity() -> None:
    assert eisner([[5]]).minimum == 0
    assert eisner(np.full((3, 3), np.inf)).minimum == np.inf


@pytest.mark.parametrize("single_root", [False, True])
def test_stacked_costs_give_what_each_of_them_gives(single_root: bool) -> None:
    costs = np.random.default_rng(1).integers(9, size=(7, 5, 5)).astype(float)
    for one, charts in zip(costs, eisner(costs).complete, strict=True):
        assert np.array_equal(eisner(one).complete, charts)
    found = least_projective(costs, single_root)
    assert found.tolist() == [float(least_projective(one, single_root)) for one in costs]


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_least_cost_with_a_single_root(n: int) -> None:
    costs = np.random.default_rng(n).integers(9, size=(n + 1, n + 1)).astype(float)
    trees = [tree for tree in projective_trees(n) if len(tree.roots) == 1]
    least = min(sum(costs[head, word] for head, word in tree.arcs) for tree in trees)
    assert least_projective(costs, single_root=True) == least


def test_a_long_tree_is_found_among_others() -> None:
    tree = random_projective_tree(80, seed=3)
    costs = np.ones((81, 81))
    for arc in tree.arcs:
        costs[arc] = 0
    assert eisner(costs).minimum == 0
    costs[tree.arcs[40]] = 1
    assert eisner(costs).minimum == 1


@pytest.mark.parametrize("costs", [[], 1, [1, 2], [[1, 2]], [[[1, 2]]], np.zeros((0, 0))])
def test_costs_must_be_a_square_matrix(costs: Any) -> None:
    with pytest.raises(ValueError, match="square matrix"):
        eisner(costs)


@pytest.mark.parametrize("cost", [np.nan, -np.inf])
def test_costs_must_be_numbers_or_infinity(cost: float) -> None:
    with pytest.raises(ValueError, match="must be a number or positive infinity"):
        eisner(np.array([[0, cost], [0, 0]]))


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 8])
def test_the_least_cost_of_a_tree_with_an_arc_and_with_one_to_a_leaf(n: int, single_root: bool) -> None:
    costs = np.random.default_rng(n).integers(9, size=(n, n)).astype(float)
    trees = least_projective_with(costs, single_root)
    for head, word in product(range(n), range(1, n)):
        if head != word:
            only = costs.copy()
            only[np.arange(n) != head, word] = np.inf
            assert trees.incomplete[head, word] == least_projective(only, single_root)
            only[word] = np.inf
            if abs(head - word) == 1 and (head or not single_root):
                assert trees.complete[head, word] == least_projective(only, single_root)
