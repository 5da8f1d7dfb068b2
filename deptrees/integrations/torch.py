"""PyTorch: the steps of oracles as a dataset for its data loaders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from deptrees.extras import require

require("torch", "deptrees.integrations.torch needs PyTorch", "torch")

import attrs
import numpy as np
import torch
from torch import Tensor
from torch import distributed as dist
from torch.utils.data import IterableDataset, get_worker_info

from deptrees.engine.batch import Batch, batches
from deptrees.training.inputs import columns_of, whole_number
from deptrees.treebanks.columns import Columns
from deptrees.trees.tree import AnyTree

__all__ = ["OracleDataset"]


class OracleDataset(IterableDataset[dict[str, Tensor]]):
    """The steps of a treebank's derivations, in batches of tensors, anew and in another order in each epoch.

    The sentences of an epoch are dealt out to shards, and these to the processes of a distributed training and the
    workers of their data loaders. Each step is there exactly once an epoch, in batches that do not depend on how many
    processes and workers there are. torchdata's ``StatefulDataLoader`` resumes after the last batch, by ``state_dict``.

    What transitions cost is not in it: see `deptrees.engine.walk`, whose derivations can be asked.

    Args:
        treebank: trees, or the same as numbers.
        num_shards: the number of shards, at least as many as there are workers of all processes together.
        shuffle: whether sentences are in another order in each epoch, or always as in the treebank.
        seed: determines the order of the sentences and random choices.
        rank: the number of this process, from 0; if not given as ``torch.distributed`` has it, if that is initialized.
        world_size: the number of processes, in the same way.
        options: ``system``, ``templates``, ``oracle``, ``size``, ``exploration``, ``model``: `deptrees.engine.batches`.

    Raises:
        ValueError: there are no shards, or fewer than processes, or there is no such process.
        TypeError and others: an option is wrong; see `deptrees.engine.batches`.

    >>> from torch.utils.data import DataLoader
    >>> from deptrees import sample_treebank
    >>> dataset = OracleDataset(sample_treebank("train"), num_shards=4, system="arc_hybrid", size=500)
    >>> batch = next(iter(DataLoader(dataset, batch_size=None)))
    >>> batch["features"].dtype, batch["gold"].dtype, batch["gold"].shape[1]
    (torch.int64, torch.bool, 3)
    """

    def __init__(
        self,
        treebank: Columns | Iterable[AnyTree],
        *,
        num_shards: int = 8,
        shuffle: bool = True,
        seed: int = 1,
        rank: int | None = None,
        world_size: int | None = None,
        **options: Any,
    ) -> None:
        is_distributed = dist.is_available() and dist.is_initialized()
        self.columns = columns_of(treebank)
        self.shuffle, self.seed, self.options = shuffle, seed, options
        size, own = (dist.get_world_size(), dist.get_rank()) if is_distributed else (1, 0)
        self.world_size = whole_number("world_size", size if world_size is None else world_size, 1)
        self.num_shards = whole_number("num_shards", num_shards, 1)
        if self.num_shards < self.world_size:
            raise ValueError(f"{num_shards} shards are not enough for {self.world_size} processes: some get no steps")
        batches(self.columns.take(np.arange(0)), seed=seed, **options)  # which checks the options
        self.rank = whole_number("rank", own if rank is None else rank, 0, self.world_size - 1)
        self._epoch = torch.tensor(0).share_memory_()  # so that workers that live on are told, too
        self._done = self._begun = 0

    def set_epoch(self, epoch: int) -> None:
        """Say which epoch comes next: the order of the sentences and random choices depend on it.

        >>> from deptrees import DependencyTree
        >>> dataset = OracleDataset([DependencyTree([(0, "Sing")])] * 3, system="arc_hybrid")
        >>> dataset.set_epoch(1)
        >>> sorted(int(number) for batch in dataset for number in batch["sentence"])
        [0, 0, 1, 1, 2, 2]
        """
        self._epoch.fill_(epoch)

    def state_dict(self) -> dict[str, int]:
        """Where this process, or this worker of it, is: the epoch, and how many batches of it have been given."""
        return {"epoch": int(self._epoch), "done": self._done}

    def load_state_dict(self, state: dict[str, int]) -> None:
        """Go on, when iterated the next time, after the batches that had been given."""
        self.set_epoch(state["epoch"])
        self._begun = self._done = state["done"]

    def __iter__(self) -> Iterator[dict[str, Tensor]]:
        """The batches of this process, or this worker of it: those of its shards, one after the other."""
        epoch, begun = int(self._epoch), self._begun
        self._done, self._begun = begun, 0
        worker = get_worker_info()
        workers, number = (1, 0) if worker is None else (worker.num_workers, worker.id)
        mine = range(self.rank * workers + number, self.num_shards, self.world_size * workers)
        found = (batch for shard in mine for batch in self._shard(epoch, shard))
        for count, batch in enumerate(found):
            if count >= begun:
                self._done = count + 1
                yield _tensors(batch)
        self._done = 0

    def _shard(self, epoch: int, shard: int) -> Iterator[Batch]:
        rng = np.random.default_rng((self.seed, epoch))
        order = rng.permutation(len(self.columns)) if self.shuffle else np.arange(len(self.columns))
        sentences = order[shard :: self.num_shards]
        seed = int(np.random.default_rng((self.seed, epoch, shard)).integers(2**31))
        for batch in batches(self.columns.take(sentences), seed=seed, **self.options):
            yield attrs.evolve(batch, sentence=sentences[batch.sentence].astype(np.int32))


def _tensors(batch: Batch) -> dict[str, Tensor]:
    """The arrays as tensors that share their memory."""
    return {field.name: torch.from_numpy(getattr(batch, field.name)) for field in attrs.fields(Batch)}
