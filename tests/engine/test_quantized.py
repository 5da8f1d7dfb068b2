"""Quantized weights: how they are rounded and added up, and that nothing else changes what parsing finds."""

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt
import pytest
from more_itertools import all_equal

from deptrees import sample_treebank
from deptrees.engine import Model, core
from deptrees.engine.finding import Found
from deptrees.features import FAST
from deptrees.files.sparse import SparseArray
from deptrees.transition import ArcEager, System
from deptrees.transition.labels import ANY_LABELS
from deptrees.transition.systems.registry import REGISTRY
from deptrees.treebanks.columns import Columns
from tests.engine.engine import train
from tests.engine.rounding import rounded
from tests.tiers import slow, variants_slow

TRAIN, DEV = list(sample_treebank("train")), list(sample_treebank("dev"))
COMPILED = variants_slow(variant for system in REGISTRY.values() if system.is_compiled for variant in system.variants)
SUMS = Path(core.__file__).parent / "model/sums.h"


def table(rows: int, width: int, kind: str) -> npt.NDArray[np.float32]:
    """Weights of some kind, most of which are 0."""
    random = np.random.default_rng(width)
    weights = random.normal(0, 3, (rows, width)) * (random.random((rows, width)) < 0.4)
    weights[::3] *= random.random(width) < 4 / width  # few columns, and so perhaps a single line
    if kind == "extreme":
        weights = np.sign(weights + 0.1) * 1e6
    elif kind == "whole":
        weights = np.rint(weights)
    return weights.astype(np.float32)


@pytest.mark.parametrize("kind", ["usual", "whole", "extreme"])
@pytest.mark.parametrize("width", [4, 12, 16, 20, 32, 36, 60, 64, 68, 104, 124, 128, 200])
def test_scores_are_the_sums_of_rounded_weights(width: int, kind: str) -> None:
    """As many rows as there can be templates, of the largest weights too: no sum is too large for its bits.

    Rows lie in one or in several lines of memory, some of them in the first one alone.
    """
    first, second = table(32, width, kind), table(16, width, kind)
    tables = SparseArray.of(first), SparseArray.of(second)
    numbers = np.arange(width, dtype=np.int32)
    weights = core.Weights(
        np.zeros(width, np.int32), numbers, np.ones((2, width), np.bool_), *tables, width, learning=False
    )
    random = np.random.default_rng(1)
    for number, (array, bits) in enumerate(((first, 16), (second, 8))):
        expected = rounded(array, bits, 0)
        for rows in ([], [3], [0, 1, 1], random.integers(0, len(array), 256), [5] * 256):
            found = weights.score(number, np.array(rows, np.uint32))
            sums = expected[np.array(rows, int)].sum(axis=0)
            assert found[:width].tolist() == sums.tolist()
            assert not found[width : weights.width].any()
        with pytest.raises(ValueError, match="there are 257 rows to add up, and can be 256"):
            weights.score(number, np.zeros(257, np.uint32))


def test_one_weight_in_many_is_cut_off() -> None:
    weights = np.full((1 << 16, 8), 3.3, np.float32)
    weights[0, 0], weights[1, 1] = 1e5, -1e5
    table = SparseArray.of(weights)
    made = core.Weights(
        np.zeros(8, np.int32), np.arange(8, dtype=np.int32), np.ones((2, 8), np.bool_), table, table, 8, learning=False
    )
    [first, *others] = made.score(1, np.array([0], np.uint32))[:8]
    assert first == 127 / 32
    assert others == [3.3125] * 7
    assert made.score(0, np.array([1], np.uint32))[1] == pytest.approx(-1e5, rel=1e-4)


