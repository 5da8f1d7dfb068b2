"""Attardi's system: what it builds."""

from pathlib import Path

import pytest

from deptrees import Treebank, all_trees, is_projective
from deptrees.transition import (
    Attardi,
    AttardiAll,
    NeverExplore,
    Oracle,
    System,
    UnparsableTree,
    describe,
    loss,
    static_oracle,
)
from tests.gold_trees import every_dev_treebank
from tests.transition.configurations import Losses, partial_trees


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("system", [Attardi(), Attardi(root="last"), Attardi(single_root=True), AttardiAll()], ids=repr)
def test_obstacles_are_the_trees_that_cannot_be_built(system: System, n: int) -> None:
    trees = list(partial_trees(n))
    losses = Losses(trees)[system.initial(trees[0])]
    assert [system.obstacle(tree) is None for tree in trees] == [lost == 0 for lost in losses]


def test_a_tree_that_cannot_be_built_says_so() -> None:
    tree = next(tree for tree in all_trees(4) if Attardi().obstacle(tree))
    unparsable = Oracle(Attardi(), static_oracle)(tree)
    assert isinstance(unparsable, UnparsableTree)
    assert unparsable.error.startswith("Attardi(root='first', degree=2) cannot build the tree")
    assert Attardi(3).obstacle(tree) is None


@every_dev_treebank
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


@pytest.mark.parametrize("degree", [2, 6, 10])
def test_a_high_degree_adds_rows_and_nothing_else(degree: int) -> None:
    # Code that doubles with each degree would be compiled for hours.
    assert describe(Attardi(degree)).count("\n| RightArc") == degree
    oracle = Oracle(Attardi(degree), static_oracle)
    for tree in all_trees(4):
        steps = [*oracle(tree)]
        assert steps == [*oracle(tree, NeverExplore())]
        assert not steps or steps[-1][1](steps[-1][0]).heads == tree.heads
