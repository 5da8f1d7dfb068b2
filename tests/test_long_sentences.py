"""Losses in sentences that are too long for enumeration: two computations that know nothing of each other must agree.

The library finds them in tables; here they are found by a search that prunes by the gold arcs that are lost for sure.
"""

from pathlib import Path
from random import Random

import pytest

from deptrees import DependencyTree, Treebank, TreeError, random_projective_tree
from deptrees.transition import ArcEager, ArcHybrid, StackBufferConfiguration, StackBufferSystem, cost, dynamic_oracle
from deptrees.transition.exact_search import ExactSearch
from tests.treebanks import TREEBANK_FILES

EVERY_SYSTEM = pytest.mark.parametrize(
    "system",
    [ArcHybrid(), ArcHybrid(root="last"), ArcEager(), ArcEager(root="last")],
    ids=repr,
)


def lost_for_sure(cfg: StackBufferConfiguration, tree: DependencyTree) -> int:
    """How many words without a head cannot get their gold heads, whatever else is built."""
    to_come = cfg.buffer_bits
    lost, below = 0, -1
    for word in cfg.stack:
        heads = to_come | (1 << below if isinstance(cfg.system, ArcHybrid) and below >= 0 else 0)
        lost += not cfg.attached_bits >> word & 1 and not tree.head_bits[word] & heads
        below = word
    return lost + sum(not tree.head_bits[word] & (to_come | cfg.stack_bits) for word in cfg.buffer if word)


SEARCH = ExactSearch(
    key=lambda cfg: (cfg.stack, cfg.buffer_position(0), cfg.attached_bits & cfg.stack_bits), bound=lost_for_sure
)


def assert_losses_agree(system: StackBufferSystem, tree: DependencyTree, rng: Random) -> None:
    """Walk along the dynamic oracle's path, off it at one step in ten, and compare losses and costs."""
    loss = system.loss()
    assert loss
    cfg = system.initial(tree)
    while not cfg.is_final:
        assert loss(cfg, tree) == SEARCH.loss(cfg, tree)
        best = dynamic_oracle(cfg, tree)
        possible = cfg.possible_transitions()
        transition = rng.choice(possible if rng.random() < 0.1 else best)
        after = transition(cfg)
        assert cost(transition, cfg, tree) == SEARCH.loss(after, tree) - SEARCH.loss(cfg, tree)
        cfg = after


@EVERY_SYSTEM
@pytest.mark.parametrize("path", [path for path in TREEBANK_FILES if "dev" in path.stem], ids=lambda path: path.stem)
def test_losses_of_real_sentences_agree(system: StackBufferSystem, path: Path) -> None:
    rng = Random(1)
    trees = [tree for tree, _ in zip(Treebank(path), range(300), strict=False) if 10 <= len(tree) <= 25]
    for tree in rng.sample(trees, 10):
        assert_losses_agree(system, tree, rng)


@EVERY_SYSTEM
@pytest.mark.parametrize("n", [10, 20, 40, 60])
def test_losses_of_random_trees_agree(system: StackBufferSystem, n: int) -> None:
    rng = Random(n)
    for seed in range(5):
        projective = random_projective_tree(n, seed)
        for tree in (projective, with_another_head(projective, rng)):
            assert_losses_agree(system, tree, rng)


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