FUNCTIONS: dict[str, tuple[Any, int]] = {
    "sum_rows_of_bytes": (np.int16, 32),
    "sum_narrow_rows": (np.int32, 2),
    "sum_wide_rows": (np.int32, 16),
}


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_sums_without_vectors_are_the_same(tmp_path: Path) -> None:
    """Any numbers, those too that are too large to be sums of weights: every bit is the same."""
    source = tmp_path / "sums.c"
    source.write_text(f'#define static\n#include "{SUMS}"\n')
    libraries = []
    for name, options in {
        "vectors": ["-O1"],
        "one copy": ["-O1", "-DDEPTREES_ONE_COPY"],
        "plain": ["-O1", "-fwrapv", "-DDEPTREES_PLAIN_C"],
    }.items():
        target = tmp_path / f"{name}.so"
        subprocess.run(["cc", "-shared", "-fPIC", *options, "-o", target, source], check=True)
        libraries.append(ctypes.CDLL(str(target)))
    random = np.random.default_rng(1)
    for name, (kind, in_block) in FUNCTIONS.items():
        limits = np.iinfo(kind)
        numbers = random.integers(limits.min // 256, limits.max // 256, (16 * 3 * in_block + 64), kind, endpoint=True)
        start = -numbers.ctypes.data % 64 // numbers.itemsize
        rows = numbers.ctypes.data + numbers.itemsize * (start + 3 * in_block * random.integers(0, 16, 53))
        found = [np.zeros(3 * 2 * in_block, np.float32) for _ in libraries]
        for library, scores in zip(libraries, found, strict=True):
            getattr(library, name)(
                rows.ctypes.data_as(ctypes.c_void_p),
                len(rows),
                ctypes.c_size_t(3 * in_block),
                ctypes.c_float(0.25),
                scores.ctypes.data_as(ctypes.c_void_p),
            )
        assert found[0].any()
        assert all_equal(map(np.ndarray.tolist, found))


def parse_with(weights: core.Weights, model: Model, columns: Columns) -> tuple[list[int], list[int]]:
    """Parse greedily with weights that are quantized, or that are not."""
    system, data = model.spec.assemble(columns)
    found = Found.empty(columns.offsets, 1)
    core.parse(weights, system, data, 0, len(columns), found.heads, found.labels, None, None, -1, 1, False)
    return found.heads[0].tolist(), found.labels[0].tolist()


def best_of_one(weights: core.Weights, model: Model, columns: Columns) -> tuple[list[int], list[int]]:
    """The same by a beam of one derivation, a sentence after the other and without leaving anything out."""
    system, data = model.spec.assemble(columns)
    found = Found.empty(columns.offsets, 1)
    core.parse(weights, system, data, 0, len(columns), found.heads, found.labels, found.scores, None, -1, 1, False)
    return found.heads[0].tolist(), found.labels[0].tolist()


@pytest.mark.parametrize("learning", [False, True], ids=["quantized", "floats"])
@pytest.mark.parametrize("joint", [False, True])
@pytest.mark.parametrize("system", COMPILED, ids=repr)
def test_in_lock_step_sentences_are_parsed_as_alone(system: System, joint: bool, learning: bool) -> None:
    some = Columns.encode(TRAIN[:10])
    model = train(some, system=system, templates=FAST, oracle="static", joint=joint, epochs=2, bits=(12, 11))
    weights = model.spec.weights(model.arrays) if learning else model.spec.quantized(model.tables)
    columns = Columns.encode(DEV)
    together = parse_with(weights, model, columns)
    assert together == best_of_one(weights, model, columns)
    alone = [parse_with(weights, model, Columns.encode([tree])) for tree in DEV]
    assert together == tuple(
        [number for numbers in column for number in numbers] for column in zip(*alone, strict=True)
    )


@pytest.mark.parametrize("joint", [False, True])
def test_quantized_weights_that_are_quantized_again_stay_as_they_are(joint: bool) -> None:
    model = train(Columns.encode(TRAIN), system=ArcEager(), templates=FAST, joint=joint, epochs=2, bits=(12, 11))
    spec = attrs.evolve(model.spec, label_heads=ANY_LABELS)  # as weights that are not quantized have it, for learning
    arrays: Any = (
        tuple(rounded(array, bits, 0).astype(np.float32) for array, bits in zip(model.arrays, (16, 8), strict=True))
        if not joint
        else (rounded(model.arrays[0], 16, 0).astype(np.float32), model.arrays[1])
    )
    columns = Columns.encode(DEV)
    found = parse_with(spec.quantized(model.tables), model, columns)
    assert parse_with(spec.weights(arrays), model, columns) == found
    assert parse_with(spec.quantized(Model.of(spec, *arrays).tables), model, columns) == found


@pytest.mark.parametrize("count", [20, slow(None)])
def test_quantizing_changes_hardly_anything(count: int | None) -> None:
    model = train(Columns.encode(TRAIN), system=ArcEager(), epochs=2)
    columns = Columns.encode(TRAIN[:count] + DEV)
    exact = parse_with(model.spec.weights(model.arrays), model, columns)
    quantized = parse_with(model.spec.quantized(model.tables), model, columns)
    for one, other in zip(exact, quantized, strict=True):
        assert np.mean(np.array(one) == np.array(other)) > 0.99


def test_weights_of_a_model_are_quantized_once_and_kept_as_they_were() -> None:
    model = train(Columns.encode(TRAIN), system=ArcEager(), epochs=1, bits=(12, 11))
    before = [array.copy() for array in model.arrays]
    copy = attrs.evolve(model)
    assert (model.parse(Columns.encode(DEV))[0] == copy.parse(Columns.encode(DEV))[0]).all()
    assert all((one == other).all() for one, other in zip(before, model.arrays, strict=True))
