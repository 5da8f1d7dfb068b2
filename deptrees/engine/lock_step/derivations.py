"""Derivations in lock step: many sentences whose configurations are queried, and continue, together."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.engine import core
from deptrees.engine.code.features import compile_places, feature_numbers
from deptrees.engine.lock_step.context import Booleans, Context, Integers, Numbers
from deptrees.engine.spec import ModelSpec
from deptrees.engine.trainer import labels_of, uncompiled, usable, warn_of_steps
from deptrees.features import Node, Templates
from deptrees.features.values import View
from deptrees.messages import of_type, quoted, whole_numbers, written
from deptrees.search import Space
from deptrees.training.inputs import oracle_name
from deptrees.transition import ArcTransition, Oracle, System, Transition, cost, dynamic_oracle, typed
from deptrees.transition.configuration import SentenceConfiguration
from deptrees.transition.constraints import BrokenConstraints, Constraints
from deptrees.transition.labels import ANY_LABELS, LabelHeads
from deptrees.transition.oracles import CostFunction, OracleFunction, as_oracle_function, missing_oracle
from deptrees.transition.systems.registry import as_system
from deptrees.transition.transitions import IllegalTransition
from deptrees.treebanks.batch import Batch
from deptrees.treebanks.columns import Columns
from deptrees.trees.graph import DependencyGraph
from deptrees.trees.tree import AnyTree, DependencyTree, TreeOrGraph, trees_of

__all__ = ["Derivations"]

_Scalar = TypeVar("_Scalar", bound=np.generic)

_NO_TEMPLATES = Templates([])
_WRONG_HEADS = cost


class Derivations(ABC):
    """Derivations that continue together; ``open`` starts them.

    Sentences are numbered as in the treebank, and derivations from 0. Queries about configurations return arrays with a
    row for each derivation that is not final, in the order of ``going``; actions take their arguments in the same
    order. The columns of these arrays are the transitions of ``space``. Masks are bool; costs, gold labels and arcs are
    int32; all other arrays are int64. If k has no upper bound (arc-swift, easy-first, LR-spines, the pointing systems),
    there is a block of columns for each k, numbered as in `deptrees.search.Space`, and also a block of nodes and
    templates, because transitions with another k look at other words. There are as many blocks as the largest
    configuration needs.

    All arrays are new, and do not change when the derivations continue.

    >>> from deptrees.transition import ArcHybrid
    >>> trees = [DependencyTree([(2, "Birds"), (0, "sing")]), DependencyTree([(0, "Sing")])]
    >>> derivations = Derivations.open(trees, ArcHybrid(), nodes=["s0", "b0"])
    >>> derivations
    <2 derivations, 2 of them not final, in ArcHybrid(root='first')>
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

    @staticmethod
    def open(
        treebank: Columns | Iterable[AnyTree] | Iterable[DependencyGraph],
        system: System | type[System] | str = "arc-eager",
        *,
        sentences: npt.ArrayLike | None = None,
        nodes: Iterable[Node | str] = (),
        templates: Templates = _NO_TEMPLATES,
        oracle: OracleFunction | str | None = dynamic_oracle,
        cost: CostFunction = _WRONG_HEADS,
        labels: Sequence[str] | None = None,
        labeled: bool = False,
        constraints: Sequence[Constraints] | None = None,
        label_heads: LabelHeads = ANY_LABELS,
        vocabularies: Mapping[str, Sequence[str]] | None = None,
        learning: bool = False,
    ) -> Derivations:
        """Start the derivations of some sentences.

        The engine runs them if it can run the system and the oracle, and there are no constraints and no cost function
        of your own. Otherwise they are configurations of the functional layer, which take a thousand times longer.

        Args:
            treebank: trees, or the same as numbers; for a system that builds graphs, graphs or trees with DEPS.
            system: the transition system, or its class or name.
            sentences: the numbers of the sentences, with a derivation for each; by default all, in order.
            nodes: the words whose positions are queried, as in templates: ``"s0"``, ``"b1.left"``.
            templates: the templates whose features are queried.
            oracle: an oracle function, the library's or your own, or the name of one of the library's; ``None`` if gold
                trees do not matter, as in parsing.
            cost: what a transition costs in a configuration for a gold tree: a function such as the method ``cost`` of
                a `HammingLoss`, which can weigh words and count labels, or your own.
            labels: the labels of arcs, by their numbers; by default those of the treebank.
            labeled: whether the transitions of the space have labels.
            constraints: what is known about each sentence of the treebank; other transitions do not count as possible.
            label_heads: which labels arcs from ROOT can have, and which arcs from words; transitions with others do not
                count as possible.
            vocabularies: the texts of the numbers of words, by columns, such as those of the treebank that a model has
                learned from; by default those of this treebank.
            learning: whether it is for training: in the engine, where words swap, searches for costs then give up
                sooner, and estimates take the place of costs that are not found.

        Raises:
            OracleNotDefined, UnknownSystem: there is no such oracle or system, or the system does not have the oracle.
            TemplateError: a text is not a node.
            EngineError: there are more nodes or templates than the engine can take.
            IndexError: there is no sentence of one of these numbers.
            TypeError: the treebank, the system or the oracle is something else.
            ValueError: a template has numbers.
        """
        system = as_system(system)
        trees: Any
        trees, columns = (_graphs_in if system.builds_graphs else _trees_in)(treebank)
        if system.builds_graphs and constraints is not None:
            raise ValueError(f"{system} builds graphs, and constraints are about trees")
        function = None if oracle is None else as_oracle_function(oracle)
        if function is not None:
            Oracle(system, function)  # which the system has, or it raises
        if not callable(cost) or hasattr(cost, "cost"):
            raise TypeError(f"{quoted(cost)} is no function that tells costs, as HammingLoss(labeled=True).cost is")
        if templates.numeric:
            raise ValueError(f"leave out the template '{templates.numeric[0]}': features in arrays have no values")
        if labels is None:
            labels = _labels_of_graphs(trees or ()) if system.builds_graphs else labels_of(columns, system)
        labels = tuple(labels)
        label_heads = label_heads if labeled else ANY_LABELS
        spec = ModelSpec(system, templates, labels, label_heads=label_heads)
        space = Space(system.transition_space(labels if labeled else ()), label_heads)
        places = tuple([Node.read(node) if isinstance(node, str) else node for node in nodes])
        for place in places:
            of_type("node", place, Node, "a word's place, such as 's0' or 'b1.left'")
        context = Context(
            columns,
            trees,
            spec,
            places,
            function,
            cost,
            space,
            constraints,
            vocabularies or columns.vocabularies,
            learning,
        )
        chosen = np.arange(len(columns)) if sentences is None else _numbers(sentences, len(columns), "sentence")
        cause = uncompiled(system, function or dynamic_oracle)
        if cause is None and context.counts_labels is None:
            cause = f"{written(cost)} has no compiled form"
        if cause is not None and function is not None:
            warn_of_steps(cause)
        compiled = constraints is None and cause is None
        if compiled:
            return CompiledDerivations(context, chosen)
        return GraphDerivations(context, chosen) if system.builds_graphs else StepwiseDerivations(context, chosen)

    def __init__(self, context: Context, sentences: Numbers) -> None:
        self._context, self._sentences = context, sentences

    def __repr__(self) -> str:
        return f"<{len(self)} derivations, {len(self.going)} of them not final, in {self.system}>"

    def __len__(self) -> int:
        """The number of derivations, final ones among them."""
        return len(self.sentences)

    def __bool__(self) -> bool:
        """Whether any of them is not final."""
        return bool(len(self.going))

    @property
    def sentences(self) -> Numbers:
        """The sentence of each derivation."""
        return self._sentences

    @property
    @abstractmethod
    def going(self) -> Numbers:
        """The numbers of the derivations that are not final."""

    @property
    def system(self) -> System:
        """The transition system."""
        return self._context.spec.system

    @property
    def usable(self) -> Numbers:
        """The numbers of the sentences that the oracle can take."""
        return usable(self.columns, self.system, self._context.known_oracle())

    @property
    def space(self) -> Space:
        """The transitions, by the columns of arrays."""
        return self._context.space

    @property
    def columns(self) -> Columns:
        """The treebank."""
        return self._context.columns

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, by their numbers."""
        return self._context.spec.labels

    @property
    def is_labeled(self) -> bool:
        """Whether transitions have labels."""
        return bool((self._context.labels_of_space >= 0).any())

    @property
    def is_final(self) -> Booleans:
        """For each derivation, whether it is final."""
        found = np.ones(len(self), np.bool_)
        found[self.going] = False
        return found

    def take(self, transitions: npt.ArrayLike, labels: npt.ArrayLike | None = None) -> None:
        """Take one transition in each derivation that is not final.

        Args:
            transitions: the numbers of the transitions.
            labels: if transitions have no labels, the numbers of the labels of their arcs, -1 for none.

        Raises:
            IllegalTransition: one is not possible; none is taken then.
            IndexError: there is no label of one of these numbers.
            ValueError: their number is not that of the derivations that are not final.
        """
        chosen = whole_numbers("transitions", transitions)
        given = np.full(len(self.going), -1, np.int32)
        if labels is not None:
            given = _numbers(labels, len(self.labels), "label", least=-1).astype(np.int32)
        if chosen.shape != self.going.shape or given.shape != self.going.shape:
            raise ValueError(f"{len(self.going)} derivations are not final: give as many transitions, and labels")
        wrong = self._take(chosen, given)
        if wrong >= 0:
            number = int(chosen[wrong])
            name = f", {self.space.transition(number)}," if number >= 0 else ""
            raise IllegalTransition(f"transition {number}{name} is not possible in derivation {self.going[wrong]}")

    @abstractmethod
    def _take(self, transitions: Numbers, labels: Integers) -> int:
        """Take transitions unless one is not possible: which, -1 if all are."""

    def restart(self, sentences: npt.ArrayLike, derivations: npt.ArrayLike | None = None) -> None:
        """Begin with other sentences.

        Args:
            sentences: the numbers of the sentences.
            derivations: the numbers of the derivations that they replace; by default all, and there are then as many
                derivations as sentences.

        Raises:
            IndexError: there is no derivation or no sentence of one of these numbers.
            ValueError: there are not as many derivations as sentences.
        """
        opened = _numbers(sentences, len(self._context.columns), "sentence")
        if derivations is None:
            self._sentences = opened
            self._begin(opened)
            return
        places = _numbers(derivations, len(self), "derivation")
        if len(places) != len(opened):
            raise ValueError(f"{len(opened)} sentences cannot come in the place of {len(places)} derivations")
        self._sentences = self._sentences.copy()
        self._sentences[places] = opened
        self._replace(places, opened)

    @abstractmethod
    def _begin(self, sentences: Numbers) -> None:
        """Begin with sentences, one for each derivation."""

    @abstractmethod
    def _replace(self, derivations: Numbers, sentences: Numbers) -> None:
        """Begin with sentences in the place of some derivations."""

    def keep(self, derivations: npt.ArrayLike) -> None:
        """Continue with the derivations of these numbers only, which get new ones; one that occurs again is copied.

        Raises:
            IndexError: there is no derivation of one of these numbers.

        >>> derivations = Derivations.open([DependencyTree([(2, "Birds"), (0, "sing")])], nodes=["b0"])
        >>> derivations.keep([0, 0])
        >>> derivations.sentences.tolist(), derivations.positions().tolist()
        ([0, 0], [[1], [1]])
        """
        kept = _numbers(derivations, len(self), "derivation")
        self._sentences = self._sentences[kept]
        self._keep(kept)

    @abstractmethod
    def _keep(self, derivations: Numbers) -> None:
        """Continue with these derivations only."""

    @abstractmethod
    def possible(self) -> Booleans:
        """For each transition, whether it is possible."""

    @abstractmethod
    def gold(self) -> Booleans:
        """For each transition, whether the oracle returns it and its label, if it has one, is not wrong."""

    @abstractmethod
    def costs(self) -> Integers:
        """For each transition, what it costs, -1 if it is not possible.

        By default this is how many more heads a best reachable tree gets wrong after it; labels do not count.

        Raises:
            OracleNotDefined: costs are not known for the system.

        """

    @abstractmethod
    def dependents(self) -> Numbers:
        """For each transition, the position of the word that it attaches, -1 for none or if it is not possible."""

    def gold_labels(self) -> Integers:
        """For each transition, the number of the gold label of the word that it attaches, -1 for none."""
        return self._context.gold_labels(self.sentences[self.going], self.dependents())

    @abstractmethod
    def positions(self) -> Numbers:
        """The positions of the nodes, a column for each, in their sentences: 0 for ROOT, -1 where there is no word."""

    def words_at(self, column: str, positions: Numbers) -> Numbers:
        """The values of the words at some positions in a column, as numbers of its vocabulary.

        The array has the shape of the positions. The next three numbers are ROOT, no word, and any text that is not in
        the vocabulary.

        Args:
            column: ``"form"``, ``"lemma"``, ``"upos"``, ``"xpos"``, ``"feats"`` or ``"misc"``.
            positions: positions in the sentences of derivations that are not final, a row for each.

        >>> derivations = Derivations.open([DependencyTree([(2, "Birds"), (0, "sing")])], "arc-hybrid")
        >>> derivations.columns.vocabularies["form"]
        ('Birds', 'sing')
        >>> derivations.words_at("form", np.array([[0, 1, 2, -1]])).tolist()
        [[2, 0, 1, 3]]
        """
        wanted = whole_numbers("positions", positions)
        try:
            return self._context.words(column, self.sentences[self.going], wanted)
        except (IndexError, ValueError) as error:
            raise ValueError(f"positions have a row for each sentence: {error}") from None

    @abstractmethod
    def labels_at(self, positions: Numbers) -> Numbers:
        """The numbers of the labels that the words at some positions have got so far, -1 for none."""

    @abstractmethod
    def features(self) -> Numbers:
        """The features, a column for each template: numbers that are never negative."""

    @abstractmethod
    def arcs(self) -> tuple[Integers, Integers]:
        """The heads and labels found so far, -1 for none, of all words, one derivation after the other."""

    @abstractmethod
    def trees(self) -> list[Any]:
        """The sentence of each derivation with what has been found so far: a tree, or a graph."""


def _trees_in(treebank: Any) -> tuple[list[DependencyTree] | None, Columns]:
    """The trees of a treebank, where there are any, and the same as numbers."""
    if isinstance(treebank, Columns):
        return None, treebank
    trees = list(trees_of(treebank))
    return trees, Columns.encode(trees)


def _graphs_in(treebank: Any) -> tuple[list[DependencyGraph], Columns]:
    """The graphs of a treebank, and their nodes as numbers."""
    if isinstance(treebank, Columns):
        raise TypeError("treebank is columns, in which there are no graphs: give graphs, or trees with DEPS")
    given = [treebank] if isinstance(treebank, DependencyGraph | DependencyTree) else treebank
    graphs = [each if isinstance(each, DependencyGraph) else each.graph for each in given]
    nodes = [DependencyTree([attrs.evolve(node, id=None) for node in graph]) for graph in graphs]
    return graphs, Columns.encode(nodes)


def _labels_of_graphs(graphs: Iterable[DependencyGraph]) -> list[str]:
    """The labels of arcs; those of several arcs between two nodes as one, as transitions have them."""
    found = {graph.label_of(*arc[:2]) for graph in graphs for arc in graph.arcs}
    return sorted([label for label in found if label is not None])


def _numbers(given: npt.ArrayLike, size: int, what: str, least: int = 0) -> Numbers:
    """Numbers of some things in an array of their own, made sure that there are such things."""
    found = whole_numbers(f"{what}s", given).flatten()
    if len(found) and (found.min() < least or found.max() >= size):
        wrong = found[(found < least) | (found >= size)][0]
        raise IndexError(f"there is no {what} {wrong}: there are {size}")
    return found


class CompiledDerivations(Derivations):
    """Derivations that the engine runs, which knows rows: transitions without labels."""

    def __init__(self, context: Context, sentences: Numbers) -> None:
        super().__init__(context, sentences)
        oracle = None if context.oracle is None else oracle_name(context.oracle)
        system, data = context.spec.assemble(context.columns, oracle, learning=context.learning)
        places = compile_places(context.nodes)
        self._core = core.Derivations(system, data, sentences, places, with_gold=context.oracle is not None)

    @property
    def going(self) -> Numbers:
        return self._core.going

    @cached_property
    def _rows(self) -> Numbers:
        """The row of each transition of the space."""
        bare = Space(self._context.spec.system_code.transitions)
        return np.array([bare.columns(transition)[0] for transition in self._context.space.transitions], np.int64)

    @cached_property
    def _is_rows(self) -> bool:
        """Whether the transitions of the space are the rows."""
        return self._context.space.transitions == tuple(self._context.spec.system_code.transitions)

    def _of_space(self, found: npt.NDArray[_Scalar]) -> npt.NDArray[_Scalar]:
        return found if self._is_rows else found.take(self._rows, axis=1)

    def possible(self) -> Booleans:
        found = self._of_space(self._core.possible())
        if not self._is_rows:
            of_words, of_root = self._context.allowed_of_space
            found &= np.where(self._of_space(self._core.heads()) == 0, of_root, of_words)
        return found

    def gold(self) -> Booleans:
        found = self._of_space(self._core.gold(oracle_name(self._context.known_oracle())))
        if not self._is_rows:
            labels = self._context.gold_labels(self._sentences[self.going], self.dependents())
            found &= (labels < 0) | (labels == self._context.labels_of_space)
        return found

    def costs(self) -> Integers:
        self._context.known_oracle()
        if self._context.spec.system.oracles.loss is None:
            raise missing_oracle("dynamic", self._context.spec.system)
        found = self._of_space(self._core.costs())
        return found + self._mislabeled() if self._context.counts_labels else found

    def _mislabeled(self) -> Integers:
        """For each transition, how many more gold arcs have a wrong label after it."""
        sentences, words = self._sentences[self.going], self.dependents()
        heads = self._of_space(self._core.heads())
        after = self._context.mislabeled(sentences, words, heads, self._context.labels_of_space)
        before = self._context.mislabeled(sentences, words, self._heads_of(words), self.labels_at(words))
        return after.astype(np.int32) - before

    def _heads_of(self, words: Numbers) -> Numbers:
        """The heads that some words have got so far, a row for each derivation that is not final, -1 for none."""
        first = np.cumsum([0, *np.diff(self.columns.offsets)[self._sentences]])[self.going, None] - 1
        heads, _ = self.arcs()
        found: Numbers = np.where(words > 0, np.append(heads, -1)[np.where(words > 0, first + words, -1)], -1)
        return found

    def dependents(self) -> Numbers:
        return self._of_space(self._core.dependents())

    def positions(self) -> Numbers:
        return self._core.positions()

    def labels_at(self, positions: Numbers) -> Numbers:
        return self._core.labels_at(np.ascontiguousarray(positions, np.int64))

    def features(self) -> Numbers:
        return feature_numbers(self._core.features())

    def arcs(self) -> tuple[Integers, Integers]:
        return self._core.arcs(self._context.spec.label_numbers.get("root", -1))

    def trees(self) -> list[DependencyTree]:
        # "root" may not be among the labels, and systems without ROOT give it.
        names = (*self._context.spec.labels, "root")
        batch = Batch.of([self._context.tree(sentence) for sentence in self._sentences.tolist()])
        return [*batch.with_arcs(*self._core.arcs(names.index("root")), names).trees]

    def _take(self, transitions: Numbers, labels: Integers) -> int:
        if self._is_rows:
            return self._core.take(transitions, labels)
        inside = (transitions >= 0) & (transitions < len(self._context.space))
        if not inside.all():
            return int(inside.argmin())
        return self._core.take(self._rows[transitions], self._context.labels_of_space[transitions])

    def _begin(self, sentences: Numbers) -> None:
        self._core.open(sentences)

    def _replace(self, derivations: Numbers, sentences: Numbers) -> None:
        self._core.restart(derivations, sentences)

    def _keep(self, derivations: Numbers) -> None:
        self._core.keep(derivations)


class StepwiseDerivations(Derivations):
    """Derivations that are configurations of the functional layer."""

    def __init__(self, context: Context, sentences: Numbers) -> None:
        super().__init__(context, sentences)
        self._begin(sentences)

    def _look_round(self) -> None:
        """Find out what is possible now."""
        going = [number for number, cfg in enumerate(self._configurations) if not cfg.is_final]
        self._going = np.array(going, np.int64)
        self._possible = [self._possible_in(number) for number in going]
        self._blocks = max(map(self._context.space.blocks, self._possible), default=1)

    def _possible_in(self, number: int) -> tuple[Transition, ...]:
        cfg, sentence = self._configurations[number], int(self._sentences[number])
        if self._context.constraints is None:
            return cfg.possible_transitions()  # type: ignore[no-any-return]
        try:
            return self._context.constraints[sentence].transitions(cfg)
        except BrokenConstraints as error:
            raise BrokenConstraints(f"{self._trees[number].name}: {error}") from None

    @property
    def going(self) -> Numbers:
        return self._going

    def _now(self) -> Iterator[SentenceConfiguration]:
        return map(self._configurations.__getitem__, self._going.tolist())

    def _table(self, width: int, fill: int, kind: type[_Scalar]) -> npt.NDArray[_Scalar]:
        """Room for answers, in as many blocks as are needed."""
        return np.full((len(self._going), self._blocks * width), fill, kind)

    def _mask(self, columns: Iterable[npt.NDArray[np.intp]]) -> Booleans:
        found = self._table(len(self._context.space), False, np.bool_)
        for row, some in zip(found, columns, strict=True):
            row[some] = True
        return found

    def possible(self) -> Booleans:
        return self._mask(map(self._context.space.columns_in, self._now(), self._possible))

    def gold(self) -> Booleans:
        oracle, columns = self._context.known_oracle(), self._context.space.columns
        return self._mask(
            columns(oracle(cfg, tree, typed)) for cfg, tree in zip(self._now(), self._gold_trees(), strict=True)
        )

    def _gold_trees(self) -> Iterator[TreeOrGraph]:
        return map(self._trees.__getitem__, self._going.tolist())

    def costs(self) -> Integers:
        self._context.known_oracle()
        if self._context.cost is _WRONG_HEADS:  # labels make no difference
            return self._of_transitions(np.int32, cost)
        table, space = self._table(len(self._context.space), -1, np.int32), self._context.space
        for row, cfg, tree, possible in zip(table, self._now(), self._gold_trees(), self._possible, strict=True):
            for column in space.columns_in(cfg, possible).tolist():
                row[column] = self._context.cost(space.transition(column), cfg, tree)
        return table

    def dependents(self) -> Numbers:
        return self._of_transitions(np.int64, lambda transition, cfg, _: _number(cfg.dependent(transition)))

    def _of_transitions(self, kind: type[_Scalar], found: CostFunction) -> npt.NDArray[_Scalar]:
        """For each transition what is found where it is possible, otherwise -1."""
        table = self._table(len(self._context.space), -1, kind)
        for row, cfg, tree, possible in zip(table, self._now(), self._gold_trees(), self._possible, strict=True):
            for transition in possible:
                row[self._context.space.columns(transition)] = found(transition, cfg, tree)
        return table

    def positions(self) -> Numbers:
        nodes = self._context.nodes
        return self._at_places(len(nodes), -1, np.int64, lambda cfg, k: [*map(View(cfg, k).position, nodes)])

    def features(self) -> Numbers:
        templates = self._context.spec.templates
        return feature_numbers(self._at_places(len(templates), 0, np.uint64, lambda cfg, k: templates.hashes(cfg, k=k)))

    def _at_places(
        self, width: int, fill: int, kind: type[_Scalar], seen: Callable[[Any, int], list[int]]
    ) -> npt.NDArray[_Scalar]:
        """For each k what is seen from where transitions with this k work."""
        table = self._table(width, fill, kind)
        for row, cfg, possible in zip(table, self._now(), self._possible, strict=True):
            for block in range(self._context.space.blocks(possible)):
                row[block * width : (block + 1) * width] = seen(cfg, block + 1)
        return table

    def labels_at(self, positions: Numbers) -> Numbers:
        found = np.full(positions.shape, -1, np.int64)
        for row, cfg, at in zip(found, self._now(), positions.tolist(), strict=True):
            labels = cfg.labels
            row[:] = [self._context.spec.label_numbers.get(labels[word - 1], -1) if word > 0 else -1 for word in at]
        return found

    def arcs(self) -> tuple[Integers, Integers]:
        heads = [_number(head) for cfg in self._configurations for head in cfg.heads]
        numbers = self._context.spec.label_numbers
        labels = [numbers.get(label, -1) for cfg in self._configurations for label in cfg.labels]
        return np.array(heads, np.int32), np.array(labels, np.int32)

    def trees(self) -> list[Any]:
        return [cfg.answer() for cfg in self._configurations]

    def _take(self, transitions: Numbers, labels: Integers) -> int:
        possible = self.possible()
        for number, column in enumerate(transitions.tolist()):
            if not 0 <= column < possible.shape[1] or not possible[number, column]:
                return number
        for number, column, label in zip(self._going.tolist(), transitions.tolist(), labels.tolist(), strict=True):
            cfg, transition = self._configurations[number], self._context.space.transition(column)
            if label >= 0 and isinstance(transition, ArcTransition) and cfg.dependent(transition) is not None:
                transition = type(transition)(self._context.spec.labels[label], k=transition.k)
            self._configurations[number] = cfg.take(transition)
        self._look_round()
        return -1

    def _begin(self, sentences: Numbers) -> None:
        self._trees = list(map(self._context.tree, sentences.tolist()))
        self._configurations: list[Any] = list(map(self.system.initial, self._trees))
        self._look_round()

    def _replace(self, derivations: Numbers, sentences: Numbers) -> None:
        for number, sentence in zip(derivations.tolist(), sentences.tolist(), strict=True):
            self._trees[number] = self._context.tree(sentence)
            self._configurations[number] = self.system.initial(self._trees[number])
        self._look_round()

    def _keep(self, derivations: Numbers) -> None:
        self._trees = [self._trees[number] for number in derivations.tolist()]
        self._configurations = [self._configurations[number] for number in derivations.tolist()]
        self._look_round()


class GraphDerivations(StepwiseDerivations):
    """Those of systems that build graphs, in which a word has as many labels as heads.

    >>> from deptrees import DependencyGraph
    >>> graph = DependencyGraph(["Birds", "sing"], [(2, 1, "nsubj"), (0, 2, "root")])
    >>> derivations = Derivations.open([graph], "pointer-graph", nodes=["s0"])
    >>> while derivations:
    ...     gold = derivations.gold().argmax(axis=1)
    ...     derivations.take(gold, derivations.gold_labels()[[0], gold])
    >>> derivations.trees() == [graph]
    True
    """

    @property
    def usable(self) -> Numbers:
        graphs = self._context.trees or ()
        takes_any = Oracle(self.system, self._context.known_oracle()).takes_any_tree
        found = [it for it, graph in enumerate(graphs) if takes_any or self.system.obstacle(graph) is None]
        return np.array(found, np.int64)

    def gold_labels(self) -> Integers:
        numbers = self._context.spec.label_numbers

        def of_arc(transition: Transition, cfg: SentenceConfiguration, graph: DependencyGraph) -> int:
            token = cfg.gold_token(transition, graph)
            return -1 if token is None else numbers.get(token.label, -1)

        return self._of_transitions(np.int32, of_arc)

    def labels_at(self, positions: Numbers) -> Numbers:
        raise TypeError(f"{self.system} builds graphs, in which words have several labels: see trees()")

    def arcs(self) -> tuple[Integers, Integers]:
        raise TypeError(f"{self.system} builds graphs, in which words have several heads: see trees()")


def _number(word: int | None) -> int:
    return -1 if word is None else word
