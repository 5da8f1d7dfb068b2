"""The ready-made parser: a system, feature templates and a model, trained, saved, loaded and used."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import attrgetter
from typing import Any, overload

import attrs

from deptrees.engine import Epoch as Pass
from deptrees.engine import Model, Shape, StepwiseModel, TrainingError, read_model, trainer_for
from deptrees.evaluation.scores import Scores, evaluate
from deptrees.features import ZHANG_NIVRE, Templates
from deptrees.files.models import ModelError, Part, open_model, save_model
from deptrees.tagger import Tagger
from deptrees.transition import ArcEager, System, dynamic_oracle
from deptrees.transition.configuration import OracleFunction
from deptrees.transition.oracles import BY_NAME
from deptrees.treebanks.columns import Columns
from deptrees.treebanks.sentences import portions
from deptrees.trees.tree import DependencyTree, Sentence

__all__ = ["Epoch", "ModelError", "Parser", "Settings", "TrainingError"]

_SETTINGS = "deptrees settings 1"
_OF_THE_SHAPE = ("system", "templates", "beam", "joint")
"""Settings that parsing needs, too, so that a model has them in its shape."""
_NAMES = {function: name for name, function in BY_NAME.items()}


@attrs.frozen
class Epoch(Pass):
    """What happened in one pass over the training data.

    Args:
        number: the number of the pass, from 1.
        sentences: the sentences learnt from.
        skipped: the sentences whose trees the system cannot build.
        transitions: the configurations in which the model was asked.
        errors: those in which it was wrong.
        scores: the scores on the development data, ``None`` if there are none.
    """

    scores: Scores | None = None


@attrs.frozen
class Settings:
    """All that is chosen before a parser is trained; saved with it. See ``Parser.train``.

    Args:
        system: the transition system.
        oracle: the oracle function.
        epochs: the number of passes over the treebank; with development data, until the best one.
        seed: the seed.
        templates: what the model looks at.
        beam: how many derivations are followed at a time.
        update: with a beam, when there is an update.
        restart: with a beam, whether learning goes on behind an update.
        joint: whether each transition is chosen together with its label.
        subsample: which share of the heads is learnt from in each epoch.

    >>> from deptrees import sample_treebank
    >>> parser = Parser.train(sample_treebank("train"), epochs=1)
    >>> again = Parser.train(sample_treebank("train"), **attrs.asdict(parser.settings, recurse=False))
    >>> again.settings == parser.settings
    True
    """

    system: System
    oracle: OracleFunction = attrs.field(repr=attrgetter("__name__"))
    epochs: int
    seed: int
    templates: Templates = attrs.field(repr=False)
    beam: int
    update: str
    restart: bool
    joint: bool
    subsample: float = 1.0

    def record(self) -> dict[str, Any]:
        """What the model's shape does not say, as JSON can say it."""
        own = attrs.asdict(self, filter=attrs.filters.exclude(*_OF_THE_SHAPE), recurse=False)
        return {**own, "oracle": _NAMES[self.oracle]}

    @classmethod
    def of(cls, record: Mapping[str, Any], shape: Shape) -> Settings:
        """The settings that a record tells of, and the shape of the model that was trained with them."""
        known = {name: getattr(shape, name) for name in _OF_THE_SHAPE}
        return cls(**{**record, "oracle": BY_NAME[record["oracle"]]}, **known)


