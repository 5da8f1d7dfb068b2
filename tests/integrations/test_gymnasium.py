"""Against gymnasium's own checker, and against the functional layer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from deptrees import DependencyTree, sample_treebank
from deptrees.integrations.gymnasium import ParsingEnv
from deptrees.transition import REGISTRY, HammingLoss, as_system, cost, exhaustive_loss, loss
from deptrees.transition.transitions import IllegalTransition

TREES = [*sample_treebank("dev")]
SMALL = [tree for tree in [*sample_treebank("train"), *TREES] if len(tree) < 8]
FIXED = [name for name, it in REGISTRY.items() if not it.has_any_k and "dynamic" in it.oracles]


class Possible(ParsingEnv):
    """One that takes another action where the one asked for is not possible: gymnasium's checker knows no masks."""

    def step(self, action: Any) -> Any:
        mask = self.action_masks()
        return super().step(action if mask[action] else mask.argmax())


def test_it_is_an_environment() -> None:
    check_env(Possible(TREES, columns=["upos", "form"]), skip_render_check=True)


@pytest.mark.parametrize("name", FIXED)
def test_steps_and_rewards_are_those_of_the_system(name: str) -> None:
    system, rng = REGISTRY[name].example, np.random.default_rng(1)
    env = ParsingEnv(SMALL, system)
    for number, tree in enumerate(SMALL[:5]):
        _, info = env.reset(options={"sentence": number})
        cfg, total, ended = system.initial(tree), 0.0, False
        while not ended:
            possible = {*cfg.possible_transitions()}
            assert {env.space[action] for action in info["possible"].nonzero()[0]} == possible
            action = int(rng.choice(info["possible"].nonzero()[0]))
            assert info["costs"][action] == cost(env.space[action], cfg, tree)
            cfg = env.space[action](cfg)
            observation, reward, ended, truncated, info = env.step(action)
            assert observation in env.observation_space
            assert not truncated
            total += reward
        assert cfg.is_final
        assert not info["possible"].any()
        assert env.tree().heads == cfg.tree().heads
        begun = loss(system.initial(tree), tree)
        assert -total == len(system.wrong_words(cfg.heads, tree)) - begun


@pytest.mark.parametrize("system", ["arc-hybrid", "arc-eager", "arc-standard"])
def test_labels_count_where_transitions_have_them(system: str) -> None:
    env, rng, loss = ParsingEnv(SMALL, system, labeled=True), np.random.default_rng(1), HammingLoss(labeled=True)
    for number, tree in enumerate(SMALL[:5]):
        _, info = env.reset(options={"sentence": number})
        cfg, total, ended = as_system(system).initial(tree), 0.0, False
        begun = loss(cfg, tree)
        while not ended:
            action = int(rng.choice(info["possible"].nonzero()[0]))
            assert info["costs"][action] == loss.cost(env.space[action], cfg, tree)
            cfg = env.space[action](cfg)
            _, reward, ended, _, info = env.step(action)
            total += reward
        wrong = sum(arc != gold for arc, gold in zip(env.tree().tokens, tree.tokens, strict=True))
        assert (env.tree().labels, -total) == (cfg.tree().labels, wrong - begun)


def test_what_is_observed_is_what_stands_there() -> None:
    env = ParsingEnv([DependencyTree([(2, "Birds"), (0, "sing")])], nodes=["s0", "b0", "b1"], columns=["form"])
    found = [env.reset()[0].tolist()] + [env.step(action)[0].tolist() for action in (2, 0, 2, 1)]
    root, none = 2, 3
    assert found == [[root, 0, 1], [0, 1, none], [root, 1, none], [1, none, none], [none, none, none]]


def test_the_best_return_is_zero_from_wherever_it_begins() -> None:
    env = ParsingEnv(SMALL)
    for number in range(len(SMALL)):
        _, info = env.reset(options={"sentence": number})
        ended = False
        while not ended:
            _, reward, ended, _, info = env.step(int((info["costs"] == 0).argmax()))
            assert reward == 0
        assert len(as_system("arc-hybrid").wrong_words(env.tree().heads, SMALL[number])) == exhaustive_loss(
            as_system("arc-hybrid").initial(SMALL[number]), SMALL[number]
        )


def test_a_seed_chooses_the_same_sentences_again() -> None:
    texts = []
    for _ in range(2):
        env = ParsingEnv(TREES, render_mode="ansi")
        env.reset(seed=5)
        texts.append([env.render(), *[(env.reset(), env.render())[1] for _ in range(3)]])
    assert texts[0] == texts[1]
    assert len({*texts[0]}) > 1


def test_what_cannot_be_is_said() -> None:
    env = ParsingEnv(TREES)
    env.reset()
    with pytest.raises(IllegalTransition):
        env.step(0)
    with pytest.raises(ValueError, match="has more transitions the longer the sentence"):
        ParsingEnv(TREES, "easy-first")
    with pytest.raises(ValueError, match="there is no tree to parse"):
        ParsingEnv([])
    single = ParsingEnv([DependencyTree([(0, "Sing")])])
    single.reset()
    for action in (2, 1):
        single.step(action)
    with pytest.raises(ValueError, match="the derivation is final: reset the environment"):
        single.step(0)
    with pytest.raises(IndexError):
        env.reset(options={"sentence": len(TREES)})
