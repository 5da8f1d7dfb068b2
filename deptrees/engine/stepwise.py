"""What the engine cannot run, behind the same calls: configurations of the functional layer, one at a time.

These are the systems that are no tables over a stack and a buffer, and arc-swift, whose transitions reach any depth.
They are trained and parsed with as other systems are; it takes a thousand times longer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from random import Random
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.engine.model import Model, Shape
from deptrees.engine.trainer import Epoch, Trainer, is_compiled, labels_of, learnable
from deptrees.features import ZHANG_NIVRE, Templates
from deptrees.files.models import ModelFile, Part, Saved
from deptrees.search import BeamSearch, Ranking
from deptrees.training import GlobalTraining, LocalTraining
from deptrees.training.perceptron import Perceptron
from deptrees.transition import ExplorationPolicy, Oracle, System, typed, untyped
from deptrees.transition.oracles import BY_NAME
from deptrees.treebanks.columns import Columns

__all__ = ["StepwiseModel", "StepwiseTrainer", "read_model", "train", "trainer_for"]

_FORMAT = "deptrees stepwise model 1"
_WEIGHTS = "perceptron"
_Integers = npt.NDArray[np.int32]


def _perceptron(shape: Shape) -> Perceptron:
    """A perceptron that has learnt nothing yet; it does not look at the history."""

    def features(cfg: Any, k: int) -> list[str]:
        return [f"{number}{values}" for number, values in enumerate(shape.templates.values(cfg, k=k))]

    return Perceptron(features, shape.system.transition_space(shape.labels), by_k=True)


@attrs.frozen(eq=False)
class StepwiseModel(Saved):
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
        return Part(_FORMAT, self.shape.record(), {_WEIGHTS: self.perceptron.weights})

    @classmethod
    def read(cls, file: ModelFile) -> StepwiseModel:
        shape = Shape.of(file.record(_FORMAT))
        perceptron = _perceptron(shape)
        file.fill(_WEIGHTS, perceptron.weights)
        return cls(shape, perceptron)


def read_model(file: ModelFile) -> Model | StepwiseModel:
    """Read a model of either kind from an open file.

    Raises:
        ModelError: there is none in it.
    """
    return StepwiseModel.read(file) if _FORMAT in file else Model.read(file)


class StepwiseTrainer:
    """Training, epoch by epoch: of single transitions, or, with a beam, of whole derivations.

    Args:
        columns: the treebank.
        system: the transition system.
        templates: the feature templates. Those that look at the history find none here.
        oracle: the name of one of the oracles that `deptrees.engine.Trainer` takes.
        seed: determines the order of sentences and the exploration.
        exploration: how often to go on with the best transition according to the model, right or wrong, from the
            second epoch on. With a beam: how often to restart from the best derivation rather than from the best
            correct one.
        beam: how many derivations are followed, at most 64; with one, single transitions are learnt.
        update: with a beam, when to update; see `deptrees.training.GlobalTraining`.
        restart: with a beam, whether learning goes on behind an update.
        subsample: which share of the heads is learnt from in each epoch, drawn anew for each (Aufrant & Wisniewski
            2017, section 4.4).

    Raises:
        OracleNotDefined: the system has no such oracle.
        TrainingError: the system can build none of the trees.

    >>> from deptrees import sample_treebank
    >>> from deptrees.transition import EasyFirst
    >>> trainer = StepwiseTrainer(Columns.encode([*sample_treebank("train")][:10]), EasyFirst())
    >>> trainer.epoch().sentences, trainer.epoch().number
    (10, 2)
    >>> heads, labels = trainer.model().parse(Columns.encode(sample_treebank("dev")))
    >>> int(heads.min()) >= 0
    True
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
        update: Any = "max_violation",
        restart: bool = True,
        subsample: float = 1.0,
    ) -> None:
        self.shape = Shape(system, templates, labels_of(columns, system), joint=True, beam=beam)
        self._columns, self._subsample = columns, subsample
        self._usable = learnable(columns, system, oracle, subsample)
        self._perceptron = _perceptron(self.shape)
        self._asked = 0
        self._random = np.random.default_rng(seed)
        self._epochs = 0
        gold = Oracle(system, BY_NAME[oracle], typed if self.shape.labels else untyped)
        ranking = Ranking(system, self._scores, self.shape.labels)
        p = exploration if oracle in ("dynamic", "approximate_dynamic") else 0.0
        self._strategy: LocalTraining | GlobalTraining
        if beam == 1:
            self._strategy = LocalTraining(gold, ranking, ExplorationPolicy(k=1, p=p, rng=Random(seed)))
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
    columns: Columns,
    system: System,
    templates: Templates = ZHANG_NIVRE,
    *,
    oracle: str = "dynamic",
    joint: bool = False,
    **options: Any,
) -> Trainer | StepwiseTrainer:
    """Training on the engine if it can run the system and the oracle, and otherwise step by step.

    Args:
        columns: the treebank.
        system: the transition system.
        templates: the feature templates.
        oracle: the name of the oracle.
        joint: whether transitions and labels are chosen together; step by step they always are.
        options: what else both trainers take.

    Raises:
        OracleNotDefined: the system has no such oracle.
        EngineError: there are more templates than the engine takes.
        TrainingError: the system can build none of the trees, or the engine cannot train it so with a beam.
    """
    if is_compiled(system, oracle):
        return Trainer(columns, system, templates, oracle=oracle, joint=joint, **options)
    return StepwiseTrainer(columns, system, templates, oracle=oracle, **options)


def train(
    columns: Columns,
    system: System,
    templates: Templates = ZHANG_NIVRE,
    *,
    epochs: int = 10,
    on_epoch: Callable[[Epoch], None] = lambda _: None,
    **options: Any,
) -> Model | StepwiseModel:
    """Train a model, on the engine if it can run the system and the oracle, and otherwise step by step.

    Args:
        columns: the treebank.
        system: the transition system.
        templates: the feature templates.
        epochs: the number of passes over the treebank.
        on_epoch: is given a record of each epoch when it ends.
        options: what else ``Trainer`` takes: ``oracle``, which may also be ``"approximate_dynamic"``, ``seed``,
            ``exploration``, ``beam``, ``update``, ``restart``, ``subsample``, ``joint``, and, on the engine, ``bits``.

    Raises:
        OracleNotDefined: the system has no such oracle.
        EngineError: there are more templates than the engine takes.
        TrainingError: the system can build none of the trees, or the engine cannot train it so with a beam.
        ValueError: the beam or ``subsample`` is out of range, or there is no such update.

    >>> from deptrees import sample_treebank
    >>> from deptrees.transition import ArcEager
    >>> model = train(Columns.encode(sample_treebank("train")), ArcEager())
    >>> dev = Columns.encode(sample_treebank("dev"))
    >>> heads, labels = model.parse(dev)
    >>> bool((heads == dev.heads).mean() > 0.75)
    True
    """
    trainer = trainer_for(columns, system, templates, **options)
    for _ in range(epochs):
        on_epoch(trainer.epoch())
    return trainer.model()
