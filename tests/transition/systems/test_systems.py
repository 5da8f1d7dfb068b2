from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

from deptrees import DependencyTree, Treebank, all_trees, is_projective, random_projective_tree
from deptrees.transition import (
    ArcEager,
    ArcEagerUnshift,
    ArcHybrid,
    ArcStandard,
    ArcSwift,
    Configuration,
    LeftArc,
    NonMonotonicArcEager,
    Oracle,
    RightArc,
    Shift,
    StackBufferSystem,
    exhaustive_loss,
    exhaustive_oracle,
    nondeterministic_oracle,
    reachable,
    reachable_heads,
    static_oracle,
    static_oracle_prefer_shift,
)
from tests.conftest import Compared
from tests.gold_trees import every_dev_treebank
from tests.tiers import at_length, slow
from tests.transition.configurations import (
    PARTIAL_SYSTEMS,
    PROJECTIVE_SYSTEMS,
    SINGLE_ROOT_SYSTEMS,
    SYSTEMS,
    Losses,
    assert_costs_add_up,
    every_configuration,
    losses_of_partial_trees,
    partial_trees,
    random_tree,
    random_tree_of,
    rebuilt,
    trees_of,
    words,
)

SIZES = [1, 2, 3, slow(4), slow(5)]
EVERY_SYSTEM = pytest.mark.parametrize("system", SYSTEMS, ids=repr)
PROJECTIVE = PROJECTIVE_SYSTEMS + SINGLE_ROOT_SYSTEMS
EVERY_PROJECTIVE_SYSTEM = pytest.mark.parametrize("system", PROJECTIVE, ids=repr)


@pytest.mark.parametrize("system", PARTIAL_SYSTEMS, ids=repr)
@pytest.mark.parametrize("n", SIZES)
def test_partial_systems_build_exactly_the_trees_with_a_projective_completion(
    system: StackBufferSystem, n: int
) -> None:
    configurations = list(reachable(system, n))
    assert all(cfg.is_final or cfg.possible_transitions() for cfg in configurations)
    built = {cfg.heads for cfg in configurations if cfg.is_final}
    short = {
        tree.heads
        for tree in partial_trees(n)
        if is_projective(tree) and all(abs(head - word) <= (system.longest_arc or n) for head, word in tree.arcs)
    }
    assert built == short
    if system.longest_arc is None:
        assert len(built) == [2, 8, 42, 252, 1636][n - 1]


@pytest.mark.parametrize(
    ("system", "count"),
    [
        (ArcStandard(), 183),
        (ArcStandard(root="last"), 215),
        (ArcHybrid(), 214),
        (ArcHybrid(root="last"), 183),
        (ArcEager(), 177),
        (ArcEager(root="last"), 245),
        (ArcEagerUnshift(), 349),
        (ArcEagerUnshift(root="none"), 123),
        (NonMonotonicArcEager(), 459),
        (NonMonotonicArcEager(root="last"), 245),
        (ArcSwift(), 126),
    ],
    ids=repr,
)
def test_number_of_reachable_configurations_of_four_words(system: StackBufferSystem, count: int) -> None:
    assert len(every_configuration(system, 4)) == count


@pytest.mark.parametrize("system", [system for system in PROJECTIVE if system.oracles.static_prefer_shift], ids=repr)
@pytest.mark.parametrize("n", SIZES)
def test_an_oracle_that_prefers_shift_shifts_wherever_no_arc_is_better(
    system: StackBufferSystem, n: int, compared: Compared
) -> None:
    for tree in trees_of(system, n):
        for cfg in reachable_gold(system, tree):
            best = nondeterministic_oracle(cfg, tree)
            shifts = Shift() in best and not isinstance(best[0], LeftArc | RightArc)
            assert (static_oracle_prefer_shift(cfg, tree) == Shift()) == shifts
            compared(1)


def reachable_gold(system: StackBufferSystem, tree: DependencyTree) -> Iterator[Configuration]:
    """The configurations from which the tree can be reached, but for final ones."""
    found, todo = set[Configuration](), [system.initial(tree)]
    while todo:
        cfg = todo.pop()
        if cfg not in found and not cfg.is_final:
            found.add(cfg)
            yield cfg
            todo += [transition(cfg) for transition in nondeterministic_oracle(cfg, tree)]


