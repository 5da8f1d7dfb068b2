from collections.abc import Callable, Hashable, Iterable
from random import Random
from typing import Any

import attrs
import pytest

from deptrees import DependencyTree, all_trees, is_projective, random_projective_tree
from deptrees.transition import (
    ArcEager,
    ArcHybrid,
    ArcHybridSwap,
    ArcStandard,
    ArcStandardSwap,
    Attardi,
    Configuration,
    EasyFirst,
    IllegalTransition,
    LossNotFound,
    LRSpines,
    Shift,
    System,
    Transition,
    TwoPlanar,
    cost,
    dynamic_oracle,
    reachable,
    static_oracle,
)
from deptrees.transition.losses.arc_costs import ArcCosts, cost_so_far, gold_costs
from deptrees.transition.losses.settled_words import hybrid_arcs_search, standard_arcs_search
from deptrees.transition.losses.shortest_path import SearchProblem, ShortestPathLoss
from deptrees.transition.losses.two_planar import TwoPlanarLoss
from tests.tiers import slow
from tests.transition.configurations import Losses, partial_trees, random_tree

Heads = tuple[int | None, ...]
Bound = Callable[[Any, Heads], int]


def nothing(cfg: Any, heads: Heads) -> int:
    return 0


def lost(cfg: Any, heads: Heads) -> int:
    """The gold arcs of words without a head that can no longer be built, because one end is gone."""
    left = {*cfg.stack, *cfg.buffer}
    return sum(
        cfg.heads[word - 1] is None and gold is not None and not {gold, word} <= left
        for word, gold in enumerate(heads, 1)
    )


def everything(cfg: Configuration) -> Hashable:
    return cfg


def stack_and_buffer(cfg: Any) -> Hashable:
    return cfg.stack, cfg.buffer


def stack_buffer_and_unattached(cfg: Any) -> Hashable:
    return cfg.stack, cfg.buffer, tuple(cfg.heads[word - 1] is None for word in cfg.stack if word)


def final(cfg: Configuration) -> bool:
    return cfg.is_final


def one_by_one(cfg: Configuration) -> Iterable[tuple[Transition, ...]]:
    return [(transition,) for transition in cfg.possible_transitions()]


@attrs.frozen
class Searched(ShortestPathLoss):
    """The loss by a search that knows as much as it is given."""

    key: Callable[[Any], Hashable]
    bound: Bound
    is_attained: Callable[[Any], bool] = final
    steps: Callable[[Any], Iterable[tuple[Transition, ...]]] = one_by_one

    def gold_problem(self, heads: Heads, system: Any) -> SearchProblem:
        return _Problem(gold_costs(heads), heads, self)

    def problem(self, costs: ArcCosts, system: Any) -> SearchProblem:
        return _Problem(costs, (None,) * (len(costs) - 2), self)


class _Problem(SearchProblem):
    def __init__(self, costs: ArcCosts, heads: Heads, known: Searched) -> None:
        super().__init__(costs)
        self._heads = heads
        self._known = known

    def key(self, cfg: Any) -> Hashable:
        return self._known.key(cfg)

    def bound(self, cfg: Any) -> int:
        return self._known.bound(cfg, self._heads)

    def is_attained(self, cfg: Any) -> bool:
        return self._known.is_attained(cfg)

    def steps(self, cfg: Any) -> Iterable[tuple[Transition, ...]]:
        return self._known.steps(cfg)


SEARCHES: list[tuple[System, Callable[[Any], Hashable], Bound]] = [
    (ArcStandard(), everything, nothing),
    (ArcStandard(), stack_and_buffer, nothing),
    (ArcStandard(), stack_and_buffer, lost),
    (ArcStandard(root="last"), stack_and_buffer, lost),
    (ArcHybrid(root="last"), stack_and_buffer, lost),
    (ArcEager(), stack_buffer_and_unattached, nothing),
    (ArcEager(), stack_buffer_and_unattached, lost),
    (EasyFirst(), lambda cfg: cfg.pending, nothing),
    (LRSpines(), lambda cfg: (cfg.spines, cfg.buffer), nothing),
]
EVERY_SEARCH = pytest.mark.parametrize(("system", "key", "bound"), SEARCHES)


@EVERY_SEARCH
@pytest.mark.parametrize("n", [1, 2, slow(3), slow(4)])
def test_losses_and_costs_are_exact(system: System, key: Any, bound: Any, n: int) -> None:
    search, trees = Searched(key, bound), list(partial_trees(n))[:: 1 if n < 4 else 12]
    losses = Losses(trees)
    configurations = list(reachable(system, n))
    for index, tree in enumerate(trees):
        for cfg in configurations:
            assert search(cfg, tree) == losses[cfg][index], (cfg, tree)
            costs = {t: losses[t(cfg)][index] - losses[cfg][index] for t in cfg.possible_transitions()}
            assert {t: search.cost(t, cfg, tree) for t in costs} == costs
            free = tuple(t for t in costs if costs[t] == 0)
            assert search.zero_cost(cfg, tree) == free
            if not cfg.is_final:
                assert next(iter(search.free(cfg, tree))) == free[0]
            assert search.is_at_most(cfg, tree, 0) == (losses[cfg][index] == 0)


def test_what_is_remembered_does_not_depend_on_the_order_of_questions() -> None:
    trees = list(partial_trees(3))
    losses = Losses(trees)
    pairs = [(cfg, index) for cfg in reachable(ArcStandard(), 3) for index in range(len(trees))]
    for seed in range(5):
        search = Searched(stack_and_buffer, nothing)
        for cfg, index in Random(seed).sample(pairs, len(pairs)):
            assert search(cfg, trees[index]) == losses[cfg][index]


