"""Training on the engine."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from deptrees.engine import core
from deptrees.engine.core import EngineError, EngineNotInstalled
from deptrees.engine.model import Model, Shape
from deptrees.engine.system_code import compile_system
from deptrees.features import FAST, Templates
from deptrees.training import ON_ERROR
from deptrees.training.inputs import columns_of, is_complete, oracle_name
from deptrees.training.records import DEFAULT_SYSTEM, Epoch, TrainingError
from deptrees.transition.configuration import OracleFunction, System
from deptrees.transition.oracles import (
    BY_NAME,
    approximate_dynamic_oracle,
    as_oracle_function,
    dynamic_oracle,
    missing_oracle,
)
from deptrees.transition.sequence import Oracle, wrong_derivation
from deptrees.transition.systems.registry import as_system
from deptrees.transition.systems.stack_buffer import StackBufferSystem
from deptrees.treebanks.columns import Columns
from deptrees.trees.tree import DependencyTree

__all__ = ["LAZY", "Trainer", "check_end", "core_name", "is_compiled", "labels_of", "learnable", "usable"]

LAZY = "static_lazy_swap"
"""The name of the oracle that has a table of its own."""
_ORACLES = ("static", "static_prefer_shift", LAZY, "nondeterministic", "dynamic")
"""The names of the oracles that the engine has."""


class Trainer:
    """Training, epoch by epoch: of single transitions, or, with a beam, of whole derivations.

    This is `deptrees.training.LocalTraining`, or, with a beam, `deptrees.training.GlobalTraining`, compiled.

    Args:
        treebank: trees, or the same as numbers.
        system: the transition system, or its class or name.
        templates: the feature templates.
        oracle: an oracle that the engine has, or its name: ``"dynamic"``, ``"nondeterministic"``, ``"static"``,
            ``"static_prefer_shift"`` or ``"static_lazy_swap"``.
        seed: determines the order of sentences and the exploration.
        exploration: with the dynamic oracle, how often to go on with the best transition according to the model, right
            or wrong, from the second epoch on; otherwise it is the best of the correct ones that is taken. With a
            beam: how often to restart from the best derivation rather than from the best correct one.
        beam: how many derivations are followed, at most 64; with one, single transitions are learnt.
        on_error: without a beam, what to do after an update; see `deptrees.training.LocalTraining`.
        update: with a beam, when to update: ``"early"``, ``"max_violation"``, ``"latest"`` or ``"full"``.
        restart: with a beam, whether learning goes on after an update (Aufrant, Wisniewski & Yvon 2017).
        subsample: which share of the heads is learnt from in each epoch, drawn anew for each (Aufrant & Wisniewski
            2017, section 4.4).
        joint: whether transitions and labels are chosen together; see ``Shape``.
        bits: the size of the tables of weights, see ``Shape``; if not given, (21, 18), or (20, 18) if joint.

    Raises:
        OracleNotDefined: there is no such oracle, or the system does not have it.
        WrongDerivation: the oracle leads to another tree than the gold tree.
        UnknownSystem: there is no system of that name.
        EngineError: the engine cannot run the system.
        TrainingError: the system can build none of the trees, the engine does not have the oracle, or it cannot train
            the system so with a beam.
        TypeError: the treebank, the system or the oracle is something else.
        ValueError: the beam, ``exploration`` or ``subsample`` is out of range, or there is no such update.
    """

    def __init__(
        self,
        treebank: Columns | Iterable[DependencyTree],
        system: System | type[System] | str = DEFAULT_SYSTEM,
        templates: Templates = FAST,
        *,
        oracle: OracleFunction | str = dynamic_oracle,
        seed: int = 1,
        exploration: float = 0.9,
        beam: int = 1,
        on_error: str = "go_on",
        update: str = "max_violation",
        restart: bool = True,
        time_limit: int | None = None,
        subsample: float = 1.0,
        joint: bool = False,
        bits: tuple[int, int] | None = None,
    ) -> None:
        self._oracle = oracle_name(oracle)
        if self._oracle not in _ORACLES:
            raise TrainingError(
                f"the engine has no {self._oracle} oracle: choose one of {', '.join(_ORACLES)}, or use trainer_for"
            )
        system = as_system(system)
        self._columns = columns = columns_of(treebank)
        bits = bits or ((20, 18) if joint else (21, 18))  # rows are wider if joint
        self.shape = Shape(system, templates, labels_of(columns, system), joint, bits, beam)
        self._usable, self._exploration = learnable(columns, system, as_oracle_function(oracle), subsample, exploration)
        if on_error not in ON_ERROR:
            raise ValueError(f"there is no on_error {on_error!r}: choose one of {', '.join(ON_ERROR)}")
        self._on_error, self._update, self._restart, self._time_limit = on_error, update, restart, time_limit
        self._subsample = subsample
        self._random = np.random.default_rng(seed)
        self._weights = self.shape.weights()
        self._epochs = 0
        self._take(columns)
        if not is_complete(as_oracle_function(oracle)):
            steps = core.Steps(
                self._system, self._data, self._usable, core_name(self._oracle), 0.0, seed, None, with_features=False
            )
            steps.finish()
            check_end(steps, columns, Oracle(system, oracle))

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
        self._system, self._data = self.shape.assemble(columns, lazy=self._oracle == LAZY)
        self._global = self._global_learning(columns) if self.shape.beam > 1 else None

    def _learn(self, order: npt.NDArray[np.int64], exploration: float) -> tuple[int, int]:
        seed = int(self._random.integers(1 << 62))
        name = core_name(self._oracle)
        return core.learn(self._weights, self._system, self._data, order, name, self._on_error, exploration, seed)

    def _global_learning(self, columns: Columns) -> core.GlobalLearning:
        if self._update not in core.UPDATES:
            raise ValueError(f"there is no update {self._update!r}: choose one of {', '.join(core.UPDATES)}")
        if not self.shape.system_code.has_losses and (self._oracle == "dynamic" or (columns.heads < 0).any()):
            raise TrainingError(
                f"the costs of {self.shape.system} take too long for a beam: train on whole trees with a static oracle"
            )
        seed = int(self._random.integers(1 << 62))
        name = core_name(self._oracle)
        how = (name, self.shape.beam, self._update, self._restart, self._time_limit or 0)
        return core.GlobalLearning(self._weights, self._system, self._data, *how, seed)

    def model(self) -> Model:
        """The model with the average of the weights so far: the one to parse with."""
        first, second = [
            array if changes is None else array - changes / np.float32(self._weights.time + 1)
            for array, changes in zip(self._weights.arrays, self._weights.changes, strict=True)
        ]
        return Model(self.shape, (first, second))


def check_end(steps: core.Steps, columns: Columns, oracle: Oracle) -> None:
    """Make sure that all derivations led to the gold trees.

    Args:
        steps: the steps of the derivations.
        columns: the treebank.
        oracle: the oracle.

    Raises:
        WrongDerivation: one did not.
    """
    if steps.astray is not None:
        sentence, heads = steps.astray
        raise wrong_derivation(oracle, columns.tree(sentence), [None if head < 0 else head for head in heads])


def is_compiled(system: System, oracle: OracleFunction) -> bool:
    """Whether the engine is installed, and can run a system and an oracle.

    >>> from deptrees.transition import ArcHybrid, EasyFirst
    >>> is_compiled(ArcHybrid(), dynamic_oracle), is_compiled(EasyFirst(), dynamic_oracle)
    (True, False)
    """
    try:
        compile_system(system)
    except (EngineError, EngineNotInstalled):
        return False
    return oracle_name(oracle) in _ORACLES


def labels_of(columns: Columns, system: System) -> tuple[str, ...]:
    """The labels of a treebank; without ROOT there is one more that the system gives itself."""
    found = set(columns.vocabularies["deprel"])
    return tuple(sorted(found | {"root"} if found and getattr(system, "root", None) == "none" else found))


def core_name(oracle: str) -> str:
    """The core's name for an oracle; lazy ones have a table of their own."""
    return "static" if oracle == LAZY else oracle


