from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from deptrees import DependencyTree, all_trees
from deptrees.search import BeamSearch, Ranking
from deptrees.training import (
    GlobalTraining,
    IncompleteOracle,
    LocalTraining,
    Update,
    subsample,
)
from deptrees.transition import (
    AlwaysExplore,
    ArcEager,
    ArcHybrid,
    ArcStandard,
    Configuration,
    ExplorationPolicy,
    LeftArc,
    NeverExplore,
    Oracle,
    Policy,
    RightArc,
    Sample,
    SecondBest,
    Shift,
    System,
    Transition,
    cost,
    dynamic_oracle,
    loss,
    nondeterministic_oracle,
    static_oracle,
    typed,
)
from tests.tiers import slow, variants_slow
from tests.training.scorers import EVERY_KIND_OF_SYSTEM, random_ranking
from tests.transition.configurations import random_tree

EVERY_SYSTEM = pytest.mark.parametrize("system", variants_slow(EVERY_KIND_OF_SYSTEM), ids=repr)


@pytest.mark.parametrize("policy", [AlwaysExplore(), NeverExplore(), SecondBest(k=0, p=0.5), Sample(k=0, alpha=0.5)])
@pytest.mark.parametrize("trees", [1, slow(5)])
@EVERY_SYSTEM
def test_local_updates_are_made_where_the_best_transition_has_a_cost(
    system: System, policy: Policy, trees: int
) -> None:
    for seed in range(trees):
        tree = random_tree(6, Random(seed))
        ranking = random_ranking(system, seed)
        for update in LocalTraining(Oracle(system, dynamic_oracle), ranking, policy)(tree):
            [(cfg, right)], [(same, wrong)] = update.positive, update.negative
            assert cfg is same
            assert wrong == ranking(cfg)
            assert cost(wrong, cfg, tree) > 0 == cost(right, cfg, tree)
            free = [t for t in cfg.possible_transitions() if cost(t, cfg, tree) == 0]
            assert right == next(transition for transition, _ in ranking.ranked(cfg) if transition in free)


def algorithm_3(
    oracle: Oracle, ranking: Ranking, tree: DependencyTree, p: float, rng: Random, *, stays: bool
) -> Iterator[Update]:
    """Algorithm 3 of Goldberg & Nivre 2013, line by line, for an iteration after the first k."""
    cfg: Any = oracle.system.initial(tree)
    while not cfg.is_final:
        correct = ranking.space.agreeing(oracle.function(cfg, tree, oracle.label))
        predicted = ranking.best(cfg, cfg.possible_transitions())
        target = ranking.best(cfg, [t for t, _ in ranking.ranked(cfg) if t in correct])
        explores = p > 0 and rng.random() < p
        if predicted not in correct:
            yield Update(((cfg, target),), ((cfg, predicted),))
            if explores:
                cfg = predicted(cfg)
            elif not stays:
                cfg = target(cfg)
        else:
            cfg = predicted(cfg)


@EVERY_SYSTEM
@pytest.mark.parametrize("on_error", ["go_on", "aggressive"])
@pytest.mark.parametrize("p", [0, 0.5, 1])
@pytest.mark.parametrize(("n", "trees"), [(4, 2), slow(6, 10)])
def test_local_training_is_algorithm_3_of_goldberg_and_nivre(
    system: System, on_error: Any, p: float, n: int, trees: int
) -> None:
    made = 0
    for seed in range(trees):
        tree = random_tree(n, Random(seed))
        tree = tree.reattach(tree.heads, [("a", "b")[word % 2] for word in range(n)])
        oracle, runs = Oracle(system, dynamic_oracle, typed), list[list[Update]]()
        for _ in "strategy", "algorithm":
            ranking = random_ranking(system, seed, ["a", "b"])
            policy = ExplorationPolicy(k=0, p=p, rng=Random(seed)) if p else NeverExplore()
            training = LocalTraining(oracle, ranking, policy, on_error=on_error)(tree)
            if runs:
                training = algorithm_3(oracle, ranking, tree, p, Random(seed), stays=on_error == "aggressive")
            updates = []
            for update in training:
                ranking.scorer.learn(update, ranking.space)  # type: ignore[attr-defined]
                updates.append(update)
            runs.append(updates)
        assert runs[0] == runs[1]
        made += len(runs[0])
    assert made > trees


