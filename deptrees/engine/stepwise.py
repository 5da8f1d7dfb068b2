"""What the engine cannot run, with the same calls: configurations of the functional layer, one at a time.

These are the systems that are not tables over a stack and a buffer, and arc-swift, whose transitions reach any depth;
and templates with numbers, in any system. Training and parsing are called as for other systems. Where the engine is
installed, it looks up the features.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from operator import index
from random import Random
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt
from more_itertools import last, pairwise

from deptrees.engine.alternatives import Derived, margins_of, no_margins
from deptrees.engine.model import Model, SavedModel
from deptrees.engine.shape import Shape
from deptrees.engine.template_perceptron import TemplatePerceptron
from deptrees.engine.trainer import AnyTrainer, Trainer, is_compiled
from deptrees.features import FAST, Templates
from deptrees.files.models import ModelFile, Part
from deptrees.files.records import to_record
from deptrees.search import Beam, BeamSearch, Ranking, Space
from deptrees.training import GlobalTraining, LocalTraining, UpdateRule
from deptrees.training.inputs import whole_number
from deptrees.training.records import DEFAULT_SYSTEM, Epoch, TrainingError
from deptrees.transition import ExplorationPolicy, NeverExplore, Oracle, Policy, System, dynamic_oracle, typed, untyped
from deptrees.transition.losses.loss import LossNotFound
from deptrees.transition.oracles import as_oracle_function
from deptrees.transition.sequence import AnyPolicy
from deptrees.transition.system import OracleFunction
from deptrees.transition.systems.registry import as_system
from deptrees.treebanks.columns import Columns
from deptrees.trees.tree import DependencyTree

__all__ = ["StepwiseModel", "StepwiseTrainer", "read_model", "train", "trainer_for"]

_FORMAT = "deptrees stepwise model 4"
_WEIGHTS = "perceptron"
_NEED_STEPS = ("policy", "on_sentence", "on_update")
_Integers = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float32]


@attrs.frozen(eq=False)
class StepwiseModel(SavedModel):
    """A trained model.

    Args:
        shape: what it scores; transitions and labels are chosen together.
        weights: what it has learnt; see `deptrees.engine.template_perceptron`.
    """

    shape: Shape
    weights: _Floats = attrs.field(repr=False)

    @cached_property
    def ranking(self) -> Ranking:
        """The transitions, ranked by what it has learnt."""
        perceptron = TemplatePerceptron(self.shape, self.weights, learning=False)
        return Ranking(self.shape.system, perceptron, self.shape.labels)

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
        found = self.k_best(columns, threads, beam)
        return found.heads[0], found.labels[0]

    def parse_with_margins(
        self, columns: Columns, threads: int = 1, beam: int | None = None
    ) -> tuple[_Integers, _Integers, _Floats]:
        """Parse a treebank, and tell how clear the choices were; see ``Model.parse_with_margins``."""
        found, margins = Derived.empty(columns, 1), no_margins(len(columns.heads))
        for sentence, words, beam_found in self._beams(columns, threads, beam):
            found.write(sentence, beam_found[:1], self.shape.labels)
            margins[:, words] = margins_of(BeamSearch(self.ranking), beam_found[0])
        return found.heads[0], found.labels[0], margins

    def k_best(self, columns: Columns, threads: int = 1, beam: int | None = None) -> Derived:
        """The derivations that a beam ends with, for each sentence of a treebank; see ``Model.k_best``."""
        found = Derived.empty(columns, self.shape.width(threads, beam))
        for sentence, _, beam_found in self._beams(columns, threads, beam):
            found.write(sentence, beam_found, self.shape.labels)
        return found

    def _beams(self, columns: Columns, threads: int, beam: int | None) -> Iterator[tuple[int, slice, Beam]]:
        """Of each sentence the number, where its words are, and the beam in the end."""
        search = BeamSearch(self.ranking, self.shape.width(threads, beam))
        for sentence, (start, stop) in enumerate(pairwise(columns.offsets.tolist())):
            yield sentence, slice(start, stop), last(search(columns.tree(sentence)))

    def table_for(self, shape: Shape) -> _Floats:
        """The weights in a table of another shape, which has the same rows and other labels, too."""
        system, table = shape.system, np.zeros(TemplatePerceptron.shape_of_weights(shape), np.float32)
        own, others = [Space(system.transition_space(labels)) for labels in (self.shape.labels, shape.labels)]
        rows = np.flatnonzero(self.weights.any(axis=1))  # the others take no memory
        for number, transition in enumerate(own.transitions):
            table[rows, others.column(transition)] = self.weights[rows, number]
        return table

    def with_weights_of(self, models: Sequence[StepwiseModel], shares: Sequence[float]) -> StepwiseModel:
        weights = np.zeros_like(self.weights)
        for model, share in zip(models, shares, strict=True):
            weights += np.float32(share) * model.weights
        return attrs.evolve(self, weights=weights)

    def part(self) -> Part:
        return Part(_FORMAT, to_record(self.shape), {**self.shape.saved_arrays(), _WEIGHTS: self.weights})

    @classmethod
    def read(cls, file: ModelFile, system: System | None = None) -> StepwiseModel:
        shape = Shape.read(file, _FORMAT, system)
        return cls(shape, file.array(_WEIGHTS, TemplatePerceptron.shape_of_weights(shape)))


def read_model(file: ModelFile, system: System | None = None) -> Model | StepwiseModel:
    """Read a model of either kind from an open file.

    Args:
        file: the file.
        system: the transition system, if it is not one of the library's own.

    Raises:
        ModelError: there is none in it, or one of another system.
    """
    return StepwiseModel.read(file, system) if _FORMAT in file else Model.read(file, system)


class StepwiseTrainer(AnyTrainer):
    """Training step by step; see `AnyTrainer`.

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

    _always_joint = True
    _words_in_portion = 1  # a sentence

    def _start(self) -> None:
        if self._from is None:
            self._perceptron = TemplatePerceptron(self.shape)
        else:
            if not isinstance(self._from, StepwiseModel):
                raise TrainingError("the model to go on from is the engine's, and this training is step by step")
            self._perceptron = TemplatePerceptron(self.shape, self._from.table_for(self.shape))
        self._ranking = Ranking(self.shape.system, self._scores, self.shape.labels)
        self._asked = 0
        self._asked_last: Any = None
        self._rng = Random(self._seed)

    def _take(self, columns: Columns) -> None:
        self._taken = columns

    def _strategy(self, rate: float) -> LocalTraining | GlobalTraining:
        gold = Oracle(self.shape.system, self._oracle, typed if self.shape.labels else untyped)
        if self.shape.beam == 1:
            return LocalTraining(gold, self._ranking, self._policy_for(rate), on_error=self._on_error)
        how: dict[str, Any] = {"restart": self._restart, "time_limit": self._time_limit, "p": rate, "rng": self._rng}
        return GlobalTraining(gold, BeamSearch(self._ranking, self.shape.beam), self._update, **how)

    def _policy_for(self, rate: float) -> AnyPolicy:
        if isinstance(self._policy, Policy):
            return attrs.evolve(self._policy, rng=self._rng).at(self.epochs)
        return self._policy or (ExplorationPolicy(k=0, p=rate, rng=self._rng) if rate else NeverExplore())

    def _learn(self, portion: npt.NDArray[np.int64]) -> tuple[int, int]:
        self._asked = errors = 0
        strategy = self._strategy(self._rate)
        for sentence in portion.tolist():
            tree = self._taken.tree(sentence)
            changed = self._on_sentence(tree) if self._on_sentence else None
            with suppress(LossNotFound):  # the oracle has no answer: learning goes on with the next sentence
                for update in strategy(tree if changed is None else changed):
                    self._perceptron.update(update)
                    self._asked_last = None
                    errors += 1
                    if self._on_update:
                        self._on_update(update)
        return self._asked, errors

    def _arrays(self) -> Mapping[str, npt.NDArray[Any]]:
        return {"weights": self._perceptron.weights, "changes": self._perceptron.changes}

    def _rest(self) -> Mapping[str, Any]:
        return {"time": self._perceptron.time, "random": self._rng.getstate()}

    def _take_over(self, arrays: Mapping[str, npt.NDArray[Any]], rest: Mapping[str, Any]) -> None:
        self._perceptron.time = index(rest["time"])
        self._perceptron.look_again()
        version, numbers, more = rest["random"]
        self._rng.setstate((version, tuple(numbers), more))

    def model(self) -> StepwiseModel:
        """The model with the average of the weights so far: the one to parse with."""
        return StepwiseModel(self.shape, self._perceptron.averaged())

    def _scores(self, configurations: Sequence[Any]) -> npt.NDArray[np.float32]:
        if not (len(configurations) == 1 and configurations[0] is self._asked_last):  # a policy asks once more
            self._asked += len(configurations)
            self._perceptron.time += 1
        self._asked_last = configurations[-1]
        return self._perceptron(configurations)


