"""What training is given, and what it cannot take."""

import inspect
from typing import Any

import numpy as np
import pytest

from deptrees import DependencyTree, EvaluationError, sample_treebank
from deptrees.engine import Trainer, batches, train
from deptrees.features import Templates
from deptrees.parser import Parser, TrainingError
from deptrees.transition import (
    ArcEager,
    ArcHybrid,
    ArcHybridSwap,
    ArcStandard,
    ArcStandardSwap,
    Constraints,
    EasyFirst,
    OracleNotDefined,
    StackBufferSystem,
    System,
    static_oracle,
)
from deptrees.transition.oracles import BY_NAME
from deptrees.transition.systems.registry import UnknownSystem
from deptrees.treebanks.columns import Columns

TRAIN, DEV = list(sample_treebank("train")), list(sample_treebank("dev"))


@pytest.mark.parametrize("system", [ArcEager(), EasyFirst()], ids=repr)
@pytest.mark.parametrize("share", [0, -1, 1.5, float("nan")])
def test_a_share_of_the_heads_is_more_than_none_and_at_most_all(system: System, share: float) -> None:
    with pytest.raises(ValueError, match=r"subsample is a share, more than 0 and at most 1, not"):
        Parser.train(TRAIN, system=system, subsample=share)


def test_nothing_to_learn_from_is_an_error() -> None:
    crossing = DependencyTree([(3, "a"), (4, "b"), (0, "c"), (3, "d")])
    for treebank in ([], [crossing], [DependencyTree([])], [DependencyTree([(None, "a")])]):
        for system in "arc-eager", "easy-first":
            with pytest.raises(TrainingError, match="nothing to learn from"):
                Parser.train(treebank, system=system, oracle=static_oracle)
    with pytest.raises(TrainingError, match="there are no templates"):
        Parser.train(TRAIN, templates=Templates([]))
    for dev in ([], [DependencyTree([])], [DependencyTree([(None, "a")])]):
        with pytest.raises(EvaluationError, match="nothing to evaluate on"):
            Parser.train(TRAIN, dev=dev)
    with pytest.raises(ValueError, match="epochs is a whole number, 1 or more, not 0"):
        Parser.train(TRAIN, epochs=0)


@pytest.mark.parametrize(
    "name", ["epochs", "seed", "seeds", "beam", "time_limit", "subsample", "exploration", "templates", "start"]
)
def test_what_an_option_cannot_be_is_told_with_its_name(name: str) -> None:
    options: dict[str, Any] = {name: "2"}
    with pytest.raises(TypeError, match=rf"^{name} is an? .* not '2'"):
        Parser.train(TRAIN[:2], **options)


@pytest.mark.parametrize("name", BY_NAME)
def test_oracles_are_functions_or_their_names(name: str) -> None:
    systems = (ArcEager(root="last"), ArcStandardSwap(), ArcHybridSwap())
    system = next(system for system in systems if name in system.oracles.names)
    parsers = [Parser.train(TRAIN[:2], system=system, oracle=oracle, epochs=2) for oracle in (name, BY_NAME[name])]
    assert parsers[0].settings == parsers[1].settings
    [first, second] = [parser.model.part().arrays for parser in parsers]
    np.testing.assert_equal(first, second)


@pytest.mark.parametrize(
    ("options", "error", "cure"),
    [
        ({"treebank": "train.conllu"}, TypeError, r"Treebank\(path\)"),
        ({"treebank": 3}, TypeError, r"Treebank\(path\)"),
        ({"treebank": [["Birds", "sing"]]}, TypeError, "iterable of trees"),
        ({"treebank": TRAIN[0]}, TypeError, r"give \[tree\]"),
        ({"oracle": "magic"}, OracleNotDefined, "choose one of static, "),
        ({"oracle": 3}, TypeError, "such as dynamic_oracle, or a name"),
        ({"system": "arc-magic"}, UnknownSystem, "choose one of ArcEager, "),
        ({"system": 3}, TypeError, r"such as ArcEager\(\), or a name, such as 'arc-eager'"),
        ({"dev": "dev.conllu"}, TypeError, r"Treebank\(path\)"),
        ({"exploration": 1.5}, ValueError, "from 0 to 1"),
        ({"exploration": ()}, ValueError, "from 0 to 1"),
        ({"exploration": (0, 2)}, ValueError, "from 0 to 1"),
        ({"on_error": "stop"}, ValueError, "choose one of go_on, early, aggressive"),
        ({"time_limit": 0}, ValueError, "time_limit is a whole number, 1 or more, not 0"),
        ({"beam": 100}, ValueError, "beam"),
    ],
)
def test_what_training_cannot_take_is_told_with_the_cure(options: Any, error: type[Exception], cure: str) -> None:
    with pytest.raises(error, match=cure):
        Parser.train(options.pop("treebank", TRAIN), **options)


@pytest.mark.parametrize("system", [ArcHybrid, "arc-hybrid", EasyFirst, "EasyFirst"])
def test_systems_are_taken_by_class_and_by_name(system: Any) -> None:
    best = ArcHybrid(single_root=True) if "ybrid" in str(system) else EasyFirst()
    parser = Parser.train(TRAIN[:3], system=system, epochs=1)
    assert parser.system == best
    assert parser.settings == Parser.train(TRAIN[:3], system=best, epochs=1).settings
    model = train(TRAIN[:3], system=system, epochs=1)
    assert model.spec.system == best
    [ours, theirs] = [next(batches(TRAIN[:3], one, model=model)).taken for one in (system, best)]
    assert (ours == theirs).all()


def test_a_treebank_may_be_columns() -> None:
    columns, trees = [Parser.train(treebank, epochs=1) for treebank in (Columns.encode(TRAIN), iter(TRAIN))]
    assert list(columns.parse(DEV)) == list(trees.parse(DEV))


def test_signatures_and_records_are_short(parser: Parser) -> None:
    for function in (Parser.train, batches, train, Trainer):
        assert len(str(inspect.signature(function))) < 1000
    assert len(repr(parser.settings)) < 300
    assert repr(Templates(["b0.cluster"], {"a": "1"})) == "Templates(1 templates, 1 clusters)"


def test_a_missing_oracle_is_an_error_that_names_the_others() -> None:
    class WithoutDynamicOracle(StackBufferSystem):
        rows = ArcStandard.rows
        final = ArcStandard.final

    with pytest.raises(OracleNotDefined, match="it has: static"):
        Parser.train(TRAIN, system=WithoutDynamicOracle())
    with pytest.raises(TrainingError, match="no oracle that can do without some heads"):
        Parser.train(TRAIN, system=WithoutDynamicOracle(), oracle=static_oracle, subsample=0.5)


def test_constraints_are_asked_of_trees() -> None:
    with pytest.raises(TypeError, match="as trees, not as columns"):
        Parser.train(Columns.encode(TRAIN), constraints=Constraints.given)
