"""The states of derivations in lock step, in the functional layer: for all that the engine cannot run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from deptrees.engine.lock_step.context import Context
from deptrees.engine.lock_step.state_arrays import StateArrays
from deptrees.features import View
from deptrees.transition import ArcTransition, Configuration, Transition, cost, typed
from deptrees.transition.constraints import BrokenConstraints
from deptrees.trees.tree import DependencyTree

__all__ = ["StepwiseStates"]

_Numbers = npt.NDArray[np.int64]
_Integers = npt.NDArray[np.int32]
_Booleans = npt.NDArray[np.bool_]


class StepwiseStates(StateArrays):
    """Configurations of the functional layer."""

    def __init__(self, context: Context, sentences: _Numbers) -> None:
        self._context = context
        self.open(sentences)

    def _look_round(self) -> None:
        """Find out what is possible now."""
        going = [number for number, cfg in enumerate(self._configurations) if not cfg.is_final]
        self._going = np.array(going, np.int64)
        self._possible = [self._possible_in(number) for number in going]
        self._blocks = max(map(self._context.space.blocks, self._possible), default=1)

    def _possible_in(self, number: int) -> tuple[Transition, ...]:
        cfg, sentence = self._configurations[number], int(self._sentences[number])
        if self._context.constraints is None:
            return cfg.possible_transitions()
        try:
            return self._context.constraints[sentence].transitions(cfg)
        except BrokenConstraints as error:
            raise BrokenConstraints(f"{self._trees[number].name}: {error}") from None

    @property
    def sentences(self) -> _Numbers:
        return self._sentences

    @property
    def going(self) -> _Numbers:
        return self._going

    def _now(self) -> Iterator[Configuration]:
        return map(self._configurations.__getitem__, self._going.tolist())

    def _table(self, width: int, fill: Any, kind: type[np.generic]) -> npt.NDArray[Any]:
        """Room for answers, in as many blocks as are needed."""
        return np.full((len(self._going), self._blocks * width), fill, kind)

    def _mask(self, transitions: Iterable[Transition | Iterable[Transition]]) -> _Booleans:
        found = self._table(len(self._context.space), False, np.bool_)
        for row, some in zip(found, transitions, strict=True):
            row[self._context.space.columns(some)] = True
        return found

    def possible(self) -> _Booleans:
        return self._mask(self._possible)

    def gold(self) -> _Booleans:
        oracle = self._context.known_oracle()
        return self._mask(oracle(cfg, tree, typed) for cfg, tree in zip(self._now(), self._gold_trees(), strict=True))

    def _gold_trees(self) -> Iterator[DependencyTree]:
        return map(self._trees.__getitem__, self._going.tolist())

    def costs(self) -> _Integers:
        self._context.known_oracle()
        found = self._table(len(self._context.space), -1, np.int32)
        for row, cfg, tree, possible in zip(found, self._now(), self._gold_trees(), self._possible, strict=True):
            for transition in possible:
                row[self._context.space.columns(transition)] = cost(transition, cfg, tree)
        return found

    def dependents(self) -> _Numbers:
        found = self._table(len(self._context.space), -1, np.int64)
        for row, cfg, possible in zip(found, self._now(), self._possible, strict=True):
            for transition in possible:
                word = cfg.dependent(transition)
                row[self._context.space.columns(transition)] = -1 if word is None else word
        return found

    def positions(self) -> _Numbers:
        nodes = self._context.nodes
        found = self._table(len(nodes), -1, np.int64)
        for row, view, at in self._views(found, len(nodes)):
            row[at] = [view.position(node) for node in nodes]
        return found

    def _views(self, found: npt.NDArray[Any], width: int) -> Iterator[tuple[npt.NDArray[Any], View, slice]]:
        """Each row of a table, once for each k: what is seen from there, and where in the row it belongs."""
        for row, cfg, possible in zip(found, self._now(), self._possible, strict=True):
            for block in range(self._context.space.blocks(possible)):
                yield (
                    row,
                    View(cfg, block + 1, self._context.spec.templates.clusters),
                    slice(block * width, (block + 1) * width),
                )

    def labels_at(self, positions: _Numbers) -> _Numbers:
        found = np.full(positions.shape, -1, np.int64)
        for row, cfg, at in zip(found, self._now(), positions.tolist(), strict=True):
            labels = cfg.labels
            row[:] = [self._context.label_numbers.get(labels[word - 1], -1) if word > 0 else -1 for word in at]
        return found

    def features(self) -> npt.NDArray[np.uint64]:
        templates = self._context.spec.templates
        found = self._table(len(templates), 0, np.uint64)
        for row, cfg, possible in zip(found, self._now(), self._possible, strict=True):
            for block in range(self._context.space.blocks(possible)):
                row[block * len(templates) : (block + 1) * len(templates)] = templates.hashes(cfg, k=block + 1)
        return found

    def arcs(self) -> tuple[_Integers, _Integers]:
        heads = [-1 if head is None else head for cfg in self._configurations for head in cfg.heads]
        labels = [self._context.label_numbers.get(label, -1) for cfg in self._configurations for label in cfg.labels]
        return np.array(heads, np.int32), np.array(labels, np.int32)

    def trees(self) -> list[DependencyTree]:
        return [cfg.tree() for cfg in self._configurations]

    def take(self, transitions: _Numbers, labels: _Integers) -> int:
        """Take transitions unless one is not possible: tells which, -1 if all are."""
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

    def open(self, sentences: _Numbers) -> None:
        """Begin anew with these sentences."""
        self._sentences = sentences
        self._trees = list(map(self._context.tree, sentences.tolist()))
        self._configurations: list[Configuration] = list(map(self._context.spec.system.initial, self._trees))
        self._look_round()

    def restart(self, sentences: _Numbers, derivations: _Numbers) -> None:
        """Begin anew with these sentences in the place of some derivations."""
        self._sentences = self._sentences.copy()
        self._sentences[derivations] = sentences
        for number, sentence in zip(derivations.tolist(), sentences.tolist(), strict=True):
            self._trees[number] = self._context.tree(sentence)
            self._configurations[number] = self._context.spec.system.initial(self._trees[number])
        self._look_round()

    def keep(self, derivations: _Numbers) -> None:
        """Go on with these derivations."""
        self._sentences = self._sentences[derivations]
        self._trees = [self._trees[number] for number in derivations.tolist()]
        self._configurations = [self._configurations[number] for number in derivations.tolist()]
        self._look_round()
