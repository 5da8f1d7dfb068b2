"""Rankings that vote, against votes counted one by one and against the paper's own statement."""

from collections import Counter
from itertools import islice
from random import Random
from typing import Any

import attrs
import pytest

from deptrees import DependencyTree, all_trees
from deptrees.search import BeamSearch, Ranking, VotedRanking
from deptrees.training import GlobalTraining, LocalTraining
from deptrees.transition import (
    AlwaysExplore,
    ArcEager,
    ArcHybrid,
    Constraints,
    LeftArc,
    Oracle,
    RightArc,
    Shift,
    System,
    dynamic_oracle,
)
from tests.tiers import variants_slow
from tests.training.scorers import EVERY_KIND_OF_SYSTEM, random_ranking

EVERY_SYSTEM = pytest.mark.parametrize("system", variants_slow(EVERY_KIND_OF_SYSTEM), ids=repr)


def voted(system: System, labels: tuple[str, ...] = (), weights: tuple[float, ...] = (1.1, 1, 1)) -> VotedRanking:
    return VotedRanking([random_ranking(system, seed, labels) for seed, _ in enumerate(weights)], weights)


def walk(system: System, seed: int) -> Any:
    rng = Random(seed)
    cfg: Any = system.initial([*"abcd"])
    while not cfg.is_final:
        yield cfg
        cfg = rng.choice(cfg.possible_transitions())(cfg)


@EVERY_SYSTEM
def test_two_of_three_decide_and_the_first_breaks_ties(system: System) -> None:
    """PanParser: three parsers vote on each decision, with ties broken by parser1, whose vote counts 1.1."""
    ranking = voted(system, ("x", "y"))
    outvoted = 0
    for seed in range(30):
        for cfg in walk(system, seed):
            first, second, third = (voter(cfg) for voter in ranking.voters)
            assert ranking(cfg) == (second if second == third else first)
            outvoted += first != second == third
    assert outvoted


@EVERY_SYSTEM
def test_scores_are_sums_of_weights(system: System) -> None:
    ranking = voted(system, ("x",), (0.5, 2.0, -1.0, 0.25))
    for cfg in walk(system, 1):
        votes: Counter[Any] = Counter()
        for voter, weight in zip(ranking.voters, ranking.weights, strict=True):
            votes[voter(cfg)] += weight  # type: ignore[assignment]
        found = ranking.ranked(cfg)
        assert dict(found) == {transition: votes[transition] for transition, _ in found}
        assert {transition for transition, _ in found} == {*ranking.space.agreeing(cfg.possible_transitions())}


@EVERY_SYSTEM
def test_a_voter_alone_parses_as_before(system: System) -> None:
    [voter] = voted(system, weights=(1,)).voters
    assert BeamSearch(VotedRanking([voter]), 1).best([*"abcd"]).config == BeamSearch(voter, 1).best([*"abcd"]).config


def test_votes_are_for_what_may_be_taken() -> None:
    system = ArcHybrid()
    for seed in range(20):
        ranking = VotedRanking([random_ranking(system, seed)])
        constraints = Constraints(heads={1: 3, 4: 0})
        searches = [BeamSearch(one, 1, possible=constraints.transitions) for one in (ranking, *ranking.voters)]
        first, second = (search.best([*"abcd"]).config for search in searches)
        assert first == second


@EVERY_SYSTEM
def test_learners_are_trained_and_explored_with_votes(system: System) -> None:
    oracle, ranking = Oracle(system, dynamic_oracle), voted(system)
    trees = [tree for tree in all_trees(3) if oracle(tree)]
    for tree in islice(trees, 0, None, 3):
        for update in LocalTraining(oracle, ranking, AlwaysExplore())(tree):
            [(cfg, _)], [(same, wrong)] = update.positive, update.negative
            assert cfg == same
            assert wrong == ranking(cfg)
    assert any(list(GlobalTraining(oracle, BeamSearch(ranking, 2))(tree)) for tree in trees)


def test_a_voter_without_labels_votes_for_all_of_them() -> None:
    cfg = Shift()(ArcHybrid().initial(["a", "b"]))
    labeled = Ranking(ArcHybrid(), lambda configurations: [[0, 5, 0, 0, 4]] * len(configurations), ["x", "y"])
    bare = Ranking(ArcHybrid(), lambda configurations: [[9, 0, 0]] * len(configurations))
    assert dict(VotedRanking([labeled, bare], [1, 2]).ranked(cfg)) == {
        LeftArc("x"): 2,
        LeftArc("y"): 3,
        RightArc("x"): 0,
        RightArc("y"): 0,
        Shift(): 0,
    }


def test_labels_are_those_that_any_voter_knows() -> None:
    ranking = VotedRanking([random_ranking(ArcHybrid(), 1, ("x", "y")), random_ranking(ArcHybrid(), 2, ("z", "y"))])
    assert ranking.labels == ("x", "y", "z")
    tree = BeamSearch(ranking, 3).best(DependencyTree([(None, word) for word in "abcd"])).tree()
    assert {*tree.labels} <= {"x", "y", "z"}


def test_voters_have_one_system_and_a_weight_each() -> None:
    one, other = random_ranking(ArcHybrid()), random_ranking(ArcEager())
    with pytest.raises(ValueError, match=r"one system, and not ArcHybrid.* and ArcEager"):
        VotedRanking([one, other])
    with pytest.raises(ValueError, match="2 voters and 1 weights"):
        VotedRanking([one, one], [1])
    with pytest.raises(ValueError, match="voters"):
        VotedRanking([])
    assert attrs.evolve(VotedRanking([one, one]), weights=(2, 1)).weights == (2, 1)
