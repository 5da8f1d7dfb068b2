"""Hugging Face's datasets: treebanks in the schema in which the UD community publishes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from deptrees.extras import require

require("datasets", "deptrees.integrations.datasets needs Hugging Face's datasets", "datasets")

from datasets import Dataset, Features, IterableDataset

from deptrees.integrations.pyarrow import SCHEMA, Row, from_row, to_row, to_table
from deptrees.trees.tree import DependencyTree

__all__ = ["FEATURES", "from_dataset", "to_dataset", "to_iterable_dataset"]

FEATURES = Features.from_arrow_schema(SCHEMA)
"""The columns of `deptrees.integrations.pyarrow.SCHEMA`, as datasets call them."""


def to_dataset(trees: Iterable[DependencyTree]) -> Dataset:
    """Trees as a dataset in memory.

    Raises:
        ValueError: the schema cannot hold one of the trees; see `deptrees.integrations.pyarrow.to_row`.

    >>> from deptrees import sample_treebank
    >>> dataset = to_dataset(sample_treebank("dev"))
    >>> len(dataset), dataset[0]["tokens"][:2], dataset[0]["head"][:2]
    (16, ['The', 'old'], [3, 3])
    """
    return Dataset(to_table(trees))


def to_iterable_dataset(trees: Iterable[DependencyTree]) -> IterableDataset:
    """Trees as a dataset that reads them as they are asked for, and anew for each epoch.

    Args:
        trees: what can be iterated again, such as a ``Treebank``.

    >>> from deptrees import sample_treebank
    >>> next(iter(to_iterable_dataset(sample_treebank("dev"))))["tokens"][:2]
    ['The', 'old']
    """
    return IterableDataset.from_generator(_rows, features=FEATURES, gen_kwargs={"trees": trees})


def _rows(trees: Iterable[DependencyTree]) -> Iterator[dict[str, object]]:
    return map(to_row, trees)


def from_dataset(dataset: Iterable[Row]) -> Iterator[DependencyTree]:
    """The trees of a dataset in the schema, one by one: of ours or of one from the hub, whatever its format is.

    Raises:
        ValueError: a row is not one of the schema; see `deptrees.integrations.pyarrow.from_row`.

    >>> from deptrees import sample_treebank
    >>> list(from_dataset(to_dataset(sample_treebank("dev")))) == list(sample_treebank("dev"))
    True
    """
    if isinstance(dataset, Dataset | IterableDataset):
        dataset = dataset.with_format(None)  # arrays and tensors cannot hold what is null
    return map(from_row, dataset)