@attrs.frozen
class Parser:
    """A transition-based parser, on the batch engine where that can run its system.

    Args:
        model: what it has learnt.
        tagger: tags the words before they are parsed; without one they are parsed with the tags that they have.
        settings: how the model was trained, ``None`` if that is not known.

    >>> from deptrees import DependencyTree, sample_treebank
    >>> parser = Parser.train(sample_treebank("train"), epochs=2)
    >>> for tree in parser.parse([["Birds", "sing"], ["Dogs", "sleep"]]):
    ...     len(tree), None in tree.heads
    (2, False)
    (2, False)
    >>> isinstance(parser.parse(DependencyTree([(None, "Sing")])), DependencyTree)
    True
    """

    model: Model | StepwiseModel
    tagger: Tagger | None = None
    settings: Settings | None = None

    @property
    def system(self) -> System:
        """The transition system."""
        return self.model.shape.system

    @property
    def templates(self) -> Templates:
        """The feature templates."""
        return self.model.shape.templates

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that it gives to arcs; none if it parses without labels."""
        return self.model.shape.labels

    @classmethod
    def train(
        cls,
        treebank: Iterable[DependencyTree],
        system: System = ArcEager(root="last"),  # noqa: B008  a system is a value
        oracle: OracleFunction = dynamic_oracle,
        dev: Iterable[DependencyTree] | None = None,
        epochs: int = 5,
        seed: int = 1,
        *,
        templates: Templates = ZHANG_NIVRE,
        beam: int = 1,
        update: str = "max_violation",
        restart: bool = True,
        joint: bool = False,
        subsample: float = 1.0,
        on_epoch: Callable[[Epoch], None] = lambda _: None,
    ) -> Parser:
        """Train a parser (Goldberg & Nivre 2013, algorithm 3).

        With the dynamic oracle training explores from the second epoch on: nine times in ten it continues with the
        transition that the model predicts, right or wrong. With any other oracle it keeps to gold transitions.
        Sentences whose trees the system cannot build are learnt from too if its dynamic oracle takes them (see
        ``Oracles.take_any_tree``), and left out otherwise. Labels are learnt if the treebank has any.

        Args:
            treebank: the trees to learn from; they are held in memory, as numbers.
            system: the transition system. With ROOT last arc-eager is more accurate than with ROOT first.
            oracle: one of the library's oracle functions.
            dev: trees to evaluate on after each epoch. If given, the parser as it was after the epoch with the best
                labeled attachment score is returned, otherwise as it was after the last.
            epochs: the number of passes over the treebank.
            seed: determines the order of the sentences and the exploration, so that a run can be repeated.
            templates: what the model looks at.
            beam: how many derivations to follow at a time, at most 64. With more than one whole derivations are learnt
                instead of single transitions, and the parser parses with the same beam: slower, and more accurate.
            update: with a beam, when to update: ``"early"``, ``"max_violation"``, ``"latest"`` or ``"full"``; see
                `deptrees.training.GlobalTraining`.
            restart: with a beam, whether learning goes on behind an update (Aufrant, Wisniewski & Yvon 2017).
            joint: whether each transition is chosen together with its label. Otherwise the transition is chosen first
                and then, by weights of its own, the label: that is faster and takes less memory, and is less accurate,
                above all with a beam. Systems that the engine cannot run always choose both together.
            subsample: which share of the heads is learnt from in each epoch, drawn anew for each (Aufrant & Wisniewski
                2017, section 4.4).
            on_epoch: is given a record of each epoch when it ends.

        Raises:
            TrainingError: there is no epoch, no tree that the system can build, the oracle is not one of the library's,
                or the engine cannot train the system so with a beam.
            ValueError: the beam or ``subsample`` is out of range, or there is no such update.
            OracleNotDefined: the system does not have the oracle.
        """
        if oracle not in _NAMES:
            raise TrainingError("a parser is trained with one of the library's oracle functions")
        dev = None if dev is None else list(dev)
        trainer = trainer_for(
            Columns.encode(treebank),
            system,
            templates,
            oracle=_NAMES[oracle],
            seed=seed,
            beam=beam,
            update=update,
            restart=restart,
            joint=joint,
            subsample=subsample,
        )
        # Where the engine cannot run the system, the shape is joint whatever was asked for.
        joint = trainer.shape.joint
        settings = Settings(system, oracle, epochs, seed, templates, beam, update, restart, joint, subsample)
        best, best_las = None, -1.0
        for number in range(1, epochs + 1):
            epoch = Epoch(**attrs.asdict(trainer.epoch()))
            if dev is not None or number == epochs:
                parser = cls(trainer.model(), settings=attrs.evolve(settings, epochs=number))
                if dev is not None:
                    epoch = attrs.evolve(epoch, scores=evaluate(dev, parser.parse(dev)))
                if epoch.scores is None or best is None or epoch.scores.las > best_las:
                    best, best_las = parser, epoch.scores.las if epoch.scores else -1.0
            on_epoch(epoch)
        if best is None:
            raise TrainingError(f"{epochs} epochs are not enough to learn anything: ask for one or more")
        return best

    @overload
    def parse(self, sentences: DependencyTree, threads: int = 1, beam: int | None = None) -> DependencyTree: ...

    @overload
    def parse(
        self, sentences: Iterable[Sentence], threads: int = 1, beam: int | None = None
    ) -> Iterator[DependencyTree]: ...

    def parse(
        self, sentences: DependencyTree | Iterable[Sentence], threads: int = 1, beam: int | None = None
    ) -> DependencyTree | Iterator[DependencyTree]:
        """Parse sentences, lazily and in order; one tree in gives one tree.

        Args:
            sentences: trees, of which only the words count, or lists of words. Comments and extra tokens of trees are
                kept.
            threads: the number of threads; the result does not depend on it.
            beam: how many derivations to follow at a time, at most 64; if not given, as many as in training.
        """
        if isinstance(sentences, DependencyTree):
            return next(self._parse([sentences], threads, beam))
        return self._parse(sentences, threads, beam)

    def _parse(self, sentences: Iterable[Sentence], threads: int, beam: int | None) -> Iterator[DependencyTree]:
        labels = (*self.labels, None)
        for trees in portions(sentences if self.tagger is None else self.tagger.tag(sentences, threads)):
            columns = Columns.encode(trees)
            heads, numbers = (array.tolist() for array in self.model.parse(columns, threads, beam))
            for tree, start in zip(trees, columns.offsets.tolist(), strict=False):
                tokens = [
                    token.attached(None if heads[word] < 0 else heads[word], labels[numbers[word]])
                    for word, token in enumerate(tree.tokens, start)
                ]
                yield attrs.evolve(tree, tokens=tokens)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the parser to a file in the safetensors format, with its tagger and its settings if it has any.

        Raises:
            ModelError: the system is not one of the library's own.
        """
        parts = [self.model.part()]
        if self.tagger:
            parts.append(self.tagger.part())
        if self.settings:
            parts.append(Part(_SETTINGS, self.settings.record(), {}))
        save_model(path, *parts)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Parser:
        """Load a parser that was saved.

        Raises:
            FileNotFoundError: there is no such file.
            ModelError: the file is not a model.

        >>> from tempfile import TemporaryDirectory
        >>> from deptrees import sample_treebank
        >>> parser = Parser.train(sample_treebank("train"), epochs=1)
        >>> with TemporaryDirectory() as folder:
        ...     parser.save(f"{folder}/model")
        ...     loaded = Parser.load(f"{folder}/model")
        >>> loaded.settings == parser.settings
        True
        >>> loaded.settings
        Settings(system=ArcEager(root='last'), oracle=dynamic_oracle, epochs=1, seed=1, beam=1, update='max_violation',
                 restart=True, joint=False, subsample=1.0)
        """
        with open_model(path) as file:
            tagger = Tagger.read(file) if Tagger.is_in(file) else None
            model = read_model(file)
            settings = Settings.of(file.record(_SETTINGS), model.shape) if _SETTINGS in file else None
            return cls(model, tagger, settings)
