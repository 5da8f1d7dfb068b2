"""Configurations, steps and oracles' sequences pass from one process to another."""

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from random import Random
from typing import Any

import pytest

from deptrees import DependencyTree
from deptrees.transition import Oracle, Step, System, Transition, typed
from deptrees.transition.systems.registry import REGISTRY
from tests.gold_trees import tree_of
from tests.tiers import variants_slow

TREE = DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root"), (4, "every", "det"), (2, "day", "obl")])
SYSTEMS = [system for registered in REGISTRY.values() for system in registered.variants]


@pytest.mark.parametrize("system", variants_slow(SYSTEMS), ids=repr)
def test_the_steps_and_sequences_of_every_oracle_pickle(system: System) -> None:
    for name in system.oracles.names:
        sequence: Any = Oracle(system, name, typed)(TREE)
        twin = pickle.loads(pickle.dumps(sequence))
        assert twin == sequence
        steps = list(sequence.steps()) if sequence else []
        twins = pickle.loads(pickle.dumps(steps))
        assert twins == steps == (list(twin.steps()) if sequence else [])
        assert [step.config.history for step in twins] == [step.config.history for step in steps]


@pytest.mark.parametrize("system", variants_slow(SYSTEMS), ids=repr)
def test_configurations_of_long_sentences_pickle_and_are_copied(system: System) -> None:
    tree, random = tree_of(tuple(range(200))), Random(1)
    cfg: Any = system.initial(tree)
    for _ in range(400):
        if cfg.is_final:
            break
        cfg = random.choice(cfg.possible_transitions())(cfg)
    twin = pickle.loads(pickle.dumps(cfg))
    assert (twin, twin.history, twin.source, twin.possible_transitions()) == (
        *(cfg, cfg.history, tree),
        cfg.possible_transitions(),
    )
    assert len(pickle.dumps(cfg)) < 200 * 200
    assert copy.deepcopy(cfg) == copy.copy(cfg) == cfg


def follow(step: Step) -> tuple[Any, tuple[Transition, ...], list[tuple[Any, Any]]]:
    """What a spawned process makes of a step."""
    after = step.taken(step.config)
    sequence: Any = Oracle(step.config.system, step.config.system.oracles.names[0], typed)(step.config.source)
    return after, after.possible_transitions(), list(sequence)


def test_every_system_works_in_a_spawned_process() -> None:
    steps: list[Step] = []
    for registered in REGISTRY.values():
        sequence: Any = Oracle(registered.example, registered.oracles[0], typed)(TREE)
        steps += list(sequence.steps())[:3]
    assert {type(step.config.system) for step in steps} == {registered.kind for registered in REGISTRY.values()}
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert list(pool.map(follow, steps)) == list(map(follow, steps))