def test_early_update_leaves_the_sentence() -> None:
    tree = random_tree(8, Random(1))
    ranking = random_ranking(ArcHybrid())
    go_on, early = (
        list(LocalTraining(Oracle(ArcHybrid(), dynamic_oracle), ranking, on_error=on_error)(tree))
        for on_error in ("go_on", "early")
    )
    assert len(go_on) > 1
    assert early == go_on[:1]


def features(cfg: Any) -> list[str]:
    return [f"s0 {cfg.stack_token(0).form}", f"b0 {cfg.buffer_token(0).form}"]


@pytest.mark.parametrize(("on_error", "followed"), [("go_on", LeftArc()), ("aggressive", RightArc())])
def test_aggressive_training_goes_on_with_the_prediction_that_it_trained_until_right(
    on_error: Any, followed: Transition
) -> None:
    tree = DependencyTree([(2, "I"), (0, "saw"), (None, "a"), (2, "dog")])
    either: Any = ArcHybrid().initial(tree)
    for transition in Shift(), LeftArc(), Shift(), Shift():
        either = transition(either)
    assert dynamic_oracle(either, tree) == (LeftArc(), RightArc())
    seen: list[Configuration] = []
    scores = {LeftArc(): 1.0, RightArc(): 0.0, Shift(): 2.0}

    def scorer(configurations: Any) -> Any:
        seen.extend(configurations)
        return [[scores[transition] for transition in ArcHybrid().transition_space()] for _ in configurations]

    training = LocalTraining(Oracle(ArcHybrid(), dynamic_oracle), Ranking(ArcHybrid(), scorer), on_error=on_error)
    for update in training(tree):
        [(cfg, right)], [(_, wrong)] = update.positive, update.negative
        if cfg == either:
            assert (right, wrong) == (LeftArc(), Shift())
            scores = {LeftArc(): 1.0, RightArc(): 2.0, Shift(): 0.0}  # it has learned, and now prefers another gold one
        else:
            scores = {LeftArc(): 1.0 + (right == LeftArc()), RightArc(): 0.0, Shift(): 1.5}
    assert followed(either) in seen
    assert ({LeftArc(), RightArc()} - {followed}).pop()(either) not in seen


def test_aggressive_training_gives_up_on_a_learner_that_does_not_learn() -> None:
    stubborn = Ranking(ArcHybrid(), lambda configurations: [[0, 0, 1]] * len(configurations))
    tree = DependencyTree([(2, "w1"), (0, "w2")])
    training = LocalTraining(Oracle(ArcHybrid(), static_oracle), stubborn, on_error="aggressive")
    assert len(list(training(tree))) == 100


@pytest.mark.parametrize("bound", [0, 1, 2, lambda length: length / 4])
def test_behind_the_loss_bound_training_does_not_explore(bound: Any) -> None:
    system, taken = ArcEager(root="last"), []
    for seed in range(20):
        tree = random_tree(8, Random(seed))
        limit = bound(8) if callable(bound) else bound
        training = LocalTraining(
            Oracle(system, dynamic_oracle), random_ranking(system, seed), AlwaysExplore(), bound=bound
        )
        lost = {}
        for update in training(tree):
            [(cfg, _)], [(_, wrong)] = update.positive, update.negative
            lost[cfg] = loss(cfg, tree), loss(wrong(cfg), tree)
        for (_, after), (now, _) in zip(lost.values(), list(lost.values())[1:], strict=False):
            before = [loss for loss, worse in lost.values() if worse == after and loss < after]
            assert now == after or min(before) > limit
        taken.append(max((now for now, _ in lost.values()), default=0))
    assert max(taken) > 0


def test_exploring_with_an_oracle_that_answers_on_the_gold_path_only_is_an_error() -> None:
    ranking = random_ranking(ArcHybrid())
    for function in (static_oracle, nondeterministic_oracle):
        oracle = Oracle(ArcHybrid(), function)
        with pytest.raises(IncompleteOracle, match="to explore, use dynamic_oracle"):
            GlobalTraining(oracle, BeamSearch(ranking), restart=True, p=0.5)
        with pytest.raises(IncompleteOracle, match=f"{function.__name__} answers on the way"):
            _ = [list(LocalTraining(oracle, ranking, AlwaysExplore())(tree)) for tree in all_trees(3)]


