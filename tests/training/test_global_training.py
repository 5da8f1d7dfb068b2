from collections.abc import Callable
from itertools import islice
from random import Random
from typing import Any

import attrs
import pytest

from deptrees import DependencyTree, all_trees
from deptrees.search import BaseRanking, Beam, BeamSearch, Derivation, Hypothesis
from deptrees.training import (
    UPDATE_RULES,
    GlobalTraining,
    LocalTraining,
    SearchStep,
    Update,
    UpdateRule,
)
from deptrees.training.perceptron import Perceptron
from deptrees.transition import (
    AlwaysExplore,
    ArcHybrid,
    Configuration,
    LeftArc,
    NeverExplore,
    Oracle,
    Policy,
    RightArc,
    Shift,
    System,
    Transition,
    dynamic_oracle,
    exhaustive_loss,
    loss,
    nondeterministic_oracle,
    static_oracle,
    typed,
)
from deptrees.transition.oracles import OracleFunction
from tests.tiers import slow, variants_slow
from tests.training.scorers import EVERY_KIND_OF_SYSTEM, random_ranking
from tests.transition.configurations import partial_trees, random_tree

EVERY_SYSTEM = pytest.mark.parametrize("system", variants_slow(EVERY_KIND_OF_SYSTEM), ids=repr)
UPDATES: list[Any] = list(UPDATE_RULES)
Pairs = list[tuple[Hypothesis, Hypothesis]]


def score(ranking: BaseRanking, derivation: Derivation) -> float:
    return sum(dict(ranking.ranked(cfg))[transition] for cfg, transition in derivation)


def transitions(derivation: Derivation) -> tuple[Transition, ...]:
    return tuple(transition for _, transition in derivation)


def pairs(search: BeamSearch, start: Configuration, is_correct: Callable[[Hypothesis], bool]) -> tuple[Pairs, int]:
    """After each step the best correct hypothesis and the best one, and at which step the beam loses the correct ones.

    It asks of each hypothesis whether it is correct, and does not look at transitions.
    """
    beam: Beam = (Hypothesis(start),)
    found: Pairs = []
    correct, lost_at = beam, -1
    while not all(hypothesis.config.is_final for hypothesis in (*beam, *correct)):
        successors = []
        for hypothesis in correct:
            if hypothesis.config.is_final:
                successors.append(hypothesis)
            else:
                successors += [
                    Hypothesis(transition(hypothesis.config), hypothesis.score + gained, hypothesis, transition)
                    for transition, gained in search.ranking.ranked(hypothesis.config)
                ]
        successors = sorted(filter(is_correct, successors), key=lambda hypothesis: -hypothesis.score)
        beam = search.step(beam)
        in_beam = tuple(filter(is_correct, beam))
        correct = in_beam or tuple(successors[: search.size])
        if not in_beam and lost_at < 0:
            lost_at = len(found)
        found.append((correct[0], beam[0]))
    return found, lost_at


def expected(update: str, pairs: Pairs, lost_at: int) -> tuple[Hypothesis, Hypothesis] | None:
    if not pairs or pairs[-1][0] is pairs[-1][1]:
        return None
    if update == "early":
        return pairs[lost_at]
    if update == "full":
        return pairs[-1]
    wrong = [(positive, negative) for positive, negative in pairs if positive is not negative]
    if update == "max_violation_from_error":
        wrong = pairs[lost_at:]  # algorithm 2: the first candidate is where the beam lost the correct hypotheses
    if update == "latest":
        return [pair for pair in wrong if pair[1].score >= pair[0].score][-1]
    return max(wrong, key=lambda pair: pair[1].score - pair[0].score)


@EVERY_SYSTEM
@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("share", [4, slow(1)])
def test_updates_with_the_global_dynamic_oracle_are_those_that_losses_ask_for(
    system: System, size: int, share: int
) -> None:
    updates = 0
    for seed, tree in enumerate([*all_trees(3), *islice(partial_trees(3), 0, None, 9)][::share]):
        search = BeamSearch(random_ranking(system, seed), size)
        start = system.initial(tree)
        least = exhaustive_loss(start, tree)
        found, lost_at = pairs(search, start, lambda h: exhaustive_loss(h.config, tree) == least)  # noqa: B023
        for update in UPDATES:
            made = list(GlobalTraining(Oracle(system, dynamic_oracle), search, update)(tree))
            pair = expected(update, found, lost_at)
            assert made == ([] if pair is None else [Update(pair[0].derivation(), pair[1].derivation())])
            updates += len(made)
            if made and update != "full":
                assert score(search.ranking, made[0].negative) >= score(search.ranking, made[0].positive)
    assert updates > 20 // share


