"""Derivations in lock step: many sentences whose configurations are asked about, and go on, all together."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.engine import core
from deptrees.engine.feature_code import compile_places
from deptrees.engine.model import Shape
from deptrees.engine.trainer import LAZY, core_name, is_compiled, labels_of
from deptrees.features import Node, Templates, View
from deptrees.search import Space
from deptrees.training.inputs import oracle_name, trees_of
from deptrees.training.records import DEFAULT_SYSTEM
from deptrees.transition import ArcTransition, Configuration, System, Transition, cost, dynamic_oracle, typed
from deptrees.transition.configuration import OracleFunction
from deptrees.transition.constraints import BrokenConstraints, Constraints
from deptrees.transition.oracles import BY_NAME, as_oracle_function, missing_oracle
from deptrees.transition.systems.registry import as_system
from deptrees.transition.transitions import IllegalTransition
from deptrees.treebanks.columns import Columns
from deptrees.treebanks.sentences import attach_one
from deptrees.trees.tree import DependencyTree

__all__ = ["Derivations"]

_Numbers = npt.NDArray[np.int64]
_Integers = npt.NDArray[np.int32]
_Booleans = npt.NDArray[np.bool_]

_NO_TEMPLATES = Templates([])


@attrs.frozen(eq=False)
class _Work:
    """What derivations work on.

    Args:
        columns: the treebank.
        trees: the same as trees, where there are such.
        shape: the system, the templates and the labels.
        nodes: the nodes to look at.
        oracle: what names gold transitions.
        space: the transitions.
        constraints: what is known of each sentence of the treebank.
        vocabularies: the texts that the numbers of words stand for, by columns.
    """

    columns: Columns
    trees: Sequence[DependencyTree] | None
    shape: Shape
    nodes: tuple[Node, ...]
    oracle: OracleFunction | None
    space: Space
    constraints: Sequence[Constraints] | None
    vocabularies: Mapping[str, Sequence[str]]
    _numbers: dict[str, _Numbers] = attrs.field(factory=dict, init=False)

    def tree(self, sentence: int) -> DependencyTree:
        """A sentence."""
        return self.columns.tree(sentence) if self.trees is None else self.trees[sentence]

    def numbers(self, column: str) -> _Numbers:
        """The numbers of all words in a column, two more than there are texts where it is not known."""
        if column not in self._numbers:
            texts = self.vocabularies[column]
            known = {text: number for number, text in enumerate(texts)}
            numbers = np.array(
                [known.get(text, len(texts) + 2) for text in self.columns.vocabularies[column]], np.int64
            )
            self._numbers[column] = numbers[self.columns.words[column]]
        return self._numbers[column]

    @cached_property
    def label_numbers(self) -> dict[str | None, int]:
        """The numbers of labels, -1 for none."""
        return {None: -1, **{label: number for number, label in enumerate(self.shape.labels)}}

    @cached_property
    def gold_labels(self) -> _Integers:
        """The numbers of the gold labels of all words, -1 for those that have none of these labels, and one -1 more."""
        known = [self.label_numbers.get(label, -1) for label in self.columns.vocabularies["deprel"]]
        return np.append(np.array([*known, -1], np.int32)[self.columns.labels], np.int32(-1))

    @cached_property
    def label_of(self) -> _Integers:
        """For each transition of the space the number of its label, -1 for none."""
        return np.array([self.label_numbers[_label(transition)] for transition in self.space.transitions], np.int32)


class Derivations(ABC):
    """Derivations that go forward together; ``open`` starts them.

    Sentences are numbered as in the treebank, derivations from 0, and nothing but these numbers tells which is which.
    What is asked of configurations is answered in an array with a row for each derivation that is not final, in the
    order of ``going``; what they take is given in the same order. The columns of these arrays are the transitions of
    ``space``. Where k has no bound (arc-swift, easy-first, LR-spines, the pointing systems) there is a block of columns
    for each k, as `deptrees.search.Space` numbers them, and of nodes and templates too, for transitions with another k
    look at other words: as many blocks as one of the configurations needs.

    All arrays are new ones: they stay as they are when the derivations go on.

    >>> from deptrees.transition import ArcHybrid
    >>> trees = [DependencyTree([(2, "Birds"), (0, "sing")]), DependencyTree([(0, "Sing")])]
    >>> derivations = Derivations.open(trees, ArcHybrid(), nodes=["s0", "b0"])
    >>> derivations.space.transitions
    (LeftArc(), RightArc(), Shift())
    >>> while derivations:
    ...     derivations.going.tolist(), derivations.positions().tolist(), derivations.costs().tolist()
    ...     derivations.take(derivations.gold().argmax(axis=1))
    ([0, 1], [[0, 1], [0, 1]], [[-1, -1, 0], [-1, -1, 0]])
    ([0, 1], [[1, 2], [1, -1]], [[0, 1, 2], [-1, 0, -1]])
    ([0], [[0, 2]], [[-1, -1, 0]])
    ([0], [[2, -1]], [[-1, 0, -1]])
    >>> [tree.heads for tree in derivations.trees()]
    [(2, 0), (0,)]
    """

    sentences: _Numbers
    """The sentence of each derivation."""

    @staticmethod
    def open(
        treebank: Columns | Iterable[DependencyTree],
        system: System | type[System] | str = DEFAULT_SYSTEM,
        *,
        sentences: npt.ArrayLike | None = None,
        nodes: Iterable[Node | str] = (),
        templates: Templates = _NO_TEMPLATES,
        oracle: OracleFunction | str | None = dynamic_oracle,
        labels: Sequence[str] | None = None,
        labeled: bool = False,
        constraints: Sequence[Constraints] | None = None,
        vocabularies: Mapping[str, Sequence[str]] | None = None,
    ) -> Derivations:
        """Start the derivations of some sentences.

        The engine runs them where it can run the system and the oracle, and there are no constraints. Otherwise they
        are configurations of the functional layer, which take a thousand times longer.

        Args:
            treebank: trees, or the same as numbers.
            system: the transition system, or its class or name.
            sentences: the numbers of the sentences, a derivation for each; if not given, all in their order.
            nodes: the words whose positions are asked for, as in templates: ``"s0"``, ``"b1.left"``.
            templates: the templates whose features are asked for.
            oracle: an oracle function, the library's or your own, or the name of one of the library's; ``None`` if
                nothing is asked about the gold trees, as in parsing.
            labels: the labels of arcs, which their numbers refer to; if not given, those of the treebank.
            labeled: whether the transitions of the space have labels.
            constraints: what is known of each sentence of the treebank: other transitions do not count as possible.
            vocabularies: the texts that the numbers of words stand for, by columns, such as those of the treebank that
                a model has learnt from; if not given, those of this treebank.

        Raises:
            OracleNotDefined: there is no such oracle, or the system does not have it.
            UnknownSystem: there is no system of that name.
            TemplateError: a text is not a node.
            EngineError: there are more nodes or templates than the engine takes.
            IndexError: there is no sentence of one of these numbers.
            TypeError: the treebank, the system or the oracle is something else.
            ValueError: a template has numbers.
        """
        trees = None if isinstance(treebank, Columns) else list(trees_of(treebank))
        columns = treebank if isinstance(treebank, Columns) else Columns.encode(trees or [])
        system = as_system(system)
        function = None if oracle is None else as_oracle_function(oracle)
        name = None if function is None else oracle_name(function)
        if name in BY_NAME and getattr(system.oracles, name) is None:
            raise missing_oracle(name, system)
        if templates.numeric:
            raise ValueError(f"leave out the template '{templates.numeric[0]}': features in arrays have no values")
        shape = Shape(system, templates, labels_of(columns, system) if labels is None else tuple(labels))
        space = Space(system.transition_space(shape.labels if labeled else ()))
        places = tuple([Node.read(node) if isinstance(node, str) else node for node in nodes])
        work = _Work(columns, trees, shape, places, function, space, constraints, vocabularies or columns.vocabularies)
        chosen = np.arange(len(columns)) if sentences is None else _numbers(sentences, len(columns), "sentence")
        compiled = constraints is None and is_compiled(system, function or dynamic_oracle)
        return (_CompiledDerivations if compiled else _StepwiseDerivations)(work, chosen)

    def __init__(self, work: _Work, sentences: _Numbers) -> None:
        self._work = work
        self.sentences = sentences

    def __len__(self) -> int:
        """The number of derivations, final ones among them."""
        return len(self.sentences)

    def __bool__(self) -> bool:
        """Whether any of them is not final."""
        return bool(len(self.going))

    @property
    def system(self) -> System:
        """The transition system."""
        return self._work.shape.system

    @property
    def space(self) -> Space:
        """The transitions, by the columns of arrays."""
        return self._work.space

    @property
    def columns(self) -> Columns:
        """The treebank."""
        return self._work.columns

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, by their numbers."""
        return self._work.shape.labels

    @property
    def is_labeled(self) -> bool:
        """Whether transitions have labels."""
        return any(_label(transition) is not None for transition in self.space.transitions)

    @property
    def is_final(self) -> _Booleans:
        """For each derivation whether it is final."""
        found = np.ones(len(self), np.bool_)
        found[self.going] = False
        return found

    def gold_labels(self) -> _Integers:
        """For each transition the number of the gold label of the word that it attaches, -1 for none."""
        words, first = self.dependents(), self.columns.offsets[self.sentences[self.going], None] - 1
        found: _Integers = self._work.gold_labels[np.where(words > 0, first + words, -1)]
        return found

    def take(self, transitions: npt.ArrayLike, labels: npt.ArrayLike | None = None) -> None:
        """Go on, with one transition in each derivation that is not final.

        Args:
            transitions: the numbers of the transitions.
            labels: where transitions have no labels, the numbers of those that their arcs get, -1 for none.

        Raises:
            IllegalTransition: one is not possible; none is taken then.
            IndexError: there is no label of one of these numbers.
            ValueError: there are not as many as derivations that are not final.
        """
        chosen = np.ascontiguousarray(transitions, np.int64)
        given = np.full(len(self.going), -1, np.int32)
        if labels is not None:
            given = _numbers(labels, len(self.labels), "label", least=-1).astype(np.int32)
        if chosen.shape != self.going.shape or given.shape != self.going.shape:
            raise ValueError(f"{len(self.going)} derivations are not final: give as many transitions, and labels")
        wrong = self._take(chosen, given)
        if wrong >= 0:
            transition = self.space.transition(int(chosen[wrong])) if chosen[wrong] >= 0 else int(chosen[wrong])
            raise IllegalTransition(f"{transition} is not possible in derivation {self.going[wrong]}")

    def restart(self, sentences: npt.ArrayLike, derivations: npt.ArrayLike | None = None) -> None:
        """Begin with other sentences.

        Args:
            sentences: the numbers of the sentences.
            derivations: the numbers of the derivations in whose place they come; if not given, of all, and there are as
                many derivations then as sentences.

        Raises:
            IndexError: there is no derivation or no sentence of one of these numbers.
            ValueError: there are not as many derivations as sentences.
        """
        opened = _numbers(sentences, len(self._work.columns), "sentence")
        if derivations is None:
            self.sentences = opened
            self._open()
            return
        places = _numbers(derivations, len(self), "derivation")
        if len(places) != len(opened):
            raise ValueError(f"{len(opened)} sentences cannot come in the place of {len(places)} derivations")
        self.sentences[places] = opened
        self._restart(places)

    def keep(self, derivations: npt.ArrayLike) -> None:
        """Go on with these derivations only, which are numbered anew; one that comes again is copied.

        Args:
            derivations: their numbers.

        Raises:
            IndexError: there is no derivation of one of these numbers.

        >>> derivations = Derivations.open([DependencyTree([(2, "Birds"), (0, "sing")])], nodes=["b0"])
        >>> derivations.keep([0, 0])
        >>> derivations.sentences.tolist(), derivations.positions().tolist()
        ([0, 0], [[1], [1]])
        """
        kept = _numbers(derivations, len(self), "derivation")
        self.sentences = self.sentences[kept]
        self._keep(kept)

    @property
    @abstractmethod
    def going(self) -> _Numbers:
        """The numbers of the derivations that are not final."""

    @abstractmethod
    def possible(self) -> _Booleans:
        """For each transition whether it is possible."""

    @abstractmethod
    def gold(self) -> _Booleans:
        """For each transition whether the oracle names it, and its label, if it has one, is not wrong."""

    @abstractmethod
    def costs(self) -> _Integers:
        """For each transition how many more heads the best tree within reach gets wrong after it, -1 if not possible.

        Raises:
            OracleNotDefined: they are not known for the system.
        """

    @abstractmethod
    def dependents(self) -> _Numbers:
        """For each transition the position of the word that it attaches, -1 for none, and where it is not possible."""

    @abstractmethod
    def positions(self) -> _Numbers:
        """The positions of the nodes in their sentences: 0 for ROOT, -1 where there is no word."""

    def words_at(self, column: str, positions: _Numbers) -> _Numbers:
        """What the words at some positions have in a column: the number of a text in the column's vocabulary.

        The next numbers are those of ROOT, of no word, and of a text that is not in the vocabulary: there are three
        more than texts.

        Args:
            column: ``"form"``, ``"lemma"``, ``"upos"``, ``"xpos"``, ``"feats"`` or ``"misc"``.
            positions: positions in the sentences of derivations that are not final, a row for each.

        >>> derivations = Derivations.open([DependencyTree([(2, "Birds"), (0, "sing")])], "arc-hybrid")
        >>> derivations.columns.vocabularies["form"]
        ('Birds', 'sing')
        >>> derivations.words_at("form", np.array([[0, 1, 2, -1]])).tolist()
        [[2, 0, 1, 3]]
        """
        first = self.columns.offsets[self.sentences[self.going], None] - 1
        of_words = self._work.numbers(column)[np.where(positions > 0, first + positions, 0)]
        found: _Numbers = np.where(positions > 0, of_words, len(self._work.vocabularies[column]) - positions)
        return found

    @abstractmethod
    def labels_at(self, positions: _Numbers) -> _Numbers:
        """The numbers of the labels that the words at some positions have got so far, -1 for none."""

    @abstractmethod
    def features(self) -> npt.NDArray[np.uint64]:
        """The features, a number of 64 bits for each template."""

    @abstractmethod
    def arcs(self) -> tuple[_Integers, _Integers]:
        """The heads and labels found so far, -1 for none, of all words, one derivation after the other."""

    @abstractmethod
    def trees(self) -> list[DependencyTree]:
        """The sentence of each derivation, with the heads and labels found so far."""

    @abstractmethod
    def _take(self, transitions: _Numbers, labels: _Integers) -> int:
        """Take transitions unless one is not possible: tells which, -1 if all are."""

    @abstractmethod
    def _open(self) -> None:
        """Begin anew with the sentences."""

    @abstractmethod
    def _restart(self, derivations: _Numbers) -> None:
        """Begin anew with the sentences in the place of some derivations."""

    @abstractmethod
    def _keep(self, derivations: _Numbers) -> None:
        """Go on with these derivations."""

    def _oracle(self) -> OracleFunction:
        if self._work.oracle is None:
            raise ValueError("the derivations were opened without an oracle: nothing is known of gold trees")
        return self._work.oracle


