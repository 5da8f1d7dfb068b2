"""Models that the engine trains and parses with: averaged perceptrons with hashed weights."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING

import attrs
import numpy as np
import numpy.typing as npt
from more_itertools import consume

from deptrees import search
from deptrees.engine import core
from deptrees.engine.alternatives import Derived, no_margins
from deptrees.engine.shape import Shape
from deptrees.files.models import ModelError, ModelFile, Part, Saved, open_model
from deptrees.files.records import to_record
from deptrees.files.sparse import SparseArray
from deptrees.transition.configuration import Configuration
from deptrees.transition.system import System
from deptrees.transition.transitions import ArcTransition, Transition
from deptrees.treebanks.columns import Columns

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Model", "ModelError", "SavedModel"]

_FORMAT = "deptrees engine model 3"
_TABLES = ("transitions", "labels")
_SENTENCES_AT_ONCE = 2_000  # with few, much of the time there are not enough of them left for lock step
_PORTIONS_OF_A_THREAD = 8  # so that all threads end at about the same time

_Integers = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float32]


class SavedModel(Saved):
    """A model of a transition system, which can be a user's own."""

    shape: Shape

    @classmethod
    @abstractmethod
    def read(cls, file: ModelFile, system: System | None = None) -> Self:
        """Read it from an open file; see ``load``."""

    @abstractmethod
    def with_weights_of(self, models: Sequence[Self], shares: Sequence[float]) -> Self:
        """The same with a weighted sum of the weights of models of this shape; see `deptrees.engine.mixing.mix`."""

    @classmethod
    def load(cls, path: str | os.PathLike[str], system: System | None = None) -> Self:
        """Load what was saved.

        Args:
            path: the file.
            system: the transition system, if it is not one of the library's own.

        Raises:
            FileNotFoundError: there is no such file.
            ModelError: the file is not a model of this kind, or of another system.
        """
        with open_model(path) as file:
            return cls.read(file, system)


