"""Oracles over whole treebanks: as training, and as arrays for anything else."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.engine.columns import Columns
from deptrees.engine.derivations import Steps
from deptrees.engine.global_learning import UPDATES, GlobalLearning
from deptrees.engine.learning import train as learn
from deptrees.engine.model import Model, Shape
from deptrees.templates import ZHANG_NIVRE, Templates
from deptrees.transition.configuration import System
from deptrees.transition.oracles import missing_oracle
from deptrees.transition.stack_buffer import StackBufferSystem

__all__ = [
    "ORACLES",
    "Batch",
    "Epoch",
    "Trainer",
    "TrainingError",
    "batches",
    "count_collisions",
    "labels_of",
    "train",
    "usable",
]

_PART = 1 << 10
"""How many sentences a thread works on at a time."""
_LAZY = "static_lazy_swap"
ORACLES = ("static", "static_prefer_shift", _LAZY, "nondeterministic", "dynamic")
"""The names of the oracles that the engine has."""


class TrainingError(ValueError):
    """There is nothing to learn from, or no way to learn it."""


@attrs.frozen
class Epoch:
    """What happened in one pass over a treebank.

    Args:
        number: the number of the pass, from 1.
        sentences: the sentences learnt from.
        skipped: the sentences whose trees the system cannot build.
        transitions: the transitions that the model predicted; with a beam, the searches that it led.
        errors: those that were wrong.
    """

    number: int
    sentences: int
    skipped: int
    transitions: int
    errors: int


class Trainer:
    """Training, epoch by epoch: of single transitions, or, with a beam, of whole derivations.

    Single transitions are learnt as in Goldberg & Nivre 2013, algorithm 3; for whole derivations see
    `deptrees.search.GlobalTraining`, which this is, compiled.

    Args:
        columns: the treebank.
        system: the transition system.
        templates: the feature templates.
        oracle: one of ``"dynamic"``, ``"nondeterministic"``, ``"static"``, ``"static_prefer_shift"`` and
            ``"static_lazy_swap"``.
        seed: determines the order of sentences and the exploration.
        exploration: how often to go on with the best transition according to the model, right or wrong, from the
            second epoch on; otherwise it is the best of the correct ones that is taken. With a beam: how often to
            restart from the best derivation rather than from the best correct one.
        beam: how many derivations are followed, at most 64; with one, single transitions are learnt.
        update: with a beam, when to update: ``"early"``, ``"max_violation"``, ``"latest"`` or ``"full"``.
        restart: with a beam, whether learning goes on behind an update (Aufrant, Wisniewski & Yvon 2017).
        joint: whether transitions and labels are chosen together; see ``Shape``.
        bits: the size of the tables of weights, see ``Shape``; if not given, (21, 18), or (20, 18) if joint.

    Raises:
        OracleNotDefined: the system has no such oracle.
        EngineError: the engine cannot run the system.
        TrainingError: the system can build none of the trees, or the engine cannot train it so with a beam.
        ValueError: the beam is out of range, or there is no such update.
    """

    def __init__(
        self,
        columns: Columns,
        system: System,
        templates: Templates = ZHANG_NIVRE,
        *,
        oracle: str = "dynamic",
        seed: int = 1,
        exploration: float = 0.9,
        beam: int = 1,
        update: str = "max_violation",
        restart: bool = True,
        joint: bool = False,
        bits: tuple[int, int] | None = None,
    ) -> None:
        bits = bits or ((20, 18) if joint else (21, 18))  # rows are wider if joint
        self.shape = Shape(system, templates, labels_of(columns, system), joint, bits, beam)
        self._columns = columns
        self._usable = usable(columns, system, oracle)
        if not len(self._usable):
            raise TrainingError(f"{system} can build none of the {len(columns)} trees: there is nothing to learn from")
        self._oracle = oracle
        self._exploration = exploration if oracle == "dynamic" else 0.0
        self._random = np.random.default_rng(seed)
        self._weights = self.shape.weights()
        self._machine, self._data = self.shape.assemble(columns, lazy=oracle == _LAZY)
        self._epochs = 0
        self._global = self._global_learning(update, restart) if beam > 1 else None

    def epoch(self) -> Epoch:
        """Learn from every sentence once."""
        self._epochs += 1
        order = self._random.permutation(self._usable)
        exploration = self._exploration if self._epochs > 1 else 0.0
        learn_from = self._global.learn if self._global else self._learn
        transitions, errors = learn_from(order, exploration)
        skipped = len(self._columns) - len(order)
        return Epoch(self._epochs, len(order), skipped, transitions, errors)

    def _learn(self, order: npt.NDArray[np.int64], exploration: float) -> tuple[int, int]:
        seed = int(self._random.integers(1 << 62))
        name = _core_name(self._oracle)
        return learn(self._weights, self._machine, self._data, order, name, exploration, seed)

    def _global_learning(self, update: str, restart: bool) -> GlobalLearning:
        if update not in UPDATES:
            raise ValueError(f"there is no update {update!r}: choose one of {', '.join(UPDATES)}")
        if not self.shape.program.has_losses and (self._oracle == "dynamic" or (self._columns.heads < 0).any()):
            raise TrainingError(
                f"the costs of {self.shape.system} take too long for a beam: train on whole trees with a static oracle"
            )
        seed = int(self._random.integers(1 << 62))
        name = _core_name(self._oracle)
        beam = self.shape.beam
        return GlobalLearning(self._weights, self._machine, self._data, name, beam, update, restart, seed)

    def model(self) -> Model:
        """The model with the average of the weights so far: the one to parse with."""
        first, second = [
            array if changes is None else array - changes / np.float32(self._weights.time + 1)
            for array, changes in zip(self._weights.arrays, self._weights.changes, strict=True)
        ]
        return Model(self.shape, (first, second))


def train(
    columns: Columns,
    system: System,
    templates: Templates = ZHANG_NIVRE,
    *,
    epochs: int = 10,
    on_epoch: Callable[[Epoch], None] = lambda _: None,
    **options: Any,
) -> Model:
    """Train a model.

    Args:
        columns: the treebank.
        system: the transition system.
        templates: the feature templates.
        epochs: the number of passes over the treebank.
        on_epoch: is given a record of each epoch when it ends.
        options: what else ``Trainer`` takes: ``oracle``, ``seed``, ``exploration``, ``beam``, ``update``, ``restart``,
            ``joint``, ``bits``.

    >>> from deptrees import sample_treebank
    >>> from deptrees.transition import ArcEager
    >>> model = train(Columns.encode(sample_treebank("train")), ArcEager())
    >>> dev = Columns.encode(sample_treebank("dev"))
    >>> heads, labels = model.parse(dev)
    >>> bool((heads == dev.heads).mean() > 0.75)
    True
    """
    trainer = Trainer(columns, system, templates, **options)
    for _ in range(epochs):
        on_epoch(trainer.epoch())
    return trainer.model()


@attrs.frozen(eq=False)
class Batch:
    """Steps of derivations, one in each row of these arrays.

    Args:
        features: the features of the configuration, a number of 64 bits for each template.
        gold: for each transition whether the oracle names it.
        possible: for each transition whether it is possible.
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
    columns: Columns,
    system: System,
    templates: Templates = ZHANG_NIVRE,
    *,
    oracle: str = "dynamic",
    size: int = 1 << 12,
    seed: int = 1,
    exploration: float = 0.0,
    model: Model | None = None,
    threads: int = 1,
) -> Iterator[Batch]:
    """The derivations of a treebank as arrays, for any way of learning; batch by batch, as they are asked for.

    Transitions are numbered in the order of ``system.transition_space()``, sentences as in the treebank, in whose order
    they come. Sentences whose trees the system cannot build are left out.

    Args:
        columns: the treebank.
        system: the transition system.
        templates: the feature templates.
        oracle: the oracle, as in ``Trainer``.
        size: the number of steps in a batch; the last one has fewer.
        seed: determines random choices, for each sentence apart from the others.
        exploration: how often to go on with the best transition according to the model, right or wrong, or without a
            model with any that is possible; otherwise it is a random one of those that the oracle names.
        model: a model of the same system to explore with.
        threads: the number of threads. The steps do not depend on it; but more than one work on parts of the treebank,
            and the last batch of each part has fewer steps.

    Raises:
        OracleNotDefined: the system has no such oracle.
        EngineError: the engine cannot run the system.
        ValueError: the size or the number of threads is less than one.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import ArcHybrid
    >>> columns = Columns.encode([DependencyTree([(2, "Birds"), (0, "sing")])])
    >>> for batch in batches(columns, ArcHybrid(), Templates(["s0.form+b0.form"]), oracle="static"):
    ...     batch.taken, batch.features.shape
    (array([2, 0, 2, 1], dtype=int32), (4, 1))
    """
    if size < 1 or threads < 1:
        raise ValueError(f"ask for batches of one step or more, and one thread or more: not {size}, {threads}")
    shape = Shape(system, templates, columns.vocabularies["deprel"]) if model is None else model.shape
    machine, data = shape.assemble(columns, lazy=oracle == _LAZY)
    weights = None if model is None else shape.weights(model.arrays)
    order = usable(columns, system, oracle)

    def written(part: npt.NDArray[np.int64]) -> Iterator[Batch]:
        steps = Steps(machine, data, part, _core_name(oracle), exploration, seed, weights, True)
        return _written(steps, size, len(shape.program.rows), len(shape.templates))

    if threads == 1:
        yield from written(order)
        return
    waiting: deque[Future[list[Batch]]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        for start in range(0, len(order), _PART):
            waiting.append(pool.submit(lambda part: [*written(part)], order[start : start + _PART]))
            if len(waiting) > threads:
                yield from waiting.popleft().result()
        for done in waiting:
            yield from done.result()


def _written(steps: Steps, size: int, n_rows: int, n_templates: int) -> Iterator[Batch]:
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


def count_collisions(model: Model, columns: Columns) -> tuple[int, int]:
    """How many features of a treebank share a row of the table for transitions with another one.

    Returns:
        The number of those that do, and the number of all.
    """
    seen = [np.unique(batch.features) for batch in batches(columns, model.shape.system, model.shape.templates)]
    features = np.unique(np.concatenate([*seen, np.zeros(0, np.uint64)]))
    rows = features * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(64 - model.shape.bits[0])
    counts = np.bincount(rows.astype(np.int64), minlength=1)
    return int(counts[counts > 1].sum()), len(features)


def labels_of(columns: Columns, system: System) -> tuple[str, ...]:
    """The labels of a treebank; without ROOT there is one more that the system gives itself."""
    found = set(columns.vocabularies["deprel"])
    return tuple(sorted(found | {"root"} if found and getattr(system, "root", None) == "none" else found))


def _core_name(oracle: str) -> str:
    """The core's name for an oracle; lazy ones have a table of their own."""
    return "static" if oracle == _LAZY else oracle


def usable(columns: Columns, system: System, oracle: str) -> npt.NDArray[np.int64]:
    """The numbers of the sentences that an oracle can take."""
    if getattr(system.oracles, oracle, None) is None:
        raise missing_oracle(oracle, system)
    if oracle == "approximate_dynamic" or (oracle == "dynamic" and system.oracles.any_tree):
        return np.arange(len(columns))
    doubtful = np.ones(len(columns), np.bool_)
    if type(system).obstacle is StackBufferSystem.obstacle:
        # All systems build the projective trees with one root: trees are made only of the others, to ask.
        sentence = np.repeat(np.arange(len(columns)), np.diff(columns.offsets))
        roots = np.bincount(sentence[columns.heads == 0], minlength=len(columns))
        unknown = np.bincount(sentence[columns.heads < 0], minlength=len(columns))
        doubtful = ~columns.projective | (roots != 1) | (unknown > 0)
    refused = [
        number for number in np.flatnonzero(doubtful).tolist() if system.obstacle(columns.tree(number)) is not None
    ]
    return np.delete(np.arange(len(columns)), refused)
