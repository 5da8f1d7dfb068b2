"""A perceptron over feature templates, for every system: what parsers learn that are trained step by step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from deptrees import search
from deptrees.engine.code.configurations import ConfigurationReader, place_in
from deptrees.engine.core import EngineError, EngineNotInstalled
from deptrees.engine.spec import Floats, ModelSpec
from deptrees.features import (
    Templates,
)
from deptrees.transition.configuration import Configuration

if TYPE_CHECKING:
    from deptrees.training import Update

__all__ = ["TemplatePerceptron"]

_Hashes = npt.NDArray[np.uint64]


class TemplatePerceptron:
    """An averaged perceptron with a row of weights for the hash of each feature (Collins 2002).

    Its features are those that the templates see at the place where transitions work: at another one for
    each k in systems in which k has no bound. The engine's core looks them up and adds up the weights; without it
    Python does the same, slowly. Features with a value have as many rows as their template has numbers, one after the
    other from where the hash says.

    Args:
        spec: the system, the templates, the labels, and how many rows there are.
        weights: what has been learned before: a table with as many rows, as wide as the transition space, rounded up to
            a multiple of 4. If not given, nothing.
        learning: whether it will learn more.
    """

    def __init__(self, spec: ModelSpec, weights: Floats | None = None, *, learning: bool = True) -> None:
        self.spec = spec
        self.space = search.Space(spec.system.transition_space(spec.labels))
        self.weights: Floats = np.zeros(self.shape_of_weights(spec), np.float32) if weights is None else weights
        self.time = 0
        self._rows = _rows(spec.templates, self.weights, learning)

    @staticmethod
    def shape_of_weights(spec: ModelSpec) -> tuple[int, int]:
        """The shape of the table of weights."""
        return 1 << spec.bits[0], -(-len(spec.system.transition_space(spec.labels)) // 4) * 4

    def __call__(self, configurations: Sequence[Configuration]) -> Floats:
        """The scores of all transitions in some configurations: a row for each, a column for each transition."""
        blocks = [self._blocks(cfg) for cfg in configurations]
        table = np.zeros((len(configurations), max(blocks, default=1), self.weights.shape[1]), np.float32)
        for row, cfg, count in zip(table, configurations, blocks, strict=True):
            self._rows.add_up(cfg, row[:count])
        return table[:, :, : len(self.space)].reshape(len(configurations), -1)

    def update(self, update: Update) -> None:
        """Raise the score of the positive derivation, lower that of the negative."""
        for cfg, transition, change in update.changes():
            block, column = divmod(self.space.column(transition), len(self.space))
            self._rows.change(cfg, block + 1, column, change, self.time)

    @property
    def changes(self) -> Any:
        """Of each weight the sum of its changes, each times when it happened."""
        return self._rows.changes

    def averaged(self) -> Floats:
        """The average of the weights at all times so far."""
        rows = self._rows.used_rows()  # the others take no memory
        average = np.zeros(self.weights.shape, np.float32)
        average[rows] = self.weights[rows] - self.changes[rows] / np.float32(self.time + 1)
        return average

    def invalidate(self) -> None:
        """Take notice of what something else has written to the weights."""
        self._rows.invalidate()

    def _blocks(self, cfg: Configuration) -> int:
        """How many different k there are to score."""
        return self.space.blocks(cfg.possible_transitions()) if self.spec.system.has_any_k else 1


def _rows(templates: Templates, weights: Floats, learning: bool) -> _Rows:
    rows: _FastRows | _ReadableRows
    try:
        rows = _FastRows(templates.plain, weights, learning)
    except (EngineError, EngineNotInstalled):
        rows = _ReadableRows(templates.plain, weights, learning)
    return _RowsWithNumbers(rows, templates, weights) if templates.numeric else rows


class _ReadableRows:
    """The rows of a configuration's features, where there is no core, or it takes fewer templates than there are."""

    def __init__(self, templates: Templates, weights: Floats, learning: bool) -> None:
        self._templates, self._weights = templates, weights
        self.changes = np.zeros(weights.shape, np.float32) if learning else None

    def invalidate(self) -> None:
        pass  # it always does

    def mark_used(self, rows: npt.NDArray[np.int64]) -> None:
        pass  # it always does

    def used_rows(self) -> npt.NDArray[np.intp]:
        assert self.changes is not None
        return np.flatnonzero(self._weights.any(axis=1) | self.changes.any(axis=1))

    def add_up(self, cfg: Configuration, sums: Floats) -> None:
        """Write down the sums of the rows for k = 1, 2, ..., as many as there is room for."""
        for number in range(len(sums)):
            sums[number] = self._weights[self._numbers(cfg, number + 1)].sum(axis=0)

    def change(self, cfg: Configuration, k: int, column: int, by: float, time: int) -> None:
        assert self.changes is not None
        numbers = self._numbers(cfg, k)
        np.add.at(self._weights[:, column], numbers, by)
        np.add.at(self.changes[:, column], numbers, by * time)

    def _numbers(self, cfg: Configuration, k: int) -> npt.NDArray[np.intp]:
        return _row_numbers(self._templates.hashes(cfg, k=k), len(self._weights))


