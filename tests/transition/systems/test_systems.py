from random import Random

import numpy as np
import pytest

from deptrees import DependencyTree, Treebank, all_trees, is_projective, random_projective_tree
from deptrees.transition import (
    ArcEager,
    ArcHybrid,
    ArcStandard,
    ArcSwift,
    LeftArc,
    NonMonotonicArcEager,
    Oracle,
    RightArc,
    Shift,
    StackBufferSystem,
    cost,
    dynamic_oracle,
    exhaustive_loss,
    exhaustive_oracle,
    loss,
    nondeterministic_oracle,
    reachable,
    reachable_heads,
    static_oracle,
    static_oracle_prefer_shift,
)
from tests.conftest import Compared
from tests.gold_trees import TREEBANK_FILES
from tests.transition.configurations import (
    PARTIAL_SYSTEMS,
    PROJECTIVE_SYSTEMS,
    SINGLE_ROOT_SYSTEMS,
    SYSTEMS,
    Losses,
    partial_trees,
    random_tree,
    random_tree_of,
    rebuilt,
    trees_of,
    words,
)

SIZES = [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.slow)]
EVERY_SYSTEM = pytest.mark.parametrize("system", SYSTEMS, ids=repr)
EVERY_PROJECTIVE_SYSTEM = pytest.mark.parametrize("system", PROJECTIVE_SYSTEMS + SINGLE_ROOT_SYSTEMS, ids=repr)
EVERY_DYNAMIC_SYSTEM = pytest.mark.parametrize(
    "system", [system for system in SYSTEMS if system.oracles.dynamic], ids=repr
)


@EVERY_PROJECTIVE_SYSTEM
@pytest.mark.parametrize("n", SIZES)
def test_final_configurations_are_exactly_the_projective_trees(system: StackBufferSystem, n: int) -> None:
    configurations = list(reachable(system, n))
    assert all(cfg.is_final or cfg.possible_transitions() for cfg in configurations)
    built = {cfg.heads for cfg in configurations if cfg.is_final}
    assert built == {tree.heads for tree in trees_of(system, n)}


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
        (NonMonotonicArcEager(), 459),
        (NonMonotonicArcEager(root="last"), 245),
        (ArcSwift(), 126),
    ],
    ids=repr,
)
def test_number_of_reachable_configurations_of_four_words(system: StackBufferSystem, count: int) -> None:
    assert len(list(reachable(system, 4))) == count


@EVERY_PROJECTIVE_SYSTEM
@pytest.mark.parametrize("n", SIZES)
def test_oracles_agree_with_exhaustive_search_for_every_tree_that_can_be_built(
    system: StackBufferSystem, n: int, compared: Compared
) -> None:
    trees = trees_of(system, n)
    losses = Losses(trees)
    for cfg in reachable(system, n):
        if cfg.is_final:
            continue
        possible = cfg.possible_transitions()
        costs = {transition: losses[transition(cfg)] - losses[cfg] for transition in possible}
        for index, tree in enumerate(trees):
            best = tuple(transition for transition in possible if costs[transition][index] == 0)
            if system.oracles.dynamic:
                assert dynamic_oracle(cfg, tree) == best, (cfg, tree)
            if losses[cfg][index] == 0:
                assert nondeterministic_oracle(cfg, tree) == best, (cfg, tree)
                assert static_oracle(cfg, tree) in best, (cfg, tree)
                assert static_oracle_prefer_shift(cfg, tree) in best, (cfg, tree)
                assert (static_oracle_prefer_shift(cfg, tree) == Shift()) == (
                    Shift() in best and not isinstance(best[0], LeftArc | RightArc)
                )
        compared(len(trees))


@EVERY_DYNAMIC_SYSTEM
@pytest.mark.parametrize("n", [1, 2, 3])
def test_cost_and_loss_are_exact(system: StackBufferSystem, n: int, compared: Compared) -> None:
    trees = list(partial_trees(n))
    losses = Losses(trees)
    for cfg in reachable(system, n):
        for index, tree in enumerate(trees):
            assert loss(cfg, tree) == losses[cfg][index]
            if not cfg.is_final:
                for transition in cfg.possible_transitions():
                    assert cost(transition, cfg, tree) == losses[transition(cfg)][index] - losses[cfg][index]
        compared(len(trees))


