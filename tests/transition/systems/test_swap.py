"""The Swap systems: derivations, treebanks, and how far estimated losses are from the exact ones."""

from itertools import islice
from pathlib import Path
from random import Random

import pytest

from deptrees import DependencyTree, Treebank, all_trees, random_projective_tree
from deptrees.transition import (
    ArcEager,
    ArcHybridSwap,
    ArcStandardSwap,
    LeftArc,
    LossNotFound,
    Oracle,
    OracleNotDefined,
    Shift,
    StackBufferSystem,
    Swap,
    approximate_dynamic_oracle,
    dynamic_oracle,
    loss,
    reachable,
    static_oracle,
    static_oracle_lazy_swap,
)
from tests.conftest import Compared
from tests.gold_trees import every_dev_treebank
from tests.tiers import slow, variants_slow
from tests.transition.configurations import Losses, partial_trees, random_tree, with_one_root

SYSTEMS: list[StackBufferSystem] = [ArcStandardSwap(), ArcHybridSwap()]
VARIANTS: list[StackBufferSystem] = [
    ArcStandardSwap(root="last"),
    ArcStandardSwap(single_root=True),
    ArcStandardSwap(root="last", single_root=True),
    ArcHybridSwap(single_root=True),
]
EVERY_SYSTEM = pytest.mark.parametrize("system", variants_slow(SYSTEMS + VARIANTS), ids=repr)


def test_a_word_may_have_to_pass_others_before_its_later_head_takes_it() -> None:
    tree = DependencyTree([(4, "1"), (3, "2"), (5, "3"), (5, "4"), (7, "5"), (7, "6"), (0, "7")])
    cfg = ArcHybridSwap().initial(tree)
    for letter in "---+++----+++--+--+--+--+":
        cfg = {"-": Shift(), "+": Swap()}[letter](cfg)
    assert (cfg.stack, cfg.buffer) == ((4, 5, 2, 3, 6), (7, 1, 0))
    assert (loss(cfg, tree), loss(LeftArc()(cfg), tree)) == (0, 1)


@EVERY_SYSTEM
@pytest.mark.parametrize("n", [1, 2, 3])
def test_estimated_losses_are_never_too_low(system: StackBufferSystem, n: int, compared: Compared) -> None:
    trees = list(partial_trees(n))
    _assert_estimates(system, n, trees, compared)


@EVERY_SYSTEM
@pytest.mark.parametrize("count", [4, slow(20)])
def test_estimated_losses_of_four_words_are_never_too_low_and_mostly_exact(
    system: StackBufferSystem, count: int, compared: Compared
) -> None:
    trees = Random(4).sample(list(all_trees(4)), count)
    assert _assert_estimates(system, 4, trees, compared) < 0.06


def _assert_estimates(system: StackBufferSystem, n: int, trees: list[DependencyTree], compared: Compared) -> float:
    """The share of losses that are estimated too high."""
    losses, estimate = Losses(trees), system.estimated_loss()
    assert estimate
    too_high = pairs = 0
    for cfg in reachable(system, n):
        for tree, exact in zip(trees, losses[cfg], strict=True):
            estimated = estimate(cfg, tree)
            assert estimated >= exact, (cfg, tree)
            too_high += estimated > exact
        pairs += len(trees)
    compared(pairs)
    return too_high / pairs


@EVERY_SYSTEM
@pytest.mark.parametrize("n", [5, 12, slow(20)])
def test_any_transitions_of_the_approximate_oracle_lead_to_the_gold_tree(system: StackBufferSystem, n: int) -> None:
    for seed in range(3):
        tree = random_tree(n, Random(seed))
        if system.has_single_root:
            tree = with_one_root(tree)
        *_, (cfg, gold) = Oracle(system, approximate_dynamic_oracle)(tree)
        assert gold[0](cfg).heads == tree.heads


@pytest.mark.parametrize("system", SYSTEMS, ids=repr)
@every_dev_treebank
def test_approximate_oracle_rebuilds_real_sentences(system: StackBufferSystem, path: Path) -> None:
    for tree in islice(Treebank(path), 4):
        *_, (cfg, gold) = Oracle(system, approximate_dynamic_oracle)(tree)
        assert gold[0](cfg).heads == tree.heads


def test_approximate_oracle_of_other_systems() -> None:
    tree = DependencyTree([(0, "Sing")])
    with pytest.raises(OracleNotDefined, match="has no approximate_dynamic oracle"):
        approximate_dynamic_oracle(ArcEager().initial(tree), tree)


def test_a_word_that_may_get_any_head_is_needed_to_pass_another() -> None:
    tree = DependencyTree([(5, "w1"), (1, "w2"), (5, "w3"), (1, "w4"), (0, "w5")])
    cfg = next(cfg for cfg in reachable(ArcHybridSwap(), 5) if (cfg.stack, cfg.buffer) == ((4, 1, 5, 2), (3, 0)))  # type: ignore[attr-defined]
    assert dynamic_oracle(cfg, tree) == (Swap(),)


@pytest.mark.parametrize("system", [system for system in VARIANTS if system.has_single_root], ids=repr)
def test_of_several_gold_roots_all_but_one_are_lost(system: StackBufferSystem) -> None:
    for seed in range(3):
        tree = random_projective_tree(20, seed)
        tree = tree.reattach([0 if word % 5 == 0 else head for word, head in enumerate(tree.heads, 1)])
        assert loss(system.initial(tree), tree) == len(tree.roots) - 1 >= 4


def test_a_loss_that_is_not_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deptrees.transition.losses.swaps.conflicts._BUDGET", 2)
    with pytest.raises(LossNotFound, match=r"^2 configurations were not enough to find the loss of ArcStandardSwap"):
        _losses_on_random_walks(ArcStandardSwap(), random_tree(12, Random(1)))


def _losses_on_random_walks(system: StackBufferSystem, tree: DependencyTree) -> None:
    rng, exact = Random(1), system.loss()
    assert exact
    for _ in range(20):
        cfg = system.initial(tree)
        while not cfg.is_final:
            exact(cfg, tree)
            cfg = rng.choice(cfg.possible_transitions())(cfg)


@every_dev_treebank
def test_static_oracles_rebuild_every_tree_of_a_treebank(path: Path) -> None:
    eager, lazy, hybrid = (
        Oracle(ArcStandardSwap(), static_oracle),
        Oracle(ArcStandardSwap(), static_oracle_lazy_swap),
        Oracle(ArcHybridSwap(), static_oracle),
    )
    swaps = dict.fromkeys((eager, lazy, hybrid), 0)
    for tree in Treebank(path):
        for oracle in swaps:
            steps = list(oracle(tree))
            cfg, transition = steps[-1]
            assert transition(cfg).heads == tree.heads
            swaps[oracle] += sum(transition == Swap() for _, transition in steps)
    assert 0 < swaps[lazy] < swaps[eager]