@EVERY_SYSTEM
@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("share", [4, slow(1)])
def test_with_a_static_oracle_one_derivation_is_correct(system: System, size: int, share: int) -> None:
    oracle = Oracle(system, static_oracle)
    updates = 0
    for seed, tree in enumerate(islice(all_trees(3), 0, None, share)):
        search = BeamSearch(random_ranking(system, seed), size)
        gold = tuple(transition for _, transition in oracle(tree))
        found, lost_at = (
            pairs(
                search,
                system.initial(tree),
                lambda h: (path := transitions(h.derivation())) == gold[: len(path)],  # noqa: B023
            )
            if gold
            else ([], -1)
        )
        for update in UPDATES:
            made = list(GlobalTraining(oracle, search, update)(tree))
            pair = expected(update, found, lost_at)
            assert made == ([] if pair is None else [Update(pair[0].derivation(), pair[1].derivation())])
            updates += len(made)
            if made and update == "early":  # they part where gold falls off, or in the end
                last = len(made[0].positive)
                beams = list(islice(search(tree), 1, last + 1))
                paths = [[transitions(hypothesis.derivation()) for hypothesis in beam] for beam in beams]
                assert all(gold[: step + 1] in paths[step] for step in range(last - 1))
                assert (gold[:last] not in paths[-1]) or last == len(gold)
    assert updates > 10 // share


@EVERY_SYSTEM
@pytest.mark.parametrize("merge", [False, True])
@pytest.mark.parametrize("function", [static_oracle, nondeterministic_oracle, dynamic_oracle])
@pytest.mark.parametrize(("n", "trees"), [(4, 2), slow(5, 12)])
def test_updates_are_violations_with_labels_and_merging_too(
    system: System, function: OracleFunction, merge: bool, n: int, trees: int
) -> None:
    oracle = Oracle(system, function, typed)
    for seed in range(trees):
        tree = random_tree(n, Random(seed))
        tree = tree.reattach(tree.heads, [("a", "b")[word % 2] for word in range(n)])
        tree = DependencyTree(attrs.evolve(token, upos="VERB" if token.head == 0 else "NOUN") for token in tree)
        search = BeamSearch(random_ranking(system, seed, ["a", "b"]), 2, merge=merge)
        for update in set(UPDATE_RULES) - {"full"}:
            for made in GlobalTraining(oracle, search, update, restart=True)(tree):
                assert score(search.ranking, made.negative) >= score(search.ranking, made.positive) - 1e-9
                assert made.positive != made.negative
                for cfg, transition in made.positive:
                    gold = function(cfg, tree, typed)
                    assert transition in (gold if isinstance(gold, tuple) else (gold,))


@EVERY_SYSTEM
@pytest.mark.parametrize(
    ("function", "policy", "p"),
    [
        (static_oracle, NeverExplore(), 0),
        (dynamic_oracle, AlwaysExplore(), 1),
        (lambda cfg, tree, label: dynamic_oracle(cfg, tree, label)[:1], NeverExplore(), 0),
    ],
)
@pytest.mark.parametrize("share", [16, slow(4)])
def test_local_training_is_global_training_with_a_beam_of_one_that_restarts(
    system: System, function: OracleFunction, policy: Policy, p: float, share: int
) -> None:
    oracle, updates = Oracle(system, function), 0
    for seed, tree in enumerate(islice(all_trees(4), 0, None, share)):
        ranking = random_ranking(system, seed)
        training = GlobalTraining(oracle, BeamSearch(ranking, 1), "early", restart=True, p=p)
        last = [Update(update.positive[-1:], update.negative[-1:]) for update in training(tree)]
        assert last == list(LocalTraining(oracle, ranking, policy)(tree))
        updates += len(last)
    assert updates > 40 // share


