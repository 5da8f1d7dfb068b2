from random import Random
from typing import Any

import pytest

from deptrees import DependencyTree, all_trees, sample_treebank
from deptrees.engine import train
from deptrees.ensemble import Ensemble, TransitionEnsemble, vote
from deptrees.features import Templates
from deptrees.parser import Parser
from deptrees.search import BeamSearch
from deptrees.transition import ArcEager, ArcHybrid, Constraints, EasyFirst, System


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
    with pytest.raises(ValueError, match="beam is a whole number, from 1 to 64"):
        Ensemble([parser]).parse(dev, beam=65)


@pytest.mark.parametrize("system", [ArcEager(root="last"), EasyFirst()], ids=repr)
def test_each_transition_is_the_one_with_most_votes(system: System) -> None:
    trees, dev = list(sample_treebank("train"))[:10], list(sample_treebank("dev"))[:3]
    few = Templates(["s0.form+b0.form", "s1.form+s0.form", "s0.left.form+b0.form", "s0.upos"])
    parsers = [Parser(train(trees, system, few, epochs=1, seed=seed, bits=(14, 10))) for seed in (1, 2, 3)]
    weights = [1.1, 1, 1]
    outvoted = 0
    for tree, parsed in zip(dev, TransitionEnsemble(parsers, weights).parse(dev), strict=True):
        cfg: Any = system.initial(tree)
        while not cfg.is_final:
            first, second, third = (parser.model.ranking(cfg) for parser in parsers)
            outvoted += first != second == third
            cfg = (second if second == third else first)(cfg)
        assert (parsed.heads, parsed.labels) == (cfg.heads, cfg.labels)
    assert outvoted


def test_an_ensemble_of_one_takes_the_transitions_of_its_parser(parser: Parser) -> None:
    dev = list(sample_treebank("dev"))[:5]
    assert list(TransitionEnsemble([parser]).parse(dev)) == list(parser.parse(dev))
    assert list(TransitionEnsemble([parser] * 2, [2, 1]).parse(iter(dev))) == list(parser.parse(dev))
    with pytest.raises(ValueError, match="beam is a whole number, from 1 to 64"):
        TransitionEnsemble([parser]).parse(dev, beam=65)


@pytest.mark.parametrize("constraints", [None, lambda _: Constraints(heads={1: 3})])
def test_the_trees_with_most_votes_are_those_of_a_beam(parser: Parser, constraints: Any) -> None:
    [tree] = [tree for tree in sample_treebank("dev") if len(tree) > 4][:1]
    ensemble = TransitionEnsemble([parser])
    [found] = ensemble.k_best([tree], k=3, beam=8, constraints=constraints)
    possible = {} if constraints is None else {"possible": constraints(tree).transitions}
    hypotheses = BeamSearch(ensemble.ranking, 8, **possible).k_best(tree)
    assert [(one.tree.heads, one.score) for one in found] == [(one.config.heads, one.score) for one in hypotheses[:3]]
    assert [one.tree for one in found][:1] == list(ensemble.parse([tree], beam=8, constraints=constraints))
    with pytest.raises(ValueError, match="k is a whole number, 1 or more"):
        ensemble.k_best([tree], k=0)


def test_parsers_that_vote_on_transitions_have_one_system(parser: Parser) -> None:
    other = Parser.train(sample_treebank("train"), ArcHybrid(), epochs=1)
    with pytest.raises(ValueError, match="have one system"):
        TransitionEnsemble([parser, other])
