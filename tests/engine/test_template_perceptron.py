"""The core's lookup of features and weights against the readable one, and what is learnt by either."""

from random import Random
from typing import Any

import numpy as np
import pytest

from deptrees.engine.model import Shape
from deptrees.engine.template_perceptron import TemplatePerceptron, _FastRows, _ReadableRows
from deptrees.features import LR_SPINES, Templates
from deptrees.search import Space
from deptrees.training import Update
from deptrees.transition import LRSpines, Shift, System
from deptrees.transition.systems.registry import REGISTRY
from tests.engine.engine import LABELS, TEMPLATES, sentences
from tests.tiers import slow

BITS = 10
SYSTEMS = [registered.example for registered in REGISTRY.values()]


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
    shape = Shape(system, templates, LABELS, bits=(BITS, BITS))
    fast = _FastRows(templates, shape.features, weights.copy(), True)
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
    perceptron = TemplatePerceptron(Shape(system, Templates(["b0.form"]), (), bits=(BITS, BITS)))
    perceptron.time = 3
    perceptron.update(Update(((cfg, Shift()),), ()))
    assert perceptron([cfg]).tolist() == [[0, 0, 1]]
    assert perceptron.averaged().sum() == 0.25


def test_positions_outside_the_sentence_are_told() -> None:
    cfg: Any = LRSpines().initial(["Sing"])
    shape = Shape(LRSpines(), Templates(["b0.form"]), (), bits=(BITS, BITS))
    rows = _FastRows(shape.templates, shape.features, np.zeros((1 << BITS, 4), np.float32), False)
    rows.add_up(cfg, np.zeros((1, 4), np.float32))
    with pytest.raises(IndexError, match="no position 2 in a sentence of 1 words"):
        rows._lookup.scores([((2,), ())], np.zeros((1, 4), np.float32))
