"""Files that are damaged, or that another version wrote, are refused with a word on what is wrong."""

import gzip
import json
import lzma
import os
import pickle
import zlib
from collections.abc import Callable
from pathlib import Path
from shutil import copyfile
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt
import pytest
from safetensors.numpy import save_file

from deptrees import evaluate, sample_treebank
from deptrees.engine import StepwiseModel
from deptrees.features import FAST
from deptrees.files.models import ModelError, Part, open_model, save_model
from deptrees.files.records import converter
from deptrees.files.sparse import SparseArray
from deptrees.parser import Parser
from deptrees.tagger import Tagger
from deptrees.training import LinearOptions
from deptrees.transition import ArcHybrid, EasyFirst
from deptrees.transition.systems.registry import REGISTRY, UnknownSystem, system_from
from tests.files.edits import ModelContent, little_memory, write_file
from tests.tiers import slow

TRAIN = list(sample_treebank("train"))[:10]
Record = dict[str, Any]


@pytest.mark.parametrize("name", REGISTRY)
def test_systems_are_records_and_back(name: str) -> None:
    for system in REGISTRY[name].variants:
        assert system_from(json.loads(json.dumps(converter().unstructure(system)))) == system


@pytest.mark.parametrize("name", ["ArcMagic", "Shift", "Oracle", "static_oracle", "PADDING"])
def test_what_is_no_system_is_told(name: str) -> None:
    with pytest.raises(UnknownSystem, match=f"'{name}' is not one of the library's systems"):
        system_from({"name": name})


@pytest.fixture(scope="module", params=[ArcHybrid(), EasyFirst()], ids=["engine", "stepwise"])
def saved(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("saved") / "model"
    Parser.train(TRAIN, system=request.param, epochs=1).save(path)
    return path


@pytest.fixture
def model(saved: Path, tmp_path: Path) -> Path:
    """A model that a test may change."""
    return Path(copyfile(saved, tmp_path / "model"))


def change(path: Path, how: Callable[[Record], object], part: str = "model") -> None:
    """Change the record of a part of a model."""
    content = ModelContent.read(path)
    [name] = [name for name in content.record["parts"] if part in name]
    how(content.record["parts"][name])
    content.write(path)


def test_settings_are_saved_and_those_that_are_not_known_refused(model: Path) -> None:
    parser = Parser.load(model)
    joint = isinstance(parser.model, StepwiseModel)
    assert parser.settings == LinearOptions(
        system=parser.system,
        oracle="dynamic",
        epochs=1,
        seed=1,
        seeds=1,
        exploration=0.9,
        templates=FAST,
        beam=1,
        update="max_violation",
        restart=True,
        joint=joint,
        subsample=1.0,
        on_error="go_on",
    )
    change(model, lambda record: record.update(magic=True), "settings")
    with pytest.raises(ModelError, match=r"damaged, or of a newer version .*not known: 'magic' @ record"):
        Parser.load(model)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("epochs", "10", "expected a whole number, not '10' @ record.epochs"),
        ("epochs", 1.5, "expected a whole number, not 1.5 @ record.epochs"),
        ("exploration", "high", "expected a number, not 'high' @ record.exploration"),
        ("exploration", ["high"], r"expected a number, not 'high' \(at 0\) @ record.exploration"),
        ("exploration", 2.0, "exploration is the share of steps that explore: from 0 to 1, not 2.0"),
        ("oracle", None, "expected a text, not None @ record.oracle"),
    ],
)
def test_fields_of_records_are_checked(field: str, value: Any, message: str, model: Path) -> None:
    change(model, lambda record: record.update({field: value}), "settings")
    with pytest.raises(ModelError, match=message):
        Parser.load(model)
    change(model, lambda record: record.pop(field), "settings")
    with pytest.raises(ModelError, match=f"missing @ record.{field}"):
        Parser.load(model)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        (
            lambda record: record["system"].update(name="ArcMagic"),
            "newer version .*'ArcMagic' is not one of",
        ),
        (lambda record: record["system"].update(name="StackBufferSystem"), "is not one of the library's systems"),
        (lambda record: record["system"].update(magic=True), "damaged, or of a newer version .*'magic'"),
        (lambda record: record["templates"]["templates"].append("s0.magic"), "'magic' in the template 's0.magic'"),
        (lambda record: record.update(magic=True), "not known: 'magic' @ record"),
        (lambda record: record.pop("labels"), "missing @ record.labels"),
        (lambda record: record.update(labels="abc"), "expected a list, not 'abc' @ record.labels"),
        (lambda record: record.update(joint=1), "expected true or false, not 1 @ record.joint"),
        (lambda record: record.update(bits=[1, 2, 3]), r"expected 2 values, not \[1, 2, 3\] @ record.bits"),
        (lambda record: record.update(templates=None), "expected an object, not None @ record.templates"),
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
    content = ModelContent.read(model)
    attrs.evolve(content, arrays={"~checksum": content.arrays["~checksum"]}).write(model)
    with pytest.raises(ModelError, match=r"newer version of deptrees.*the array .* is missing"):
        Parser.load(model)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: path.mkdir(), "is a folder, a pipe or a device: give the model's file"),
        (lambda path: os.mkfifo(path), "is a folder, a pipe or a device: give the model's file"),
        (lambda path: path.touch(), "is not a model file: give one that deptrees has saved"),
        (lambda path: path.write_bytes(b"\xff" * 100), "is not a model file: give one that deptrees has saved"),
        (lambda path: path.write_bytes(gzip.compress(b"0" * 100)), "is not a model file: decompress it"),
        (
            lambda path: save_file({}, path),
            "not a model of this version of deptrees: load it with the one that wrote it",
        ),
        (lambda path: path.write_bytes(pickle.dumps(_Stranger())), "is not a model file"),
        (
            lambda path: write_file(path, "[" * 100_000, {"~checksum": np.zeros(4, np.uint8)}),
            "is damaged, or of a newer version of deptrees: .*RecursionError",
        ),
    ],
    ids=["folder", "pipe", "empty", "bytes", "compressed", "safetensors", "pickle", "deep"],
)
def test_what_is_no_model_is_told(make: Callable[[Path], object], message: str, tmp_path: Path) -> None:
    make(tmp_path / "model")
    with pytest.raises(ModelError, match=f"{tmp_path / 'model'}:? {message}"):
        Parser.load(tmp_path / "model")