@pytest.mark.parametrize("system", [ArcStandard(), ArcStandard(root="last")], ids=repr)
def test_losses_of_longer_trees_agree_with_the_tabular_ones(system: System) -> None:
    rng, search = Random(8), Searched(stack_and_buffer, lost)
    for n in range(5, 10):
        tree, cfg = random_tree(n, rng), system.initial([f"w{word}" for word in range(n)])
        while not cfg.is_final:
            assert search.zero_cost(cfg, tree) == dynamic_oracle(cfg, tree)
            transition = rng.choice(cfg.possible_transitions())
            assert search.cost(transition, cfg, tree) == cost(transition, cfg, tree)
            cfg = transition(cfg)


def test_sequences_of_transitions_can_be_tried_instead_of_single_ones() -> None:
    def steps(cfg: Configuration) -> list[tuple[Transition, ...]]:
        reduces = [(transition,) for transition in cfg.possible_transitions() if transition != Shift()]
        return [(Shift(), *then) for then in [(), *after_shift(cfg)] if cfg.is_possible(Shift())] + reduces

    def after_shift(cfg: Configuration) -> list[tuple[Transition, ...]]:
        return [(transition,) for transition in Shift()(cfg).possible_transitions()] if cfg.is_possible(Shift()) else []

    trees = list(all_trees(3))
    losses, search = Losses(trees), Searched(stack_and_buffer, lost, steps=steps)
    for cfg in reachable(ArcStandard(), 3):
        for index, tree in enumerate(trees):
            assert search(cfg, tree) == losses[cfg][index]


def test_the_search_ends_where_the_bound_is_known_to_be_attained() -> None:
    asked = []
    tree = random_projective_tree(30, seed=1)

    def is_attained(cfg: Any) -> bool:
        asked.append(cfg)
        return is_projective(tree)

    search = Searched(stack_and_buffer, nothing, is_attained)
    assert search(ArcStandard().initial(tree), tree) == 0
    assert len(asked) == 1


def test_a_search_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deptrees.transition.losses.shortest_path.LIMIT", 100)
    tree, search = random_tree(12, Random(3)), Searched(stack_and_buffer, nothing)
    with pytest.raises(LossNotFound, match=r"^10\d configurations were not enough to find the loss of ArcStandard"):
        search(ArcStandard().initial(tree), tree)


def test_what_is_remembered_of_a_tree_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    trees = list(all_trees(4))[::10]
    losses, search = Losses(trees), Searched(stack_and_buffer, nothing)
    monkeypatch.setattr("deptrees.transition.losses.shortest_path.LIMIT", 100)
    for cfg in reachable(ArcStandard(), 4):
        for index, tree in enumerate(trees):
            assert search(cfg, tree) == losses[cfg][index]


def test_a_final_configuration_has_no_transition() -> None:
    cfg, search = ArcStandard().initial([]), Searched(stack_and_buffer, lost)
    tree = DependencyTree([])
    assert search(cfg, tree) == 0
    assert search.zero_cost(cfg, tree) == ()
    with pytest.raises(IllegalTransition, match="final configuration"):
        static_oracle(TwoPlanar().initial([]), tree)


LOSSES: list[tuple[System, ShortestPathLoss]] = [
    (TwoPlanar(), TwoPlanarLoss()),
    (TwoPlanar(root="last"), TwoPlanarLoss()),
    (ArcStandardSwap(), standard_arcs_search),
    (ArcStandardSwap(root="last", single_root=True), standard_arcs_search),
    (Attardi(), standard_arcs_search),
    (ArcHybridSwap(), hybrid_arcs_search),
    (ArcHybridSwap(single_root=True), hybrid_arcs_search),
]
"""The losses of the library that are found by search."""
EVERY_LOSS = pytest.mark.parametrize(("system", "loss"), LOSSES, ids=repr)


@EVERY_LOSS
@pytest.mark.parametrize("n", [3, pytest.param(4, marks=pytest.mark.slow)])
def test_bounds_are_never_too_high_and_are_attained_where_they_say_so(
    system: System, loss: ShortestPathLoss, n: int
) -> None:
    rng = Random(9)
    trees = rng.sample(list(partial_trees(n)), 12)
    losses = Losses(trees)
    attained = 0
    configurations = list(reachable(system, n))
    for cfg in rng.sample(configurations, min(40, len(configurations))):
        for index, tree in enumerate(trees):
            to_come = losses[cfg][index] - cost_so_far(cfg, gold_costs(tree.heads))
            for problem in (loss.gold_problem(tree.heads, system), loss.problem(gold_costs(tree.heads), system)):
                assert problem.bound(cfg) <= to_come, (cfg, tree)
                if problem.is_attained(cfg):
                    attained += 1
                    assert problem.bound(cfg) == to_come, (cfg, tree)
    assert attained > 200


@EVERY_LOSS
def test_losses_by_search_are_those_of_the_system(system: System, loss: ShortestPathLoss) -> None:
    rng = Random(10)
    for n in (5, 6, 7):
        tree, cfg = random_tree(n, rng), system.initial([f"w{word}" for word in range(n)])
        least_costs = loss.least_costs(gold_costs(tree.heads), system)
        while not cfg.is_final:
            assert loss.zero_cost(cfg, tree) == dynamic_oracle(cfg, tree)
            assert loss(cfg, tree) == least_costs(cfg)
            cfg = rng.choice(dynamic_oracle(cfg, tree) if rng.random() < 0.8 else cfg.possible_transitions())(cfg)
