"""Derivations in lock step, in the compiled engine."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from deptrees.engine import core
from deptrees.engine.code.features import compile_places
from deptrees.engine.lock_step.context import Booleans, Context, Integers, Numbers
from deptrees.engine.lock_step.derivations import Derivations
from deptrees.search import Space
from deptrees.training.inputs import oracle_name
from deptrees.transition.oracles import missing_oracle
from deptrees.treebanks.batch import Batch
from deptrees.trees.tree import DependencyTree

__all__ = ["CompiledDerivations"]


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

    def _of_space(self, found: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return found if self._is_rows else found.take(self._rows, axis=1)

    def possible(self) -> Booleans:
        return self._of_space(self._core.possible())

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
        return self._of_space(self._core.costs())

    def dependents(self) -> Numbers:
        return self._of_space(self._core.dependents())

    def positions(self) -> Numbers:
        return self._core.positions()

    def labels_at(self, positions: Numbers) -> Numbers:
        return self._core.labels_at(np.ascontiguousarray(positions, np.int64))

    def features(self) -> npt.NDArray[np.uint64]:
        return self._core.features()

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
