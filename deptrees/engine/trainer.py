"""Training on the engine."""

from __future__ import annotations

import numbers
import warnings
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from deptrees import transition
from deptrees.engine import core
from deptrees.engine.code.system import compile_system
from deptrees.engine.core import EngineError, EngineNotInstalled
from deptrees.engine.model import Model, SavedModel
from deptrees.engine.shape import Shape
from deptrees.features import FAST, Templates
from deptrees.messages import quoted
from deptrees.training.inputs import (
    EXPLORATION,
    ON_ERROR,
    Exploration,
    MeaninglessOption,
    check_exploration,
    columns_of,
    is_complete,
    of_type,
    oracle_for,
    oracle_name,
    rate_in,
    rates_of,
    whole_number,
)
from deptrees.training.records import DEFAULT_SYSTEM, Epoch, TrainingError
from deptrees.training.resumable import ResumableTraining, cut
from deptrees.training.update_rules import check_update
from deptrees.transition.oracles import NamedOracle, OracleFunction
from deptrees.transition.sequence import Oracle
from deptrees.transition.system import System
from deptrees.transition.systems.registry import as_system
from deptrees.treebanks.columns import Columns
from deptrees.trees.tree import DependencyTree

if TYPE_CHECKING:
    from deptrees.training import OnSentence, OnUpdate, UpdateRule
    from deptrees.transition.sequence import AnyPolicy

__all__ = [
    "AnyTrainer",
    "StepwiseWarning",
    "Trainer",
    "check_end",
    "is_compiled",
    "labels_of",
    "learnable",
    "uncompiled",
    "usable",
    "warn_of_steps",
]


class StepwiseWarning(UserWarning):
    """Something has no compiled form, and so runs step by step, about a hundred times slower."""