def trainer_for(
    treebank: Columns | Iterable[DependencyTree],
    system: System | type[System] | str = DEFAULT_SYSTEM,
    templates: Templates = FAST,
    *,
    oracle: OracleFunction | str = dynamic_oracle,
    update: str | UpdateRule = "max_violation",
    **options: Any,
) -> Trainer | StepwiseTrainer:
    """Training on the engine if it can run what is asked for, and otherwise step by step.

    Systems that the engine cannot run, templates with numbers, oracles, policies and update rules of your own, and
    hooks need it step by step.

    Its arguments, and the errors, are those of `AnyTrainer`.
    """
    own = isinstance(update, UpdateRule) or any(map(options.get, _NEED_STEPS))
    own |= isinstance(templates, Templates) and bool(templates.numeric)
    compiled = not own and is_compiled(as_system(system), as_oracle_function(oracle))
    kind = Trainer if compiled else StepwiseTrainer
    return kind(treebank, system, templates, oracle=oracle, update=update, **options)


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
        options: what else `AnyTrainer` takes.

    Raises:
        ValueError: there is no epoch. It has the errors of `AnyTrainer`, too.

    >>> from deptrees import sample_treebank
    >>> model = train(sample_treebank("train"))
    >>> dev = Columns.encode(sample_treebank("dev"))
    >>> heads, labels = model.parse(dev)
    >>> bool((heads == dev.heads).mean() > 0.75)
    True
    """
    whole_number("epochs", epochs, 1)
    trainer = trainer_for(treebank, system, templates, **options)
    for _ in range(epochs):
        on_epoch(trainer.epoch())
    return trainer.model()
