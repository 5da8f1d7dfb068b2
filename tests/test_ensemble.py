from random import Random

import pytest

from deptrees import DependencyTree, all_trees, sample_treebank
from deptrees.ensemble import Ensemble, vote
from deptrees.parser import Parser
from deptrees.transition import ArcEager, ArcHybrid


def test_the_vote_is_the_best_tree_with_a_single_root() -> None:
    single = [tree for tree in all_trees(4) if len(tree.roots) == 1]
    random = Random(1)
    for _ in range(300):
        trees = random.sample(single, 3)
        weights = [random.randrange(1, 5) for _ in trees]

        def votes(
            heads: tuple[int | None, ...], trees: list[DependencyTree] = trees, weights: list[int] = weights
        ) -> int:
            return sum(
                weight * (ours == theirs)
                for tree, weight in zip(trees, weights, strict=True)
                for ours, theirs in zip(heads, tree.heads, strict=True)
            )

        found = vote(trees, weights)
        assert len(found.roots) == 1
        assert votes(found.heads) == max(votes(tree.heads) for tree in single)


def test_words_may_be_left_without_a_head() -> None:
    trees = [DependencyTree([(2, "a"), (None, "b")]), DependencyTree([(None, "a"), (1, "b")])]
    assert vote(trees, [2, 1]).heads == (2, None)
    assert vote(trees[:1], [1]).heads == (2, None)


def test_labels_come_from_those_who_agree_on_the_head() -> None:
    trees = [DependencyTree([(0, "a", "root"), (1, "b", label)]) for label in ("x", "y", "y")]
    other = DependencyTree([(2, "a", "z"), (0, "b", "root")])
    assert vote([*trees, other], [1, 1, 1, 2]).labels == ("root", "y")


def test_an_ensemble_of_one_is_its_parser(parser: Parser) -> None:
    dev = list(sample_treebank("dev"))
    assert list(Ensemble([parser]).parse(dev)) == list(parser.parse(dev))
    assert list(Ensemble([parser] * 3).parse(iter(dev))) == list(parser.parse(dev))


def test_parsers_of_different_systems_vote() -> None:
    train, dev = list(sample_treebank("train")), list(sample_treebank("dev"))
    ensemble = Ensemble([Parser.train(train, system, epochs=2) for system in (ArcEager(), ArcHybrid())])
    assert all(None not in tree.heads for tree in ensemble.parse(dev))


def test_there_must_be_parsers_and_a_weight_for_each(parser: Parser) -> None:
    with pytest.raises(ValueError, match="parsers"):
        Ensemble([])
    with pytest.raises(ValueError, match="1 parsers and 2 weights"):
        Ensemble([parser], [1, 2])


def test_threads_and_beam_are_those_of_the_parsers(parser: Parser) -> None:
    dev = list(sample_treebank("dev"))
    assert list(Ensemble([parser]).parse(dev, threads=2, beam=4)) == list(parser.parse(dev, beam=4))
    with pytest.raises(ValueError, match="beam of 1 to 64"):
        Ensemble([parser]).parse(dev, beam=65)