class AnyTrainer(ResumableTraining[npt.NDArray[np.int64]]):
    """Training, epoch by epoch: of single transitions, or, with a beam, of whole derivations.

    What is learnt is what `deptrees.training.LocalTraining`, or, with a beam, `deptrees.training.GlobalTraining` says.

    Args:
        treebank: trees, or the same as numbers.
        system: the transition system, or its class or name.
        templates: the feature templates.
        oracle: an oracle function, or the name of one of the library's; by default the one that the system learns best
            from.
        seed: determines the order of sentences and the exploration.
        exploration: with a dynamic oracle of the library, how often to go on with the best transition according to the
            model, right or wrong; otherwise it is the best of the correct ones that is taken. With a beam: how often to
            restart from the best derivation rather than from the best correct one. A number holds from the second epoch
            on, and the first does not explore. A sequence is a schedule: the rate of each epoch, of which the last
            holds for all that follow.
        on_error: without a beam, what to do after an update: ``"go_on"``, ``"early"`` or ``"aggressive"``.
        beam: how many derivations are followed, at most 64; with one, single transitions are learnt.
        update: with a beam, when to update: the name of one of ``UPDATE_RULES``; step by step also a rule of your own.
        restart: with a beam, whether learning goes on after an update (Aufrant, Wisniewski & Yvon 2017).
        time_limit: with a beam, after how many steps it begins anew; ``None`` for never.
        subsample: which share of the heads is learnt from in each epoch, drawn anew for each (Aufrant & Wisniewski
            2017, section 4.4).
        policy: step by step and without a beam, with which transition to go on, in place of ``exploration``. ``seed``
            determines what it draws, and its model is the one that learns.
        on_sentence: step by step, is given each sentence before it is learnt from; a tree that it returns takes the
            place of the sentence.
        on_update: step by step, is given each update when it has been learnt from.
        joint: whether transitions and labels are chosen together, see ``Shape``; step by step they always are.
        start: a model to go on from, of the same system and kind: training begins with its weights. The templates must
            include its own. Labels that it does not know are added.
        bits: the size of the tables of weights, see ``Shape``; if not given, (21, 18), or (20, 18) if joint, less
            for a treebank of so few words that they cannot fill it.

    Raises:
        OracleNotDefined: there is no such oracle, or the system does not have it.
        WrongDerivation: the oracle leads to another tree than the gold tree.
        UnknownSystem: there is no system of that name.
        EngineError: the engine cannot run the system.
        TrainingError: the system can build none of the trees, the engine does not have the oracle, or it cannot train
            the system so with a beam.
        TypeError: the treebank, the system or the oracle is something else.
        MeaninglessOption: something is chosen that means nothing with such a beam or oracle.
        ValueError: a number is out of range, or there is no such ``update`` or ``on_error``.
    """

    shape: Shape
    _always_joint: ClassVar[bool] = False
    _words_in_portion: ClassVar[int] = 2000

    def __init__(
        self,
        treebank: Columns | Iterable[DependencyTree],
        system: System | type[System] | str = DEFAULT_SYSTEM,
        templates: Templates = FAST,
        *,
        oracle: OracleFunction | str | None = None,
        seed: int = 1,
        exploration: Exploration = EXPLORATION,
        on_error: str = "go_on",
        beam: int = 1,
        update: str | UpdateRule = "max_violation",
        restart: bool = True,
        time_limit: int | None = None,
        subsample: float = 1.0,
        policy: AnyPolicy | None = None,
        on_sentence: OnSentence | None = None,
        on_update: OnUpdate | None = None,
        joint: bool = False,
        start: SavedModel | None = None,
        bits: tuple[int, int] | None = None,
    ) -> None:
        if on_error not in ON_ERROR:
            raise ValueError(f"there is no on_error {quoted(on_error)}: choose one of {', '.join(ON_ERROR)}")
        check_update(update)
        of_type("restart", restart, bool, "True or False")
        of_type("joint", joint, bool, "True or False")
        for name, function in {"policy": policy, "on_sentence": on_sentence, "on_update": on_update}.items():
            of_type(name, function, Callable | None, "a function")
        if time_limit is not None:
            whole_number("time_limit", time_limit, 1)
        if beam == 1:
            chosen = {"update": update != "max_violation", "restart": not restart, "time_limit": time_limit is not None}
            _check_without_beam([name for name, is_chosen in chosen.items() if is_chosen])
        else:
            _check_with_beam(policy, on_error)
        whole_number("seed", seed, 0)
        of_type("templates", templates, Templates, "a set of templates, such as FAST or Templates([...])")
        if not len(templates):
            raise TrainingError("there are no templates: the model would look at nothing")
        system = as_system(system)
        self._oracle = oracle_for(system, oracle)
        check_exploration(exploration, self._oracle)
        self._exploration, self._subsample = rates_of(exploration), subsample
        self._on_error, self._update, self._restart, self._time_limit = on_error, update, restart, time_limit
        self._policy, self._on_sentence, self._on_update = policy, on_sentence, on_update
        self._columns = columns_of(treebank)
        super().__init__(seed)
        self._seed, self._from = seed, start
        labels = labels_of(self._columns, system)
        if not isinstance(start, SavedModel | None):
            raise TrainingError(
                f"training goes on from a linear model, not from one of the kind {type(start).__name__}"
            )
        if start is not None:
            labels, bits = tuple(sorted({*labels, *start.shape.labels})), start.shape.bits
        joint = joint or self._always_joint
        self.shape = Shape(system, templates, labels, joint, bits or _bits(self._columns, templates, joint), beam)
        if start is not None:
            _check_start(start.shape, self.shape)
        self._usable = learnable(self._columns, system, self._oracle, subsample)
        self._start()

    @property
    def _rate(self) -> float:
        """How often to explore in this epoch."""
        return rate_in(self._exploration, self.epochs) if is_complete(self._oracle) else 0.0

    def _divide(self) -> Sequence[npt.NDArray[np.int64]]:
        self._take(self._columns.subsample(self._subsample, self._random) if self._subsample < 1 else self._columns)
        order = self._random.permutation(self._usable)
        return cut(order, np.diff(self._columns.offsets), self._words_in_portion)

    def _record(self, number: int, steps: int, errors: int) -> Epoch:
        return Epoch(number, len(self._usable), len(self._columns) - len(self._usable), steps, errors)

    @abstractmethod
    def _start(self) -> None:
        """Get ready for the first epoch."""

    @abstractmethod
    def _take(self, columns: Columns) -> None:
        """Get ready to learn from a treebank."""

    @abstractmethod
    def model(self) -> SavedModel:
        """The model with the average of the weights so far: the one to parse with."""


def _check_without_beam(chosen: Sequence[str]) -> None:
    """Make sure that nothing is chosen that is about beams.

    Raises:
        MeaninglessOption: something is.
    """
    if chosen:
        raise MeaninglessOption(f"{chosen[0]} is for beams: ask for a beam of 2 or more")


