"""Oracles over whole treebanks as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt
from more_itertools import chunked

from deptrees.engine import core
from deptrees.engine.code.features import feature_numbers
from deptrees.engine.model import Model
from deptrees.engine.spec import ModelSpec
from deptrees.engine.stepwise.model import StepwiseModel
from deptrees.engine.trainer import check_end, uncompiled, usable, warn_of_steps
from deptrees.features import FAST, Templates
from deptrees.search import Space
from deptrees.search.space import label_of
from deptrees.training.inputs import columns_of, oracle_name
from deptrees.training.updates import exploration_with
from deptrees.transition import ExplorationPolicy, Oracle, System, Transition, dynamic_oracle, typed
from deptrees.transition.configuration import BaseConfiguration
from deptrees.transition.oracles import OracleFunction, as_oracle_function
from deptrees.transition.systems.registry import as_tree_system
from deptrees.treebanks.batch import in_order
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
        features: the features of the configuration, a column for each template: int64, none of them negative.
        gold: for each transition, whether the oracle returns it: bool, as many columns as transitions.
        possible: for each transition, whether it is possible: bool, likewise.
        taken: the number of the transition that leads to the next step: int32, of one dimension as all that follow.
        labels: the number, in the vocabulary of labels, of the gold label of the word that it attaches; -1 for none.
        sentence: the number of the sentence.
        step: the number of steps before this one.
    """

    features: npt.NDArray[np.int64]
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
    What the engine cannot run takes a thousand times longer in the functional layer, which a `StepwiseWarning` says.

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
        OracleNotDefined, UnknownSystem: there is no such oracle or system, or the system does not have the oracle.
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
    columns, system = columns_of(treebank), as_tree_system(system)
    function, name = as_oracle_function(oracle), oracle_name(oracle)
    spec = ModelSpec(system, templates, columns.vocabularies["deprel"]) if model is None else model.spec
    if spec.templates.numeric:
        reason = "features of batches are present or absent, and these have a value"
        raise ValueError(f"leave out the template '{spec.templates.numeric[0]}': the {reason}")
    order = usable(columns, system, function)
    rate = exploration_with(Oracle(system, function), exploration, model)
    cause = uncompiled(system, function)
    if isinstance(model, StepwiseModel) or cause is not None:
        if isinstance(model, Model):
            raise ValueError(f"the engine, where the model is from, has no {name} oracle: train a model with it")
        if cause is not None:
            warn_of_steps(cause)
        rows = _stepwise(columns, order, spec, function, rate, seed, model)
        return (_in_arrays(spec, some) for some in chunked(rows, size))
    compiled, data = spec.assemble(columns, name)
    weights = None if model is None else spec.quantized(model.tables)

    def written(part: npt.NDArray[np.int64]) -> Iterator[Batch]:
        steps = core.Steps(compiled, data, part, name, rate, seed, weights, True)
        yield from _written(steps, size, len(spec.system_code.rows), len(spec.templates))
        check_end(steps, columns, Oracle(system, function))

    if threads == 1:
        return written(order)
    found = in_order(lambda part: [*written(np.array(part))], chunked(order.tolist(), _PART), threads)
    return (batch for of_part in found for batch in of_part)


def _written(steps: core.Steps, size: int, n_rows: int, n_templates: int) -> Iterator[Batch]:
    """Steps in arrays."""
    count = size
    while count == size:
        possible, gold = np.empty((2, size, n_rows), np.uint8)
        taken, labels, sentence, step = np.empty((4, size), np.int32)
        hashes = np.empty((size, n_templates), np.uint64)
        count = steps.fill(possible, gold, taken, labels, sentence, step, hashes)
        if count:
            features = feature_numbers(hashes)
            arrays: Any = features, gold.view(np.bool_), possible.view(np.bool_), taken, labels, sentence, step
            yield Batch(*[array[:count] for array in arrays])


_Row = tuple[list[int], list[int], list[int], int, int, int, int]
"""A step: what `Batch` has of it, in this order, with the numbers of gold and of possible transitions."""


def _stepwise(
    columns: Columns,
    order: npt.NDArray[np.int64],
    spec: ModelSpec,
    function: OracleFunction,
    exploration: float,
    seed: int,
    model: StepwiseModel | None,
) -> Iterator[_Row]:
    """The steps of some sentences in the functional layer."""
    oracle, space = Oracle(spec.system, function, typed), Space(spec.system.transition_space())

    def numbers(transitions: Iterable[Transition]) -> list[int]:
        return [*map(space.column, space.agreeing(transitions))]

    def predict(cfg: BaseConfiguration, possible: tuple[Transition, ...], gold: object) -> Transition:
        """The transition that the model prefers, with the gold label."""
        assert model is not None
        preferred = numbers([model.ranking(cfg)])
        return next(transition for transition in possible if numbers([transition]) == preferred)

    for sentence in order.tolist():
        rng = np.random.default_rng((seed, sentence))
        policy = ExplorationPolicy(k=0, p=exploration, model=None if model is None else predict, rng=rng)
        for number, step in enumerate(oracle(columns.tree(sentence), policy).steps()):
            possible, gold, [taken] = map(numbers, (step.possible, step.gold, [step.taken]))
            places = range(1, max(possible) // len(space) + 2)
            features = [feature for k in places for feature in spec.templates.hashes(step.config, k=k)]
            yield features, gold, possible, taken, spec.label_numbers.get(label_of(step.taken), -1), sentence, number


def _in_arrays(spec: ModelSpec, rows: Sequence[_Row]) -> Batch:
    width = len(spec.system.transition_space())
    blocks = max(max(possible) for _, _, possible, *_ in rows) // width + 1
    gold, possible = np.zeros((2, len(rows), blocks * width), np.bool_)
    features = np.zeros((len(rows), blocks * len(spec.templates)), np.uint64)
    for number, (hashes, of_oracle, of_system, *_) in enumerate(rows):
        features[number, : len(hashes)] = hashes
        gold[number, of_oracle] = possible[number, of_system] = True
    return Batch(feature_numbers(features), gold, possible, *np.array([row[3:] for row in rows], np.int32).T)
