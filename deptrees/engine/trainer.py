"""Training on the engine."""

from __future__ import annotations

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.engine.core.global_learning import UPDATES, GlobalLearning
from deptrees.engine.core.learning import train as learn
from deptrees.engine.model import Model, Shape
from deptrees.engine.program import EngineError, compile_program
from deptrees.features import ZHANG_NIVRE, Templates
from deptrees.transition.configuration import System
from deptrees.transition.oracles import missing_oracle
from deptrees.transition.systems.stack_buffer import StackBufferSystem
from deptrees.treebanks.columns import Columns

__all__ = ["LAZY", "Epoch", "Trainer", "TrainingError", "core_name", "is_compiled", "labels_of", "learnable", "usable"]

LAZY = "static_lazy_swap"
"""The name of the oracle that has a table of its own."""
_ORACLES = ("static", "static_prefer_shift", LAZY, "nondeterministic", "dynamic")
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
    `deptrees.training.GlobalTraining`, which this is, compiled.

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
        subsample: which share of the heads is learnt from in each epoch, drawn anew for each (Aufrant & Wisniewski
            2017, section 4.4).
        joint: whether transitions and labels are chosen together; see ``Shape``.
        bits: the size of the tables of weights, see ``Shape``; if not given, (21, 18), or (20, 18) if joint.

    Raises:
        OracleNotDefined: the system has no such oracle.
        EngineError: the engine cannot run the system.
        TrainingError: the system can build none of the trees, or the engine cannot train it so with a beam.
        ValueError: the beam or ``subsample`` is out of range, or there is no such update.
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
        subsample: float = 1.0,
        joint: bool = False,
        bits: tuple[int, int] | None = None,
    ) -> None:
        bits = bits or ((20, 18) if joint else (21, 18))  # rows are wider if joint
        self.shape = Shape(system, templates, labels_of(columns, system), joint, bits, beam)
        self._columns = columns
        self._usable = learnable(columns, system, oracle, subsample)
        self._oracle, self._update, self._restart, self._subsample = oracle, update, restart, subsample
        self._exploration = exploration if oracle == "dynamic" else 0.0
        self._random = np.random.default_rng(seed)
        self._weights = self.shape.weights()
        self._epochs = 0
        self._take(columns)

    def epoch(self) -> Epoch:
        """Learn from every sentence once."""
        self._epochs += 1
        if self._subsample < 1:
            self._take(self._columns.subsample(self._subsample, self._random))
        order = self._random.permutation(self._usable)
        exploration = self._exploration if self._epochs > 1 else 0.0
        learn_from = self._global.learn if self._global else self._learn
        transitions, errors = learn_from(order, exploration)
        skipped = len(self._columns) - len(order)
        return Epoch(self._epochs, len(order), skipped, transitions, errors)

    def _take(self, columns: Columns) -> None:
        """Get ready to learn from a treebank."""
        self._machine, self._data = self.shape.assemble(columns, lazy=self._oracle == LAZY)
        self._global = self._global_learning(columns) if self.shape.beam > 1 else None

    def _learn(self, order: npt.NDArray[np.int64], exploration: float) -> tuple[int, int]:
        seed = int(self._random.integers(1 << 62))
        name = core_name(self._oracle)
        return learn(self._weights, self._machine, self._data, order, name, exploration, seed)

    def _global_learning(self, columns: Columns) -> GlobalLearning:
        if self._update not in UPDATES:
            raise ValueError(f"there is no update {self._update!r}: choose one of {', '.join(UPDATES)}")
        if not self.shape.program.has_losses and (self._oracle == "dynamic" or (columns.heads < 0).any()):
            raise TrainingError(
                f"the costs of {self.shape.system} take too long for a beam: train on whole trees with a static oracle"
            )
        seed = int(self._random.integers(1 << 62))
        name = core_name(self._oracle)
        how = (name, self.shape.beam, self._update, self._restart)
        return GlobalLearning(self._weights, self._machine, self._data, *how, seed)

    def model(self) -> Model:
        """The model with the average of the weights so far: the one to parse with."""
        first, second = [
            array if changes is None else array - changes / np.float32(self._weights.time + 1)
            for array, changes in zip(self._weights.arrays, self._weights.changes, strict=True)
        ]
        return Model(self.shape, (first, second))


def is_compiled(system: System, oracle: str) -> bool:
    """Whether the engine can run a system and an oracle.

    >>> from deptrees.transition import ArcHybrid, EasyFirst
    >>> is_compiled(ArcHybrid(), "static"), is_compiled(EasyFirst(), "static")
    (True, False)
    """
    try:
        compile_program(system)
    except EngineError:
        return False
    return oracle in _ORACLES


def labels_of(columns: Columns, system: System) -> tuple[str, ...]:
    """The labels of a treebank; without ROOT there is one more that the system gives itself."""
    found = set(columns.vocabularies["deprel"])
    return tuple(sorted(found | {"root"} if found and getattr(system, "root", None) == "none" else found))


def core_name(oracle: str) -> str:
    """The core's name for an oracle; lazy ones have a table of their own."""
    return "static" if oracle == LAZY else oracle


def learnable(columns: Columns, system: System, oracle: str, subsample: float) -> npt.NDArray[np.int64]:
    """The numbers of the sentences to learn from.

    Raises:
        OracleNotDefined: the system has no such oracle.
        TrainingError: there are none, or the system has no oracle for parts of them.
        ValueError: the share of heads to learn from is none.
    """
    if not 0 < subsample <= 1:
        raise ValueError(f"subsample is the share of heads to learn from: more than 0 and at most 1, not {subsample}")
    found = usable(columns, system, oracle)
    if not len(found):
        raise TrainingError(f"{system} can build none of the {len(columns)} trees: there is nothing to learn from")
    if subsample < 1 and system.oracles.dynamic is None:
        raise TrainingError(f"{system} has no oracle that can do without some heads: learn from all of them")
    return found


def usable(columns: Columns, system: System, oracle: str) -> npt.NDArray[np.int64]:
    """The numbers of the sentences that an oracle can take."""
    if getattr(system.oracles, oracle, None) is None:
        raise missing_oracle(oracle, system)
    if oracle == "approximate_dynamic" or (oracle == "dynamic" and system.oracles.take_any_tree):
        return np.arange(len(columns))
    doubtful = np.ones(len(columns), np.bool_)
    if type(system).obstacle is StackBufferSystem.obstacle:
        doubtful = ~columns.plain  # trees are made only of these, to ask
    refused = [
        number for number in np.flatnonzero(doubtful).tolist() if system.obstacle(columns.tree(number)) is not None
    ]
    return np.delete(np.arange(len(columns)), refused)
