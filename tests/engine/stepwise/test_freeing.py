"""Weights take hundreds of megabytes, and the garbage collector may come late."""

import gc
from typing import Any
from weakref import ref

import pytest

from deptrees import Parser, sample_treebank
from deptrees.engine import StepwiseTrainer
from deptrees.engine.stepwise.perceptron import TemplatePerceptron
from deptrees.transition import SecondBest


@pytest.mark.parametrize("how", [{"policy": SecondBest(k=1, p=0.1)}, {"beam": 2, "on_update": lambda update: None}])
def test_step_by_step_training_and_parsers_are_freed_at_once(
    how: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = list[ref[TemplatePerceptron]]()
    start = StepwiseTrainer._start

    def remembering(self: StepwiseTrainer) -> None:
        start(self)
        made.append(ref(self._perceptron))

    monkeypatch.setattr(StepwiseTrainer, "_start", remembering)
    trees = [*sample_treebank("train")][:3]
    gc.collect()
    gc.disable()
    try:
        parser = Parser.train(trees, epochs=1, **how)
        assert [one() for one in made] == [None]
        next(parser.parse(trees))
        model = ref(parser.model)
        del parser
        assert model() is None
    finally:
        gc.enable()
