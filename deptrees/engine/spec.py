"""What a model scores, and with what: a system, templates, labels and the size of its tables."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, SupportsIndex

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.engine import core
from deptrees.engine.code.features import FeatureCode, compile_templates
from deptrees.engine.code.replayed_costs import CostReplay
from deptrees.engine.code.system import SystemCode, compile_system
from deptrees.engine.code.treebank import parser_data
from deptrees.features import Templates
from deptrees.features.embeddings import Embeddings
from deptrees.files.limits import BEAM, BITS
from deptrees.files.models import ModelFile
from deptrees.files.records import Record, from_record
from deptrees.files.sparse import SparseArray
from deptrees.messages import whole_number
from deptrees.search.space import label_of
from deptrees.transition.labels import ANY_LABELS, LabelHeads, are_of_labels
from deptrees.transition.system import System
from deptrees.transition.systems.registry import GivenSystem, system_from
from deptrees.transition.transitions import Transition
from deptrees.treebanks.columns import Columns, check_texts

__all__ = ["Floats", "ModelSpec"]

_EMBEDDINGS = "embeddings"
Floats = npt.NDArray[np.float32]


def _width(beam: SupportsIndex) -> int:
    return whole_number("beam", beam, 1, BEAM)


@attrs.frozen
class ModelSpec:
    """What a model scores, and with what: all of a model but its weights.

    Args:
        system: the transition system.
        templates: the feature templates.
        labels: the labels of arcs; none to parse without.
        joint: whether a transition and its label are chosen together. Otherwise the transition is chosen first, and
            then, by weights of its own, the label: faster, and less accurate, above all with a beam.
        bits: the size of the two tables of weights, for transitions and for labels, as powers of two: how many rows
            there are for the features to share.
        beam: how many derivations to follow at a time, unless parsing asks for another number.
        label_heads: which labels arcs from ROOT can have, and which arcs from words.

    Raises:
        ValueError: a table would have fewer than 2 or more than a billion rows, the beam fewer than 1 or more than 64
            derivations, a label is no text for a column, or ``label_heads`` has others.
    """

    system: System
    templates: Templates = attrs.field(validator=attrs.validators.instance_of(Templates))
    labels: tuple[str, ...] = attrs.field(validator=check_texts, repr=reprlib.repr)
    joint: bool = False
    bits: tuple[int, int] = attrs.field(
        default=(21, 18),
        validator=[
            attrs.validators.min_len(2),
            attrs.validators.max_len(2),
            attrs.validators.deep_iterable(attrs.validators.and_(attrs.validators.ge(1), attrs.validators.le(BITS))),
        ],
    )
    beam: int = attrs.field(default=1, converter=_width)
    label_heads: LabelHeads = attrs.field(default=ANY_LABELS, validator=are_of_labels)

    def with_unknown_heads(self) -> ModelSpec:
        """The same with a system to which an empty head in a gold tree means that the head is not known."""
        if self.system.empty_means_unknown:
            return self
        system: Any = self.system
        return attrs.evolve(self, system=attrs.evolve(system, empty_means_unknown=True))

    @property
    def lookahead(self) -> int | None:
        """How many words after b0 it looks at; ``None`` if the system does not read words from left to right."""
        return None if self.system.lookahead is None else max(self.system.lookahead, self.templates.lookahead)

    @cached_property
    def system_code(self) -> SystemCode:
        """The system in numbers."""
        return compile_system(self.system)

    @cached_property
    def features(self) -> FeatureCode:
        """The templates in numbers."""
        return compile_templates(self.templates)

    @cached_property
    def label_numbers(self) -> Mapping[str | None, int]:
        """The numbers of labels, -1 for none."""
        return {None: -1, **{label: number for number, label in enumerate(self.labels)}}

    def label_numbers_of(self, transitions: Iterable[Transition]) -> list[int]:
        """The numbers of the labels of transitions, -1 for none."""
        return [self.label_numbers[label_of(transition)] for transition in transitions]

    @cached_property
    def classes(self) -> list[tuple[int, int]]:
        """What the first table tells apart: rows, and, if labels are chosen with them, labels."""
        found = []
        for number, row in enumerate(self.system_code.rows):
            labels = range(len(self.labels)) if self.joint and self.labels and row.arc else [-1]
            found += [(number, label) for label in labels]
        return found

    @property
    def table_shapes(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The shapes of the two tables of weights."""
        # Rows are read four numbers at a time; where there are no labels there is one row that nobody reads.
        first, second = [
            (1 << (bits if width else 1), max(4, -(-width // 4) * 4))
            for bits, width in zip(self.bits, (len(self.classes), self._n_labels), strict=True)
        ]
        return first, second

    def tables(self) -> tuple[Floats, Floats]:
        """Tables of weights that have learned nothing yet."""
        first, second = [np.zeros(shape, np.float32) for shape in self.table_shapes]
        return first, second

    def weights(self, arrays: tuple[Floats, Floats] | None = None) -> core.Weights:
        """Weights for the core to learn: those in the arrays, or new ones."""
        return self._in_core(arrays or self.tables(), learning=True, empty=arrays is None)

    def quantized(self, tables: tuple[SparseArray, SparseArray]) -> core.Weights:
        """Weights for the core to parse with."""
        return self._in_core(tables, learning=False)

    def _in_core(self, tables: tuple[Any, Any], *, learning: bool, empty: bool = False) -> core.Weights:
        if tuple(getattr(table, "shape", None) for table in tables) != self.table_shapes:
            raise ValueError(f"the tables of weights should have the shapes {self.table_shapes}")
        rows, labels = np.array(self.classes, np.int32).T.copy()
        heads = ANY_LABELS if learning else self.label_heads
        return core.Weights(rows, labels, heads.allowed(self.labels), *tables, self._n_labels, learning, empty)

    @property
    def _n_labels(self) -> int:
        """How many labels the second table tells apart."""
        return 0 if self.joint else len(self.labels)

    @classmethod
    def read(cls, file: ModelFile, part: str, system: GivenSystem | None) -> ModelSpec:
        """What the record of a part describes; ``ModelError`` if it is another system, ``ValueError`` if damaged."""
        record = _with_embeddings(file.record(part), file)
        return from_record(record, cls, system=system_from(record.get("system"), system))

    def saved_arrays(self) -> dict[str, Floats]:
        """What is saved of it besides its record: the numbers of embeddings."""
        return {_EMBEDDINGS: self.templates.embeddings.vectors} if self.templates.embeddings else {}

    def assemble(
        self, columns: Columns, oracle: str | None = None, *, learning: bool = False, gold: bool = True
    ) -> tuple[core.CompiledSystem, core.ParserData]:
        """What the core needs to work on a treebank.

        Args:
            columns: the treebank.
            oracle: the name of the oracle that will be asked, if one will.
            learning: whether it is for training, where searches for costs give up sooner.
            gold: whether gold trees will be asked for.
        """
        code = compile_system(self.system, oracle)

        def make_replay(sentence: int) -> CostReplay:  # for costs that only the functional layer can tell
            return CostReplay(self.system, code.transitions, columns.tree(sentence), learning=learning)

        system = core.CompiledSystem(code, self.features, make_replay)
        return system, parser_data(columns, code, self.features, self.labels, gold=gold)


@attrs.frozen
class _Embedded:
    """What the record of a part says about embeddings."""

    words: tuple[str, ...]
    size: int
    checksum: int


def _with_embeddings(record: Record, file: ModelFile) -> Record:
    """The record of a specification, with the embeddings of its templates if they have some."""
    templates = record.get("templates")
    if not isinstance(templates, Mapping) or "embeddings" not in templates:
        return record
    told = from_record(templates["embeddings"], _Embedded)
    embeddings = Embeddings(told.words, file.array(_EMBEDDINGS, (len(told.words), told.size)))
    return {**record, "templates": {**templates, "embeddings": embeddings}}
