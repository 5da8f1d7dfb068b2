"""Models that the engine trains and parses with: averaged perceptrons with hashed weights."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from numbers import Real
from threading import Lock
from typing import TYPE_CHECKING

import attrs
import numpy as np
import numpy.typing as npt

from deptrees import search
from deptrees.engine import core
from deptrees.engine.code.configurations import ConfigurationReader
from deptrees.engine.finding import Found, SearchOptions
from deptrees.engine.searching import RankingModel
from deptrees.engine.spec import Floats, ModelSpec
from deptrees.files.models import ModelError, ModelFile, Part, open_model
from deptrees.files.parts import LINEAR
from deptrees.files.records import to_record
from deptrees.files.sparse import SparseArray
from deptrees.messages import counted, of_type
from deptrees.search.space import label_of
from deptrees.threads import share_out
from deptrees.transition.configuration import Configuration
from deptrees.transition.constraints import Constraints
from deptrees.transition.labels import LabelHeads
from deptrees.transition.system import System
from deptrees.transition.systems.registry import GivenSystem
from deptrees.transition.transitions import Transition
from deptrees.treebanks.batch import Batch
from deptrees.treebanks.columns import Columns
from deptrees.trees.heads import TreeError
from deptrees.trees.tree import DependencyTree

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Model", "ModelError", "SavedModel"]

_Numbers = npt.NDArray[np.intp]

_TABLES = ("transitions", "labels")
_REMEMBERED = 1 << 12
"""Of how many configurations the functional layer keeps the scores."""
_ALTERNATIVES = 8
"""How many derivations are followed to see other heads than those of a parse that follows one; 16 are no better."""


class SavedModel(RankingModel):
    """A model of a transition system, which can be a user's own."""

    spec: ModelSpec

    @property
    def system(self) -> System:
        return self.spec.system

    @property
    def labels(self) -> tuple[str, ...]:
        return self.spec.labels

    @property
    def label_heads(self) -> LabelHeads:
        return self.spec.label_heads

    @property
    def looks_at(self) -> frozenset[str]:
        names = frozenset(name for template in self.spec.templates for name in template.names)
        return names - self.system.hidden

    @property
    def lookahead(self) -> int | None:
        return self.spec.lookahead

    @property
    def own_settings(self) -> Mapping[str, object]:
        return {name: getattr(self.spec, name) for name in ("system", "templates", "beam", "joint")}

    @property
    def beam(self) -> int:
        return self.spec.beam

    @abstractmethod
    def with_weights_of(self, models: Sequence[Self], shares: Sequence[float]) -> Self:
        """The same with a weighted sum of the weights of models with this spec; see `deptrees.engine.mixing.mix`."""

    @classmethod
    def load(cls, path: str | os.PathLike[str], system: GivenSystem | None = None) -> Self:
        """Load what was saved, with its transition system if it is not one of the library's own.

        Raises:
            FileNotFoundError: there is no such file.
            ModelError: the file is not a model of this kind, or of another system.
        """
        with open_model(path) as file:
            return cls.read(file, system)


@attrs.frozen(eq=False)
class _Scorer:
    """Scores all transitions of the transition space as the engine does."""

    _spec: ModelSpec = attrs.field(repr=False)
    _weights: core.Weights = attrs.field(repr=False)
    _lock: Lock = attrs.field(factory=Lock, init=False, repr=False)

    @cached_property
    def _reader(self) -> ConfigurationReader:
        return ConfigurationReader(self._spec.templates)

    def __call__(self, configurations: Sequence[Configuration]) -> npt.ArrayLike:
        with self._lock:  # the reader keeps the state of the configuration that it last looked at
            return [self._scores_of(cfg) for cfg in configurations]

    def _scores_of(self, cfg: Configuration) -> Floats:
        features = self._reader.features(cfg)
        from_root = tuple([cfg.head(bare) == 0 if cfg.is_possible(bare) else None for bare, *_ in self._labels])
        key = features.tobytes(), from_root
        found = self._known.get(key)  # hypotheses of a beam often differ in what no template sees
        if found is None:
            if len(self._known) == _REMEMBERED:
                self._known.clear()
            found = self._known[key] = self._added_up(features, from_root)
        return found

    def _added_up(self, features: npt.NDArray[np.uint64], from_root: tuple[bool | None, ...]) -> Floats:
        """The scores, if the arcs of rows with labels of their own would be from ROOT, from a word, or not possible."""
        first, second = self._spec.bits
        scores = self._weights.score(0, core.rows_of(features, first))[self._classes]
        for root, (_, salt, columns, labels, allowed) in zip(from_root, self._labels, strict=True):
            if root is not None:
                of_labels = self._weights.score(1, core.rows_of(features, second, salt))[labels]
                scores[columns] += of_labels - of_labels[allowed[int(root)]].max(initial=-np.inf)
        return scores

    @cached_property
    def _known(self) -> dict[tuple[bytes, tuple[bool | None, ...]], Floats]:
        return {}

    @cached_property
    def _space(self) -> search.Space:
        return search.Space(self._spec.system.transition_space(self._spec.labels), self._spec.label_heads)

    @cached_property
    def _classes(self) -> _Numbers:
        """For each transition of the space its class."""
        classes = {pair: number for number, pair in enumerate(self._spec.classes)}
        found = {
            transition: classes[row, self._spec.label_numbers[label_of(transition)] if self._spec.joint else -1]
            for row, bare in enumerate(self._spec.system_code.transitions)
            for transition in self._space.agreeing(bare)
        }
        return np.array([found[transition] for transition in self._space.transitions], np.intp)

    @cached_property
    def _labels(self) -> list[tuple[Transition, int, _Numbers, _Numbers, npt.NDArray[np.bool_]]]:
        """For each row whose labels have weights of their own: its transition, its hash, its columns and their labels.

        Last, which of these labels arcs from words can have, and in a second row arcs from ROOT.
        """
        if self._spec.joint or not self._spec.labels:
            return []
        code, found = self._spec.system_code, []
        for row, salt, bare in zip(code.rows, code.row_hashes, code.transitions, strict=True):
            if row.arc:
                transitions = self._space.agreeing(bare)
                labels = np.array(self._spec.label_numbers_of(transitions), np.intp)
                columns = np.array([*map(self._space.column, transitions)], np.intp)
                found.append(
                    (bare, salt, columns, labels, self._spec.label_heads.allowed(self._spec.labels)[:, labels])
                )
        return found


