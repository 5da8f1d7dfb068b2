"""Gold columns, asked for one by one, against what the dynamic oracle says of all transitions together."""

from random import Random
from typing import Any

import numpy as np
import pytest

from deptrees.search import Space
from deptrees.training.gold_columns import gold_columns
from deptrees.transition import Oracle, System, dynamic_oracle, typed, untyped
from deptrees.transition.oracles import OracleFunction
from deptrees.transition.systems.registry import REGISTRY
from tests.engine.engine import LABELS, sentences
from tests.tiers import slow


def named(cfg: Any, tree: Any, label: Any) -> tuple[Any, ...]:
    """The dynamic oracle, not known to be it."""
    return dynamic_oracle(cfg, tree, label)


@pytest.mark.parametrize("count", [3, slow(40)])
@pytest.mark.parametrize("label", [typed, untyped], ids=["typed", "untyped"])
@pytest.mark.parametrize("system", [registered.example for registered in REGISTRY.values()], ids=repr)
def test_they_are_the_dynamic_oracles(system: System, label: Any, count: int) -> None:
    rng = Random(1)
    space = Space(system.transition_space(LABELS))
    functions: tuple[OracleFunction, ...] = (dynamic_oracle, named)
    for tree in sentences(count, seed=2, longest=7):
        cfg: Any = system.initial(tree)
        one_by_one, together = (
            gold_columns(Oracle(system, function, label), space, cfg, tree) for function in functions
        )
        while not cfg.is_final:
            columns = space.columns(cfg.possible_transitions())
            scores = np.array([rng.randrange(4) for _ in columns], np.float64)
            assert one_by_one.best(columns, scores) == together.best(columns, scores)
            numbers = columns.tolist()
            assert [column in one_by_one for column in numbers] == [column in together for column in numbers]
            column = rng.choice(numbers)
            cfg = space.transition(column)(cfg)
            if not cfg.is_final:
                one_by_one, together = one_by_one.after(column, cfg), together.after(column, cfg)


@pytest.mark.parametrize("count", [3, slow(40)])
@pytest.mark.parametrize("system", [registered.example for registered in REGISTRY.values()], ids=repr)
def test_a_loss_is_at_most_a_limit_where_it_is(system: System, count: int) -> None:
    rng, loss = Random(2), system.oracles.loss
    assert loss is not None
    for tree in sentences(count, seed=3, longest=7):
        cfg: Any = system.initial(tree)
        while True:
            limit = rng.randrange(4)
            is_at_most = loss.is_at_most(cfg, tree, limit)  # before the loss, which may be remembered
            assert is_at_most == (loss(cfg, tree) <= limit)
            if cfg.is_final:
                break
            cfg = rng.choice(cfg.possible_transitions())(cfg)


@pytest.mark.parametrize("count", [3, slow(60)])
@pytest.mark.parametrize("system", [registered.example for registered in REGISTRY.values()], ids=repr)
def test_what_is_free_costs_nothing(system: System, count: int) -> None:
    rng, loss = Random(4), system.oracles.loss
    assert loss is not None
    for tree in sentences(count, seed=5, longest=7):
        cfg: Any = system.initial(tree)
        while not cfg.is_final:
            for transition in cfg.possible_transitions():
                is_free = loss.cost(transition, cfg, tree) == 0
                assert loss.is_free_quickly(transition, cfg, tree) in (is_free, None)
                assert loss.is_free(transition, cfg, tree, loss(cfg, tree)) == is_free
            cfg = rng.choice(cfg.possible_transitions())(cfg)
