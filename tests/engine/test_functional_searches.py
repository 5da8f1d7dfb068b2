"""Models of the engine in the functional layer: the same scores there, and the same parses, also under constraints."""

from random import Random
from typing import Any

import attrs
import numpy as np
import pytest

from deptrees import DependencyTree, sample_treebank
from deptrees.engine import Model, SearchOptions
from deptrees.engine.code.system import compile_system
from deptrees.features import FAST, Templates
from deptrees.search import BeamSearch
from deptrees.transition import ArcEager, Constraints, System
from deptrees.transition.systems.registry import REGISTRY
from deptrees.treebanks.batch import Batch
from deptrees.treebanks.columns import Columns
from tests.engine.engine import train
from tests.tiers import slow, variants_slow

TRAIN, DEV = list(sample_treebank("train")), list(sample_treebank("dev"))
VARIANTS = [variant for system in REGISTRY.values() if system.is_compiled for variant in system.variants]
COMPILED = variants_slow(VARIANTS)
WITH_LOSSES = variants_slow(system for system in VARIANTS if compile_system(system).has_losses)


TEMPLATES = Templates([*FAST, "history1+b0.upos", "history2+history3+history4"])


def model_of(system: Any, joint: bool) -> Model:
    return train(
        Columns.encode(TRAIN[:10]),
        system=system,
        templates=TEMPLATES,
        oracle="static",
        joint=joint,
        epochs=2,
        bits=(14, 14),
    )


def in_numbers(model: Model, trees: list[DependencyTree]) -> tuple[list[int], list[int]]:
    heads = [-1 if head is None else head for tree in trees for head in tree.heads]
    return heads, [-1 if label is None else model.spec.labels.index(label) for tree in trees for label in tree.labels]


def some_heads(system: System, tree: DependencyTree, random: Random) -> DependencyTree:
    """Four in ten heads of a tree that the system can build, found by a random walk."""
    cfg = system.initial(tree)
    while not cfg.is_final:
        cfg = random.choice(cfg.possible_transitions())(cfg)
    return tree.reattach([head if random.random() < 0.4 else None for head in cfg.heads], [None] * len(tree))


@pytest.mark.parametrize("system", COMPILED, ids=repr)
@pytest.mark.parametrize("joint", [False, True])
def test_models_rank_transitions_as_the_engine_does(system: System, joint: bool) -> None:
    model = model_of(system, joint)
    search = BeamSearch(model.ranking, 1)
    parsed = [search.best(tree).tree() for tree in DEV[:3]]
    heads, labels = model.parse(Columns.encode(DEV[:3]))
    assert in_numbers(model, parsed) == (heads.tolist(), labels.tolist())


@pytest.mark.parametrize("beam", [1, slow(4)])
@pytest.mark.parametrize("system", WITH_LOSSES, ids=repr)
def test_known_heads_are_constraints(system: System, beam: int) -> None:
    model = model_of(system, joint=True)
    known = [some_heads(system, tree, Random(1)) for tree in DEV[:3]]
    search = BeamSearch(model.ranking, beam)
    parsed = []
    for tree in known:
        constraints = Constraints(heads={word: head for head, word in tree.arcs})
        parsed.append(attrs.evolve(search, possible=constraints.transitions).best(tree).tree())
    options = SearchOptions(beam=beam, constraints=[*map(Constraints.given, known)])
    found = model.find(Batch.of(known), options)
    heads = found.heads[0]
    assert in_numbers(model, parsed) == (heads.tolist(), found.labels[0].tolist())
    given = Columns.encode(known).heads
    assert (heads[given >= 0] == given[given >= 0]).all()


@pytest.mark.parametrize("beam", [5, slow(64)])
@pytest.mark.parametrize("system", COMPILED, ids=repr)
def test_beams_find_what_searches_of_the_functional_layer_find(system: System, beam: int) -> None:
    """With labels among the transitions: else the engine takes the best label only, and these searches all labels.

    Of 64 states, some have their scores remembered in the place of another one's.
    """
    model = model_of(system, joint=True)
    trees = DEV[:3] if beam == 5 else DEV[:1]
    parsed = [BeamSearch(model.ranking, beam).best(tree).tree() for tree in trees]
    heads, labels = model.parse(Columns.encode(trees), beam=beam)
    assert in_numbers(model, parsed) == (heads.tolist(), labels.tolist())


@pytest.mark.parametrize("joint", [False, True])
@pytest.mark.parametrize("beam", [2, 8, slow(64)])
def test_what_a_beam_remembers_of_other_sentences_makes_no_difference(beam: int, joint: bool) -> None:
    model = model_of(ArcEager(), joint)
    trees = TRAIN + DEV
    options = SearchOptions(k=beam)
    together = model.find(Batch.of(trees), options)
    alone = [model.find(Batch.of([tree]), options) for tree in trees]
    for name in "scores", "heads", "labels":
        parts = [getattr(found, name) for found in alone]
        assert np.array_equal(getattr(together, name), np.concatenate(parts, axis=1), equal_nan=True)
