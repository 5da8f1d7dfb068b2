"""Weights take hundreds of megabytes, and the garbage collector may come late."""

import gc
from collections.abc import Iterator
from typing import Any
from weakref import ref

import pytest

from deptrees import Ensemble, Parser, TransitionEnsemble, sample_treebank
from deptrees.engine import StepwiseTrainer
from deptrees.engine.stepwise.perceptron import TemplatePerceptron
from deptrees.transition import Constraints, SecondBest, Shift


@pytest.fixture
def uncollected() -> Iterator[None]:
    """No garbage collector."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("uncollected")
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
    parser = Parser.train(trees, epochs=1, **how)
    assert [one() for one in made] == [None]
    next(parser.parse(trees))
    model = ref(parser.model)
    del parser
    assert model() is None


@pytest.mark.usefixtures("uncollected")
@pytest.mark.parametrize("joint", [False, True])
def test_models_that_have_been_searched_with_step_by_step_are_freed_at_once(joint: bool) -> None:
    parser = Parser.train(sample_treebank("train"), epochs=1, joint=joint)
    assert parser.model.ranking.best(parser.system.initial(["Birds", "sing"]), [Shift()])
    for voter in (Parser(Ensemble([parser])), Parser(TransitionEnsemble([parser]))):
        assert len([*voter.parse([["Birds", "sing"]], constraints=lambda tree: Constraints(spans=[(1, 2)]))]) == 1
    freed = [ref(parser.model), ref(voter.model)]
    del parser, voter
    assert [one() for one in freed] == [None, None]