def _share_out(work: Callable[[int, int], None], count: int, threads: int) -> None:
    """Work on sentences, a portion at a time, from a first one to the one after the last."""
    fewest = 1 if threads == 1 else min(count, _PORTIONS_OF_A_THREAD * threads)
    n = max(1, fewest, -(-count // _SENTENCES_AT_ONCE))
    bounds = [count * portion // n for portion in range(n + 1)]
    if threads == 1:  # this one can do it: another one would have to be waited for after each portion
        consume(map(work, bounds, bounds[1:]))
        return
    with ThreadPoolExecutor(threads) as pool:
        consume(pool.map(work, bounds, bounds[1:]))


@attrs.frozen(eq=False)
class Model(SavedModel):
    """A trained model.

    Args:
        shape: what it scores.
        tables: the weights for transitions and for labels.
    """

    shape: Shape
    tables: tuple[SparseArray, SparseArray] = attrs.field(repr=False)

    @classmethod
    def of(cls, shape: Shape, first: _Floats, second: _Floats) -> Model:
        """A model with the weights in two arrays."""
        return cls(shape, (SparseArray.of(first), SparseArray.of(second)))

    @property
    def arrays(self) -> tuple[_Floats, _Floats]:
        """The weights for transitions and for labels, in arrays that are made anew."""
        first, second = self.tables
        return first.dense(), second.dense()

    @cached_property
    def _weights(self) -> core.Weights:
        return self.shape.quantized(self.tables)

    def parse(
        self, columns: Columns, threads: int = 1, beam: int | None = None, *, constrained: bool = False
    ) -> tuple[_Integers, _Integers]:
        """Parse a treebank, of which only the words count.

        Args:
            columns: the treebank.
            threads: the number of threads; the result does not depend on it.
            beam: how many derivations to follow at a time, at most 64; if not given, as many as in training.
            constrained: whether heads and labels that the treebank has are constraints: only transitions are taken that
                cost nothing against them.

        Returns:
            The head of each word, -1 for none, and its label as a number of ``shape.labels``, -1 for none.

        Raises:
            TypeError: the number of threads or of derivations is not a whole number.
            ValueError: one of them is out of range.
        """
        return self._parse(columns, threads, beam, None, constrained)

    def parse_with_margins(
        self, columns: Columns, threads: int = 1, beam: int | None = None, *, constrained: bool = False
    ) -> tuple[_Integers, _Integers, _Floats]:
        """Parse a treebank as ``parse`` does, and tell how clear the choices were.

        Returns:
            The heads, the labels, and two rows of margins: for each word the least of those by which a transition was
            ahead of the others that could be taken where one of them would have given the word its head (infinite if
            there was no choice), and that by which its label was ahead of the others (0 if it has none).
        """
        margins = no_margins(len(columns.heads))
        return *self._parse(columns, threads, beam, margins, constrained), margins

    def _parse(
        self, columns: Columns, threads: int, beam: int | None, margins: _Floats | None, constrained: bool
    ) -> tuple[_Integers, _Integers]:
        beam = self.shape.width(threads, beam)
        system, data = self._assemble(columns, constrained)
        heads, labels = np.full((2, len(columns.heads)), -1, np.int32)
        weights, root_label = self._weights, self._root_label

        def work(start: int, stop: int) -> None:
            core.parse(weights, system, data, start, stop, heads, labels, root_label, beam, constrained, margins)

        _share_out(work, len(columns), threads)
        return heads, labels

    def _assemble(self, columns: Columns, constrained: bool) -> tuple[core.CompiledSystem, core.ParserData]:
        # As a constraint an empty head says nothing.
        shape = self.shape.with_unknown_heads() if constrained else self.shape
        return shape.assemble(columns, gold=constrained)

    def k_best(
        self, columns: Columns, threads: int = 1, beam: int | None = None, *, constrained: bool = False
    ) -> Derived:
        """The derivations that a beam ends with, for each sentence of a treebank.

        Args:
            columns: the treebank, of which only the words count.
            threads: the number of threads; the result does not depend on it.
            beam: how many derivations to follow at a time, at most 64; if not given, as many as in training.
            constrained: whether heads and labels that the treebank has are constraints; see ``parse``.

        Raises:
            TypeError: the number of threads or of derivations is not a whole number.
            ValueError: one of them is out of range.
        """
        beam = self.shape.width(threads, beam)
        system, data = self._assemble(columns, constrained)
        found = Derived.empty(columns, beam)
        weights, root_label, arrays = self._weights, self._root_label, (found.heads, found.labels, found.scores)

        def work(start: int, stop: int) -> None:
            core.k_best(weights, system, data, start, stop, *arrays, root_label, beam, constrained)

        _share_out(work, len(columns), threads)
        return found

    @property
    def _root_label(self) -> int:
        """The label of words that a system without ROOT leaves without a head; -1 if there is none."""
        return self.shape.labels.index("root") if "root" in self.shape.labels else -1

    @cached_property
    def ranking(self) -> search.Ranking:
        """The transitions as the engine ranks them, for searches in the functional layer.

        Where labels have weights of their own, a label takes from the score of its transition what it scores less than
        the best one. So the transition with the best label has the score that the engine adds up.

        >>> from deptrees import sample_treebank
        >>> from deptrees.engine import train
        >>> from deptrees.search import BeamSearch
        >>> model = train(sample_treebank("train"), epochs=1)
        >>> tree = BeamSearch(model.ranking, size=1).best(["Birds", "sing"]).tree()
        >>> None in tree.heads
        False
        """
        return search.Ranking(self.shape.system, self._scores, self.shape.labels)

    def _scores(self, configurations: Sequence[Configuration]) -> npt.ArrayLike:
        return [self._scores_of(cfg) for cfg in configurations]

    def _scores_of(self, cfg: Configuration) -> _Floats:
        """The scores of all transitions in the transition space."""
        features = np.array(self.shape.templates.hashes(cfg), np.uint64)
        first, second = self.shape.bits
        scores = self._weights.score(0, core.rows_of(features, first))[self._classes_of_space]
        for salt, columns, labels in self._labels_of_space:
            of_labels = self._weights.score(1, core.rows_of(features, second, salt))[labels]
            scores[columns] += of_labels - of_labels.max()
        return scores

    @cached_property
    def _classes_of_space(self) -> list[int]:
        """For each transition of the space its class."""
        classes = {pair: number for number, pair in enumerate(self.shape.classes)}
        found = {
            transition: classes[row, self._label_of(transition) if self.shape.joint else -1]
            for row, bare in enumerate(self.shape.system_code.transitions)
            for transition in self.ranking.space.agreeing(bare)
        }
        return [found[transition] for transition in self.ranking.space.transitions]

    @cached_property
    def _labels_of_space(self) -> list[tuple[int, list[int], list[int]]]:
        """For each row whose labels have weights of their own: the hash of the row, its columns, and their labels."""
        if self.shape.joint or not self.shape.labels:
            return []
        code, space, found = self.shape.system_code, self.ranking.space, []
        for row, salt, bare in zip(code.rows, code.row_hashes, code.transitions, strict=True):
            if row.arc:
                transitions = space.agreeing(bare)
                columns = [space.column(transition) for transition in transitions]
                found.append((salt, columns, [self._label_of(transition) for transition in transitions]))
        return found

    def _label_of(self, transition: Transition) -> int:
        label = transition.label if isinstance(transition, ArcTransition) else None
        return -1 if label is None else self.shape.labels.index(label)

    def tables_for(self, shape: Shape) -> tuple[_Floats, _Floats]:
        """The weights in tables of another shape, which has the same rows and other labels, too."""
        (first, second), (own_first, own_second) = shape.tables(), self.arrays
        classes = {
            (row, shape.labels[label] if label >= 0 else None): c for c, (row, label) in enumerate(shape.classes)
        }
        for number, (row, label) in enumerate(self.shape.classes):
            first[:, classes[row, self.shape.labels[label] if label >= 0 else None]] = own_first[:, number]
        if not shape.joint:
            for number, name in enumerate(self.shape.labels):
                second[:, shape.labels.index(name)] = own_second[:, number]
        return first, second

    def with_weights_of(self, models: Sequence[Model], shares: Sequence[float]) -> Model:
        first, second = self.shape.tables()
        for model, share in zip(models, shares, strict=True):
            for table, weights in zip((first, second), model.tables, strict=True):
                table.ravel()[weights.where] += np.float32(share) * weights.numbers
        return self.of(self.shape, first, second)

    def part(self) -> Part:
        return Part(_FORMAT, to_record(self.shape), dict(zip(_TABLES, self.tables, strict=True)))

    @classmethod
    def read(cls, file: ModelFile, system: System | None = None) -> Model:
        shape = Shape.read(file, _FORMAT, system)
        _ = shape.features  # templates that the engine cannot run are an error here, not when it parses
        first, second = map(file.sparse_array, _TABLES, shape.table_shapes)
        return cls(shape, (first, second))
