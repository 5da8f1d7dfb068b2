"""Attardi's system: what it builds, and its losses in sentences that are too long for enumeration."""

from pathlib import Path
from random import Random

import pytest

from deptrees import DependencyTree, Treebank, all_trees, is_projective, random_projective_tree
from deptrees.transition import (
    Attardi,
    Oracle,
    StackBufferConfiguration,
    UnparsableTree,
    count_derivations,
    loss,
    static_oracle,
)
from deptrees.transition.exact_search import ExactSearch
from tests.configurations import Losses, partial_trees
from tests.test_long_sentences import with_another_head
from tests.treebanks import TREEBANK_FILES


def out_of_play(cfg: StackBufferConfiguration, tree: DependencyTree) -> int:
    """How many words without a head cannot get their gold heads because these have left."""
    in_play = cfg.stack_bits | cfg.buffer_bits
    return sum(tree.heads[word - 1] is not None and not tree.head_bits[word] & in_play for word in _words(cfg))


def _words(cfg: StackBufferConfiguration) -> list[int]:
    return [word for word in (*cfg.stack, *cfg.buffer) if word]


SEARCH = ExactSearch(key=lambda cfg: (cfg.stack, cfg.buffer), bound=out_of_play)


def test_number_of_derivations() -> None:
    tree = DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")])
    assert count_derivations(Attardi(), tree) == 2


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("system", [Attardi(), Attardi(root="last"), Attardi(single_root=True)], ids=repr)
def test_obstacles_are_the_trees_that_cannot_be_built(system: Attardi, n: int) -> None:
    trees = list(partial_trees(n))
    losses = Losses(trees)[system.initial(trees[0])]
    assert [system.obstacle(tree) is None for tree in trees] == [lost == 0 for lost in losses]


def test_a_tree_that_cannot_be_built_says_so() -> None:
    tree = next(tree for tree in all_trees(4) if Attardi().obstacle(tree))
    unparsable = Oracle(Attardi(), static_oracle)(tree)
    assert isinstance(unparsable, UnparsableTree)
    assert unparsable.error.startswith("Attardi(root='first', degree=2) cannot build the tree")
    assert Attardi(3).obstacle(tree) is None


@pytest.mark.parametrize("n", [8, 12, 16])
def test_losses_of_random_trees_agree_with_a_search(n: int) -> None:
    rng = Random(n)
    for seed in range(5):
        projective = random_projective_tree(n, seed)
        for tree in (projective, with_another_head(projective, rng)):
            _assert_losses_agree(tree, rng)


@pytest.mark.parametrize("path", [path for path in TREEBANK_FILES if "dev" in path.stem], ids=lambda path: path.stem)
def test_losses_of_real_sentences_agree_with_a_search(path: Path) -> None:
    rng = Random(1)
    trees = [tree for tree, _ in zip(Treebank(path), range(300), strict=False) if 8 <= len(tree) <= 16]
    for tree in rng.sample(trees, 5):
        _assert_losses_agree(tree, rng)


def _assert_losses_agree(tree: DependencyTree, rng: Random) -> None:
    cfg = Attardi().initial(tree)
    while not cfg.is_final:
        assert Attardi().loss()(cfg, tree) == SEARCH.loss(cfg, tree), (cfg, tree)
        gold = SEARCH.dynamic(cfg, tree, lambda token: ())
        assert Attardi().oracles.dynamic(cfg, tree, lambda token: ()) == gold, (cfg, tree)  # type: ignore[misc]
        cfg = rng.choice(cfg.possible_transitions() if rng.random() < 0.2 else gold)(cfg)


@pytest.mark.parametrize("path", [path for path in TREEBANK_FILES if "dev" in path.stem], ids=lambda path: path.stem)
def test_static_oracle_rebuilds_every_tree_of_a_treebank_that_can_be_built(path: Path) -> None:
    oracle, rebuilt, others = Oracle(Attardi(), static_oracle), 0, 0
    for tree in Treebank(path):
        steps = list(oracle(tree))
        if steps:
            cfg, transition = steps[-1]
            assert transition(cfg).heads == tree.heads
            rebuilt += 1
        else:
            assert not is_projective(tree)
            others += 1
    assert rebuilt > 10 * others


def test_the_loss_of_a_tree_that_cannot_be_built() -> None:
    tree = next(tree for tree in all_trees(4) if Attardi().obstacle(tree))
    assert loss(Attardi().initial(tree), tree) == 1
