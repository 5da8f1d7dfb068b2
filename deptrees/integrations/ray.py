"""Ray: files, rows and shards on a cluster, with the model loaded once in each worker."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import Any, TypeVar

from deptrees.extras import require

require("ray", "deptrees.integrations.ray needs Ray", "ray")

import attrs
import ray
from ray.data import Dataset

from deptrees.distributed.workers import WorkerDied, attempt
from deptrees.integrations.pyarrow import steps_of_rows, text_of
from deptrees.parser import Parser

__all__ = ["RayCluster", "parse_rows", "step_rows"]

_Shared = TypeVar("_Shared")
_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

_AHEAD = 4
"""How many items for each processor of the cluster are on their way at a time."""


@attrs.frozen
class RayCluster:
    """A `deptrees.distributed.Runner` with the workers of a Ray cluster.

    What is shared is put into Ray's object store once. Each worker takes it from there once, and all workers of a node
    read the same arrays. Paths must mean the same files on every node, and deptrees must be installed there.

    Args:
        address: where the cluster is, as ``ray.init`` takes it: ``"auto"`` for the one that this machine belongs to,
            ``"local"`` for a new one on this machine. A connection that there is already is used.
        retries: how often an item is tried again when the worker or its node has died.
    """

    address: str = "auto"
    retries: int = 3

    def __call__(
        self, work: Callable[[_Shared, _Item], _Result], shared: _Shared, items: Sequence[_Item]
    ) -> Iterator[_Result | Exception]:
        """See `deptrees.distributed.Runner`; a ``ConnectionError`` if there is no cluster at the address."""
        with _connected(self.address):
            task = ray.remote(max_retries=self.retries)(_attempt)
            handle = ray.put((work, shared, os.getcwd()))
            most = _AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
            running: deque[tuple[_Item, object]] = deque()
            for item in items:
                if len(running) == most:
                    yield self._result(*running.popleft())
                running.append((item, task.remote([handle], item)))  # in a list, so that Ray does not load it each time
            while running:
                yield self._result(*running.popleft())

    def _result(self, item: object, reference: object) -> Any:
        try:
            return ray.get(reference)
        except ray.exceptions.RayError as error:
            return WorkerDied(f"the worker for {item!r} died {self.retries + 1} times: {type(error).__name__}")


@contextmanager
def _connected(address: str) -> Iterator[None]:
    """Connect to a cluster, if there is no connection yet, and disconnect in the end."""
    if ray.is_initialized():
        yield
        return
    ray.init(address=address, logging_level="error", log_to_driver=False)
    try:
        yield
    finally:
        ray.shutdown()


def _attempt(handles: Sequence[Hashable], item: object) -> object:
    work, shared, folder = _taken(handles[0])
    with suppress(OSError):  # it is not on every node
        os.chdir(folder)
    return attempt(work, shared, item)


@lru_cache(maxsize=1)
def _taken(handle: Hashable) -> Any:
    """What is shared, in a worker."""
    return ray.get(handle)


def parse_rows(parser: Parser, rows: Dataset, column: str = "conllu", beam: int | None = None) -> Dataset:
    """Parse the texts in a column of a Ray dataset, lazily, in the order of the rows.

    Args:
        parser: the parser.
        rows: the dataset, with one text in CoNLL-U a row, such as a document.
        column: the name of the column; the parses take the place of the texts.
        beam: how many derivations to follow at a time; if not given, as many as in training.

    Returns:
        The dataset with the parses. What it raises of a text names the row by its other columns.
    """
    return _mapped(rows, _parse_batch, handles=[ray.put(parser)], column=column, beam=beam)


def _mapped(rows: Dataset, work: Callable[..., object], batch_format: str = "default", **arguments: object) -> Dataset:
    """The rows with work done on them, in order."""
    found = rows.map_batches(work, fn_kwargs=arguments, batch_format=batch_format)
    found.context.execution_options.preserve_order = True
    return found


def _parse_batch(batch: dict[str, Any], handles: Sequence[Hashable], column: str, beam: int | None) -> dict[str, Any]:
    parser: Parser = _taken(handles[0])
    parsed = []
    for values in zip(*batch.values(), strict=True):
        with text_of(dict(zip(batch, values, strict=True)), column) as text:
            parsed.append(parser.parse_bytes(text, beam=beam).decode())
    return {**batch, column: parsed}


def step_rows(rows: Dataset, column: str = "conllu", **how: Any) -> Dataset:
    """The steps of an oracle for the texts in a column of a Ray dataset, lazily, in order: data for any learner.

    A row is a step: see `deptrees.integrations.pyarrow.steps_of_rows`. With ``write_parquet`` each worker writes files.

    Args:
        rows: the dataset, with one text in CoNLL-U a row, such as a document.
        column: the name of the column with the texts.
        how: what `deptrees.engine.batches` takes besides the treebank, such as ``system`` and ``oracle``.
    """
    return _mapped(rows, steps_of_rows, "pyarrow", column=column, **how)
