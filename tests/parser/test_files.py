"""Parsers saved and loaded, with how they were trained."""

from pathlib import Path
from typing import Any

import attrs
import pytest

from deptrees import sample_treebank
from deptrees.features import DELEXICALIZED, Templates
from deptrees.parser import ModelError, Parser
from deptrees.transition import (
    ArcEager,
    ArcHybrid,
    ArcStandard,
    Attardi,
    EasyFirst,
    System,
    dynamic_oracle,
    nondeterministic_oracle,
    static_oracle,
)
from tests.tiers import slow

TRAIN, DEV = list(sample_treebank("train")), list(sample_treebank("dev"))


@pytest.mark.parametrize(
    ("system", "oracle", "options"),
    [
        (ArcEager(root="last"), dynamic_oracle, {"epochs": 3, "seed": 7}),
        (ArcHybrid(), dynamic_oracle, {"epochs": 2, "dev": DEV[:3]}),
        (Attardi(3), static_oracle, {"epochs": 1, "beam": 3, "update": "early", "restart": False}),
        slow(Attardi(3), static_oracle, {"epochs": 2, "beam": 3, "update": "early", "restart": False, "joint": True}),
        (ArcHybrid(), dynamic_oracle, {"epochs": 3, "subsample": 0.5, "beam": 2}),
        (ArcStandard(), static_oracle, {"epochs": 3, "subsample": 0.5}),
        (ArcHybrid(), dynamic_oracle, {"epochs": 3, "exploration": (0, 0.5), "on_error": "aggressive"}),
        (EasyFirst(), dynamic_oracle, {"epochs": 2, "exploration": (0.3, 0.6), "on_error": "early"}),
        (ArcHybrid(), dynamic_oracle, {"epochs": 2, "beam": 2, "update": "max_violation_from_error", "time_limit": 4}),
        (EasyFirst(), dynamic_oracle, {"epochs": 2, "subsample": 0.5}),
        (EasyFirst(), nondeterministic_oracle, {"epochs": 2, "templates": Templates(["s0.upos+b0.upos", "s0.form"])}),
        (ArcEager(), dynamic_oracle, {"epochs": 2, "templates": DELEXICALIZED.with_clusters({"the": "1"})}),
    ],
    ids=lambda value: repr(value) if isinstance(value, System) else "",
)
@pytest.mark.parametrize("count", [3, slow(10)])
def test_training_is_repeated_from_saved_settings(
    system: System, oracle: Any, options: Any, count: int, tmp_path: Path
) -> None:
    trees = TRAIN[:count]
    parser = attrs.evolve(
        Parser.train(trees, system=system, oracle=oracle, **options), calibration=None
    )  # which is not training
    parser.save(tmp_path / "first")
    settings = Parser.load(tmp_path / "first").settings
    assert settings is not None
    assert settings == parser.settings
    Parser.train(trees, **settings.arguments()).save(tmp_path / "second")
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()


def test_saving_keeps_root_position(tmp_path: Path) -> None:
    Parser.train(TRAIN[:5], system=ArcHybrid(root="last"), epochs=1).save(tmp_path / "model")
    assert Parser.load(tmp_path / "model").system == ArcHybrid(root="last")


class Mine(ArcHybrid):
    """A system of a user's own."""


class MineStepByStep(EasyFirst):
    """One that the engine does not run."""


@pytest.mark.parametrize("system", [Mine(root="last"), MineStepByStep()], ids=repr)
def test_parsers_with_own_systems_are_saved_and_loaded_with_the_system(system: System, tmp_path: Path) -> None:
    parser = Parser.train(TRAIN[:3], system=system, epochs=1)
    parser.save(tmp_path / "model")
    for given in (system, type(system), f"{__name__}:{type(system).__name__}", None):
        loaded = Parser.load(tmp_path / "model", system=given)
        assert loaded.settings == parser.settings
        assert list(loaded.parse(DEV[:3])) == list(parser.parse(DEV[:3]))
    for other in (Mine(single_root=True), ArcHybrid(root="last"), ArcHybrid, "arc-hybrid"):
        with pytest.raises(ModelError, match=rf"trained with {__name__}:{type(system).__name__}\(.*\), not with"):
            Parser.load(tmp_path / "model", system=other)


def test_a_system_of_the_library_need_not_be_told(tmp_path: Path) -> None:
    Parser.train(TRAIN[:5], system=ArcHybrid(root="last"), epochs=1).save(tmp_path / "model")
    assert Parser.load(tmp_path / "model", system=ArcHybrid(root="last")).system == ArcHybrid(root="last")
    for other in (ArcHybrid(), Mine(root="last")):
        with pytest.raises(ModelError, match=r"trained with ArcHybrid\(root='last'\), not with"):
            Parser.load(tmp_path / "model", system=other)