def test_a_system_cannot_learn_from_the_oracle_of_another() -> None:
    oracle, ranking = Oracle(ArcHybrid(), static_oracle), random_ranking(ArcStandard())
    with pytest.raises(ValueError, match="the oracle is for ArcHybrid"):
        LocalTraining(oracle, ranking)
    with pytest.raises(ValueError, match="the oracle is for ArcHybrid"):
        GlobalTraining(oracle, BeamSearch(ranking))


def test_what_a_strategy_cannot_be_is_an_error() -> None:
    oracle, ranking = Oracle(ArcHybrid(), static_oracle), random_ranking(ArcHybrid())
    with pytest.raises(ValueError, match="on_error"):
        LocalTraining(oracle, ranking, on_error="stop")
    with pytest.raises(ValueError, match="update"):
        GlobalTraining(oracle, BeamSearch(ranking), "late")
    with pytest.raises(ValueError, match="from 0 to 1"):
        GlobalTraining(oracle, BeamSearch(ranking), p=2)


def test_a_tree_that_the_oracle_cannot_follow_gives_no_updates() -> None:
    crossing = DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "talk"), (1, "about")])
    for function, follows in (static_oracle, False), (nondeterministic_oracle, False), (dynamic_oracle, True):
        oracle, ranking = Oracle(ArcHybrid(), function), random_ranking(ArcHybrid())
        assert bool(list(LocalTraining(oracle, ranking)(crossing))) == follows
        assert bool(list(GlobalTraining(oracle, BeamSearch(ranking))(crossing))) == follows


def test_words_without_a_gold_head_cause_no_updates() -> None:
    tree = DependencyTree([(None, "w1"), (None, "w2"), (None, "w3")])
    oracle, ranking = Oracle(ArcHybrid(), dynamic_oracle, typed), random_ranking(ArcHybrid(), labels=["a", "b"])
    assert not list(LocalTraining(oracle, ranking, AlwaysExplore())(tree))
    assert not list(GlobalTraining(oracle, BeamSearch(ranking))(tree))


def test_subsampling_forgets_heads_and_their_labels_at_random() -> None:
    tree = random_tree(1000, Random(1))
    tree = tree.reattach(tree.heads, ["a"] * 1000)
    part = subsample(tree, 0.3, Random(1))
    kept = [(head, label) for head, label in zip(part.heads, part.labels, strict=True) if head is not None]
    assert 250 < len(kept) < 350
    assert all(label == "a" for _, label in kept)
    assert set(part.arcs) <= set(tree.arcs)
    assert (subsample(tree, 1, Random(1)), subsample(tree, 0, Random(1)).arcs) == (tree, ())


class Rising(Policy):
    """A schedule of one's own."""

    def at(self, iteration: int) -> Policy:
        return ExplorationPolicy(k=0, p=min(0.9, iteration / 10), rng=self.rng)


def test_strategies_have_schedules() -> None:
    oracle, ranking = Oracle(ArcHybrid(), dynamic_oracle), random_ranking(ArcHybrid())
    local = LocalTraining(oracle, ranking, Sample(k=2))
    assert [type(local.at(iteration).policy) for iteration in (1, 2, 3)] == [NeverExplore, NeverExplore, Sample]
    own = LocalTraining(oracle, ranking, lambda cfg, possible, gold: gold[0])
    assert own.at(1) is own
    rising = LocalTraining(oracle, ranking, Rising())
    assert [repr(rising.at(iteration).policy) for iteration in (1, 20)] == [
        repr(ExplorationPolicy(k=0, p=p)) for p in (0.1, 0.9)
    ]
    training = GlobalTraining(oracle, BeamSearch(ranking), restart=True, k=1, p=0.5)
    assert [training.at(iteration).p for iteration in (1, 2)] == [0, 0.5]
    scheduled = GlobalTraining(oracle, BeamSearch(ranking), restart=True, k=1, p=lambda iteration: iteration / 10)
    assert [scheduled.at(iteration).p for iteration in (1, 2, 3)] == [0, 0.2, 0.3]
