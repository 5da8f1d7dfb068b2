"""A treebank as the core needs it, in numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from deptrees.engine import core
from deptrees.engine.code.features import FeatureCode
from deptrees.engine.code.system import SystemCode
from deptrees.features.language import CLUSTER
from deptrees.features.values import cluster_value, feature_value
from deptrees.treebanks.columns import Columns
from deptrees.treebanks.hashes import text_hash

__all__ = ["label_classes", "parser_data"]


def parser_data(
    columns: Columns, code: SystemCode, features: FeatureCode, labels: Sequence[str], *, gold: bool = True
) -> core.ParserData:
    """A treebank as a compiled system needs it; ``gold`` is whether gold trees will be asked for."""
    return core.ParserData(
        columns.offsets,
        columns.heads,
        label_classes(columns, labels),
        _hashes(labels),
        [_column(columns, name, features.clusters) for name in features.columns],
        columns.projective if gold else None,
        columns.ranks if gold and code.asks_ranks else None,
    )


def label_classes(columns: Columns, labels: Sequence[str]) -> npt.NDArray[np.int32]:
    """The numbers of the labels of all words, -1 for those that are not among these."""
    known = columns.vocabularies["deprel"]
    if labels == known:
        return columns.labels
    classes = {label: number for number, label in enumerate(labels)}
    return np.array([*(classes.get(label, -1) for label in known), -1], np.int32)[columns.labels]


def _column(
    columns: Columns, name: str, clusters: Mapping[str, str]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint64]]:
    """The numbers of words in a column, and the hash of what each number stands for."""
    if name == CLUSTER:
        return columns.words["form"], _hashes([cluster_value(form, clusters) for form in columns.vocabularies["form"]])
    column, _, key = name.partition(".")
    if not key:
        return columns.words[column], columns.hashes(column)
    return columns.words[column], _hashes([feature_value(text, key) for text in columns.vocabularies[column]])


def _hashes(texts: Sequence[str]) -> npt.NDArray[np.uint64]:
    return np.fromiter(map(text_hash, texts), np.uint64, len(texts))
