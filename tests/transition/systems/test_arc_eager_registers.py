"""Two registers: which trees they build, and what it takes to store and to clear."""

from random import Random
from typing import Any

import pytest

from deptrees import DependencyTree, all_trees, crossing_interval_degree
from deptrees.transition import (
    ArcEagerRegisters,
    Clear,
    IllegalTransition,
    LeftArc,
    Oracle,
    Reduce,
    RightArc,
    Shift,
    Store,
    Transition,
    exhaustive_loss,
    loss,
    reachable,
    static_oracle,
)
from deptrees.transition.exhaustive import reachable_heads
from tests.tiers import slow
from tests.transition.configurations import follow, random_tree

SYSTEM = ArcEagerRegisters()


def reached(*transitions: Transition, n: int) -> Any:
    return follow(SYSTEM.initial([f"w{word}" for word in range(1, n + 1)]), transitions)


def degree_without_roots(tree: DependencyTree) -> int:
    return crossing_interval_degree(tree.reattach([head or None for head in tree.heads]))


@pytest.mark.parametrize("n", [1, 2, 3, slow(4)])
def test_there_are_no_dead_ends_and_all_trees_are_built(n: int) -> None:
    for cfg in reachable(SYSTEM, n):
        assert cfg.is_final != bool(cfg.possible_transitions())
    assert reachable_heads(SYSTEM.initial(["w"] * n)) == {tree.heads for tree in all_trees(n)}


@pytest.mark.parametrize(("n", "count"), [(4, 125), slow(5, 1260), slow(6, 13869)])
def test_what_can_be_built_are_trees_with_crossing_intervals_of_two_words(n: int, count: int) -> None:
    built = 0
    for tree in all_trees(n):
        can_be_built = SYSTEM.loss().is_at_most(SYSTEM.initial(tree), tree, 0)
        assert can_be_built is (degree_without_roots(tree) <= 2) is (SYSTEM.obstacle(tree) is None), tree.heads
        assert can_be_built or crossing_interval_degree(tree) > 2
        built += can_be_built
    assert built == count


def test_words_in_registers_are_seen_below_the_top_of_the_stack() -> None:
    cfg = reached(Shift(), Store(), Shift(), Shift(), Store(), n=6)
    assert cfg.neighbors() == ((4, 5, 2, 3, 1), (6,))
    assert cfg.neighbors(k=2) == ((2, 4, 5, 3, 1), (6,))
    assert cfg.neighbors(k=5) == ((4, 5, 2, 3, 1), (5, 6))


@pytest.mark.parametrize(("n", "pairs"), [(3, 200), (4, 50), slow(4, 20_000), slow(5, 300)])
def test_losses_are_those_of_exhaustive_search(n: int, pairs: int) -> None:
    rng = Random(n)
    trees = [*all_trees(n)]
    for _ in range(pairs):
        cfg: Any = SYSTEM.initial(["w"] * n)
        for _ in range(rng.randrange(2, 4 * n)):
            cfg = cfg if cfg.is_final else rng.choice(cfg.possible_transitions())(cfg)
        gold = rng.choice(trees)
        if rng.random() < 0.3:
            gold = gold.reattach([rng.choice([None, head]) for head in gold.heads])
        assert loss(cfg, gold) == exhaustive_loss(cfg, gold), (cfg, gold)


@pytest.mark.parametrize("n", [8, slow(15), slow(20)])
def test_derivations_are_linear(n: int) -> None:
    rng, built = Random(n), 0
    while built < 5:
        tree = random_tree(n, rng) if n == 8 else nearly_projective(n, rng)
        if SYSTEM.obstacle(tree) is None:
            steps = [*Oracle(SYSTEM, static_oracle)(tree)]
            cfg, last = steps[-1]
            assert last(cfg).heads == tree.heads
            assert n < len(steps) <= 6 * n - 3
            built += 1


def nearly_projective(n: int, rng: Random) -> DependencyTree:
    """A tree whose words have heads nearby."""
    heads = [rng.randrange(max(0, word - 3), word) for word in range(1, n + 1)]
    return DependencyTree((head, "w") for head in heads)


def test_arcs_on_the_stack_do_not_cross_those_of_registers() -> None:
    cfg = reached(Shift(), Store(), LeftArc(k=2), n=4)
    assert cfg.interval == (2, 3)
    with pytest.raises(IllegalTransition, match="is after s0"):
        RightArc()(cfg)
    cfg = Clear()(cfg)
    assert (cfg.stack, cfg.buffer) == ((1,), (3, 4))
    assert RightArc().is_possible(cfg)


def test_what_is_inside_the_interval_does_not_come_back() -> None:
    cfg = reached(Shift(), Store(), LeftArc(k=4), Store(), LeftArc(k=3), Shift(), n=4)
    assert (cfg.stack, cfg.registers, cfg.interval) == ((4,), (2, 3), (1, 4))
    with pytest.raises(IllegalTransition, match="inside the interval have a head"):
        Clear()(cfg)
    cfg = Clear()(LeftArc(k=7)(cfg))
    assert (cfg.stack, cfg.registers, cfg.closed, cfg.interval) == ((4,), (), 4, ())


def test_the_last_word_that_was_read_comes_back_to_the_buffer() -> None:
    cfg = Clear()(reached(Shift(), Store(), LeftArc(k=4), n=3))
    assert (cfg.stack, cfg.buffer) == ((), (2, 3))
    cfg = Clear()(reached(Store(), Store(), n=3))
    assert (cfg.stack, cfg.buffer) == ((1, 2), (3,))


@pytest.mark.parametrize(
    ("transitions", "wrong", "missing"),
    [
        ([], LeftArc(k=2), "r1 exists"),
        ([], RightArc(k=6), "k is one of 1 to 5"),
        ([], Reduce(), "s0 exists"),
        ([], Clear(), "there is a word in a register"),
        ([Store(), Store()], Store(), "a register is free"),
        ([Store(), Shift()], LeftArc(k=4), "s0 is before the register"),
        ([Store(), Store(), LeftArc(k=2)], RightArc(k=3), "has a dependent beyond its head"),
        ([Shift(), Shift(), Shift()], Shift(), "b0 exists"),
    ],
    ids=repr,
)
def test_what_a_transition_requires(transitions: list[Transition], wrong: Transition, missing: str) -> None:
    with pytest.raises(IllegalTransition, match=missing):
        wrong(reached(*transitions, n=3))
