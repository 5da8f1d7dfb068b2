"""Derivations in lock step, in the functional layer: for all that the engine cannot run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from deptrees.engine.lock_step.context import Booleans, Context, Integers, Numbers
from deptrees.engine.lock_step.derivations import Derivations
from deptrees.features import View
from deptrees.transition import ArcTransition, Configuration, Transition, cost, typed
from deptrees.transition.constraints import BrokenConstraints
from deptrees.trees.tree import DependencyTree

__all__ = ["StepwiseDerivations"]


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
            return cfg.possible_transitions()
        try:
            return self._context.constraints[sentence].transitions(cfg)
        except BrokenConstraints as error:
            raise BrokenConstraints(f"{self._trees[number].name}: {error}") from None

    @property
    def going(self) -> Numbers:
        return self._going

    def _now(self) -> Iterator[Configuration]:
        return map(self._configurations.__getitem__, self._going.tolist())

    def _table(self, width: int, fill: Any, kind: type[np.generic]) -> npt.NDArray[Any]:
        """Room for answers, in as many blocks as are needed."""
        return np.full((len(self._going), self._blocks * width), fill, kind)

    def _mask(self, transitions: Iterable[Transition | Iterable[Transition]]) -> Booleans:
        found = self._table(len(self._context.space), False, np.bool_)
        for row, some in zip(found, transitions, strict=True):
            row[self._context.space.columns(some)] = True
        return found

    def possible(self) -> Booleans:
        return self._mask(self._possible)

    def gold(self) -> Booleans:
        oracle = self._context.known_oracle()
        return self._mask(oracle(cfg, tree, typed) for cfg, tree in zip(self._now(), self._gold_trees(), strict=True))

    def _gold_trees(self) -> Iterator[DependencyTree]:
        return map(self._trees.__getitem__, self._going.tolist())

    def costs(self) -> Integers:
        self._context.known_oracle()
        return self._of_transitions(np.int32, cost)

    def dependents(self) -> Numbers:
        return self._of_transitions(np.int64, lambda transition, cfg, _: _number(cfg.dependent(transition)))

    def _of_transitions(
        self, kind: type[np.generic], found: Callable[[Transition, Any, DependencyTree], int]
    ) -> npt.NDArray[Any]:
        """For each transition what is found where it is possible, otherwise -1."""
        table = self._table(len(self._context.space), -1, kind)
        for row, cfg, tree, possible in zip(table, self._now(), self._gold_trees(), self._possible, strict=True):
            for transition in possible:
                row[self._context.space.columns(transition)] = found(transition, cfg, tree)
        return table

    def positions(self) -> Numbers:
        nodes = self._context.nodes
        return self._at_places(len(nodes), -1, np.int64, lambda cfg, k: [*map(View(cfg, k).position, nodes)])

    def features(self) -> npt.NDArray[np.uint64]:
        templates = self._context.spec.templates
        return self._at_places(len(templates), 0, np.uint64, lambda cfg, k: templates.hashes(cfg, k=k))

    def _at_places(
        self, width: int, fill: int, kind: type[np.generic], seen: Callable[[Any, int], list[int]]
    ) -> npt.NDArray[Any]:
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

    def trees(self) -> list[DependencyTree]:
        return [cfg.tree() for cfg in self._configurations]

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
        self._configurations: list[Configuration] = list(map(self.system.initial, self._trees))
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


def _number(word: int | None) -> int:
    return -1 if word is None else word
