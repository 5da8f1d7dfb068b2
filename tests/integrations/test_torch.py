"""Against PyTorch and torchdata: steps of oracles in data loaders, dealt out and gone on with."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from typing import Any

import numpy as np
import pytest
import torch
from torch.utils.data import DataLoader

from deptrees import Columns, sample_treebank
from deptrees.engine import batches
from deptrees.integrations.torch import OracleDataset, _tensors
from deptrees.transition import OracleNotDefined

OPTIONS: dict[str, Any] = {"system": "arc_hybrid", "size": 60}


@pytest.fixture(scope="module")
def columns() -> Columns:
    return Columns.encode(sample_treebank("train"))


def steps(found: Iterable[dict[str, torch.Tensor]]) -> Counter[tuple[int, ...]]:
    """The steps of some batches, with all that is in them."""
    rows = (zip(*(batch[name].tolist() for name in ("sentence", "step", "taken")), strict=True) for batch in found)
    return Counter(row for some in rows for row in some)


def every_step(columns: Columns) -> Counter[tuple[int, int]]:
    found = batches(columns, "arc_hybrid")
    return Counter((a, b) for batch in found for a, b in zip(batch.sentence.tolist(), batch.step.tolist(), strict=True))


def same(one: Iterable[dict[str, torch.Tensor]], other: Iterable[dict[str, torch.Tensor]]) -> bool:
    pairs = zip(one, other, strict=True)
    return all(a.keys() == b.keys() and all(torch.equal(a[name], b[name]) for name in a) for a, b in pairs)


@pytest.mark.parametrize(("world_size", "workers"), [(1, 0), (1, 2), (2, 2), (3, 1)])
@pytest.mark.parametrize("shuffle", [True, False])
def test_each_step_is_there_once_an_epoch(columns: Columns, world_size: int, workers: int, shuffle: bool) -> None:
    alone = steps(OracleDataset(columns, num_shards=8, shuffle=shuffle, **OPTIONS))
    assert Counter((sentence, step) for sentence, step, _ in alone) == every_step(columns)
    together: Counter[tuple[int, ...]] = Counter()
    for rank in range(world_size):
        dataset = OracleDataset(columns, num_shards=8, shuffle=shuffle, rank=rank, world_size=world_size, **OPTIONS)
        together += steps(DataLoader(dataset, batch_size=None, num_workers=workers))
    assert together == alone


def test_epochs_differ_and_are_repeated(columns: Columns) -> None:
    dataset = OracleDataset(columns, **OPTIONS)
    first = [*dataset]
    assert same(dataset, first)
    dataset.set_epoch(1)
    assert not torch.equal(next(iter(dataset))["sentence"], first[0]["sentence"])
    assert {(a, b) for a, b, _ in steps(dataset)} == {*every_step(columns)}


def test_workers_that_live_on_are_told_the_epoch(columns: Columns) -> None:
    dataset = OracleDataset(columns, **OPTIONS)
    loader = DataLoader(dataset, batch_size=None, num_workers=2, persistent_workers=True)
    found = []
    for epoch in range(2):
        dataset.set_epoch(epoch)
        found.append([batch["sentence"][0].item() for batch in loader])
    assert found[0] != found[1]


def test_an_interrupted_epoch_is_gone_on_with(columns: Columns) -> None:
    dataset = OracleDataset(columns, **OPTIONS)
    dataset.set_epoch(3)
    whole = [*dataset]
    for done in range(len(whole) + 1):
        begun = iter(dataset)
        assert same(islice(begun, done), whole[:done])
        state = pickle.loads(pickle.dumps(dataset.state_dict()))
        other = OracleDataset(columns, **OPTIONS)
        other.load_state_dict(state)
        assert same(other, whole[done:])
        assert same(other, whole)  # and then the epoch anew


@pytest.mark.filterwarnings("ignore:'set_vital' is deprecated")  # torchdata calls it
@pytest.mark.parametrize("workers", [0, 2])
def test_a_stateful_loader_goes_on(columns: Columns, workers: int) -> None:
    from torchdata.stateful_dataloader import StatefulDataLoader

    def loader() -> Any:
        dataset = OracleDataset(columns, **OPTIONS)
        return StatefulDataLoader(dataset, batch_size=None, num_workers=workers)

    whole = [*loader()]
    for done in (1, 5, len(whole) - 1):
        first = loader()
        begun = iter(first)
        assert same(islice(begun, done), whole[:done])
        state = first.state_dict()
        second = loader()
        second.load_state_dict(state)
        assert same(second, whole[done:])


def test_tensors_share_the_memory_of_the_arrays(columns: Columns) -> None:
    batch = next(batches(columns, "arc_hybrid"))
    for name, tensor in _tensors(batch).items():
        array = getattr(batch, name)
        assert np.shares_memory(tensor.numpy(), array)
        assert (tensor.numpy().view(array.dtype) == array).all()


def test_exploration_and_the_functional_layer(columns: Columns) -> None:
    for options in ({"system": "arc_eager", "exploration": 0.5}, {"system": "easy_first", "oracle": "dynamic"}):
        dataset = OracleDataset(columns.take(np.arange(6)), num_shards=2, **options)
        assert same(dataset, [*dataset])


def test_numbers_out_of_range_are_refused(columns: Columns) -> None:
    with pytest.raises(ValueError, match="num_shards is a whole number, 1 or more, not 0"):
        OracleDataset(columns, num_shards=0)
    with pytest.raises(ValueError, match="rank is a whole number, from 0 to 1, not 2"):
        OracleDataset(columns, rank=2, world_size=2)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"rank": 5, "world_size": 8, "num_shards": 4}, "4 shards are not enough for 8 processes: some get no steps"),
        ({"world_size": 0}, "world_size is a whole number, 1 or more, not 0"),
        ({"sytem": "arc_hybrid"}, "unexpected keyword argument 'sytem'"),
        ({"oracle": "dinamic"}, "there is no oracle 'dinamic'"),
        ({"size": 0}, "batches of one step or more"),
    ],
)
def test_what_is_wrong_is_told_before_anything_is_iterated(
    columns: Columns, options: dict[str, Any], error: str
) -> None:
    with pytest.raises((TypeError, ValueError, OracleNotDefined), match=error):
        OracleDataset(columns, **options)