def _row_numbers(hashes: Sequence[int], rows: int) -> npt.NDArray[np.intp]:
    """The rows of features in a table of weights that has so many."""
    mixed = np.array(hashes, np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return (mixed >> np.uint64(65 - rows.bit_length())).astype(np.intp)


class _FastRows(ConfigurationReader):
    """The same by the engine's core."""

    @property
    def changes(self) -> Any:
        return self.scorer.changes

    def invalidate(self) -> None:
        self.scorer.invalidate()

    def mark_used(self, rows: npt.NDArray[np.int64]) -> None:
        self.scorer.mark_used(rows)

    def used_rows(self) -> npt.NDArray[np.intp]:
        return self.scorer.used_rows()

    def add_up(self, cfg: Configuration, sums: Floats) -> None:
        self.look_at(cfg)
        self.scorer.scores([place_in(cfg, k) for k in range(1, len(sums) + 1)], sums)

    def change(self, cfg: Configuration, k: int, column: int, by: float, time: int) -> None:
        self.look_at(cfg)
        self.scorer.change(*place_in(cfg, k), column, by, time)


class _RowsWithNumbers:
    """The rows of features that are present or absent, and those of features with a value."""

    def __init__(self, plain: _FastRows | _ReadableRows, templates: Templates, weights: Floats) -> None:
        self._plain, self._templates, self._weights = plain, templates, weights

    @property
    def changes(self) -> Any:
        return self._plain.changes

    def invalidate(self) -> None:
        self._plain.invalidate()

    def mark_used(self, rows: npt.NDArray[np.int64]) -> None:
        self._plain.mark_used(rows)

    def used_rows(self) -> npt.NDArray[np.intp]:
        return self._plain.used_rows()

    def add_up(self, cfg: Configuration, sums: Floats) -> None:
        self._plain.add_up(cfg, sums)
        for number in range(len(sums)):
            for rows, values in self._found(cfg, number + 1):
                sums[number] += values @ self._weights[rows]

    def change(self, cfg: Configuration, k: int, column: int, by: float, time: int) -> None:
        self._plain.change(cfg, k, column, by, time)
        for rows, values in self._found(cfg, k):
            self._weights[rows, column] += by * values
            self.changes[rows, column] += by * time * values
            self._plain.mark_used(rows)

    def _found(self, cfg: Configuration, k: int) -> list[tuple[npt.NDArray[np.int64], Floats]]:
        """The rows of each template's features, and their values."""
        found, size = self._templates.numbers(cfg, k=k), len(self._weights)
        starts = _row_numbers([hashed for hashed, _ in found], size)
        return [
            (np.arange(start, start + len(values), dtype=np.int64) % size, values)
            for start, (_, values) in zip(starts.tolist(), found, strict=True)
        ]


_Rows = _FastRows | _ReadableRows | _RowsWithNumbers
