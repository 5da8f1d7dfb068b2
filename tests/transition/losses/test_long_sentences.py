"""Costs in sentences that are too long for enumeration: two computations that know nothing of each other must agree."""

from itertools import cycle, islice
from pathlib import Path
from random import Random

import pytest

from deptrees import DependencyTree, Treebank, TreeError, random_projective_tree
from deptrees.transition import (
    MH4,
    ArcEagerBuffer,
    ArcEagerBufferNonProjective,
    ArcEagerEdit,
    ArcEagerRegisters,
    ArcEagerUnshift,
    ArcHybridSpan,
    ArcHybridSwap,
    ArcStandard,
    ArcStandardSwap,
    Attardi,
    AttardiAll,
    AttardiAllDegree1,
    EasyFirst,
    JointTags,
    LeftCorner,
    ListBasedNonLocal,
    ListBasedNonMonotonic,
    ListBasedNonProjective,
    LRSpines,
    NonMonotonicArcEager,
    PointerNonProjective,
    PointerProjective,
    SpacyArcEager,
    StackPointerNonProjective,
    StackPointerProjective,
    StanzaAttach,
    System,
    TwoPlanar,
    cost,
    dynamic_oracle,
    loss,
)
from deptrees.transition.systems.registry import REGISTRY
from tests.gold_trees import DEV_FILES, needs_treebanks
from tests.tiers import slow
from tests.transition.configurations import (
    EMPTY_UNKNOWN,
    EVERY_SYSTEM,
    SEARCHED,
    SWAP_SYSTEMS,
    random_tree,
    with_one_root,
)
from tests.transition.losses.second_losses import second_loss

LENGTHS = (8, 10, 15, 20, 40, 60)
LONGEST: dict[type[System], int] = {
    ArcStandard: 20,
    ArcEagerBuffer: 15,
    ArcEagerEdit: 10,
    ArcEagerRegisters: 8,
    ArcEagerBufferNonProjective: 10,
    ArcEagerUnshift: 15,
    EasyFirst: 40,
    JointTags: 20,
    ArcHybridSpan: 20,
    Attardi: 15,
    MH4: 10,
    AttardiAllDegree1: 10,
    AttardiAll: 10,
    ListBasedNonLocal: 20,
    ListBasedNonMonotonic: 8,
    ListBasedNonProjective: 20,
    LeftCorner: 10,
    LRSpines: 15,
    NonMonotonicArcEager: 15,
    SpacyArcEager: 10,
    ArcStandardSwap: 10,
    ArcHybridSwap: 10,
    TwoPlanar: 8,
    PointerNonProjective: 10,
    PointerProjective: 10,
    StackPointerNonProjective: 10,
    StackPointerProjective: 10,
    StanzaAttach: 8,
}
"""The longest sentences for which the second computation takes a few seconds, where these are not of 60 words."""


def longest(system: System) -> int:
    swaps_with_single_root = system in SWAP_SYSTEMS and system.has_single_root
    return 8 if swaps_with_single_root else LONGEST.get(type(system), LENGTHS[-1])


def assert_costs_agree(system: System, tree: DependencyTree, rng: Random) -> None:
    """Walk along the dynamic oracle's path, off it at one step in five, and compare losses and costs.

    In sentences of up to 20 words these are the costs of all transitions, otherwise of the one that is taken.
    """
    second, cfg = second_loss(system, tree), system.initial(tree)
    now = second(cfg)
    assert loss(cfg, tree) == now
    while not cfg.is_final:
        gold, possible = dynamic_oracle(cfg, tree), cfg.possible_transitions()
        taken = rng.choice(possible if rng.random() < 0.2 else gold)
        for transition in possible if len(tree) <= 20 else [taken]:
            claimed = cost(transition, cfg, tree)
            assert (claimed == 0) == (transition in gold), (transition, cfg, tree)
            assert claimed == second(transition(cfg)) - now, (transition, cfg, tree)
        cfg = taken(cfg)
        now = second(cfg)


@needs_treebanks
@pytest.mark.parametrize(
    ("system", "path"),
    [*zip(EVERY_SYSTEM, cycle(DEV_FILES), strict=False)],  # each system with one treebank
    ids=str,
)
def test_costs_in_real_sentences_agree(system: System, path: Path) -> None:
    rng, lengths = Random(1), range(min(10, longest(system) - 2), longest(system) + 1)
    trees = [tree for tree in islice(Treebank(path), 400) if len(tree) in lengths]
    for tree in rng.sample(trees, 1):
        assert_costs_agree(system, tree, rng)


def moves(system: System, n: int) -> tuple[int, ...]:
    """To how many words of a projective tree another head is given; three would take too long for some."""
    return (0, 1) if n == 60 or system in SWAP_SYSTEMS else (0, 1, 3)


@pytest.mark.parametrize(
    ("system", "n", "trees", "moved"),
    [
        *[(registered.example, 10, 1, (1,)) for registered in REGISTRY.values() if registered.example not in SEARCHED],
        *[(registered.example, 5, 1, (1,)) for registered in REGISTRY.values() if registered.example in SEARCHED],
        *[
            slow(system, n, 1, moves(system, n))
            for system in EVERY_SYSTEM
            if system not in EMPTY_UNKNOWN
            for n in LENGTHS
            if n <= longest(system)
        ],
    ],
    ids=repr,
)
def test_costs_of_random_trees_agree(system: System, n: int, trees: int, moved: tuple[int, ...]) -> None:
    rng = Random(n)
    for seed in range(trees):
        for count in moved:
            tree = with_one_root(random_projective_tree(n, seed))
            for _ in range(count):
                tree = with_another_head(tree, rng)
            assert_costs_agree(system, tree, rng)


@pytest.mark.parametrize(
    ("system", "n"),
    [
        *[(system, 5) for system in SWAP_SYSTEMS],
        *[slow(system, n) for system in SWAP_SYSTEMS for n in ((6,) if system.has_single_root else (6, 8))],
    ],
    ids=repr,
)
def test_costs_of_crossing_trees_agree_where_words_are_swapped(system: System, n: int) -> None:
    rng = Random(n)
    for _ in range(1 if n == 5 else 3):
        assert_costs_agree(system, random_tree(n, rng), rng)


def with_another_head(tree: DependencyTree, rng: Random) -> DependencyTree:
    """The tree with one word moved to another head, which makes most trees non-projective."""
    while True:
        word, head = rng.randint(1, len(tree)), rng.randint(0, len(tree))
        heads = list(tree.heads)
        heads[word - 1] = head
        try:
            return tree.reattach(heads)
        except TreeError:
            continue