class _Stranger:
    """What runs code when it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return pytest.fail, ("code of a file is run",)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        (lambda model: model.update(bits=[30, 18]), r"the array 'transitions' should have the shape \(1073741824, 4\)"),
        slow(
            lambda model: model.update(labels=list(map(str, range(1_000_000)))), "1000000 labels, .* 65536 .* the most"
        ),
        (lambda model: model["labels"].pop(), "in label_heads is not one of the labels"),
        (lambda model: model["labels"].__setitem__(0, "a\tb"), r"'a\\tb' in labels: .* without tabs and line ends"),
        (lambda model: model["labels"].__setitem__(0, "a\nb"), r"'a\\nb' in labels: .* without tabs and line ends"),
        (lambda model: model["labels"].__setitem__(0, 7), r"expected a text, not 7 \(at 0\) @ record.labels"),
        (lambda model: model.update(system={"name": "Attardi", "degree": 1_000_000}), "Attardi cannot .* 1000000"),
        (lambda model: model.update(system={"name": "EasyFirst"}), "EasyFirst"),
        (
            lambda model: model["templates"].update(templates=[f"s0.feats.{n}" for n in range(300)]),
            "the templates have 300 ",
        ),
        (
            lambda model: model["templates"].update(templates=["s2147483648.form"]),
            "'s2147483648' in the template .*: here may stand s0, s1, ..., s255",
        ),
    ],
)
def test_what_asks_for_too_much_is_refused_before_memory_is_taken(
    how: Callable[[Record], object], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "model"
    Parser.train(TRAIN, system="arc-hybrid", epochs=1).save(path)
    change(path, how)
    with little_memory(), pytest.raises(ModelError, match=message):
        Parser.load(path)


def test_sparse_arrays_that_would_be_too_large_are_refused(model: Path) -> None:
    content = ModelContent.read(model)
    content.arrays |= {"large.gaps": np.array([1], np.uint8), "large.weights": np.array([1], np.float32)}
    content.record["shapes"]["large"] = [1 << 16, 1 << 15]
    content.write(model)
    message = "2147483648 numbers, most of them 0: 1073741824 are the most"
    with little_memory(), pytest.raises(ModelError, match=message), open_model(model) as file:
        file.sparse_array("large", (1 << 16, 1 << 15))


def test_arrays_that_are_to_be_whole_are_not_filled_with_zeros(model: Path) -> None:
    content = ModelContent.read(model)
    content.arrays |= {"large.gaps": np.array([1], np.uint8), "large.weights": np.array([1], np.float32)}
    content.record["shapes"]["large"] = [1 << 29]
    content.write(model)
    with little_memory(), pytest.raises(ModelError, match="the array 'large' is missing"), open_model(model) as file:
        file.array("large", (1 << 29,))


@pytest.mark.parametrize(
    ("how", "message"),
    [
        (lambda tagger: tagger["columns"][0].update(tags=[]), "tags"),
        (lambda tagger: tagger["columns"].pop(), "2 columns of tags, and features for 3"),
        (
            lambda tagger: tagger["columns"][0].update(tags=tagger["columns"][0]["tags"][:2]),
            "the lexicon has tags that are not numbers from 0 to",
        ),
        (lambda tagger: tagger["columns"][0]["lexicon"]["dictionary"].update(word=1 << 40), "the lexicon has tags"),
        (lambda tagger: tagger["columns"][1]["lexicon"]["classes"].append([-1]), "the lexicon has tags"),
        (lambda tagger: tagger["columns"][1]["lexicon"]["numbers"].update(word=-1), "words have classes that are not"),
        (lambda tagger: tagger["hyperparameters"]["features"].update(xpos=["form"] * 300), "300 features for xpos"),
    ],
)
def test_taggers_that_cannot_be_are_refused(how: Callable[[Record], object], message: str, tmp_path: Path) -> None:
    path = tmp_path / "tagger"
    Tagger.train(TRAIN, epochs=1).save(path)
    change(path, how, "tagger")
    with little_memory(), pytest.raises(ModelError, match=message):
        Tagger.load(path)


def test_a_model_of_another_kind_is_told_by_its_name(model: Path) -> None:
    with pytest.raises(ModelError, match="the parser has no tagger: train it with --pipeline"):
        Tagger.load(model)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 1.0])
@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int64, np.uint8])
def test_arrays_come_back_however_many_zeros_they_have(share: float, kind: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    array = (100 * rng.random((7, 5)) * (rng.random((7, 5)) < share)).astype(kind)
    save_model(tmp_path / "model", Part("test 1", {}, {"zeros": array}))
    with open_model(tmp_path / "model") as file:
        read = file.array("zeros", (7, 5), kind)
    assert read.dtype == kind
    assert (read == array).all()


def few_numbers() -> SparseArray:
    """An array with 600 numbers, of which 5 are different."""
    random = np.random.default_rng(1)
    where = np.sort(random.choice(1 << 20, 600, replace=False)).astype(np.int64)
    return SparseArray.at((1 << 10, 1 << 10), where, random.choice(np.array([-2, -1, 0.5, 1, 7], np.float32), 600))


def test_arrays_with_few_different_numbers_are_packed(tmp_path: Path) -> None:
    array = few_numbers()
    save_model(tmp_path / "model", Part("test 1", {}, {"few": array}))
    expected = {"few.gaps.packed", "few.levels", "few.which.packed", "~checksum"}
    assert ModelContent.read(tmp_path / "model").arrays.keys() == expected
    with open_model(tmp_path / "model") as file:
        assert file.sparse_array("few", array.shape) == array


def bytes_of(content: bytes) -> npt.NDArray[np.uint8]:
    return np.frombuffer(content, np.uint8)


def deflated(*values: int) -> npt.NDArray[np.uint8]:
    return bytes_of(zlib.compress(bytes(values)))


LEVELS = [
    (
        {"few.levels": np.array([1], np.float32)},
        "'few' is wrong: its levels have the shape .1,., and numbers are missing",
    ),
    ({"few.levels": np.ones((5, 1), np.float32)}, "'few' is wrong: its levels have the shape .5, 1., and"),
    ({"few.levels": np.ones(5, np.float64)}, "the array 'few.levels' should be"),
    ({"few.levels": np.full(5, np.inf, np.float32)}, "the array 'few.levels' has numbers"),
]


def check_refusal(content: ModelContent, path: Path, message: str) -> None:
    content.write(path)
    with little_memory(), pytest.raises(ModelError, match=message), open_model(path) as file:
        file.sparse_array("few", (1 << 10, 1 << 10))


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        *LEVELS,
        ({"few.gaps.packed": np.ones(99, np.uint8)}, "'few' is wrong: Error -3 while decompressing"),
        ({"few.gaps.packed": deflated(1, 2)[:-1]}, "'few' is wrong: its bytes end too early"),
        ({"few.which.packed": deflated(*bytes(1 << 17))}, "or are more than 65536"),
        ({"few.which.packed": deflated(*[5] * 600)}, "numbers are missing"),
        ({"few.which.packed": deflated(*[1] * 599)}, "there should be one number for each place"),
        ({"few.gaps.packed": deflated(*[1] * 599)}, "there should be one number for each place"),
        ({"few.gaps.packed": deflated(*[1] * 600, 255)}, "there should be one number for each place"),
        ({"few.gaps.packed": deflated(*[255] * 5000, *[1] * 600)}, "should all be less than 1048576"),
    ],
)
def test_packed_arrays_that_are_wrong_are_refused(
    arrays: dict[str, npt.NDArray[Any]], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deptrees.files.models.PACKED", 1 << 16)
    path = tmp_path / "model"
    save_model(path, Part("test 1", {}, {"few": few_numbers()}))
    content = ModelContent.read(path)
    content.arrays |= arrays
    check_refusal(content, path, message)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        *LEVELS,
        ({"few.packed": np.ones(99, np.uint8)}, "'few' is wrong: .* format"),
        ({"few.packed": bytes_of(lzma.compress(b"1234"))}, "4 bytes are not five for each number"),
        ({"few.packed": bytes_of(lzma.compress(bytes(5 << 14)))}, "or more than 65536"),
        ({"few.packed": bytes_of(lzma.compress(b"\xff" * 10))}, "numbers are missing"),
        ({"few.packed": bytes_of(lzma.compress(b"\xff" * 8 + bytes(2)))}, "the places of numbers should rise"),
        ({"few.packed": bytes_of(lzma.compress(bytes(10)))}, "the places of numbers should rise"),
    ],
)
def test_arrays_of_former_versions_that_are_wrong_are_refused(
    arrays: dict[str, npt.NDArray[Any]], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deptrees.files.former.PACKED", 1 << 16)
    path = tmp_path / "model"
    save_model(path, Part("test 1", {}, {"few": few_numbers()}))
    content = ModelContent.read(path)
    packed = {"few.packed": bytes_of(lzma.compress(bytes([1, 0, 0, 0, 4])))}
    content.arrays = {"few.levels": content.arrays["few.levels"]} | packed | arrays
    content.arrays["~checksum"] = np.zeros(4, np.uint8)
    check_refusal(content, path, message)


def test_a_compact_file_is_small_and_says_all_of_what_it_keeps(tmp_path: Path) -> None:
    parser = Parser.train(sample_treebank("train"), joint=True)
    for name, compact in (("whole", False), ("compact", True)):
        parser.save(tmp_path / name, compact=compact)
    Parser.load(tmp_path / "compact").save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "compact").read_bytes()
    whole, compacted = [ModelContent.read(tmp_path / name).arrays.values() for name in ("whole", "compact")]
    assert sum(array.nbytes for array in compacted) < 0.2 * sum(array.nbytes for array in whole)
    trees = [*sample_treebank("dev")]
    assert evaluate(trees, Parser.load(tmp_path / "compact").parse(trees)).uas > 0.8
