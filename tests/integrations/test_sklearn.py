"""Against scikit-learn: its own checks of estimators, and its searches."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import SGDClassifier
from sklearn.model_selection import cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import (
    check_estimator_cloneable,
    check_get_params_invariance,
    check_set_params,
    estimator_checks_generator,
)

from deptrees import Parser, evaluate, sample_treebank
from deptrees.engine import batches
from deptrees.integrations.sklearn import ParserEstimator, StepHasher
from deptrees.training.declarations import declarations
from deptrees.training.options import LinearOptions
from deptrees.training.records import Epoch

CHECKS = [*estimator_checks_generator(StepHasher())]


def name(check: Any) -> str:
    return str(getattr(check, "func", check).__name__)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("estimator", "check"), CHECKS, ids=[name(check) for _, check in CHECKS])
def test_steps_pass_the_checks_of_scikit_learn(estimator: StepHasher, check: Callable[[StepHasher], None]) -> None:
    check(estimator)


@pytest.mark.parametrize("check", [check_estimator_cloneable, check_get_params_invariance, check_set_params])
def test_parsers_pass_the_checks_that_give_no_numbers(check: Callable[[str, ParserEstimator], None]) -> None:
    """All others fit an estimator to random numbers, which are no trees."""
    check("ParserEstimator", ParserEstimator())


def test_an_estimator_is_the_parser_with_the_same_parameters() -> None:
    trees, dev = [*sample_treebank("train")], [*sample_treebank("dev")]
    estimator = clone(ParserEstimator(system="arc_hybrid", epochs=2, beam=2)).fit(trees)
    parser = Parser.train(trees, system="arc_hybrid", epochs=2, beam=2)
    assert [*estimator.predict(dev)] == [*parser.parse(dev)]
    assert estimator.score(dev) == evaluate(dev, parser.parse(dev)).las
    with pytest.raises(NotFittedError):
        ParserEstimator().predict(dev)


def test_parsers_are_cross_validated() -> None:
    scores = cross_val_score(ParserEstimator(epochs=1), [*sample_treebank("train")], cv=2)
    assert ((scores > 0) & (scores < 1)).all()


def test_steps_are_learned_from_in_a_pipeline() -> None:
    train, dev = (next(batches(sample_treebank(part), "arc_hybrid", oracle="static")) for part in ("train", "dev"))
    pipeline = make_pipeline(StepHasher(2**14), SGDClassifier(random_state=1)).fit(train.features, train.taken)
    assert pipeline.score(dev.features, dev.taken) > 0.7


def test_each_number_of_each_column_has_a_place() -> None:
    numbers = np.array([[1, 1], [1, 2], [2, 1], [1, 1]], np.uint64)
    found = StepHasher(2**16).fit_transform(numbers).toarray()
    assert found.sum(axis=1).tolist() == [2, 2, 2, 2]
    assert (found @ found.T).tolist() == [[2, 1, 1, 2], [1, 2, 0, 1], [1, 0, 2, 1], [2, 1, 1, 2]]


def test_parses_of_any_lengths_are_cross_predicted() -> None:
    for trees in ([*sample_treebank("train")], [tree for tree in sample_treebank("train") if len(tree) == 5]):
        found = cross_val_predict(ParserEstimator(epochs=1), trees, cv=2)
        assert (found.shape, found.dtype) == ((len(trees),), object)
        assert [*map(len, found)] == [*map(len, trees)]


def test_an_estimator_takes_the_options_of_training() -> None:
    expected = {"random_state" if name == "seed" else name for name in declarations(LinearOptions)}
    assert ParserEstimator().get_params().keys() == signature(ParserEstimator).parameters.keys() == expected
    trees, told = [*sample_treebank("train")], list[Epoch]()
    options: dict[str, Any] = {"epochs": 2, "seeds": 2, "exploration": (0, 0.5), "dev": trees[:5]}
    estimator = ParserEstimator(random_state=3, on_epoch=told.append, **options).fit(trees)
    assert estimator.parser_.settings == Parser.train(trees, seed=3, **options).settings
    assert told
    for state in (None, np.random.RandomState(1)):
        assert ParserEstimator(random_state=state, epochs=1).fit(trees[:5]).predict(trees[:5]).shape == (5,)
    with pytest.raises(TypeError, match="there is no option 'sytem'"):
        ParserEstimator(sytem="arc_hybrid")
