"""Files that are damaged, or that another version wrote, are refused with a word on what is wrong."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

from deptrees import sample_treebank
from deptrees.engine import StepwiseModel
from deptrees.features import ZHANG_NIVRE
from deptrees.files.models import ModelError, Part, open_model, save_model, system_of, system_record
from deptrees.parser import Parser, Settings
from deptrees.tagger import Tagger
from deptrees.transition import (
    ArcHybrid,
    ArcSwift,
    Attardi,
    EasyFirst,
    ListBasedProjective,
    LRSpines,
    System,
    TwoPlanar,
    dynamic_oracle,
)

TRAIN = list(sample_treebank("train"))[:10]
SYSTEMS: list[System] = [
    ArcHybrid(root="last", single_root=True),
    Attardi(3),
    ArcSwift(),
    EasyFirst(single_root=True),
    ListBasedProjective(),
    LRSpines(),
    TwoPlanar(),
]
Record = dict[str, Any]


@pytest.mark.parametrize("system", SYSTEMS, ids=repr)
def test_systems_are_records_and_back(system: System) -> None:
    assert system_of(json.loads(json.dumps(system_record(system)))) == system


@pytest.mark.parametrize("name", ["ArcMagic", "Shift", "Oracle", "static_oracle", "PADDING"])
def test_what_is_no_system_is_told(name: str) -> None:
    with pytest.raises(ModelError, match=f"no transition system '{name}' in this version"):
        system_of({"name": name})


@pytest.fixture(params=[ArcHybrid(), EasyFirst()], ids=["engine", "stepwise"])
def model(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    Parser.train(TRAIN, request.param, epochs=1).save(tmp_path / "model")
    return tmp_path / "model"


def change(path: Path, how: Callable[[Record], object], part: str = "model") -> None:
    """Change the record of a part of a model."""
    with safe_open(path, "numpy") as file:
        records = json.loads(file.metadata()["deptrees"])
    [name] = [name for name in records if part in name]
    how(records[name])
    save_file(load_file(path), path, {"deptrees": json.dumps(records)})


def test_settings_are_saved_and_those_that_are_not_known_refused(model: Path) -> None:
    parser = Parser.load(model)
    joint = isinstance(parser.model, StepwiseModel)
    assert parser.settings == Settings(
        parser.system, dynamic_oracle, 1, 1, ZHANG_NIVRE, 1, "max_violation", True, joint
    )
    change(model, lambda record: record.update(magic=True), "settings")
    with pytest.raises(ModelError, match=r"damaged, or of a newer version .*'magic'"):
        Parser.load(model)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        (lambda record: record["system"].update(name="ArcMagic"), "no transition system 'ArcMagic' in this version"),
        (lambda record: record["system"].update(name="StackBufferSystem"), "damaged, or of a newer version"),
        (lambda record: record["system"].update(magic=True), "damaged, or of a newer version .*'magic'"),
        (lambda record: record["templates"].append("s0.magic"), "damaged, or of a newer version .*'magic'"),
        (lambda record: record.update(magic=True), "damaged, or of a newer version .*'magic'"),
        (lambda record: record.pop("labels"), "damaged, or of a newer version .*'labels'"),
        (lambda record: record.update(beam=1000), "damaged, or of a newer version .*beam"),
    ],
)
def test_records_of_what_is_not_known_are_refused(model: Path, how: Callable[[Record], object], message: str) -> None:
    change(model, how)
    with pytest.raises(ModelError, match=message):
        Parser.load(model)


def test_a_file_that_ends_too_early_is_refused(model: Path) -> None:
    model.write_bytes(model.read_bytes()[:-100])
    with pytest.raises(ModelError, match="is not a model file"):
        Parser.load(model)


def test_a_file_without_its_weights_is_refused(model: Path) -> None:
    with safe_open(model, "numpy") as file:
        save_file({}, model, file.metadata())
    with pytest.raises(ModelError, match="is not a model file"):
        Parser.load(model)


def test_a_model_of_another_kind_is_told_by_its_name(model: Path) -> None:
    with pytest.raises(ModelError, match=r"expected 'deptrees tagger 1', not .*'deptrees (engine|stepwise) model \d'"):
        Tagger.load(model)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 1.0])
def test_arrays_come_back_however_many_zeros_they_have(share: float, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    array = rng.normal(size=(7, 5)).astype(np.float32) * (rng.random((7, 5)) < share)
    save_model(tmp_path / "model", Part("test 1", {}, {"array": array.astype(np.float32)}))
    read = np.zeros((7, 5), np.float32)
    with open_model(tmp_path / "model") as file:
        file.fill("array", read)
    assert (read == array).all()
