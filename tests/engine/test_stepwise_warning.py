"""What has no compiled form says that it runs step by step, once for each cause."""

import warnings
from typing import Any

import pytest

from deptrees import Columns, DependencyTree
from deptrees.engine import Derivations, StepwiseTrainer, StepwiseWarning, Trainer, batches, core
from deptrees.engine.stepwise.trainer import trainer_for
from deptrees.features import Templates
from deptrees.training import UpdateRule
from deptrees.training.options import LinearOptions
from deptrees.transition import ArcStandardSwap, EasyFirst, SecondBest, System, as_system, exhaustive_oracle
from deptrees.transition.oracles import BY_NAME

TREES = [DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root")])]
NUMERIC = Templates(["s0.number.Length"])


def own(*_: Any) -> Any:
    return None


@pytest.mark.parametrize(
    ("system", "options", "cause"),
    [
        (EasyFirst(), {}, "EasyFirst() has no compiled form"),
        (ArcStandardSwap(), {"oracle": "approximate_dynamic"}, "the oracle approximate_dynamic has no compiled form"),
        (
            "arc-hybrid",
            {"oracle": exhaustive_oracle},
            "the oracle deptrees.transition.exhaustive.exhaustive_oracle",
        ),
        ("arc-hybrid", {"policy": SecondBest(k=0, p=0.5)}, "policy has no compiled form"),
        ("arc-hybrid", {"on_update": own}, "on_update has no compiled form"),
        ("arc-hybrid", {"beam": 2, "update": UpdateRule(own)}, "update has no compiled form"),
        ("arc-hybrid", {"templates": NUMERIC}, "numbers in templates"),
    ],
)
def test_training_says_why_it_goes_step_by_step(system: System, options: dict[str, Any], cause: str) -> None:
    with pytest.warns(StepwiseWarning, match="this runs step by step, about a hundred times slower") as said:
        assert isinstance(trainer_for(TREES, LinearOptions(system=as_system(system), **options)), StepwiseTrainer)
    assert str(said.pop().message).startswith(cause)


def test_arrays_say_so_too() -> None:
    with pytest.warns(StepwiseWarning, match="EasyFirst"):
        next(batches(TREES, EasyFirst()))
    with pytest.warns(StepwiseWarning, match="EasyFirst"):
        Derivations.open(TREES, EasyFirst())


def test_it_is_said_once_for_each_cause() -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("default")
        for system in (EasyFirst(), EasyFirst(single_root=True), EasyFirst()):
            trainer_for(TREES, LinearOptions(system=system))
    assert len(said) == 2


@pytest.mark.filterwarnings("error")
def test_what_is_compiled_or_step_by_step_by_name_says_nothing() -> None:
    assert isinstance(trainer_for(TREES), Trainer)
    trainer = StepwiseTrainer(TREES, LinearOptions(system=EasyFirst()))
    trainer.epoch()
    trainer.model().parse(Columns.encode(TREES))
    Derivations.open(TREES, EasyFirst(), oracle=None)


@pytest.mark.filterwarnings("error")
def test_where_warnings_are_errors_nothing_is_trained() -> None:
    with pytest.raises(StepwiseWarning, match="EasyFirst"):
        trainer_for(TREES, LinearOptions(system=EasyFirst()))


def test_the_core_has_all_oracles_but_the_approximate_one() -> None:
    assert [name for name in BY_NAME if name not in core.ORACLES] == ["approximate_dynamic"]
    assert all(name in BY_NAME for name in core.ORACLES)
