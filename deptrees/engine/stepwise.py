"""What the engine cannot run, with the same calls: configurations of the functional layer, one at a time.

These are the systems that are no tables over a stack and a buffer, and arc-swift, whose transitions reach any depth.
They are trained and parsed with as other systems are; it takes a thousand times longer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from random import Random
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.engine.model import Model, SavedModel, Shape
from deptrees.engine.trainer import Trainer, is_compiled, labels_of, learnable
from deptrees.features import FAST, Templates
from deptrees.files.models import ModelFile, Part
from deptrees.files.records import to_record
from deptrees.search import BeamSearch, Ranking
from deptrees.training import GlobalTraining, LocalTraining
from deptrees.training.inputs import columns_of
from deptrees.training.perceptron import Perceptron
from deptrees.training.records import DEFAULT_SYSTEM, Epoch, TrainingError
from deptrees.transition import ExplorationPolicy, Oracle, System, dynamic_oracle, typed, untyped
from deptrees.transition.configuration import OracleFunction
from deptrees.transition.oracles import as_oracle_function
from deptrees.transition.systems.registry import as_system
from deptrees.treebanks.columns import Columns
from deptrees.trees.tree import DependencyTree

__all__ = ["StepwiseModel", "StepwiseTrainer", "read_model", "train", "trainer_for"]

_FORMAT = "deptrees stepwise model 2"
_WEIGHTS = "perceptron"
_Integers = npt.NDArray[np.int32]


def _perceptron(shape: Shape) -> Perceptron:
    """A perceptron that has learnt nothing yet; it does not look at the history."""

    def features(cfg: Any, k: int) -> list[str]:
        return [f"{number}{values}" for number, values in enumerate(shape.templates.values(cfg, k=k))]

    return Perceptron(features, shape.system.transition_space(shape.labels), by_k=True)


@attrs.frozen(eq=False)
class StepwiseModel(SavedModel):
    """A trained model.

    Args:
        shape: what it scores; transitions and labels are chosen together.
        perceptron: what it has learnt.
    """

    shape: Shape
    perceptron: Perceptron = attrs.field(repr=False)

    @cached_property
    def ranking(self) -> Ranking:
        """The transitions, ranked by what it has learnt."""
        return Ranking(self.shape.system, self.perceptron, self.shape.labels)

    def parse(self, columns: Columns, threads: int = 1, beam: int | None = None) -> tuple[_Integers, _Integers]:
        """Parse a treebank, of which only the words count.

        Args:
            columns: the treebank.
            threads: makes no difference here.
            beam: how many derivations to follow at a time, at most 64; if not given, as many as in training.

        Returns:
            The head of each word, -1 for none, and its label as a number of ``shape.labels``, -1 for none.

        Raises:
            ValueError: the numbers of threads or derivations are out of range.
        """
        search = BeamSearch(self.ranking, self.shape.width(threads, beam))
        numbers = {label: number for number, label in enumerate(self.shape.labels)}
        heads, labels = np.full((2, len(columns.heads)), -1, np.int32)
        for sentence, start in enumerate(columns.offsets[:-1].tolist()):
            cfg = search.best(columns.tree(sentence)).config
            for word, (head, label) in enumerate(zip(cfg.heads, cfg.labels, strict=True), start):
                heads[word] = -1 if head is None else head
                labels[word] = numbers.get(label, -1)
        return heads, labels

    def part(self) -> Part:
        return Part(_FORMAT, to_record(self.shape), {_WEIGHTS: self.perceptron.weights})

    @classmethod
    def read(cls, file: ModelFile, system: System | None = None) -> StepwiseModel:
        shape = Shape.read(file, _FORMAT, system)
        perceptron = _perceptron(shape)
        file.fill(_WEIGHTS, perceptron.weights)
        return cls(shape, perceptron)


def read_model(file: ModelFile, system: System | None = None) -> Model | StepwiseModel:
    """Read a model of either kind from an open file.

    Args:
        file: the file.
        system: the transition system, if it is not one of the library's own.

    Raises:
        ModelError: there is none in it, or one of another system.
    """
    return StepwiseModel.read(file, system) if _FORMAT in file else Model.read(file, system)


class StepwiseTrainer:
    """Training, epoch by epoch: of single transitions, or, with a beam, of whole derivations.

    Args:
        treebank: trees, or the same as numbers.
        system: the transition system, or its class or name.
        templates: the feature templates. Those that look at the history find none here.
        oracle: an oracle function, the library's or your own, or the name of one of the library's.
        seed: determines the order of sentences and the exploration.
        exploration: with a dynamic oracle of the library, how often to go on with the best transition according to the
            model, right or wrong, from the second epoch on. With a beam: how often to restart from the best derivation
            rather than from the best correct one.
        beam: how many derivations are followed, at most 64; with one, single transitions are learnt.
        on_error: without a beam, what to do after an update; see `deptrees.training.LocalTraining`.
        update: with a beam, when to update; see `deptrees.training.GlobalTraining`.
        restart: with a beam, whether learning goes on after an update.
        subsample: which share of the heads is learnt from in each epoch, drawn anew for each (Aufrant & Wisniewski
            2017, section 4.4).

    Raises:
        OracleNotDefined: there is no such oracle, or the system does not have it.
        UnknownSystem: there is no system of that name.
        TrainingError: the system can build none of the trees.
        TypeError: the treebank, the system or the oracle is something else.
        ValueError: the beam, ``exploration`` or ``subsample`` is out of range, or there is no such update.

    >>> from deptrees import sample_treebank
    >>> from deptrees.transition import EasyFirst
    >>> trees = [*sample_treebank("train")][:4]
    >>> trainer = StepwiseTrainer(trees, EasyFirst())
    >>> trainer.epoch().sentences, trainer.epoch().number
    (4, 2)
    >>> heads, labels = trainer.model().parse(Columns.encode(trees))
    >>> int(heads.min()) >= 0
    True
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
        on_error: Any = "go_on",
        update: Any = "max_violation",
        restart: bool = True,
        subsample: float = 1.0,
    ) -> None:
        system, function = as_system(system), as_oracle_function(oracle)
        self._columns = columns = columns_of(treebank)
        self._subsample = subsample
        self.shape = Shape(system, templates, labels_of(columns, system), joint=True, beam=beam)
        self._usable, p = learnable(columns, system, function, subsample, exploration)
        self._perceptron = _perceptron(self.shape)
        self._asked = 0
        self._random = np.random.default_rng(seed)
        self._epochs = 0
        gold = Oracle(system, function, typed if self.shape.labels else untyped)
        ranking = Ranking(system, self._scores, self.shape.labels)
        self._strategy: LocalTraining | GlobalTraining
        if beam == 1:
            policy = ExplorationPolicy(k=1, p=p, rng=Random(seed))
            self._strategy = LocalTraining(gold, ranking, policy, on_error=on_error)
        else:
            search = BeamSearch(ranking, beam)
            self._strategy = GlobalTraining(gold, search, update, restart=restart, k=1, p=p, rng=Random(seed))

    def epoch(self) -> Epoch:
        """Learn from every sentence once."""
        self._epochs += 1
        self._asked = errors = 0
        strategy, columns = self._strategy.at(self._epochs), self._columns
        if self._subsample < 1:
            columns = columns.subsample(self._subsample, self._random)
        for sentence in self._random.permutation(self._usable).tolist():
            for update in strategy(columns.tree(sentence)):
                self._perceptron.update(update)
                errors += 1
        skipped = len(self._columns) - len(self._usable)
        return Epoch(self._epochs, len(self._usable), skipped, self._asked, errors)

    def model(self) -> StepwiseModel:
        """The model with the average of the weights so far: the one to parse with."""
        return StepwiseModel(self.shape, self._perceptron.averaged())

    def _scores(self, configurations: Sequence[Any]) -> npt.NDArray[np.float32]:
        self._asked += len(configurations)
        return self._perceptron(configurations)


