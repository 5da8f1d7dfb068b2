"""The states of derivations in lock step, in the compiled engine."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from deptrees.engine import core
from deptrees.engine.code.features import compile_places
from deptrees.engine.lock_step.questions import Questions
from deptrees.engine.lock_step.task import Task
from deptrees.search import Space
from deptrees.training.inputs import oracle_name
from deptrees.transition.oracles import missing_oracle
from deptrees.treebanks.sentences import attach_one
from deptrees.trees.tree import DependencyTree

__all__ = ["CompiledStates"]

_Numbers = npt.NDArray[np.int64]
_Integers = npt.NDArray[np.int32]
_Booleans = npt.NDArray[np.bool_]


class CompiledStates(Questions):
    """States of the engine, which knows rows: transitions without labels."""

    def __init__(self, task: Task, sentences: _Numbers) -> None:
        self._task, self._sentences = task, sentences
        oracle = None if task.oracle is None else oracle_name(task.oracle)
        system, data = task.shape.assemble(task.columns, oracle, learning=task.learning)
        places = compile_places(task.nodes)
        self._core = core.Derivations(system, data, sentences, places, with_gold=task.oracle is not None)

    @property
    def sentences(self) -> _Numbers:
        return self._sentences

    @property
    def going(self) -> _Numbers:
        return self._core.going

    @cached_property
    def _rows(self) -> _Numbers:
        """The row of each transition of the space."""
        bare = Space(self._task.shape.system_code.transitions)
        return np.array([bare.columns(transition)[0] for transition in self._task.space.transitions], np.int64)

    @cached_property
    def _is_rows(self) -> bool:
        """Whether the transitions of the space are the rows."""
        return self._task.space.transitions == tuple(self._task.shape.system_code.transitions)

    def _of_space(self, found: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return found if self._is_rows else found.take(self._rows, axis=1)

    def possible(self) -> _Booleans:
        return self._of_space(self._core.possible())

    def gold(self) -> _Booleans:
        found = self._of_space(self._core.gold(oracle_name(self._task.known_oracle())))
        if not self._is_rows:
            labels = self._task.gold_labels(self._sentences[self.going], self.dependents())
            found &= (labels < 0) | (labels == self._task.labels_of_space)
        return found

    def costs(self) -> _Integers:
        self._task.known_oracle()
        if self._task.shape.system.oracles.loss is None:
            raise missing_oracle("dynamic", self._task.shape.system)
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
        return self._core.arcs(self._task.label_numbers.get("root", -1))

    def trees(self) -> list[DependencyTree]:
        # "root" may not be among the labels, and systems without ROOT give it.
        names = (*self._task.shape.labels, "root")
        heads, labels = (array.tolist() for array in self._core.arcs(names.index("root")))
        found, start = [], 0
        for sentence in self._sentences.tolist():
            tree = self._task.tree(sentence)
            words = slice(start, start + len(tree))
            found.append(attach_one(tree, heads[words], labels[words], names))
            start = words.stop
        return found

    def take(self, transitions: _Numbers, labels: _Integers) -> int:
        """Take transitions unless one is not possible: tells which, -1 if all are."""
        if self._is_rows:
            return self._core.take(transitions, labels)
        inside = (transitions >= 0) & (transitions < len(self._task.space))
        if not inside.all():
            return int(inside.argmin())
        return self._core.take(self._rows[transitions], self._task.labels_of_space[transitions])

    def open(self, sentences: _Numbers) -> None:
        """Begin anew with these sentences."""
        self._sentences = sentences
        self._core.open(sentences)

    def restart(self, sentences: _Numbers, derivations: _Numbers) -> None:
        """Begin anew with these sentences in the place of some derivations."""
        self._sentences = self._sentences.copy()
        self._sentences[derivations] = sentences
        self._core.restart(derivations, sentences)

    def keep(self, derivations: _Numbers) -> None:
        """Go on with these derivations."""
        self._sentences = self._sentences[derivations]
        self._core.keep(derivations)
