from collections.abc import Iterator
from random import Random
from typing import Any

import attrs
import pytest

from deptrees import DependencyTree
from deptrees.search import Ranking
from deptrees.transition import (
    AlwaysExplore,
    ArcEager,
    ArcHybrid,
    ExplorationPolicy,
    LeftArc,
    NeverExplore,
    Reduce,
    RightArc,
    Sample,
    SecondBest,
    Shift,
    Transition,
)
from tests.tiers import slow
from tests.training.scorers import random_ranking

TREE = DependencyTree([(0, "Go"), (1, "on")])
ATTACHED: Any = RightArc()(ArcEager().initial(TREE))  # Reduce is possible here, and Shift is gold
SHIFTED: Any = Shift()(ArcHybrid().initial(TREE))  # Shift, LeftArc and RightArc are possible here


@attrs.frozen
class Draws:
    """Random numbers that a test has chosen; there are no others."""

    numbers: Iterator[float]

    def random(self) -> float:
        return next(self.numbers)


def draws(*numbers: float) -> Draws:
    return Draws(iter(numbers))


def reduce(cfg: Any, possible: Any, gold: Any) -> Transition:
    return Reduce()


def scored(*scores: float) -> Ranking:
    """A ranking of arc-hybrid's transitions with these scores."""
    return Ranking(ArcHybrid(), lambda configurations: [scores] * len(configurations))


def test_where_there_is_no_choice_no_number_is_drawn() -> None:
    assert NeverExplore(rng=draws())(ATTACHED, (Reduce(), Shift()), (Shift(),)) == Shift()
    assert AlwaysExplore(rng=draws())(ATTACHED, (Shift(),), (Shift(),)) == Shift()


@pytest.mark.parametrize("p", [0.0, 0.3, 1.0])
def test_exploration_policy_explores_at_rate_p(p: float) -> None:
    policy = ExplorationPolicy(1, p, model=reduce, rng=Random(11))
    choices = [policy(ATTACHED, (Reduce(), Shift()), (Shift(),)) for _ in range(2000)]
    assert choices.count(Reduce()) / 2000 == pytest.approx(p, abs=0.05)


def test_a_rate_of_zero_never_explores_whatever_is_drawn() -> None:
    exploring = ExplorationPolicy(0, 0.0, model=reduce, rng=draws(0.0))
    assert exploring(ATTACHED, (Reduce(), Shift()), (Shift(),)) == Shift()
    second = SecondBest(0, 0.0, model=scored(1, 0, 2), rng=draws(0.0))
    assert second(SHIFTED, SHIFTED.possible_transitions(), (Shift(),)) == Shift()


def test_exploration_policy_begins_behind_iteration_k() -> None:
    policy = ExplorationPolicy(k=2, p=1.0, model=reduce, rng=Random(0))
    assert [type(policy.at(iteration)) for iteration in (1, 2, 3)] == [NeverExplore, NeverExplore, ExplorationPolicy]
    assert policy.at(1).model is reduce
    assert policy.at(1).rng is policy.rng
    assert isinstance(NeverExplore().at(9), NeverExplore)


@pytest.mark.parametrize(("k", "p"), [(-1, 0.5), (0, 1.5), (0, -0.1)])
def test_exploration_policy_rejects_nonsense(k: int, p: float) -> None:
    with pytest.raises(ValueError, match="must be"):
        ExplorationPolicy(k, p)


def test_policies_that_look_at_scores_need_a_model_that_has_them() -> None:
    for policy in SecondBest(k=0, p=1), Sample(k=0):
        with pytest.raises(ValueError, match=f"{type(policy).__name__} needs a model that ranks transitions"):
            policy(ArcHybrid().initial(["w1"]), (Shift(),), (Shift(),))


def test_the_second_best_of_one_is_the_best() -> None:
    cfg = ArcHybrid().initial(["w1", "w2"])
    assert SecondBest(k=0, p=1, model=scored(1, 0, 2))(cfg, (Shift(),), (Shift(),)) == Shift()


@pytest.mark.parametrize("alpha", [0, 0.5, slow(1), slow(3)])
def test_transitions_are_sampled_with_smoothed_probabilities(alpha: float) -> None:
    ranking = random_ranking(ArcHybrid(), normalize=True)
    cfg = Shift()(Shift()(ArcHybrid().initial(["w1", "w2", "w3"])))
    powers = {transition: 2.718281828459045 ** (alpha * score) for transition, score in ranking.ranked(cfg)}
    policy = Sample(k=0, alpha=alpha, model=ranking, rng=Random(1))
    drawn = [policy(cfg, cfg.possible_transitions(), ()) for _ in range(4000)]
    for transition, power in powers.items():
        assert drawn.count(transition) / 4000 == pytest.approx(power / sum(powers.values()), abs=0.03)


def test_each_transition_is_drawn_from_where_the_one_before_it_ends() -> None:
    policy = Sample(k=0, alpha=0, model=scored(1, 0, 2), rng=draws(0, 1 / 3, 2 / 3))
    drawn = [policy(SHIFTED, SHIFTED.possible_transitions(), ()) for _ in range(3)]
    assert drawn == [Shift(), LeftArc(), RightArc()]


@pytest.mark.parametrize(("scores", "seen"), [((1e4, 1e4 - 1, 1e4 + 1), 3), ((0, -1e4, 1e4), 1)])
def test_sampling_takes_scores_of_any_size(scores: tuple[float, ...], seen: int) -> None:
    policy = Sample(k=0, alpha=1, model=scored(*scores))
    drawn = {policy(SHIFTED, SHIFTED.possible_transitions(), (Shift(),)) for _ in range(100)}
    assert len(drawn) == seen
    assert Shift() in drawn