def test_max_violation_may_be_before_the_error_or_only_after_it() -> None:
    before, oracle = 0, Oracle(ArcHybrid(), dynamic_oracle)
    for seed in range(20):
        tree, search = random_tree(5, Random(seed)), BeamSearch(random_ranking(ArcHybrid(), seed), 2)
        names = "early", "max_violation", "max_violation_from_error"
        for updates in zip(*(GlobalTraining(oracle, search, name)(tree) for name in names), strict=True):
            early, anywhere, from_error = (len(update.positive) for update in updates)
            assert from_error >= early
            before += anywhere < early
    assert before > 0


def test_a_rule_of_ones_own_says_what_is_an_error_and_what_is_compared() -> None:
    """LaSO (Daumé & Marcu 2005) and the worst of the beam, each step weighted by its place."""
    seen: list[SearchStep] = []

    def best_is_wrong(step: SearchStep) -> bool:
        seen.append(step)
        return step.beam[0] not in step.correct

    rule = UpdateRule(
        UPDATE_RULES["early"].length,
        error=best_is_wrong,
        positive=lambda step: step.correct[-1],
        negative=lambda step, positive: next((one for one in reversed(step.beam) if one not in step.correct), positive),
        weight=lambda step, length: step / length,
    )
    oracle, made = Oracle(ArcHybrid(), dynamic_oracle), 0
    for seed in range(10):
        tree, ranking = random_tree(6, Random(seed)), random_ranking(ArcHybrid(), seed)
        seen.clear()
        for update in GlobalTraining(oracle, BeamSearch(ranking, 3), rule)(tree):
            wrong = [step for step in seen if step.beam[0] not in step.correct]
            assert wrong == seen[-1:]
            assert update.positive == seen[-1].correct[-1].derivation()
            assert update.negative == [one for one in seen[-1].beam if one not in seen[-1].correct][-1].derivation()
            n = len(seen)
            assert [change for *_, change in update.changes()] == [
                sign * step / n for sign in (1, -1) for step in range(1, n + 1)
            ]
            made += 1
    assert made > 5


def test_steps_of_an_update_weigh_what_the_rule_says() -> None:
    cfg = ArcHybrid().initial(["w1"])
    model = Perceptron(lambda cfg: ["bias"], ArcHybrid().transition_space())
    model.update(Update(((cfg, Shift()), (cfg, Shift())), ((cfg, LeftArc()), (cfg, RightArc())), (0.25, 2)))
    assert model([cfg]).tolist() == [[-0.25, -2, 2.25]]


@EVERY_SYSTEM
@pytest.mark.parametrize("limit", [1, 3])
def test_after_the_time_limit_the_beam_begins_anew(system: System, limit: int) -> None:
    oracle, made = Oracle(system, dynamic_oracle), 0
    for seed in range(4):
        tree, search = random_tree(5, Random(seed)), BeamSearch(random_ranking(system, seed), 3)
        start: Configuration = system.initial(tree)
        for update in GlobalTraining(oracle, search, "full", restart=True, time_limit=limit)(tree):
            at: Configuration = update.positive[0][0]
            while start != at:  # where the best hypothesis is correct, the beam begins anew from it
                *_, beam = islice(search(start), limit + 1)
                assert loss(beam[0].config, tree) == loss(start, tree)
                start = beam[0].config
            *_, beam = islice(search(start), limit + 1)
            assert update.negative == beam[0].derivation()
            assert loss(beam[0].config, tree) > loss(start, tree)
            assert len(update.positive) <= limit
            cfg, transition = update.positive[-1]
            start = transition(cfg)
            made += 1
    assert made > 4


@EVERY_SYSTEM
@pytest.mark.parametrize("p", [0, 1])
@pytest.mark.parametrize("trees", [3, slow(10)])
def test_a_restart_goes_on_where_the_update_ended(system: System, p: float, trees: int) -> None:
    oracle, longest = Oracle(system, dynamic_oracle), 0
    for seed in range(trees):
        tree = random_tree(5, Random(seed))
        search = BeamSearch(random_ranking(system, seed), 2)
        start: Configuration = system.initial(tree)
        updates = list(GlobalTraining(oracle, search, "early", restart=True, p=p)(tree))
        for update in updates:
            assert update.positive[0][0] == update.negative[0][0] == start
            cfg, transition = (update.negative if p else update.positive)[-1]
            start = transition(cfg)
        assert loss(search.best(start).config, tree) == loss(start, tree)
        longest = max(longest, len(updates))
    assert longest > 1