@attrs.frozen(eq=False)
class Model(SavedModel):
    """A trained model.

    Args:
        spec: what it scores.
        tables: the weights for transitions and for labels.
    """

    spec: ModelSpec
    tables: tuple[SparseArray, SparseArray] = attrs.field(repr=False)

    @classmethod
    def of(cls, spec: ModelSpec, first: Floats, second: Floats) -> Model:
        """A model with the weights in two arrays."""
        for array in first, second:
            of_type("weights", array, np.ndarray, "an array")
        return cls(spec, (SparseArray.of(first), SparseArray.of(second)))

    @property
    def arrays(self) -> tuple[Floats, Floats]:
        """The weights for transitions and for labels, in arrays that are made anew."""
        first, second = self.tables
        return first.dense(), second.dense()

    @cached_property
    def _weights(self) -> core.Weights:
        return self.spec.quantized(self.tables)

    def find(self, batch: Batch, options: SearchOptions = SearchOptions()) -> Found:
        """See `AnyModel`.

        The engine runs it at full speed where one head or label is known of each word that is constrained, and it can
        compute the system's losses. Otherwise it is a search in the functional layer.

        >>> from deptrees import sample_treebank
        >>> from deptrees.engine import train
        >>> from deptrees.transition import Constraints
        >>> batch = Batch.of([["They", "saw", "her", "duck"]])
        >>> known = Constraints(heads={1: 4}, spans=[(2, 4)])
        >>> found = train(sample_treebank("train"), epochs=1).find(batch, SearchOptions(constraints=[known]))
        >>> int(found.heads[0, 0])
        4
        """
        if options.constraints is None:
            return self._find_best(batch.columns, options)
        options = options.about_labels(batch, self)
        found = Found.empty(batch.columns.offsets, options.width(self.beam), margins=options.margins)
        known = [*zip(batch.trees, options.constraints or (), strict=True)]
        gold = {number: _as_gold_tree(*pair, self.spec) for number, pair in enumerate(known)}
        followed = {number: tree for number, tree in gold.items() if tree is not None}
        if followed:
            columns = Columns.encode(followed.values())
            found.insert([*followed], self._find_best(columns, options, constrained=True))
        for number, (tree, constraints) in enumerate(known):
            ranks = {0, *np.flatnonzero(found.scores[:, number] > -np.inf).tolist()}
            heads = found.heads[sorted(ranks)][:, found.words([number])].tolist()
            each = [[None if head < 0 else head for head in row] for row in heads]
            if number not in followed or any(map(constraints.broken_by, each)):  # the search says what is in the way
                found.insert([number], self._search_one(tree, options, constraints))
        return found

    def _find_best(self, columns: Columns, options: SearchOptions, *, constrained: bool = False) -> Found:
        width = options.width(self.beam)
        ranked = options.k is not None or (options.margins and width > 1)
        found = Found.empty(columns.offsets, width if ranked else 1, margins=options.margins)
        self._run(columns, width, found, options.threads, ranked=ranked, constrained=constrained)
        if found.margins is not None:
            others = found
            if width == 1:  # which sees no other heads
                others = Found.empty(columns.offsets, _ALTERNATIVES)
                self._run(columns, _ALTERNATIVES, others, options.threads, ranked=True, constrained=constrained)
            found.margins[2] = others.ahead(found.heads[0])
        if options.begins_with_parse(self.beam):  # a beam finds higher scores, and worse trees, than it has learned to
            found.put_first(self._find_best(columns, attrs.evolve(options, k=1), constrained=constrained))
        return found

    def _run(self, columns: Columns, beam: int, found: Found, threads: int, *, ranked: bool, constrained: bool) -> None:
        """Have the core parse, and write down what it finds: the best derivation, or all of the beam with their scores.

        If constrained, only transitions are taken that cost nothing against the heads and labels of the columns.
        """
        # As a constraint an empty head says nothing.
        spec = self.spec.with_unknown_heads() if constrained else self.spec
        system, data = spec.assemble(columns, gold=constrained)
        weights, root_label = self._weights, self._root_label
        scores, margins = found.scores if ranked else None, None if found.margins is None else found.margins[:2]

        def work(start: int, stop: int) -> None:
            arrays = (found.heads, found.labels, scores, margins)
            core.parse(weights, system, data, start, stop, *arrays, root_label, beam, constrained)

        share_out(work, len(columns), threads)

    @property
    def _root_label(self) -> int:
        """The label of words that a system without ROOT leaves without a head; -1 if there is none."""
        return self.spec.label_numbers.get("root", -1)

    @cached_property
    def ranking(self) -> search.Ranking:
        """The transitions as the engine ranks them, for searches in the functional layer.

        Where labels have weights of their own, a label lowers the score of its transition by what it scores less than
        the best one that the arc can have.

        >>> from deptrees import sample_treebank
        >>> from deptrees.engine import train
        >>> from deptrees.search import BeamSearch
        >>> model = train(sample_treebank("train"), epochs=1)
        >>> tree = BeamSearch(model.ranking, size=1).best(["Birds", "sing"]).tree()
        >>> None in tree.heads
        False
        """
        # The scorer does not know the model, which would else be freed by the garbage collector only.
        scorer = _Scorer(self.spec, self._weights)
        return search.Ranking(self.spec.system, scorer, self.spec.labels, self.spec.label_heads)

    def tables_for(self, spec: ModelSpec) -> tuple[Floats, Floats]:
        """The weights in tables of another model, which has the same rows and other labels, too."""
        (first, second), (own_first, own_second) = spec.tables(), self.arrays
        classes = {(row, spec.labels[label] if label >= 0 else None): c for c, (row, label) in enumerate(spec.classes)}
        for number, (row, label) in enumerate(self.spec.classes):
            first[:, classes[row, self.spec.labels[label] if label >= 0 else None]] = own_first[:, number]
        if not spec.joint:
            for number, name in enumerate(self.spec.labels):
                second[:, spec.labels.index(name)] = own_second[:, number]
        return first, second

    def with_weights_of(self, models: Sequence[Model], shares: Sequence[float]) -> Model:
        first, second = self.spec.tables()
        if len(models) != len(shares):
            raise ValueError(f"there are {counted(len(models), 'model')} and {counted(len(shares), 'share')}")
        for model, share in zip(models, shares, strict=True):
            of_type("model", model, Model, "one like this")
            of_type("share", share, Real, "a number")
            for table, weights in zip((first, second), model.tables, strict=True):
                table.ravel()[weights.where] += np.float32(share) * weights.numbers
        return self.of(self.spec, first, second)

    def part(self) -> Part:
        return Part(LINEAR, to_record(self.spec), dict(zip(_TABLES, self.tables, strict=True)))

    @classmethod
    def read(cls, file: ModelFile, system: GivenSystem | None = None) -> Model:
        spec = ModelSpec.read(file, LINEAR, system)
        _ = spec.features  # templates that the engine cannot run are an error here, not when it parses
        first, second = map(file.sparse_array, _TABLES, spec.table_shapes)
        return cls(spec, (first, second))


def _as_gold_tree(tree: DependencyTree, constraints: Constraints, spec: ModelSpec) -> DependencyTree | None:
    """The tree with only what is known of it, also in MISC, if following it as gold meets the constraints."""
    any_word = len(tree) - 1  # which labels may ask for: it says almost nothing, and so is looked at in the end
    heads = {word: among for word, among in constraints.heads if 0 in among or not 1 < len(among) == any_word}
    labels = dict(constraints.labels)
    if (
        not spec.system_code.has_losses
        or constraints.directions
        or constraints.spans
        or any(len(among) > 1 for among in (*heads.values(), *labels.values()))
        # A label asks for a head, which a gold tree without one does not.
        or (spec.system.leaves_words and labels.keys() - heads.keys())
    ):
        return None
    words = range(1, len(tree) + 1)
    try:
        return constraints.in_misc(tree).reattach(
            [heads.get(word, (None,))[0] for word in words], [labels.get(word, (None,))[0] for word in words]
        )
    except TreeError:  # the search says which words are in the way
        return None