def _check_with_beam(policy: AnyPolicy | None, on_error: str) -> None:
    """Make sure that nothing is chosen that is about single transitions.

    Raises:
        MeaninglessOption: something is.
    """
    if policy is not None:
        raise MeaninglessOption(
            "a policy chooses single transitions: without a beam give policy=, with one exploration="
        )
    if on_error != "go_on":
        raise MeaninglessOption("on_error is about single transitions: without a beam give on_error=, with one update=")


def _bits(columns: Columns, templates: Templates, joint: bool) -> tuple[int, int]:
    """How large tables are that keep nearly all features of a treebank apart, and that fit into memory."""
    if not joint:
        return 21, 18
    enough = (8 * len(columns.heads) * len(templates)).bit_length()
    return min(max(enough, 14), 20), 18  # a row for each label is wide


class Trainer(AnyTrainer):
    """Training on the engine; see `AnyTrainer`.

    The oracle is one that the engine has: ``"dynamic"``, ``"nondeterministic"``, ``"static"``,
    ``"static_prefer_shift"``, ``"static_lazy_swap"`` or ``"static_dynamic"``.

    >>> from deptrees import sample_treebank
    >>> trainer = Trainer(sample_treebank("train"), "arc-hybrid", exploration=(0, 0.5, 0.9), seed=7)
    >>> [trainer.epoch().number for _ in range(4)]
    [1, 2, 3, 4]
    """

    def _start(self) -> None:
        name = oracle_name(self._oracle)
        if name not in core.ORACLES:
            known = ", ".join(core.ORACLES)
            raise TrainingError(f"the engine has no {name} oracle: choose one of {known}, or use trainer_for")
        if self._policy or self._on_sentence or self._on_update:
            raise TrainingError("policies and hooks need training step by step: use trainer_for")
        if not isinstance(self._from, Model | None):
            raise TrainingError("the model to go on from was trained step by step, and this training is the engine's")
        self._weights = self.shape.weights(None if self._from is None else self._from.tables_for(self.shape))
        self._taken: Columns | None = None
        self._take(self._columns)
        if not is_complete(self._oracle):
            how = (name, 0.0, self._seed, None)
            steps = core.Steps(self._system, self._data, self._usable, *how, with_features=False)
            steps.finish()
            check_end(steps, self._columns, Oracle(self.shape.system, self._oracle))

    def _learn(self, portion: npt.NDArray[np.int64]) -> tuple[int, int]:
        seed = int(self._random.integers(1 << 62))
        if self._global is not None:
            return self._global.learn(portion, self._rate, seed)
        name = oracle_name(self._oracle)
        return core.learn(self._weights, self._system, self._data, portion, name, self._on_error, self._rate, seed)

    def _arrays(self) -> Mapping[str, npt.NDArray[Any]]:
        arrays = (*self._weights.arrays, *self._weights.changes)
        return dict(zip(("transitions", "labels", "transitions.changes", "labels.changes"), arrays, strict=True))

    def _rest(self) -> Mapping[str, Any]:
        return {"time": self._weights.time}

    def _take_over(self, arrays: Mapping[str, npt.NDArray[Any]], rest: Mapping[str, Any]) -> None:
        self._weights.time = rest["time"]
        self._weights.invalidate()

    def _take(self, columns: Columns) -> None:
        if columns is not self._taken:
            self._taken = columns
            self._system, self._data = self.shape.assemble(columns, oracle_name(self._oracle), learning=True)
            self._global = self._global_learning(columns) if self.shape.beam > 1 else None

    def _global_learning(self, columns: Columns) -> core.GlobalLearning:
        name = oracle_name(self._oracle)
        if not self.shape.system_code.has_losses and (name == "dynamic" or (columns.heads < 0).any()):
            raise TrainingError(
                f"the costs of {self.shape.system} take too long for a beam: train on whole trees with a static oracle"
            )
        how = (name, self.shape.beam, str(self._update), self._restart, self._time_limit or 0)
        return core.GlobalLearning(self._weights, self._system, self._data, *how)

    def model(self) -> Model:
        """The model with the average of the weights so far: the one to parse with."""
        first, second = [
            array if changes is None else array - changes / np.float32(self._weights.time + 1)
            for array, changes in zip(self._weights.arrays, self._weights.changes, strict=True)
        ]
        return Model.of(self.shape, first, second)


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
        raise transition.WrongDerivation.of(
            oracle, columns.tree(sentence), [None if head < 0 else head for head in heads]
        )