def trainer_for(
    treebank: Columns | Iterable[DependencyTree],
    system: System | type[System] | str = DEFAULT_SYSTEM,
    templates: Templates = FAST,
    *,
    oracle: OracleFunction | str = dynamic_oracle,
    joint: bool = False,
    **options: Any,
) -> Trainer | StepwiseTrainer:
    """Training on the engine if it can run the system and the oracle, and otherwise step by step.

    Args:
        treebank: trees, or the same as numbers.
        system: the transition system, or its class or name.
        templates: the feature templates.
        oracle: an oracle function, the library's or your own, or the name of one of the library's.
        joint: whether transitions and labels are chosen together; step by step they always are.
        options: what else both trainers take.

    Raises:
        OracleNotDefined: there is no such oracle, or the system does not have it.
        UnknownSystem: there is no system of that name.
        EngineError: there are more templates than the engine takes.
        TrainingError: the system can build none of the trees, or the engine cannot train it so with a
            beam.
        TypeError: the treebank, the system or the oracle is something else.
        ValueError: the beam, ``exploration`` or ``subsample`` is out of range, or there is no such update.
    """
    if is_compiled(as_system(system), as_oracle_function(oracle)):
        return Trainer(treebank, system, templates, oracle=oracle, joint=joint, **options)
    return StepwiseTrainer(treebank, system, templates, oracle=oracle, **options)


def train(
    treebank: Columns | Iterable[DependencyTree],
    system: System | type[System] | str = DEFAULT_SYSTEM,
    templates: Templates = FAST,
    *,
    epochs: int = 10,
    on_epoch: Callable[[Epoch], None] = lambda _: None,
    **options: Any,
) -> Model | StepwiseModel:
    """Train a model, on the engine if it can run the system and the oracle, and otherwise step by step.

    Args:
        treebank: trees, or the same as numbers.
        system: the transition system, or its class or name.
        templates: the feature templates.
        epochs: the number of passes over the treebank.
        on_epoch: is given a record of each epoch when it ends.
        options: what else ``Trainer`` takes: ``oracle``, which may be any oracle function here, ``seed``,
            ``exploration``, ``beam``, ``update``, ``restart``, ``subsample``, ``joint``, and, on the engine, ``bits``.

    Raises:
        OracleNotDefined: there is no such oracle, or the system does not have it.
        UnknownSystem: there is no system of that name.
        EngineError: there are more templates than the engine takes.
        TrainingError: there is no epoch, the system can build none of the trees, or the engine cannot train it so with
            a beam.
        TypeError: the treebank, the system or the oracle is something else.
        ValueError: the beam, ``exploration`` or ``subsample`` is out of range, or there is no such update.

    >>> from deptrees import sample_treebank
    >>> model = train(sample_treebank("train"))
    >>> dev = Columns.encode(sample_treebank("dev"))
    >>> heads, labels = model.parse(dev)
    >>> bool((heads == dev.heads).mean() > 0.75)
    True
    """
    if epochs < 1:
        raise TrainingError(f"{epochs} epochs are not enough to learn anything: ask for one or more")
    trainer = trainer_for(treebank, system, templates, **options)
    for _ in range(epochs):
        on_epoch(trainer.epoch())
    return trainer.model()
