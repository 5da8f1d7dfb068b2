"""The core's lookup of features and weights against the readable one, and what is learned by either."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from deptrees.engine.spec import ModelSpec
from deptrees.engine.stepwise.perceptron import TemplatePerceptron, _FastRows, _ReadableRows, _RowsWithNumbers
from deptrees.features import LR_SPINES, Templates
from deptrees.features.embeddings import Embeddings
from deptrees.search import Space
from deptrees.training import Perceptron, Update
from deptrees.transition import LRSpines, Shift, System
from deptrees.transition.systems.registry import REGISTRY
from tests.engine.engine import LABELS, TEMPLATES, sentences
from tests.tiers import slow

BITS = 10
SYSTEMS = [registered.example for registered in REGISTRY.values()]
NUMERIC = Templates(
    [
        *("s0.form+b0.form", "s0.embedding", "b0.embedding+s0.upos", "b0.number.Length", "s0.left.embedding"),
        "s1.upos+s0.number.Length",
    ],
    embeddings=Embeddings(["u", "w"], [[0.5, -1.0, 0.25], [1.0, 0.0, 2.0]]),
)


def configurations(system: System, count: int) -> list[Any]:
    """Those of walks in any direction, with any labels."""
    rng, found = Random(1), []
    space = Space(system.transition_space(LABELS))
    for tree in sentences(count, seed=1, longest=9):
        cfg: Any = system.initial(tree)
        while not cfg.is_final:
            found.append(cfg)
            cfg = rng.choice(space.agreeing(cfg.possible_transitions()))(cfg)
    return found


@pytest.mark.parametrize("count", [2, slow(20)])
@pytest.mark.parametrize(
    ("system", "templates"), [*((system, TEMPLATES) for system in SYSTEMS), (LRSpines(), LR_SPINES)], ids=repr
)
def test_the_core_sees_what_templates_see(system: System, templates: Templates, count: int) -> None:
    weights = np.random.default_rng(1).integers(-99, 99, (1 << BITS, 8)).astype(np.float32)
    fast = _FastRows(templates, weights.copy(), True)
    readable = _ReadableRows(templates, weights.copy(), True)
    space = Space(system.transition_space(LABELS))
    for number, cfg in enumerate(configurations(system, count)):
        blocks = min(space.blocks(cfg.possible_transitions()) if system.has_any_k else 1, 3)
        sums = np.zeros((2, blocks, 8), np.float32)
        fast.add_up(cfg, sums[0])
        readable.add_up(cfg, sums[1])
        fast.change(cfg, 1 + number % blocks, number % 8, 0.5, number)
        readable.change(cfg, 1 + number % blocks, number % 8, 0.5, number)
        assert (sums[0] == sums[1]).all()
    assert (fast.changes == readable.changes).all()
    assert fast.changes.any()


def test_weights_are_averaged_over_time() -> None:
    system, cfg = LRSpines(), LRSpines().initial(["Sing"])
    perceptron = TemplatePerceptron(ModelSpec(system, Templates(["b0.form"]), (), bits=(BITS, BITS)))
    perceptron.time = 3
    perceptron.update(Update(((cfg, Shift()),), ()))
    assert perceptron([cfg]).tolist() == [[0, 0, 1]]
    assert perceptron.averaged().sum() == 0.25


def test_positions_outside_the_sentence_are_told() -> None:
    cfg: Any = LRSpines().initial(["Sing"])
    spec = ModelSpec(LRSpines(), Templates(["b0.form"]), (), bits=(BITS, BITS))
    rows = _FastRows(spec.templates, np.zeros((1 << BITS, 4), np.float32), False)
    rows.add_up(cfg, np.zeros((1, 4), np.float32))
    with pytest.raises(IndexError, match="no position 2 in a sentence of 1 words"):
        rows.scorer.scores([((2,), ())], np.zeros((1, 4), np.float32))


def with_lengths(cfg: Any) -> Any:
    """The initial configuration of the same sentence, with a number in MISC of every other word."""
    tokens = [
        word.with_misc({"Length": f"{len(word.form) / 4}"}) if word.id % 2 else word for word in cfg.source.tokens
    ]
    return cfg.system.initial(tokens)


def walks(system: System, count: int) -> list[Any]:
    """Configurations of sentences with numbers."""
    found = []
    for cfg in configurations(system, count):
        start = with_lengths(cfg)
        for transition in cfg.history:
            start = transition(start)
        found.append(start)
    return found


@pytest.mark.parametrize("count", [1, slow(10)])
@pytest.mark.parametrize("system", SYSTEMS, ids=repr)
def test_numbers_are_values_of_features(system: System, count: int) -> None:
    """In a small table, where features of all kinds share rows, and in that of the readable perceptron."""

    def features(cfg: Any, k: int = 1) -> dict[str, float]:
        plain = zip(NUMERIC.plain, NUMERIC.values(cfg, k=k), strict=True)
        found = {f"{template} {values}": 1.0 for template, values in plain}
        for hashed, values in NUMERIC.numbers(cfg, k=k):
            found |= {f"{hashed} {place}": value for place, value in enumerate(values.tolist())}
        return found

    weights = np.random.default_rng(1).integers(-99, 99, (1 << 5, 8)).astype(np.float32)
    one, other = weights.copy(), weights.copy()
    fast = _RowsWithNumbers(_FastRows(NUMERIC.plain, one, True), NUMERIC, one)
    readable = _RowsWithNumbers(_ReadableRows(NUMERIC.plain, other, True), NUMERIC, other)
    perceptron = TemplatePerceptron(ModelSpec(system, NUMERIC, LABELS))
    same = Perceptron(features, system.transition_space(LABELS), by_k=system.has_any_k)
    rng = Random(1)
    for number, cfg in enumerate(walks(system, count)):
        sums = np.zeros((2, 1, 8), np.float32)
        for rows, found in zip((fast, readable), sums, strict=True):
            rows.add_up(cfg, found)
            rows.change(cfg, 1, number % 8, 0.5, number)
        assert (sums[0] == sums[1]).all()
        assert (perceptron([cfg]) == same([cfg])).all()
        transition = rng.choice(perceptron.space.agreeing(cfg.possible_transitions()))
        for learner in perceptron, same:
            learner.update(Update(((cfg, transition),), ()))
    assert (fast.changes == readable.changes).all()
    assert same.weights.any()
