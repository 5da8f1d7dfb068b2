"""Files that former versions wrote are read, and those of a newer version refused with a word on what to do."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from deptrees import Columns, Parser, Treebank
from deptrees.annotation import Document
from deptrees.distributed import Manifest
from deptrees.files.models import ModelError, open_model
from deptrees.files.parts import NAMES, TAGGER
from deptrees.packages import Card
from deptrees.training import Epoch
from tests.cli.running import run
from tests.files.edits import ModelContent
from tests.files.write_formats import (
    FEW,
    FORMATS,
    MODELS,
    OF_TORCH,
    TEXT,
    TRAIN,
    load,
    train_checkpoint,
    unpacked,
)

PAGE = Path(__file__).parents[2] / "docs" / "formats.md"
VERSIONS = sorted(folder.name for folder in FORMATS.iterdir())
IN_VERSIONS = [
    pytest.param(version, name, marks=[pytest.mark.torch] * (name in OF_TORCH))
    for version in VERSIONS
    for name in MODELS
    if (FORMATS / version / f"{name}.gz").exists()  # enhancers of 0.1 look at something else
]


@pytest.mark.parametrize(("version", "model"), IN_VERSIONS)
def test_models_of_former_versions_are_read_and_parse_as_they_did(version: str, model: str, tmp_path: Path) -> None:
    if model in OF_TORCH:
        pytest.importorskip("torch")
    expected = [*Treebank(FORMATS / version / f"{model}.conllu")]
    assert [*load(model, unpacked(model, tmp_path, version)).parse(expected)] == expected


@pytest.mark.parametrize("version", VERSIONS)
def test_text_is_divided_and_tagged_by_models_of_former_versions_as_it_was(version: str, tmp_path: Path) -> None:
    parser: Parser = load("pipeline", unpacked("pipeline", tmp_path, version))
    assert [*parser.parse_text(TEXT)] == [*Treebank(FORMATS / version / "pipeline.text.conllu")]


@pytest.mark.parametrize("version", VERSIONS)
def test_training_goes_on_from_checkpoints_of_former_versions(version: str, tmp_path: Path) -> None:
    epochs = list[Epoch]()
    train_checkpoint(unpacked("checkpoint", tmp_path, version), on_epoch=epochs.append)
    assert [epoch.number for epoch in epochs] == [3, 4, 5, 6]


@pytest.mark.parametrize("version", VERSIONS)
def test_files_beside_models_of_former_versions_are_read(version: str, tmp_path: Path) -> None:
    copytree(FORMATS / version, tmp_path, dirs_exist_ok=True)
    assert Columns.load(tmp_path / "columns").fingerprint() == Columns.encode(TRAIN).fingerprint()
    assert Card.read(tmp_path).scores == {"tags": {"LAS": 0.5}}
    manifest = Manifest.of(tmp_path / "target.conllu")
    assert manifest is not None
    assert manifest.sentences == len([*Treebank(tmp_path / "target.conllu")])
    text = (tmp_path / "annotated.conllu").read_text("utf-8")
    [sentence] = Document.read(text).sentences
    assert (sentence.lines[:3], sentence.has_head) == (tuple(text.splitlines()[:3]), (True, False, False))


@pytest.mark.parametrize("version", VERSIONS)
def test_configurations_and_templates_of_former_versions_are_read(version: str, tmp_path: Path) -> None:
    folder = FORMATS / version
    before = (folder / "train.toml").read_text("utf-8").splitlines()
    assert {*before} <= {*run("train", "--config", folder / "train.toml", "--print-config").stdout.splitlines()}
    command = ["train", folder / "source.conllu", "-o", tmp_path / "model", "--epochs", 1]
    assert run(*command, "--templates", folder / "templates.txt").exit_code == 0
    assert getattr(Parser.load(tmp_path / "model").settings, "templates", None) == FEW


def names_in(parts: Mapping[str, Any]) -> Iterator[str]:
    """The names of the parts of a file, and of those within them."""
    for name, record in parts.items():
        yield name
        for within in record.get("parsers", []):
            yield from names_in(within)


def content(name: str, folder: Path) -> ModelContent:
    return ModelContent.read(unpacked(name, folder))


def test_there_is_a_file_with_each_part(tmp_path: Path) -> None:
    found = {part for name in [*MODELS, "checkpoint"] for part in names_in(content(name, tmp_path).record["parts"])}
    assert found == NAMES
    arrays = {name.rpartition(".")[2] for model in MODELS for name in content(model, tmp_path).arrays}
    assert {"packed", "levels", "gaps", "weights"} <= arrays


@pytest.mark.parametrize(
    ("part", "by"),
    [(part, by) for part in sorted(NAMES) for by in (1, -1, 10) if (part, by) != (TAGGER, -1)],  # which is read
)
def test_a_part_of_another_version_is_refused_with_what_to_do(part: str, by: int, tmp_path: Path) -> None:
    contents = (content(name, tmp_path) for name in [*MODELS, "checkpoint"])
    changed = next(each for each in contents if part in each.record["parts"])
    other = re.sub(r"\d+$", lambda number: str(int(number[0]) + by), part)
    changed.record["parts"][other] = changed.record["parts"].pop(part)
    changed.write(tmp_path / "changed")
    what_to_do = "newer version of deptrees: update deptrees" if by > 0 else "older version of deptrees: load it with"
    message = f"{tmp_path / 'changed'}: '{other}' in it is of an? {what_to_do}"
    with pytest.raises(ModelError, match=message), open_model(tmp_path / "changed"):
        pass


def test_parts_that_only_a_newer_version_knows_are_refused_within_others_too(tmp_path: Path) -> None:
    changed = content("ensemble", tmp_path)
    [name] = [name for name in changed.record["parts"] if "votes" in name]
    changed.record["parts"][name]["parsers"][1]["deptrees dreams 1"] = {}
    changed.write(tmp_path / "changed")
    with pytest.raises(ModelError, match="'deptrees dreams 1' in it is of a newer version of deptrees: update"):
        Parser.load(tmp_path / "changed")


def test_the_page_lists_all_parts() -> None:
    assert {*re.findall(r"^\| `(deptrees [a-z ]+ \d+)` \|", PAGE.read_text("utf-8"), re.MULTILINE)} == NAMES
