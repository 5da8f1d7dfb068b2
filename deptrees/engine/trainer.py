"""Training on the engine."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from deptrees import transition
from deptrees.engine import core
from deptrees.engine.code.system import compile_system
from deptrees.engine.core import EngineError, EngineNotInstalled
from deptrees.engine.model import Model, SavedModel
from deptrees.engine.spec import Floats, ModelSpec
from deptrees.features import Templates
from deptrees.messages import counted, of_type
from deptrees.training.inputs import columns_of, is_complete, oracle_name, rate_in
from deptrees.training.options import LinearOptions
from deptrees.training.records import Epoch, TrainingError
from deptrees.training.resumable import Arrays, ResumableTraining, State, cut
from deptrees.transition.labels import LabelHeads
from deptrees.transition.oracles import NamedOracle, OracleFunction
from deptrees.transition.sequence import Oracle
from deptrees.transition.system import System
from deptrees.treebanks.columns import Columns
from deptrees.trees.tree import AnyTree

__all__ = [
    "AnyTrainer",
    "StepwiseWarning",
    "Trainer",
    "check_end",
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

    What is learned is what `deptrees.training.LocalTraining`, or, with a beam, `deptrees.training.GlobalTraining` says.

    Args:
        treebank: trees, or the same as numbers.
        options: how to train, with a single seed. The epochs are those that ``epoch`` is called for.
        bits: the size of the tables of weights, see ``ModelSpec``; if not given, (21, 18), or (20, 18) if joint, less
            for a treebank of so few words that they cannot fill it.

    Raises:
        OracleNotDefined: there is no such oracle, or the system does not have it.
        WrongDerivation: the oracle leads to another tree than the gold tree.
        EngineError: the engine cannot run the system.
        TrainingError: the system can build none of the trees, the engine does not have the oracle, or it cannot train
            the system so with a beam.
        TypeError, ValueError: the treebank or an option is something else, or has a wrong value.
        MeaninglessOption: an option would change nothing because of the others.
    """

    spec: ModelSpec
    _always_joint: ClassVar[bool] = False
    _words_in_portion: ClassVar[int] = 2000

    def __init__(
        self,
        treebank: Columns | Iterable[AnyTree],
        options: LinearOptions = LinearOptions(),
        *,
        bits: tuple[int, int] | None = None,
    ) -> None:
        options = options.checked()
        start = options.started_from
        of_type("start", start, SavedModel | None, "a linear parser to continue from")
        if not len(options.templates):
            raise TrainingError("there are no templates: the model would look at nothing")
        self.options, self._oracle, self._from = options, options.function, start
        self._columns = columns_of(treebank)
        super().__init__(options.seed)
        labels, heads = labels_of(self._columns, options.system), _label_heads(self._columns)
        if start is not None:
            labels, bits = tuple(sorted({*labels, *start.spec.labels})), start.spec.bits
            heads |= start.spec.label_heads
        joint = bool(options.joint) or self._always_joint
        bits = bits or _bits(self._columns, options.templates, joint)
        self.spec = ModelSpec(options.system, options.templates, labels, joint, bits, options.beam, heads)
        if start is not None:
            _check_start(start.spec, self.spec)
        self._usable = learnable(self._columns, options)
        self._start()

    @property
    def _rate(self) -> float:
        """How often to explore in this epoch."""
        return rate_in(self.options.rate or 0.0, self.epochs)

    def _divide(self) -> Sequence[npt.NDArray[np.int64]]:
        share = self.options.subsample
        self._take(self._columns.subsample(share, self._random) if share < 1 else self._columns)
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
    >>> options = LinearOptions(system="arc-hybrid", exploration=(0, 0.5, 0.9), seed=7)
    >>> trainer = Trainer(sample_treebank("train"), options)
    >>> [trainer.epoch().number for _ in range(4)]
    [1, 2, 3, 4]
    """

    def _start(self) -> None:
        name = oracle_name(self._oracle)
        if name not in core.ORACLES:
            known = ", ".join(core.ORACLES)
            raise TrainingError(f"the engine has no {name} oracle: choose one of {known}, or use trainer_for")
        if (own := self.options.without_compiled_form) and not self.options.templates.numeric:
            raise TrainingError(f"{own} has no compiled form, and needs training step by step: use trainer_for")
        if not isinstance(self._from, Model | None):
            raise TrainingError("the model to go on from was trained step by step, and this training is the engine's")
        self._weights = self.spec.weights(None if self._from is None else self._from.tables_for(self.spec))
        self._warn_of_estimates(name)
        self._taken: Columns | None = None
        self._take(self._columns)
        if not is_complete(self._oracle):
            how = (name, 0.0, self.options.seed, None)
            steps = core.Steps(self._system, self._data, self._usable, *how, with_features=False)
            steps.finish()
            check_end(steps, self._columns, Oracle(self.spec.system, self._oracle))

    def _warn_of_estimates(self, oracle: str) -> None:
        """Warn of sentences off whose path exact costs would take too long."""
        code, columns = self.spec.system_code, self._columns
        long = np.diff(columns.offsets) > core.LONGEST_EXACT
        if code.rows_tell:  # of projective trees
            long &= ~columns.projective
        if oracle == "dynamic" and code.has_losses and long.any():
            first = columns.tree(int(long.argmax()))
            cause = (
                f"{first.name} has {len(first):,} words, and exact costs are computed for up to {core.LONGEST_EXACT:,}"
            )
            warnings.warn(f"{cause}: where it leaves the gold tree, training takes estimates", stacklevel=1)

    def _learn(self, portion: npt.NDArray[np.int64]) -> tuple[int, int]:
        seed = int(self._random.integers(1 << 62))
        if self._global is not None:
            return self._global.learn(portion, self._rate, seed)
        how = (oracle_name(self._oracle), self.options, self._rate, seed)
        return core.learn(self._weights, self._system, self._data, portion, *how)

    def _arrays(self) -> Arrays:
        arrays = (*self._weights.arrays, *self._weights.changes)
        return dict(zip(("transitions", "labels", "transitions.changes", "labels.changes"), arrays, strict=True))

    def _other_state(self) -> State:
        return {"time": self._weights.time}

    def _restore(self, arrays: Arrays, rest: State) -> None:
        self._weights.time = rest["time"]
        self._weights.invalidate()

    def _take(self, columns: Columns) -> None:
        if columns is not self._taken:
            self._taken = columns
            self._system, self._data = self.spec.assemble(columns, oracle_name(self._oracle), learning=True)
            self._global = self._global_learning(columns) if self.spec.beam > 1 else None

    def _global_learning(self, columns: Columns) -> core.GlobalLearning:
        name = oracle_name(self._oracle)
        if not self.spec.system_code.has_losses and (name == "dynamic" or (columns.heads < 0).any()):
            raise TrainingError(
                f"the costs of {self.spec.system} take too long for a beam: train on whole trees with a static oracle"
            )
        return core.GlobalLearning(self._weights, self._system, self._data, name, self.options)

    def model(self) -> Model:
        tables = zip(self._weights.arrays, self._weights.changes, strict=True)
        first, second = [array if changes is None else self._averages(array, changes) for array, changes in tables]
        return Model.of(self.spec, first, second)

    def _averages(self, weights: Floats, changes: Floats) -> Floats:
        """The averages of a table, which is large: what is needed in between is not a table of its own."""
        found = changes / np.float32(-(self._weights.time + 1))
        found += weights
        return found


def check_end(steps: core.Steps, columns: Columns, oracle: Oracle) -> None:
    """Raise ``WrongDerivation`` if an oracle's derivation of a sentence did not lead to the gold tree."""
    if steps.astray is not None:
        sentence, heads = steps.astray
        found = [None if head < 0 else head for head in heads]
        raise transition.WrongDerivation.of(oracle, columns.tree(sentence), found)