@EVERY_PROJECTIVE_SYSTEM
@pytest.mark.parametrize("n", [3, slow(4), at_length(5)])
def test_losses_are_exact_for_every_tree(system: StackBufferSystem, n: int, compared: Compared) -> None:
    """For trees that are not projective, costs are differences of these losses; for the others oracles are compared."""
    trees, loss_of = list(all_trees(n)), system.loss()
    assert loss_of
    configurations = list(reachable(system, n))
    losses = Losses(trees)
    exact = np.array([losses[cfg] for cfg in configurations])
    for index, tree in enumerate(trees):
        assert [loss_of(cfg, tree) for cfg in configurations] == exact[:, index].tolist(), tree
    compared(exact.size)


@pytest.mark.parametrize("system", PARTIAL_SYSTEMS, ids=repr)
def test_static_oracles_of_partial_systems_attach_only_what_has_a_near_gold_head(system: StackBufferSystem) -> None:
    for tree in partial_trees(3):
        if is_projective(tree):
            longest = system.longest_arc or len(tree)
            near = [
                head if head is not None and abs(head - word) <= longest else None
                for word, head in enumerate(tree.heads, 1)
            ]
            assert rebuilt(Oracle(system, static_oracle), tree) == tuple(near)


@EVERY_SYSTEM
@pytest.mark.parametrize("n", [2, slow(3)])
def test_exhaustive_oracle_agrees_with_losses_counted_apart(system: StackBufferSystem, n: int) -> None:
    losses = losses_of_partial_trees(n)
    for cfg in every_configuration(system, n):
        for index, tree in enumerate(losses.trees):
            assert exhaustive_loss(cfg, tree) == losses[cfg][index]
            if not cfg.is_final:
                after = [(transition, losses[transition(cfg)][index]) for transition in cfg.possible_transitions()]
                best = tuple(transition for transition, left in after if left == losses[cfg][index])
                assert exhaustive_oracle(cfg, tree) == best


@EVERY_PROJECTIVE_SYSTEM
def test_reachable_heads_of_the_start_are_the_projective_trees(system: StackBufferSystem) -> None:
    assert reachable_heads(system.initial(words(4))) == {tree.heads for tree in trees_of(system, 4)}


@pytest.mark.parametrize(
    ("system", "function"),
    [
        (system, function)
        for system in SYSTEMS
        if system.longest_arc is None
        for function in (static_oracle, static_oracle_prefer_shift, nondeterministic_oracle)
        if function.name in system.oracles.names
    ],
    ids=lambda value: getattr(value, "__name__", None) or repr(value),
)
@pytest.mark.parametrize("lengths", [range(10, 31, 10), slow(range(40, 201, 10))], ids=["10 to 30", "40 to 200"])
def test_oracles_rebuild_long_random_trees(system: StackBufferSystem, function: object, lengths: range) -> None:
    for n in lengths:
        tree = random_tree_of(system, n, seed=n)
        assert rebuilt(Oracle(system, function), tree) == tree.heads  # type: ignore[arg-type]


@every_dev_treebank
@pytest.mark.parametrize("system", [ArcStandard(), ArcHybrid(), ArcEager()], ids=repr)
def test_static_oracles_rebuild_every_projective_tree_of_a_treebank(system: StackBufferSystem, path: str) -> None:
    oracle = Oracle(system, static_oracle)
    for tree in Treebank(path):
        if is_projective(tree):
            assert rebuilt(oracle, tree) == tree.heads
        else:
            assert not oracle(tree)


@EVERY_SYSTEM
@pytest.mark.parametrize(("n", "walks"), [(10, 2), slow(12, 5), slow(30, 5), slow(60, 5)], ids=["10", "12", "30", "60"])
def test_costs_of_random_crossing_trees_add_up_on_random_walks(system: StackBufferSystem, n: int, walks: int) -> None:
    rng = Random(n)
    for _ in range(walks):
        assert_costs_add_up(system, random_tree(n, rng), rng)


@EVERY_SYSTEM
@pytest.mark.parametrize("walks", [2, slow(30)])
def test_costs_add_up_to_the_loss_on_long_random_walks(system: StackBufferSystem, walks: int) -> None:
    rng = Random(7)
    for seed in range(walks):
        assert_costs_add_up(system, random_projective_tree(20 if walks == 2 else 40, seed), rng)
