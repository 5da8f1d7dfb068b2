"""The same seed, data and version give the same model and the same parses, whatever else the machine does."""

import hashlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from deptrees import sample_treebank
from deptrees.engine import Model, batches
from deptrees.engine.stepwise.trainer import trainer_for
from deptrees.training import LinearOptions
from deptrees.transition import as_system
from deptrees.treebanks.columns import Columns
from tests.tiers import slow

TRAIN = list(sample_treebank("train"))[:20]
WAYS: list[dict[str, Any]] = [
    {"system": as_system("arc-eager")},
    {"system": as_system("arc-hybrid"), "beam": 4, "joint": True},
    {"system": as_system("arc-standard-swap"), "oracle": "static"},
    {"system": as_system("easy-first")},
]


def digest(way: dict[str, Any], threads: int = 1) -> str:
    """A hash of all weights of a model, and of what it finds with some threads."""
    trees = TRAIN[:20] if way["system"].is_table else TRAIN[:1]
    trainer = trainer_for(trees, LinearOptions(seed=3, **way), bits=(12, 10))
    trainer.epoch()
    trainer.epoch()
    model: Any = trainer.model()
    found = hashlib.sha256()
    arrays: list[Any] = [*model.arrays] if isinstance(model, Model) else [model.weights]
    for array in [*arrays, *model.parse(Columns.encode(TRAIN[:3]), threads=threads)]:
        found.update(array)
    return found.hexdigest()


@pytest.mark.parametrize("way", WAYS, ids=lambda way: str(way["system"]))
@pytest.mark.parametrize("threads", [2, slow(5)])
def test_models_and_parses_do_not_depend_on_threads(way: dict[str, Any], threads: int) -> None:
    alone = digest(way)
    assert digest(way, threads) == alone
    with ThreadPoolExecutor(threads) as pool:  # training at the same time as others
        assert {*pool.map(lambda _: digest(way), range(threads))} == {alone}


def test_steps_do_not_depend_on_threads() -> None:
    steps = [
        np.concatenate([batch.taken for batch in batches(TRAIN, exploration=0.5, seed=2, threads=threads)])
        for threads in (1, 2, 4)
    ]
    assert all(np.array_equal(steps[0], others) for others in steps[1:])


@pytest.mark.parametrize("hash_seed", ["1", slow("2")])
def test_models_do_not_depend_on_the_process(hash_seed: str) -> None:
    # Python's hashes of strings, and so the order of sets of them, differ from process to process.
    code = "from tests.test_determinism import *; print(*map(digest, WAYS[:2]))"
    environment = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    found = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert found.stdout.split() == [*map(digest, WAYS[:2])]