def learnable(
    columns: Columns, system: System, oracle: OracleFunction, subsample: float, exploration: float
) -> tuple[npt.NDArray[np.int64], float]:
    """The numbers of the sentences to learn from, and how often to explore.

    Raises:
        OracleNotDefined: there is no such oracle, or the system does not have it.
        UnknownSystem: there is no system of that name.
        TrainingError: there are none, or the system has no oracle for parts of them.
        ValueError: the share of heads to learn from, or the rate of exploration, is out of range.
    """
    if not 0 < subsample <= 1:
        raise ValueError(f"subsample is the share of heads to learn from: more than 0 and at most 1, not {subsample}")
    if not 0 <= exploration <= 1:
        raise ValueError(f"exploration is the share of steps that explore: from 0 to 1, not {exploration}")
    found = usable(columns, system, oracle)
    if not len(found):
        raise TrainingError(f"{system} can build none of the {len(columns)} trees: there is nothing to learn from")
    if subsample < 1 and system.oracles.dynamic is None:
        raise TrainingError(f"{system} has no oracle that can do without some heads: learn from all of them")
    if subsample < 1 and not system.empty_means_unknown:
        raise TrainingError(
            f"{system} would learn to leave words without the heads that subsample={subsample} leaves out: "
            "learn from all of them, or give the system empty_means_unknown=True"
        )
    return found, exploration if is_complete(oracle) else 0.0


def usable(columns: Columns, system: System, oracle: OracleFunction) -> npt.NDArray[np.int64]:
    """The numbers of the sentences that an oracle can take.

    Raises:
        OracleNotDefined: there is no such oracle, or the system does not have it.
        UnknownSystem: there is no system of that name.
    """
    name = oracle_name(oracle)
    if name in BY_NAME and getattr(system.oracles, name) is None:
        raise missing_oracle(name, system)
    if oracle is approximate_dynamic_oracle or (oracle is dynamic_oracle and system.oracles.take_any_tree):
        return np.arange(len(columns))
    doubtful = np.ones(len(columns), np.bool_)
    if type(system).obstacle is StackBufferSystem.obstacle:
        doubtful = ~columns.plain  # trees are made only of these, to ask
    refused = [
        number for number in np.flatnonzero(doubtful).tolist() if system.obstacle(columns.tree(number)) is not None
    ]
    return np.delete(np.arange(len(columns)), refused)
