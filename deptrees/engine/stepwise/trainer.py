"""Training of what the engine cannot run, with the same calls: in the functional layer, one configuration at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from operator import index
from random import Random
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np
import numpy.typing as npt

from deptrees import search, training, transition
from deptrees.engine.model import Model
from deptrees.engine.stepwise.model import StepwiseModel
from deptrees.engine.stepwise.perceptron import TemplatePerceptron
from deptrees.engine.trainer import AnyTrainer, Trainer, uncompiled, warn_of_steps
from deptrees.training.inputs import MeaninglessOption
from deptrees.training.options import LinearOptions
from deptrees.training.records import TrainingError
from deptrees.training.resumable import Arrays, State
from deptrees.transition.configuration import Configuration
from deptrees.transition.labels import typed, untyped
from deptrees.transition.losses.loss import LossNotFound
from deptrees.treebanks.columns import Columns
from deptrees.trees.tree import AnyTree

if TYPE_CHECKING:
    from deptrees.transition.sequence import AnyPolicy

__all__ = ["StepwiseTrainer", "train", "trainer_for"]

_OF_PARSERS = {"seeds", "dev", "constraints", "checkpoint"}


class StepwiseTrainer(AnyTrainer):
    """Training step by step; see `AnyTrainer`.

    >>> from deptrees import sample_treebank
    >>> from deptrees.transition import EasyFirst
    >>> trees = [*sample_treebank("train")][:4]
    >>> trainer = StepwiseTrainer(trees, LinearOptions(system=EasyFirst()))
    >>> trainer.epoch().sentences, trainer.epoch().number
    (4, 2)
    >>> heads, labels = trainer.model().parse(Columns.encode(trees))
    >>> int(heads.min()) >= 0
    True
    """

    _always_joint = True
    _words_in_portion = 1  # a sentence

    def _start(self) -> None:
        if self.options.joint is False:
            raise MeaninglessOption(
                "joint", "step by step, where labels are always chosen together with transitions: leave it out"
            )
        if self._from is None:
            self._perceptron = TemplatePerceptron(self.spec)
        else:
            if not isinstance(self._from, StepwiseModel):
                raise TrainingError("the model to go on from is the engine's, and this training is step by step")
            self._perceptron = TemplatePerceptron(self.spec, self._from.table_for(self.spec))
        self._scorer = _Counting(self._perceptron)
        self._ranking = search.Ranking(self.spec.system, self._scorer, self.spec.labels)
        self._rng = Random(self.options.seed)

    def _take(self, columns: Columns) -> None:
        self._taken = columns

    def _strategy(self, rate: float) -> training.LocalTraining | training.GlobalTraining:
        options = self.options
        gold = transition.Oracle(self.spec.system, self._oracle, typed if self.spec.labels else untyped)
        if options.beam == 1:
            return training.LocalTraining(gold, self._ranking, self._policy_for(rate), on_error=options.on_error)
        how: dict[str, Any] = {"restart": options.restart, "time_limit": options.time_limit, "p": rate}
        search_for = search.BeamSearch(self._ranking, options.beam)
        return training.GlobalTraining(gold, search_for, options.update, rng=self._rng, **how)

    def _policy_for(self, rate: float) -> AnyPolicy:
        policy: Any = self.options.policy
        if isinstance(policy, transition.Policy):
            return attrs.evolve(policy, rng=self._rng).at(self.epochs)
        return policy or (
            transition.ExplorationPolicy(k=0, p=rate, rng=self._rng) if rate else transition.NeverExplore()
        )

    def _learn(self, portion: npt.NDArray[np.int64]) -> tuple[int, int]:
        self._scorer.asked = errors = 0
        strategy = self._strategy(self._rate)
        on_sentence, on_update = self.options.on_sentence, self.options.on_update
        for sentence in portion.tolist():
            tree = self._taken.tree(sentence)
            changed = on_sentence(tree) if on_sentence else None
            with suppress(LossNotFound):  # the oracle has no answer: learning goes on with the next sentence
                for update in strategy(tree if changed is None else changed):
                    self._perceptron.update(update)
                    self._scorer.latest = None
                    errors += 1
                    if on_update:
                        on_update(update)
        return self._scorer.asked, errors

    def _arrays(self) -> Arrays:
        return {"weights": self._perceptron.weights, "changes": self._perceptron.changes}

    def _other_state(self) -> State:
        return {"time": self._perceptron.time, "random": self._rng.getstate()}

    def _restore(self, arrays: Arrays, rest: State) -> None:
        self._perceptron.time = index(rest["time"])
        self._perceptron.invalidate()
        version, numbers, more = rest["random"]
        self._rng.setstate((version, tuple(numbers), more))

    def model(self) -> StepwiseModel:
        return StepwiseModel(self.spec, self._perceptron.averaged())


@attrs.define
class _Counting:
    """A perceptron in training, and about how many configurations it has been asked.

    It does not know the trainer, so that this is freed with its weights as soon as training has ended.
    """

    perceptron: TemplatePerceptron
    asked: int = 0
    latest: Configuration | None = None

    def __call__(self, configurations: Sequence[Configuration]) -> npt.NDArray[np.float32]:
        if not (len(configurations) == 1 and configurations[0] is self.latest):  # a policy asks once more
            self.asked += len(configurations)
            self.perceptron.time += 1
        self.latest = configurations[-1]
        return self.perceptron(configurations)


def trainer_for(
    treebank: Columns | Iterable[AnyTree],
    options: LinearOptions = LinearOptions(),
    *,
    bits: tuple[int, int] | None = None,
) -> Trainer | StepwiseTrainer:
    """Training on the engine if it can do what is asked for; otherwise step by step, which a `StepwiseWarning` says.

    Its arguments, and the errors, are those of `AnyTrainer`. Systems that the engine cannot run, templates with
    numbers, oracles, policies and update rules of your own, and hooks need training step by step.
    """
    options = options.checked()
    own = options.without_compiled_form
    cause = f"{own} has no compiled form" if own else uncompiled(options.system, options.function)
    if cause is not None:
        warn_of_steps(cause)
    kind = Trainer if cause is None else StepwiseTrainer
    return kind(treebank, options, bits=bits)


def train(
    treebank: Columns | Iterable[AnyTree], *, bits: tuple[int, int] | None = None, **options: Any
) -> Model | StepwiseModel:
    """Train a model, on the engine if it can run the system and the oracle, and otherwise step by step.

    Args:
        treebank: trees, or the same as numbers.
        bits: the size of the tables of weights; see `AnyTrainer`.
        options: those of `deptrees.training.LinearOptions`, except several seeds, development data, constraints and
            checkpoints, which are for whole parsers.

    Raises:
        ValueError: there is no epoch. It has the errors of `AnyTrainer`, too.

    >>> from deptrees import sample_treebank
    >>> model = train(sample_treebank("train"))
    >>> dev = Columns.encode(sample_treebank("dev"))
    >>> heads, labels = model.parse(dev)
    >>> bool((heads == dev.heads).mean() > 0.75)
    True
    """
    chosen = LinearOptions.chosen(**options)
    if for_parsers := sorted(_OF_PARSERS & options.keys()):
        raise MeaninglessOption(for_parsers[0], "to a model alone: give it to Parser.train")
    trainer = trainer_for(treebank, chosen, bits=bits)
    for _ in range(chosen.epochs):
        chosen.on_epoch(trainer.epoch())
    return trainer.model()
