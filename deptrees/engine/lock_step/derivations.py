"""Derivations in lock step: many sentences whose configurations are queried, and continue, together."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from deptrees.engine.lock_step.context import Booleans, Context, Integers, Numbers
from deptrees.engine.spec import ModelSpec
from deptrees.engine.trainer import labels_of, uncompiled, warn_of_steps
from deptrees.features import Node, Templates
from deptrees.search import Space
from deptrees.training.inputs import trees_of
from deptrees.transition import Oracle, System, dynamic_oracle
from deptrees.transition.constraints import Constraints
from deptrees.transition.oracles import OracleFunction, as_oracle_function
from deptrees.transition.systems.registry import as_system
from deptrees.transition.transitions import IllegalTransition
from deptrees.treebanks.columns import Columns
from deptrees.trees.tree import AnyTree, DependencyTree

__all__ = ["Derivations"]


_NO_TEMPLATES = Templates([])


class Derivations(ABC):
    """Derivations that continue together; ``open`` starts them.

    Sentences are numbered as in the treebank, and derivations from 0. Queries about configurations return arrays with a
    row for each derivation that is not final, in the order of ``going``; actions take their arguments in the same
    order. The columns of these arrays are the transitions of ``space``. If k has no upper bound (arc-swift, easy-first,
    LR-spines, the pointing systems), there is a block of columns for each k, numbered as in `deptrees.search.Space`,
    and also a block of nodes and templates, because transitions with another k look at other words. There are as many
    blocks as the largest configuration needs.

    All arrays are new, and do not change when the derivations continue.

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

    @staticmethod
    def open(
        treebank: Columns | Iterable[AnyTree],
        system: System | type[System] | str = "arc-eager",
        *,
        sentences: npt.ArrayLike | None = None,
        nodes: Iterable[Node | str] = (),
        templates: Templates = _NO_TEMPLATES,
        oracle: OracleFunction | str | None = dynamic_oracle,
        labels: Sequence[str] | None = None,
        labeled: bool = False,
        constraints: Sequence[Constraints] | None = None,
        vocabularies: Mapping[str, Sequence[str]] | None = None,
        learning: bool = False,
    ) -> Derivations:
        """Start the derivations of some sentences.

        The engine runs them if it can run the system and the oracle and there are no constraints. Otherwise they are
        configurations of the functional layer, which take a thousand times longer.

        Args:
            treebank: trees, or the same as numbers.
            system: the transition system, or its class or name.
            sentences: the numbers of the sentences, with a derivation for each; by default all, in order.
            nodes: the words whose positions are queried, as in templates: ``"s0"``, ``"b1.left"``.
            templates: the templates whose features are queried.
            oracle: an oracle function, the library's or your own, or the name of one of the library's; ``None`` if gold
                trees do not matter, as in parsing.
            labels: the labels of arcs, by their numbers; by default those of the treebank.
            labeled: whether the transitions of the space have labels.
            constraints: what is known about each sentence of the treebank; other transitions do not count as possible.
            vocabularies: the texts of the numbers of words, by columns, such as those of the treebank that a model has
                learned from; by default those of this treebank.
            learning: whether it is for training: in the engine, where words swap, searches for costs then give up
                sooner, and estimates take the place of costs that are not found.

        Raises:
            OracleNotDefined: there is no such oracle, or the system does not have it.
            UnknownSystem: there is no system of that name.
            TemplateError: a text is not a node.
            EngineError: there are more nodes or templates than the engine can take.
            IndexError: there is no sentence of one of these numbers.
            TypeError: the treebank, the system or the oracle is something else.
            ValueError: a template has numbers.
        """
        from deptrees.engine.lock_step.compiled import CompiledDerivations
        from deptrees.engine.lock_step.stepwise import StepwiseDerivations  # imported here because both are derivations

        trees = None if isinstance(treebank, Columns) else list(trees_of(treebank))
        columns = treebank if isinstance(treebank, Columns) else Columns.encode(trees or [])
        system = as_system(system)
        function = None if oracle is None else as_oracle_function(oracle)
        if function is not None:
            Oracle(system, function)  # which the system has, or it raises
        if templates.numeric:
            raise ValueError(f"leave out the template '{templates.numeric[0]}': features in arrays have no values")
        spec = ModelSpec(system, templates, labels_of(columns, system) if labels is None else tuple(labels))
        space = Space(system.transition_space(spec.labels if labeled else ()))
        places = tuple([Node.read(node) if isinstance(node, str) else node for node in nodes])
        context = Context(
            columns, trees, spec, places, function, space, constraints, vocabularies or columns.vocabularies, learning
        )
        chosen = np.arange(len(columns)) if sentences is None else _numbers(sentences, len(columns), "sentence")
        cause = uncompiled(system, function or dynamic_oracle)
        if cause is not None and function is not None:
            warn_of_steps(cause)
        compiled = constraints is None and cause is None
        return CompiledDerivations(context, chosen) if compiled else StepwiseDerivations(context, chosen)

    def __init__(self, context: Context, sentences: Numbers) -> None:
        self._context, self._sentences = context, sentences

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
        """Continue with these derivations only, which get new numbers; one that occurs again is copied.

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
        """For each transition, how many more heads the best tree within reach gets wrong after it, -1 if not possible.

        Raises:
            OracleNotDefined: they are not known for the system.
        """

    @abstractmethod
    def dependents(self) -> Numbers:
        """For each transition, the position of the word that it attaches, -1 for none or if it is not possible."""

    def gold_labels(self) -> Integers:
        """For each transition, the number of the gold label of the word that it attaches, -1 for none."""
        return self._context.gold_labels(self.sentences[self.going], self.dependents())

    @abstractmethod
    def positions(self) -> Numbers:
        """The positions of the nodes in their sentences: 0 for ROOT, -1 where there is no word."""

    def words_at(self, column: str, positions: Numbers) -> Numbers:
        """The values of the words at some positions in a column, as numbers of its vocabulary.

        The next three numbers are ROOT, no word, and any text that is not in the vocabulary.

        Args:
            column: ``"form"``, ``"lemma"``, ``"upos"``, ``"xpos"``, ``"feats"`` or ``"misc"``.
            positions: positions in the sentences of derivations that are not final, a row for each.

        >>> derivations = Derivations.open([DependencyTree([(2, "Birds"), (0, "sing")])], "arc-hybrid")
        >>> derivations.columns.vocabularies["form"]
        ('Birds', 'sing')
        >>> derivations.words_at("form", np.array([[0, 1, 2, -1]])).tolist()
        [[2, 0, 1, 3]]
        """
        return self._context.words(column, self.sentences[self.going], positions)

    @abstractmethod
    def labels_at(self, positions: Numbers) -> Numbers:
        """The numbers of the labels that the words at some positions have got so far, -1 for none."""

    @abstractmethod
    def features(self) -> npt.NDArray[np.uint64]:
        """The features, a 64-bit number for each template."""

    @abstractmethod
    def arcs(self) -> tuple[Integers, Integers]:
        """The heads and labels found so far, -1 for none, of all words, one derivation after the other."""

    @abstractmethod
    def trees(self) -> list[DependencyTree]:
        """The sentence of each derivation, with the heads and labels found so far."""


def _numbers(given: npt.ArrayLike, size: int, what: str, least: int = 0) -> Numbers:
    """Numbers of some things, made sure that there are such things."""
    found = np.ascontiguousarray(given, np.int64).reshape(-1)
    if len(found) and (found.min() < least or found.max() >= size):
        wrong = found[(found < least) | (found >= size)][0]
        raise IndexError(f"there is no {what} {wrong}: there are {size}")
    return found if found is not given else found.copy()