def _check_start(start: Shape, shape: Shape) -> None:
    """Make sure that training can go on from a model.

    Args:
        start: the shape of the model.
        shape: the shape that it is to become.

    Raises:
        TrainingError: it cannot.
    """
    if start.system != shape.system:
        raise TrainingError(f"the model to go on from parses with {start.system}, not with {shape.system}")
    if start.joint != shape.joint or (shape.joint and bool(start.labels) != bool(shape.labels)):
        raise TrainingError("the model to go on from chooses labels in another way: give the same joint=")
    missing = [str(template) for template in start.templates if template not in shape.templates]
    if missing:
        raise TrainingError(f"the model to go on from looks at {missing[0]!r}: include all of its templates")
    if start.templates.clusters and start.templates.clusters != shape.templates.clusters:
        raise TrainingError("the model to go on from looks at other clusters: give the same ones")
    if start.templates.embeddings and start.templates.embeddings != shape.templates.embeddings:
        raise TrainingError("the model to go on from looks at other embeddings: give the same ones")


def is_compiled(system: System, oracle: OracleFunction) -> bool:
    """Whether the engine is installed, and can run a system and an oracle."""
    return uncompiled(system, oracle) is None


def uncompiled(system: System, oracle: OracleFunction) -> str | None:
    """Why the engine cannot run a system and an oracle; ``None`` if it can.

    >>> from deptrees.transition import ArcHybrid, EasyFirst, dynamic_oracle
    >>> uncompiled(ArcHybrid(), dynamic_oracle)
    >>> uncompiled(EasyFirst(), dynamic_oracle)
    'EasyFirst() has no compiled form'
    """
    name = oracle_name(oracle)
    try:
        compile_system(system)
        return None if name in core.ORACLES else f"the oracle {name} has no compiled form"
    except EngineError:
        return f"{system} has no compiled form"
    except EngineNotInstalled:
        return "the compiled engine is not installed"


def warn_of_steps(cause: str) -> None:
    """Warn that something runs step by step: once for each cause, unless the filters of warnings say otherwise."""
    warnings.warn(f"{cause}: this runs step by step, about a hundred times slower", StepwiseWarning, stacklevel=1)


def labels_of(columns: Columns, system: System) -> tuple[str, ...]:
    """The labels of a treebank; without ROOT there is one more that the system gives itself."""
    found = set(columns.vocabularies["deprel"])
    return tuple(sorted(found | {"root"} if found and getattr(system, "root", None) == "none" else found))


def learnable(columns: Columns, system: System, oracle: OracleFunction, subsample: float) -> npt.NDArray[np.int64]:
    """The numbers of the sentences to learn from.

    Raises:
        OracleNotDefined: there is no such oracle, or the system does not have it.
        UnknownSystem: there is no system of that name.
        TrainingError: there are none, no word has a head, which the oracle needs, or the system has no oracle for parts
            of them.
        ValueError: the share of heads to learn from is out of range.
    """
    if not isinstance(subsample, numbers.Real):
        raise TypeError(f"subsample is a number, not {subsample!r}")
    if not 0 < subsample <= 1:
        raise ValueError(f"subsample is the share of heads to learn from: more than 0 and at most 1, not {subsample}")
    has_heads = bool((columns.heads >= 0).any())
    if not has_heads and isinstance(oracle, NamedOracle):  # others may know what is right without heads
        raise TrainingError(f"no word of the {len(columns)} trees has a head: there is nothing to learn from")
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
    return found


def usable(columns: Columns, system: System, oracle: OracleFunction) -> npt.NDArray[np.int64]:
    """The numbers of the sentences that an oracle can take.

    Raises:
        OracleNotDefined: there is no such oracle, or the system does not have it.
        UnknownSystem: there is no system of that name.
    """
    if Oracle(system, oracle).takes_any_tree:
        return np.arange(len(columns))
    # Trees are made of those only that have to be asked about.
    doubtful = np.flatnonzero(~columns.plain).tolist() if system.builds_plain_trees else range(len(columns))
    refused = [number for number in doubtful if system.obstacle(columns.tree(number)) is not None]
    return np.delete(np.arange(len(columns)), refused)
