"""Oracles, policies, searches and strategies with a system that builds no trees, the one of docs/not-only-trees.md."""

from collections.abc import Sequence
from itertools import product
from random import Random
from typing import Any

import attrs
import numpy as np
import pytest

from deptrees.search import BeamSearch, Ranking, VotedRanking
from deptrees.training import UPDATE_RULES, GlobalTraining, LocalTraining, UpdateRule
from deptrees.training.perceptron import Perceptron
from deptrees.transition import (
    AlwaysExplore,
    BaseConfiguration,
    ExplorationPolicy,
    NeverExplore,
    Oracle,
    Oracles,
    Sample,
    SecondBest,
    System,
    Transition,
)

Sentence = Sequence[tuple[str, str]]


@attrs.frozen
class Tag(Transition):
    tag: str


@attrs.frozen
class Tagging(System):
    all_tags: tuple[str, ...]

    def initial(self, source: Any) -> Any:
        return Tagged(self, tuple(word for word, _ in source))

    def transition_space(self, labels: Sequence[str] = ()) -> tuple[Tag, ...]:
        return tuple(Tag(tag) for tag in self.all_tags)

    @property
    def oracles(self) -> Oracles:
        return Oracles(static=gold_tag, nondeterministic=gold_tags, dynamic=gold_tags)


@attrs.frozen
class Tagged(BaseConfiguration):
    system: Tagging
    words: tuple[str, ...]
    tags: tuple[str, ...] = ()

    @property
    def is_final(self) -> bool:
        return len(self.tags) == len(self.words)

    def possible_transitions(self) -> tuple[Transition, ...]:
        return () if self.is_final else self.system.transition_space()

    def is_possible(self, transition: Transition) -> bool:
        return transition in self.possible_transitions()

    def take(self, transition: Any) -> "Tagged":
        return attrs.evolve(self, tags=(*self.tags, transition.tag))


def gold_tag(cfg: Tagged, sentence: Sentence, label: object) -> Tag:
    return Tag(sentence[len(cfg.tags)][1])


def gold_tags(cfg: Tagged, sentence: Sentence, label: object) -> tuple[Tag, ...]:
    return (gold_tag(cfg, sentence, label),)


SYSTEM = Tagging(("DET", "NOUN", "VERB"))
SENTENCES: Any = [
    [("the", "DET"), ("dog", "NOUN"), ("sleeps", "VERB")],
    [("fish", "NOUN"), ("fish", "VERB"), ("the", "DET"), ("fish", "NOUN")],
]
ORACLES = ("static", "nondeterministic", "dynamic")
EXPLORING = [AlwaysExplore(), ExplorationPolicy(k=1, p=0.5), SecondBest(k=1, p=0.1), Sample(k=1)]


def perceptron() -> Perceptron:
    def features(cfg: Tagged) -> list[str]:
        return [f"word {cfg.words[len(cfg.tags)]}", f"before {cfg.tags[-1:]}"]

    return Perceptron(features, SYSTEM.transition_space())


@pytest.mark.parametrize("oracle", ORACLES)
def test_oracles_give_the_tags(oracle: str) -> None:
    for sentence in SENTENCES:
        taken: list[Any] = [step.taken for step in Oracle(SYSTEM, oracle)(sentence).steps()]
        assert [(word, step.tag) for (word, _), step in zip(sentence, taken, strict=True)] == sentence


@pytest.mark.parametrize(
    ("oracle", "policy"),
    [*[(oracle, NeverExplore()) for oracle in ORACLES], *[("dynamic", policy) for policy in EXPLORING]],
    ids=repr,
)
@pytest.mark.parametrize("on_error", ["go_on", "early", "aggressive"])
def test_local_strategies_teach_it(oracle: str, policy: Any, on_error: Any) -> None:
    model = perceptron()
    ranking = Ranking(SYSTEM, model)
    strategy = LocalTraining(Oracle(SYSTEM, oracle), ranking, policy, on_error=on_error)
    assert_learns(strategy, model, BeamSearch(ranking, 1))


@pytest.mark.parametrize("oracle", ORACLES)
@pytest.mark.parametrize("update", UPDATE_RULES)
@pytest.mark.parametrize(("size", "merge", "normalize", "restart"), [(1, False, False, False), (3, True, True, True)])
def test_global_strategies_teach_it(
    oracle: str, update: Any, size: int, merge: bool, normalize: bool, restart: bool
) -> None:
    model = perceptron()
    search = BeamSearch(Ranking(SYSTEM, model, normalize=normalize), size, merge=merge)
    strategy = GlobalTraining(Oracle(SYSTEM, oracle), search, update, restart=restart, rng=Random(1))
    assert_learns(strategy, model, search)


@pytest.mark.parametrize(
    "options",
    [
        {"update": UpdateRule(UPDATE_RULES["full"].length, weight=lambda step, length: step / length)},
        {"time_limit": 2},
        {"k": 1, "p": 0.5},
    ],
    ids=list,
)
def test_what_global_strategies_are_told_is_not_about_trees(options: Any) -> None:
    model = perceptron()
    search = BeamSearch(Ranking(SYSTEM, model), 3)
    strategy = GlobalTraining(Oracle(SYSTEM, "dynamic"), search, restart=True, rng=Random(1), **options)
    assert_learns(strategy, model, search)


def test_what_may_be_taken_and_who_votes_is_not_about_trees() -> None:
    def not_before_a_verb(cfg: Tagged) -> tuple[Transition, ...]:
        return tuple(one for one in cfg.possible_transitions() if one != Tag("NOUN") or "VERB" not in cfg.tags)

    def voter(row: Any) -> Ranking:
        return Ranking(SYSTEM, lambda configurations: [row] * len(configurations))

    voters = [*map(voter, np.eye(3))]
    search = BeamSearch(VotedRanking(voters, weights=[1, 3, 2]), 1, possible=not_before_a_verb)
    assert search.best(SENTENCES[1]).config.tags == ("NOUN",) * 4
    after_a_verb = search.best(Tagged(SYSTEM, ("fish", "fish"), ("VERB",)))
    assert after_a_verb.config.tags == ("VERB", "DET")  # two voters, for the second one cannot have its noun


def test_a_beam_keeps_one_hypothesis_for_each_answer() -> None:
    found = BeamSearch(Ranking(SYSTEM, lambda configurations: [[0, 0, 0]] * len(configurations)), 30).k_best(
        SENTENCES[0]
    )
    assert {hypothesis.config.tags for hypothesis in found} == set(product(SYSTEM.all_tags, repeat=3))


def assert_learns(strategy: LocalTraining | GlobalTraining, model: Perceptron, search: BeamSearch) -> None:
    gold = [tuple(tag for _, tag in sentence) for sentence in SENTENCES]
    for epoch in range(1, 100):
        for sentence in SENTENCES:
            for update in strategy.at(epoch)(sentence):
                model.update(update)
        if [search.best(sentence).config.tags for sentence in SENTENCES] == gold:
            return
    raise AssertionError(f"{strategy} does not learn {gold}")