def _check_start(start: ModelSpec, spec: ModelSpec) -> None:
    """Raise a ``TrainingError`` if training cannot go on from a model to one with another spec."""
    if start.system != spec.system:
        raise TrainingError(f"the model to go on from parses with {start.system}, not with {spec.system}")
    if start.joint != spec.joint or (spec.joint and bool(start.labels) != bool(spec.labels)):
        raise TrainingError("the model to go on from chooses labels in another way: give the same joint=")
    missing = [str(template) for template in start.templates if template not in spec.templates]
    if missing:
        raise TrainingError(f"the model to go on from looks at {missing[0]!r}: include all of its templates")
    for what in ("clusters", "embeddings"):
        own = getattr(start.templates, what)
        if own and own != getattr(spec.templates, what):
            raise TrainingError(f"the model to go on from looks at other {what}: give the same ones")


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


def _label_heads(columns: Columns) -> LabelHeads:
    """Which labels of a treebank are those of arcs from ROOT, and which those of arcs from words."""
    names, arcs = columns.vocabularies["deprel"], zip(columns.heads.tolist(), columns.labels.tolist(), strict=True)
    return LabelHeads.of((head, names[label]) for head, label in {*arcs} if head >= 0 and label >= 0)


def learnable(columns: Columns, options: LinearOptions) -> npt.NDArray[np.int64]:
    """The numbers of the sentences to learn from.

    Raises:
        OracleNotDefined: the system does not have the oracle.
        TrainingError: there are none, no word has a head, or the system has no oracle for parts of them.
    """
    system, oracle, share = options.system, options.function, options.subsample
    has_heads = bool((columns.heads >= 0).any())
    if not has_heads and isinstance(oracle, NamedOracle):  # others may know what is right without heads
        raise TrainingError(f"no word of {counted(len(columns), 'tree')} has a head: there is nothing to learn from")
    found = usable(columns, system, oracle)
    if not len(found):
        raise TrainingError(
            f"{system} can build none of {counted(len(columns), 'tree')}: there is nothing to learn from"
        )
    if share < 1 and system.oracles.dynamic is None:
        raise TrainingError(f"{system} has no oracle that can do without some heads: learn from all of them")
    if share < 1 and not system.empty_means_unknown:
        raise TrainingError(
            f"{system} would learn to leave words without the heads that subsample={share} leaves out: "
            "learn from all of them, or give the system empty_means_unknown=True"
        )
    return found


def usable(columns: Columns, system: System, oracle: OracleFunction) -> npt.NDArray[np.int64]:
    """The numbers of the sentences that an oracle can take; ``OracleNotDefined`` if the system does not have it."""
    if Oracle(system, oracle).takes_any_tree:
        return np.arange(len(columns))
    # Trees are made of those only that have to be asked about.
    doubtful = np.flatnonzero(~columns.plain).tolist() if system.builds_plain_trees else range(len(columns))
    refused = [number for number in doubtful if system.obstacle(columns.tree(number)) is not None]
    return np.delete(np.arange(len(columns)), refused)
