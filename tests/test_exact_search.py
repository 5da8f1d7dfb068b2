from collections.abc import Callable, Hashable
from random import Random
from typing import Any

import pytest

from deptrees import DependencyTree
from deptrees.transition import (
    ArcEager,
    ArcHybrid,
    ArcStandard,
    Configuration,
    EasyFirst,
    LRSpines,
    System,
    cost,
    dynamic_oracle,
    loss,
    reachable,
    typed,
    untyped,
)
from deptrees.transition.exact_search import ExactSearch
from tests.configurations import Losses, partial_trees, random_tree


def nothing(cfg: Any, tree: DependencyTree) -> int:
    return 0


def lost(cfg: Any, tree: DependencyTree) -> int:
    """The gold arcs of words without a head that can no longer be built, because one end is gone."""
    left = {*cfg.stack, *cfg.buffer}
    return sum(
        cfg.heads[word - 1] is None and gold is not None and not {gold, word} <= left
        for word, gold in enumerate(tree.heads, 1)
    )


def everything(cfg: Any) -> Hashable:
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
    search, trees = ExactSearch(key, bound), list(partial_trees(n))[:: 1 if n < 4 else 7]
    losses = Losses(trees)
    configurations = list(reachable(system, n))
    for index, tree in enumerate(trees):
        for cfg in configurations:
            assert search.loss(cfg, tree) == losses[cfg][index], (cfg, tree)
            costs = {t: losses[t(cfg)][index] - losses[cfg][index] for t in cfg.possible_transitions()}
            assert {t: search.cost(cfg, tree, t) for t in costs} == costs
            assert search.dynamic(cfg, tree, untyped) == tuple(t for t in costs if costs[t] == 0)