class _CompiledDerivations(Derivations):
    """States of the engine, which knows rows: transitions without labels."""

    def __init__(self, work: _Work, sentences: _Numbers) -> None:
        super().__init__(work, sentences)
        lazy = work.oracle is not None and oracle_name(work.oracle) == LAZY
        system, data = work.shape.assemble(work.columns, lazy=lazy)
        places = compile_places(work.nodes)
        self._core = core.Derivations(system, data, sentences, places, with_gold=work.oracle is not None)

    @property
    def going(self) -> _Numbers:
        return self._core.going

    @cached_property
    def _rows(self) -> _Numbers:
        """The row of each transition of the space."""
        bare = Space(self._work.shape.system_code.transitions)
        return np.array([bare.columns(transition)[0] for transition in self.space.transitions], np.int64)

    @cached_property
    def _is_rows(self) -> bool:
        """Whether the transitions of the space are the rows."""
        return self.space.transitions == tuple(self._work.shape.system_code.transitions)

    def _of_space(self, found: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return found if self._is_rows else found.take(self._rows, axis=1)

    def possible(self) -> _Booleans:
        return self._of_space(self._core.possible())

    def gold(self) -> _Booleans:
        found = self._of_space(self._core.gold(core_name(oracle_name(self._oracle()))))
        if not self._is_rows:
            labels = self.gold_labels()
            found &= (labels < 0) | (labels == self._work.label_of)
        return found

    def costs(self) -> _Integers:
        self._oracle()
        if self.system.oracles.loss is None:
            raise missing_oracle("dynamic", self.system)
        return self._of_space(self._core.costs())

    def dependents(self) -> _Numbers:
        return self._of_space(self._core.dependents())

    def positions(self) -> _Numbers:
        return self._core.positions()

    def labels_at(self, positions: _Numbers) -> _Numbers:
        return self._core.labels_at(np.ascontiguousarray(positions, np.int64))

    def features(self) -> npt.NDArray[np.uint64]:
        return self._core.features()

    def arcs(self) -> tuple[_Integers, _Integers]:
        return self._core.arcs(self._work.label_numbers.get("root", -1))

    def trees(self) -> list[DependencyTree]:
        names = (*self.labels, "root")  # which may not be among the labels, and systems without ROOT give it
        heads, labels = (array.tolist() for array in self._core.arcs(names.index("root")))
        found, start = [], 0
        for sentence in self.sentences.tolist():
            tree = self._work.tree(sentence)
            words = slice(start, start + len(tree))
            found.append(attach_one(tree, heads[words], labels[words], names))
            start = words.stop
        return found

    def _take(self, transitions: _Numbers, labels: _Integers) -> int:
        if self._is_rows:
            return self._core.take(transitions, labels)
        inside = (transitions >= 0) & (transitions < len(self.space))
        if not inside.all():
            return int(inside.argmin())
        return self._core.take(self._rows[transitions], self._work.label_of[transitions])

    def _open(self) -> None:
        self._core.open(self.sentences)

    def _restart(self, derivations: _Numbers) -> None:
        self._core.restart(derivations, self.sentences[derivations])

    def _keep(self, derivations: _Numbers) -> None:
        self._core.keep(derivations)


class _StepwiseDerivations(Derivations):
    """Configurations of the functional layer."""

    def __init__(self, work: _Work, sentences: _Numbers) -> None:
        super().__init__(work, sentences)
        self._open()

    def _look_round(self) -> None:
        """Find out what is possible now."""
        going = [number for number, cfg in enumerate(self._configurations) if not cfg.is_final]
        self._going = np.array(going, np.int64)
        self._possible = [self._possible_in(number) for number in going]
        self._blocks = max(map(self.space.blocks, self._possible), default=1)

    def _possible_in(self, number: int) -> tuple[Transition, ...]:
        cfg, sentence = self._configurations[number], int(self.sentences[number])
        if self._work.constraints is None:
            return cfg.possible_transitions()
        try:
            return self._work.constraints[sentence].transitions(cfg)
        except BrokenConstraints as error:
            raise BrokenConstraints(f"{self._trees[number].name}: {error}") from None

    @property
    def going(self) -> _Numbers:
        return self._going

    def _now(self) -> Iterator[Configuration]:
        return map(self._configurations.__getitem__, self._going.tolist())

    def _table(self, width: int, fill: Any, kind: type[np.generic]) -> npt.NDArray[Any]:
        """Room for answers, in as many blocks as are needed."""
        return np.full((len(self._going), self._blocks * width), fill, kind)

    def _mask(self, transitions: Iterable[Transition | Iterable[Transition]]) -> _Booleans:
        found = self._table(len(self.space), False, np.bool_)
        for row, some in zip(found, transitions, strict=True):
            row[self.space.columns(some)] = True
        return found

    def possible(self) -> _Booleans:
        return self._mask(self._possible)

    def gold(self) -> _Booleans:
        oracle = self._oracle()
        return self._mask(oracle(cfg, tree, typed) for cfg, tree in zip(self._now(), self._gold_trees(), strict=True))

    def _gold_trees(self) -> Iterator[DependencyTree]:
        return map(self._trees.__getitem__, self._going.tolist())

    def costs(self) -> _Integers:
        self._oracle()
        found = self._table(len(self.space), -1, np.int32)
        for row, cfg, tree, possible in zip(found, self._now(), self._gold_trees(), self._possible, strict=True):
            for transition in possible:
                row[self.space.columns(transition)] = cost(transition, cfg, tree)
        return found

    def dependents(self) -> _Numbers:
        found = self._table(len(self.space), -1, np.int64)
        for row, cfg, possible in zip(found, self._now(), self._possible, strict=True):
            for transition in possible:
                word = cfg.dependent(transition)
                row[self.space.columns(transition)] = -1 if word is None else word
        return found

    def positions(self) -> _Numbers:
        nodes = self._work.nodes
        found = self._table(len(nodes), -1, np.int64)
        for row, view, at in self._views(found, len(nodes)):
            row[at] = [view.position(node) for node in nodes]
        return found

    def _views(self, found: npt.NDArray[Any], width: int) -> Iterator[tuple[npt.NDArray[Any], View, slice]]:
        """Each row of a table, once for each k: what is seen from there, and where in the row it belongs."""
        for row, cfg, possible in zip(found, self._now(), self._possible, strict=True):
            for block in range(self.space.blocks(possible)):
                yield (
                    row,
                    View(cfg, block + 1, self._work.shape.templates.clusters),
                    slice(block * width, (block + 1) * width),
                )

    def labels_at(self, positions: _Numbers) -> _Numbers:
        found = np.full(positions.shape, -1, np.int64)
        for row, cfg, at in zip(found, self._now(), positions.tolist(), strict=True):
            labels = cfg.labels
            row[:] = [self._work.label_numbers.get(labels[word - 1], -1) if word > 0 else -1 for word in at]
        return found

    def features(self) -> npt.NDArray[np.uint64]:
        templates = self._work.shape.templates
        found = self._table(len(templates), 0, np.uint64)
        for row, cfg, possible in zip(found, self._now(), self._possible, strict=True):
            for block in range(self.space.blocks(possible)):
                row[block * len(templates) : (block + 1) * len(templates)] = templates.hashes(cfg, k=block + 1)
        return found

    def arcs(self) -> tuple[_Integers, _Integers]:
        heads = [-1 if head is None else head for cfg in self._configurations for head in cfg.heads]
        labels = [self._work.label_numbers.get(label, -1) for cfg in self._configurations for label in cfg.labels]
        return np.array(heads, np.int32), np.array(labels, np.int32)

    def trees(self) -> list[DependencyTree]:
        return [cfg.tree() for cfg in self._configurations]

    def _take(self, transitions: _Numbers, labels: _Integers) -> int:
        possible = self.possible()
        for number, column in enumerate(transitions.tolist()):
            if not 0 <= column < possible.shape[1] or not possible[number, column]:
                return number
        for number, column, label in zip(self._going.tolist(), transitions.tolist(), labels.tolist(), strict=True):
            cfg, transition = self._configurations[number], self.space.transition(column)
            if label >= 0 and isinstance(transition, ArcTransition) and cfg.dependent(transition) is not None:
                transition = type(transition)(self.labels[label], k=transition.k)
            self._configurations[number] = cfg.take(transition)
        self._look_round()
        return -1

    def _open(self) -> None:
        self._trees = list(map(self._work.tree, self.sentences.tolist()))
        self._configurations: list[Configuration] = list(map(self.system.initial, self._trees))
        self._look_round()

    def _restart(self, derivations: _Numbers) -> None:
        for number in derivations.tolist():
            self._trees[number] = self._work.tree(int(self.sentences[number]))
            self._configurations[number] = self.system.initial(self._trees[number])
        self._look_round()

    def _keep(self, derivations: _Numbers) -> None:
        self._trees = [self._trees[number] for number in derivations.tolist()]
        self._configurations = [self._configurations[number] for number in derivations.tolist()]
        self._look_round()


def _label(transition: Transition) -> str | None:
    return transition.label if isinstance(transition, ArcTransition) else None


def _numbers(given: npt.ArrayLike, size: int, what: str, least: int = 0) -> _Numbers:
    """Numbers of some things, made sure that there are such things."""
    found = np.ascontiguousarray(given, np.int64).reshape(-1)
    if len(found) and (found.min() < least or found.max() >= size):
        wrong = found[(found < least) | (found >= size)][0]
        raise IndexError(f"there is no {what} {wrong}: there are {size}")
    return found if found is not given else found.copy()
