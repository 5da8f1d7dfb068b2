"""Going through a treebank in lock step, with any model: data for your own learner."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from deptrees.engine.lock_step.derivations import Derivations
from deptrees.training.inputs import whole_number
from deptrees.training.updates import exploration_with
from deptrees.transition import Oracle, System, dynamic_oracle
from deptrees.transition.oracles import OracleFunction, as_oracle_function
from deptrees.transition.systems.registry import as_system
from deptrees.treebanks.columns import Columns
from deptrees.trees.graph import DependencyGraph
from deptrees.trees.tree import AnyTree

__all__ = ["DerivationScorer", "walk"]

DerivationScorer = Callable[[Derivations], npt.ArrayLike]
"""A model: scores, a row for each derivation that is not final, and a column for each transition."""


def walk(
    treebank: Columns | Iterable[AnyTree] | Iterable[DependencyGraph],
    system: System | type[System] | str = "arc-eager",
    scorer: DerivationScorer | None = None,
    *,
    sentences: npt.ArrayLike | None = None,
    oracle: OracleFunction | str = dynamic_oracle,
    exploration: float | None = None,
    size: int = 1000,
    seed: int = 1,
    **options: Any,
) -> Iterator[tuple[Derivations, npt.NDArray[np.int64]]]:
    """Go through a treebank with many derivations in lock step, following an oracle or a model.

    When a derivation ends, another one begins with the next sentence. Sentences without words, and those whose trees
    the system cannot build, are left out. If transitions have no labels, arcs get the gold ones.

    When no sentence is left to begin, fewer and fewer derivations are going, down to a single one. So divide the sum of
    what a step loses by ``size``: a mean would let the last derivations of an epoch count many times as much as others.

    Args:
        treebank: trees, or the same as numbers; for a system that builds graphs, graphs or trees with DEPS.
        system: the transition system, or its class or name.
        scorer: a model, which is called on the derivations. Without one, all scores are random.
        sentences: the numbers of the sentences in the order to use; by default all, in order. One may come again, as in
            several epochs, which then run into each other.
        oracle: an oracle function, the library's or your own, or the name of one of the library's.
        exploration: how often to continue with the best of all possible transitions; otherwise it is the best of the
            oracle's. By default as in training: 0.9 with a model and one of the library's dynamic oracles, otherwise 0.
        size: how many derivations run together.
        seed: determines random choices.
        options: other arguments of `Derivations.open`, such as ``nodes`` and ``templates``.

    Yields:
        The derivations, for querying training data, and the numbers of the transitions that they are about to take.

    Raises:
        IncompleteOracle: exploration leads where the oracle is not defined.
        IndexError: there is no sentence of one of these numbers.
        ValueError: the size is less than one. For other errors see `Derivations.open`.

    >>> from deptrees import DependencyTree
    >>> trees = [DependencyTree([(2, "Birds"), (0, "sing")]), DependencyTree([(0, "Sing")])]
    >>> for derivations, taken in walk(trees, "arc-hybrid", oracle="static", size=1, nodes=["s0", "b0"]):
    ...     derivations.sentences.tolist(), derivations.positions().tolist(), taken.tolist()
    ([0], [[0, 1]], [2])
    ([0], [[1, 2]], [0])
    ([0], [[0, 2]], [2])
    ([0], [[2, -1]], [1])
    ([1], [[0, 1]], [2])
    ([1], [[1, -1]], [1])
    """
    whole_number("size", size, 1)
    system, function = as_system(system), as_oracle_function(oracle)
    derivations = Derivations.open(treebank, system, sentences=[], oracle=function, **options)
    columns = derivations.columns
    chosen = np.arange(len(columns)) if sentences is None else np.asarray(sentences, np.int64)
    waiting = chosen[np.isin(chosen, derivations.usable) & (np.diff(columns.offsets) > 0)[chosen]]
    rate = exploration_with(Oracle(system, function), exploration, scorer)
    rng = np.random.default_rng(seed)
    derivations.restart(waiting[:size])
    waiting = waiting[size:]
    while derivations or len(waiting):
        possible, gold = derivations.possible(), derivations.gold()
        scores = rng.random(gold.shape) if scorer is None else np.asarray(scorer(derivations))
        astray = rng.random((len(gold), 1)) < rate
        taken = np.where(np.where(astray, possible, gold), scores, -np.inf).argmax(1)
        yield derivations, taken
        labels = None if derivations.is_labeled else derivations.gold_labels()[np.arange(len(taken)), taken]
        derivations.take(taken, labels)
        ended = np.flatnonzero(derivations.is_final)[: len(waiting)]
        derivations.restart(waiting[: len(ended)], ended)
        waiting = waiting[len(ended) :]
