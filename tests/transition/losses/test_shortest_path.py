from collections.abc import Callable, Hashable
from random import Random
from typing import Any

import pytest

from deptrees import DependencyTree, all_trees, is_projective, random_projective_tree
from deptrees.transition import (
    ArcEager,
    ArcHybrid,
    ArcStandard,
    Configuration,
    EasyFirst,
    IllegalTransition,
    LossNotFound,
    LRSpines,
    Shift,
    System,
    Transition,
    cost,
    dynamic_oracle,
    reachable,
    untyped,
)
from deptrees.transition.losses.loss import oracles_from
from deptrees.transition.losses.shortest_path import ExactSearch
from tests.transition.configurations import Losses, partial_trees, random_tree


def nothing(cfg: Any, tree: DependencyTree) -> int:
    return 0


def lost(cfg: Any, tree: DependencyTree) -> int:
    """The gold arcs of words without a head that can no longer be built, because one end is gone."""
    left = {*cfg.stack, *cfg.buffer}
    return sum(
        cfg.heads[word - 1] is None and gold is not None and not {gold, word} <= left
        for word, gold in enumerate(tree.heads, 1)
    )


def everything(cfg: Configuration) -> Hashable:
    return cfg


def stack_and_buffer(cfg: Any) -> Hashable:
    return cfg.stack, cfg.buffer


def stack_buffer_and_unattached(cfg: Any) -> Hashable:
    return cfg.stack, cfg.buffer, tuple(cfg.heads[word - 1] is None for word in cfg.stack if word)


SEARCHES: list[tuple[System, Callable[[Any], Hashable], Callable[[Any, DependencyTree], int]]] = [
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
@pytest.mark.parametrize("n", [1, 2, 3, pytest.param(4, marks=pytest.mark.slow)])
def test_losses_and_costs_are_exact(system: System, key: Any, bound: Any, n: int) -> None:
    search, trees = ExactSearch(key, bound), list(partial_trees(n))[:: 1 if n < 4 else 12]
    losses = Losses(trees)
    configurations = list(reachable(system, n))
    for index, tree in enumerate(trees):
        for cfg in configurations:
            assert search(cfg, tree) == losses[cfg][index], (cfg, tree)
            costs = {t: losses[t(cfg)][index] - losses[cfg][index] for t in cfg.possible_transitions()}
            assert {t: search.cost(t, cfg, tree) for t in costs} == costs
            free = tuple(t for t in costs if costs[t] == 0)
            assert search.zero_cost(cfg, tree, untyped) == free
            if not cfg.is_final:
                assert search.zero_cost(cfg, tree, untyped)[0] == free[0]


def test_what_is_remembered_does_not_depend_on_the_order_of_questions() -> None:
    trees = list(partial_trees(3))
    losses = Losses(trees)
    pairs = [(cfg, index) for cfg in reachable(ArcStandard(), 3) for index in range(len(trees))]
    for seed in range(5):
        search = ExactSearch(stack_and_buffer, lambda cfg, tree: 0)
        for cfg, index in Random(seed).sample(pairs, len(pairs)):
            assert search(cfg, trees[index]) == losses[cfg][index]


@pytest.mark.parametrize("system", [ArcStandard(), ArcStandard(root="last")], ids=repr)
def test_losses_of_longer_trees_agree_with_the_tabular_ones(system: System) -> None:
    rng, search = Random(8), ExactSearch(stack_and_buffer, lost)
    for n in range(5, 10):
        tree, cfg = random_tree(n, rng), system.initial([f"w{word}" for word in range(n)])
        while not cfg.is_final:
            assert search.zero_cost(cfg, tree, untyped) == dynamic_oracle(cfg, tree)
            transition = rng.choice(cfg.possible_transitions())
            assert search.cost(transition, cfg, tree) == cost(transition, cfg, tree)
            cfg = transition(cfg)


def test_sequences_of_transitions_can_be_tried_instead_of_single_ones() -> None:
    def steps(cfg: Configuration, costs: Any) -> list[tuple[Transition, ...]]:
        reduces = [(transition,) for transition in cfg.possible_transitions() if transition != Shift()]
        return [(Shift(), *then) for then in [(), *after_shift(cfg)] if cfg.allows(Shift())] + reduces

    def after_shift(cfg: Configuration) -> list[tuple[Transition, ...]]:
        return [(transition,) for transition in Shift()(cfg).possible_transitions()] if cfg.allows(Shift()) else []

    trees = list(all_trees(3))
    losses, search = Losses(trees), ExactSearch(stack_and_buffer, lost, steps=steps)
    for cfg in reachable(ArcStandard(), 3):
        for index, tree in enumerate(trees):
            assert search(cfg, tree) == losses[cfg][index]


def test_the_search_ends_where_the_bound_is_known_to_be_tight() -> None:
    asked = []

    def is_tight(cfg: Any, tree: DependencyTree) -> bool:
        asked.append(cfg)
        return is_projective(tree)

    tree = random_projective_tree(30, seed=1)
    search = ExactSearch(stack_and_buffer, lambda cfg, tree: 0, is_tight)
    assert search(ArcStandard().initial(tree), tree) == 0
    assert len(asked) == 1


def test_a_search_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deptrees.transition.losses.shortest_path.LIMIT", 100)
    tree, search = random_tree(12, Random(3)), ExactSearch(stack_and_buffer, lambda cfg, tree: 0)
    with pytest.raises(LossNotFound, match=r"^100 configurations were not enough to find the loss of ArcStandard"):
        search(ArcStandard().initial(tree), tree)


def test_what_is_remembered_of_a_tree_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    trees = list(all_trees(4))[::10]
    losses, search = Losses(trees), ExactSearch(stack_and_buffer, lambda cfg, tree: 0)
    monkeypatch.setattr("deptrees.transition.losses.shortest_path.LIMIT", 100)
    for cfg in reachable(ArcStandard(), 4):
        for index, tree in enumerate(trees):
            assert search(cfg, tree) == losses[cfg][index]


def test_a_final_configuration_has_no_transition() -> None:
    cfg, search = ArcStandard().initial([]), ExactSearch(stack_and_buffer, lost)
    tree = DependencyTree([])
    assert search(cfg, tree) == 0
    assert search.zero_cost(cfg, tree, untyped) == ()
    static = oracles_from(search).static
    assert static is not None
    with pytest.raises(IllegalTransition, match="final configuration"):
        static(cfg, tree, untyped)
