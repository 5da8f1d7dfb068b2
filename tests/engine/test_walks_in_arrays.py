"""Derivations as arrays where the engine runs the system; where it does not, see test_batch."""

import importlib

import numpy as np
import pytest

from deptrees import DependencyTree, sample_treebank
from deptrees.engine import batches
from deptrees.features import ZHANG_NIVRE
from deptrees.transition import (
    ArcEager,
    ArcHybrid,
    ArcStandard,
    Attardi,
    Oracle,
    OracleNotDefined,
    StackBufferSystem,
    static_oracle,
)
from deptrees.transition.labels import typed
from deptrees.treebanks.columns import Columns
from tests.engine.engine import in_stack_and_buffer, train

TRAIN = list(sample_treebank("train"))
FIELDS = ("features", "gold", "possible", "taken", "labels", "sentence", "step")


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize("system", [ArcEager(), ArcHybrid(root="last"), ArcStandard(), Attardi()], ids=repr)
def test_batches_are_the_steps_of_the_functional_layer(system: StackBufferSystem, size: int) -> None:
    columns = Columns.encode(TRAIN)
    rows = {transition: row for row, transition in enumerate(system.transition_space())}
    found = list(batches(columns, system, ZHANG_NIVRE, oracle="static", size=size))
    assert {len(batch.taken) for batch in found[:-1]} <= {size}
    joined = {name: np.concatenate([getattr(batch, name) for batch in found]) for name in FIELDS}
    index = 0
    for number, tree in enumerate(TRAIN):
        for step_number, step in enumerate(Oracle(system, static_oracle, typed)(tree).steps()):
            bare = [type(t)(k=t.k) if hasattr(t, "k") else t for t in (*step.possible, step.taken)]  # type: ignore[call-arg]
            *possible, taken = (rows[transition] for transition in bare)
            assert np.flatnonzero(joined["possible"][index]).tolist() == sorted(possible)
            assert np.flatnonzero(joined["gold"][index]).tolist() == [taken]
            assert (joined["sentence"][index], joined["step"][index]) == (number, step_number)
            assert joined["taken"][index] == taken
            if index % 10 == 0:
                hashes = ZHANG_NIVRE.hashes(in_stack_and_buffer(step.config))
                assert joined["features"][index].tolist() == [found >> 1 for found in hashes]
            label = getattr(step.taken, "label", None)
            numbered = columns.vocabularies["deprel"].index(label) if label is not None else -1
            assert joined["labels"][index] == numbered
            index += 1
    assert index == len(joined["taken"])


def test_exploring_batches_lead_off_the_path_and_back() -> None:
    columns = Columns.encode(TRAIN)
    model = train(columns, system=ArcEager(), epochs=1)
    for explorer in (None, model):
        steps = list(batches(columns, ArcEager(), oracle="dynamic", exploration=0.5, model=explorer, seed=3))
        gold = np.concatenate([batch.gold for batch in steps])
        taken = np.concatenate([batch.taken for batch in steps])
        right = gold[np.arange(len(taken)), taken]
        assert gold.any(axis=1).all()
        assert 0.3 < right.mean() < 1


def test_the_same_seed_gives_the_same_batches_whatever_their_size() -> None:
    columns = Columns.encode(TRAIN)
    taken = [
        np.concatenate([b.taken for b in batches(columns, ArcHybrid(), exploration=0.3, size=size, seed=seed)]).tolist()
        for size, seed in ((10, 1), (999, 1), (10, 2))
    ]
    assert taken[0] == taken[1] != taken[2]


def test_any_number_of_threads_makes_the_same_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.import_module("deptrees.engine.batch"), "_PART", 7)
    columns = Columns.encode(TRAIN)
    alone, together = (
        list(batches(columns, ArcHybrid(), exploration=0.3, size=50, threads=threads)) for threads in (1, 3)
    )
    assert len(together) > len(alone)
    for name in FIELDS:
        one, other = (np.concatenate([getattr(batch, name) for batch in found]) for found in (alone, together))
        assert np.array_equal(one, other)


def test_what_cannot_be_asked_of_a_system_is_an_error() -> None:
    columns = Columns.encode(TRAIN)
    with pytest.raises(OracleNotDefined, match="no static_lazy_swap oracle"):
        list(batches(columns, ArcEager(), oracle="static_lazy_swap"))
    for size, threads in ((0, 1), (1, 0)):
        with pytest.raises(ValueError, match="one step or more, and one thread or more"):
            list(batches(columns, ArcEager(), size=size, threads=threads))
    with pytest.raises(ValueError, match="can build none of 1 tree"):
        train(
            Columns.encode([DependencyTree([(3, "a"), (4, "b"), (0, "c"), (3, "d")])]),
            system=ArcEager(),
            oracle="static",
        )
