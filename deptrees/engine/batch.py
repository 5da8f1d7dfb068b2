"""Oracles over whole treebanks as arrays."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt
from more_itertools import chunked

from deptrees.engine import core
from deptrees.engine.model import Model
from deptrees.engine.spec import ModelSpec
from deptrees.engine.stepwise.model import StepwiseModel
from deptrees.engine.trainer import check_end, uncompiled, usable, warn_of_steps
from deptrees.features import FAST, Templates
from deptrees.search import Space
from deptrees.training.inputs import columns_of, is_complete, oracle_name
from deptrees.training.updates import require_complete
from deptrees.transition import (
    ArcTransition,
    ExplorationPolicy,
    Oracle,
    Step,
    System,
    Transition,
    dynamic_oracle,
    typed,
)
from deptrees.transition.oracles import OracleFunction, as_oracle_function
from deptrees.transition.systems.registry import as_system
from deptrees.treebanks.columns import Columns
from deptrees.trees.tree import AnyTree

__all__ = ["Batch", "batches"]

_PART = 1 << 10
"""How many sentences a thread works on at a time."""


@attrs.frozen(eq=False)
class Batch:
    """Steps of derivations, one in each row of these arrays.

    Transitions are numbered in the order of ``system.transition_space()``. If k has no upper bound (arc-swift,
    easy-first, LR-spines, the pointing systems), there is a block of columns for each k, numbered as in
    `deptrees.search.Space`, and also a block of features, because transitions with another k look at other words. There
    are as many blocks as the largest step needs; in other steps, the remaining ones are 0.

    Args:
        features: the features of the configuration, a 64-bit number for each template.
        gold: for each transition, whether the oracle returns it.
        possible: for each transition, whether it is possible.
        taken: the number of the transition that leads to the next step.
        labels: the number, in the vocabulary of labels, of the gold label of the word that it attaches; -1 for none.
        sentence: the number of the sentence.
        step: the number of steps before this one.
    """

    features: npt.NDArray[np.uint64]
    gold: npt.NDArray[np.bool_]
    possible: npt.NDArray[np.bool_]
    taken: npt.NDArray[np.int32]
    labels: npt.NDArray[np.int32]
    sentence: npt.NDArray[np.int32]
    step: npt.NDArray[np.int32]


def batches(
    treebank: Columns | Iterable[AnyTree],
    system: System | type[System] | str = "arc-eager",
    templates: Templates = FAST,
    *,
    oracle: OracleFunction | str = dynamic_oracle,
    size: int = 1 << 12,
    seed: int = 1,
    exploration: float | None = None,
    model: Model | StepwiseModel | None = None,
    threads: int = 1,
) -> Iterator[Batch]:
    """The derivations of a treebank as arrays for any learner, batch by batch, lazily.

    Sentences come in the order of the treebank, with its numbers, without those whose trees the system cannot build.
    Whatever the engine cannot run goes through the functional layer, which takes a thousand times longer: a
    `StepwiseWarning` says so.

    Args:
        treebank: trees, or the same as numbers.
        system: the transition system, or its class or name.
        templates: the feature templates.
        oracle: an oracle function, the library's or your own, or the name of one of the library's.
        size: the number of steps in a batch; the last one has fewer.
        seed: determines random choices, separately for each sentence.
        exploration: how often to continue with the model's best transition, right or wrong, or without a model with any
            possible one; otherwise the next transition is a random one of the oracle's. By default as in training: 0.9
            with a model and one of the library's dynamic oracles, otherwise 0.
        model: a model of the same system to explore with. Its templates and labels replace the others.
        threads: the number of threads, which does not affect the steps; but each thread works on a part of the
            treebank, and the last batch of each part has fewer steps. It makes no difference in the functional layer.

    Raises:
        OracleNotDefined: there is no such oracle, or the system does not have it.
        UnknownSystem: there is no system of that name.
        EngineError: there are more templates than the engine can take.
        IncompleteOracle: exploration leads where the oracle is not defined.
        WrongDerivation: the oracle leads to a tree other than the gold tree.
        TypeError: the treebank, the system or the oracle is something else.
        ValueError: the size or the number of threads is less than one, a template has numbers, or the engine, from
            which the model comes, cannot run the oracle.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import ArcHybrid, EasyFirst
    >>> trees = [DependencyTree([(2, "Birds"), (0, "sing")])]
    >>> for system in (ArcHybrid(), EasyFirst()):
    ...     for batch in batches(trees, system, Templates(["s0.form+b0.form"]), oracle="static"):
    ...         batch.taken, batch.features.shape, batch.gold.shape
    (array([2, 0, 2, 1], dtype=int32), (4, 1), (4, 3))
    (array([2, 1], dtype=int32), (2, 2), (2, 4))
    """
    if size < 1 or threads < 1:
        raise ValueError(f"ask for batches of one step or more, and one thread or more: not {size}, {threads}")
    columns, system = columns_of(treebank), as_system(system)
    function, name = as_oracle_function(oracle), oracle_name(oracle)
    spec = ModelSpec(system, templates, columns.vocabularies["deprel"]) if model is None else model.spec
    if spec.templates.numeric:
        reason = "features of batches are present or absent, and these have a value"
        raise ValueError(f"leave out the template '{spec.templates.numeric[0]}': the {reason}")
    order = usable(columns, system, function)
    if exploration is None:
        exploration = 0.9 if model is not None and is_complete(function) else 0.0
    if exploration:
        require_complete(Oracle(system, function))
    cause = uncompiled(system, function)
    if isinstance(model, StepwiseModel) or cause is not None:
        if isinstance(model, Model):
            raise ValueError(f"the engine, where the model is from, has no {name} oracle: train a model with it")
        if cause is not None:
            warn_of_steps(cause)
        derivations = _Derivations(columns, spec, function, seed, exploration, model)
        yield from derivations.batches(order, size)
        return
    compiled, data = spec.assemble(columns, name)
    weights = None if model is None else spec.quantized(model.tables)

    def written(part: npt.NDArray[np.int64]) -> Iterator[Batch]:
        steps = core.Steps(compiled, data, part, name, exploration, seed, weights, True)
        yield from _written(steps, size, len(spec.system_code.rows), len(spec.templates))
        check_end(steps, columns, Oracle(system, function))

    if threads == 1:
        yield from written(order)
        return
    waiting: deque[Future[list[Batch]]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        for start in range(0, len(order), _PART):
            waiting.append(pool.submit(lambda part: [*written(part)], order[start : start + _PART]))
            if len(waiting) > 2 * threads:
                yield from waiting.popleft().result()
        for done in waiting:
            yield from done.result()


def _written(steps: core.Steps, size: int, n_rows: int, n_templates: int) -> Iterator[Batch]:
    """Steps in arrays."""
    count = size
    while count == size:
        possible, gold = np.empty((2, size, n_rows), np.uint8)
        taken, labels, sentence, step = np.empty((4, size), np.int32)
        features = np.empty((size, n_templates), np.uint64)
        count = steps.fill(possible, gold, taken, labels, sentence, step, features)
        if count:
            yield Batch(
                features[:count],
                gold[:count].view(np.bool_),
                possible[:count].view(np.bool_),
                *(array[:count] for array in (taken, labels, sentence, step)),
            )


@attrs.frozen(eq=False)
class _StepInNumbers:
    """A row of a batch, with the numbers of gold and possible transitions."""

    features: Sequence[int]
    gold: Sequence[int]
    possible: Sequence[int]
    taken: int
    label: int
    sentence: int
    step: int


class _Derivations:
    """The derivations of a treebank in the functional layer."""

    def __init__(
        self,
        columns: Columns,
        spec: ModelSpec,
        oracle: OracleFunction,
        seed: int,
        exploration: float,
        model: StepwiseModel | None,
    ) -> None:
        self._columns, self._spec, self._model = columns, spec, model
        self._seed, self._exploration = seed, exploration
        self._oracle = Oracle(spec.system, oracle, typed)
        self._space = Space(spec.system.transition_space())
        self._labels: dict[str | None, int] = {label: number for number, label in enumerate(spec.labels)}

    def batches(self, order: npt.NDArray[np.int64], size: int) -> Iterator[Batch]:
        """The steps of some sentences in arrays."""
        rows = (row for sentence in order.tolist() for row in self._rows(sentence))
        yield from map(self._batch, chunked(rows, size))

    def _rows(self, sentence: int) -> Iterator[_StepInNumbers]:
        """The derivation of a sentence."""
        rng = np.random.default_rng((self._seed, sentence))
        model = None if self._model is None else self._predict
        policy = ExplorationPolicy(k=0, p=self._exploration, model=model, rng=rng)
        for number, step in enumerate(self._oracle(self._columns.tree(sentence), policy).steps()):
            yield self._row(step, sentence, number)

    def _row(self, step: Step, sentence: int, number: int) -> _StepInNumbers:
        possible, gold, [taken] = map(self._numbers, (step.possible, step.gold, [step.taken]))
        label = step.taken.label if isinstance(step.taken, ArcTransition) else None
        features: list[int] = []
        for k in range(1, max(possible) // len(self._space) + 2):
            features += self._spec.templates.hashes(step.config, k=k)
        return _StepInNumbers(features, gold, possible, taken, self._labels.get(label, -1), sentence, number)

    def _numbers(self, transitions: Sequence[Transition]) -> list[int]:
        return [self._space.column(transition) for transition in self._space.agreeing(transitions)]

    def _predict(self, cfg: Any, possible: tuple[Transition, ...], gold: object) -> Transition:
        """The transition that the model prefers, with the gold label."""
        assert self._model is not None
        preferred = self._numbers([self._model.ranking(cfg)])
        return next(transition for transition in possible if self._numbers([transition]) == preferred)

    def _batch(self, rows: Sequence[_StepInNumbers]) -> Batch:
        blocks = max(max(row.possible) for row in rows) // len(self._space) + 1
        gold, possible = np.zeros((2, len(rows), blocks * len(self._space)), np.bool_)
        features = np.zeros((len(rows), blocks * len(self._spec.templates)), np.uint64)
        for number, row in enumerate(rows):
            features[number, : len(row.features)] = row.features
            gold[number, row.gold] = possible[number, row.possible] = True
        numbers = [(row.taken, row.label, row.sentence, row.step) for row in rows]
        return Batch(features, gold, possible, *np.array(numbers, np.int32).T)