@EVERY_DYNAMIC_SYSTEM
@pytest.mark.parametrize(
    "trees",
    [
        *[pytest.param(list(partial_trees(n)), id=f"annotated or in part, {n}") for n in (1, 2, 3)],
        pytest.param(list(all_trees(4)), id="annotated, 4", marks=pytest.mark.slow),
    ],
)
def test_dynamic_oracles_are_exact_for_every_tree_projective_or_not(
    system: StackBufferSystem, trees: list[DependencyTree], compared: Compared
) -> None:
    losses = Losses(trees)
    for cfg in reachable(system, len(trees[0])):
        if not cfg.is_final:
            after = [(transition, losses[transition(cfg)]) for transition in cfg.possible_transitions()]
            for index, tree in enumerate(trees):
                best = tuple(transition for transition, left in after if left[index] == losses[cfg][index])
                assert dynamic_oracle(cfg, tree) == best, (cfg, tree)
                if losses[cfg][index] == 0:
                    assert nondeterministic_oracle(cfg, tree) == best, (cfg, tree)
                    assert static_oracle(cfg, tree) in best, (cfg, tree)
                    assert static_oracle_prefer_shift(cfg, tree) in best, (cfg, tree)
            compared(len(trees))


@pytest.mark.slow
@EVERY_PROJECTIVE_SYSTEM
def test_losses_are_exact_for_every_tree_of_five_words(system: StackBufferSystem, compared: Compared) -> None:
    """For trees that are not projective, costs are differences of these losses; for the others oracles are compared."""
    trees, loss_of = list(all_trees(5)), system.loss()
    assert loss_of
    configurations = list(reachable(system, 5))
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
def test_exhaustive_oracle_agrees_with_losses_counted_apart(system: StackBufferSystem) -> None:
    trees = list(partial_trees(3))
    losses = Losses(trees)
    for cfg in reachable(system, 3):
        for index, tree in enumerate(trees):
            assert exhaustive_loss(cfg, tree) == losses[cfg][index]
            if not cfg.is_final:
                after = [(transition, losses[transition(cfg)][index]) for transition in cfg.possible_transitions()]
                best = tuple(transition for transition, left in after if left == losses[cfg][index])
                assert exhaustive_oracle(cfg, tree) == best


@EVERY_PROJECTIVE_SYSTEM
def test_reachable_heads_of_the_start_are_the_projective_trees(system: StackBufferSystem) -> None:
    assert reachable_heads(system.initial(words(4))) == {tree.heads for tree in trees_of(system, 4)}


@pytest.mark.parametrize("system", [system for system in SYSTEMS if system.longest_arc is None], ids=repr)
@pytest.mark.parametrize(
    "function", [static_oracle, static_oracle_prefer_shift, nondeterministic_oracle], ids=lambda f: f.__name__
)
def test_oracles_rebuild_long_random_trees(system: StackBufferSystem, function: object) -> None:
    for seed in range(20):
        tree = random_tree_of(system, 10 + 10 * seed, seed)
        assert rebuilt(Oracle(system, function), tree) == tree.heads  # type: ignore[arg-type]


@pytest.mark.parametrize("path", TREEBANK_FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("system", [ArcStandard(), ArcHybrid(), ArcEager()], ids=repr)
def test_static_oracles_rebuild_every_projective_tree_of_a_treebank(system: StackBufferSystem, path: str) -> None:
    oracle = Oracle(system, static_oracle)
    for tree in Treebank(path):
        if is_projective(tree):
            assert rebuilt(oracle, tree) == tree.heads
        else:
            assert not oracle(tree)


@EVERY_DYNAMIC_SYSTEM
@pytest.mark.parametrize("n", [12, 30, 60])
def test_costs_of_random_crossing_trees_add_up_on_random_walks(system: StackBufferSystem, n: int) -> None:
    rng = Random(n)
    for _ in range(5):
        tree = random_tree(n, rng)
        cfg, total = system.initial(tree), loss(system.initial(tree), tree)
        while not cfg.is_final:
            transition = rng.choice(cfg.possible_transitions())
            total += cost(transition, cfg, tree)
            cfg = transition(cfg)
        assert total == sum(head != gold for head, gold in zip(cfg.heads, tree.heads, strict=True))


@EVERY_DYNAMIC_SYSTEM
def test_costs_add_up_to_the_loss_on_long_random_walks(system: StackBufferSystem) -> None:
    rng = Random(7)
    for seed in range(30):
        tree = random_projective_tree(40, seed)
        cfg, total = system.initial(tree), loss(system.initial(tree), tree)
        while not cfg.is_final:
            transition = rng.choice(cfg.possible_transitions())
            total += cost(transition, cfg, tree)
            cfg = transition(cfg)
        wrong = sum(head != gold for head, gold in zip(cfg.heads, tree.heads, strict=True))
        assert total == wrong > 0
