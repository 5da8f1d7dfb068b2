"""The ready-made parser: a system, feature templates and a model, trained, saved, loaded and used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, ClassVar

import attrs
import numpy as np
import numpy.typing as npt
from more_itertools import side_effect, take

from deptrees import evaluation
from deptrees.any_parser import ScoredTree
from deptrees.engine import Model, read_model
from deptrees.engine.confidence import Calibration, NotCalibrated, evidence
from deptrees.engine.constrained import ConstrainedModel
from deptrees.features import FAST, Templates
from deptrees.files.models import ModelError, ModelFile, Part
from deptrees.files.parts import NEURAL_MODEL
from deptrees.messages import written
from deptrees.trained_parser import TrainedParser
from deptrees.training.inputs import (
    EXPLORATION,
    Exploration,
    check_known,
    columns_of,
    development_trees,
    of_type,
    oracle_for,
    oracle_name,
    trees_of,
    whole_number,
)
from deptrees.training.records import (
    DEFAULT_SYSTEM,
    Epoch,
    Settings,
    TrainingError,
    read_settings,
    settings_part,
)
from deptrees.transition import StackBufferSystem, System, as_system
from deptrees.transition.constraints import Known
from deptrees.transition.oracles import OracleFunction
from deptrees.treebanks.columns import Columns
from deptrees.treebanks.sentences import attach, attach_one, in_order
from deptrees.treebanks.treebank import Treebank
from deptrees.trees.tree import DependencyTree, Sentence

if TYPE_CHECKING:
    from typing_extensions import Self

    from deptrees.engine import StepwiseModel
    from deptrees.training import Checkpoint, OnSentence, OnUpdate, UpdateRule
    from deptrees.transition.sequence import AnyPolicy
    from deptrees.treebanks.encoded_text import EncodedText

__all__ = ["Epoch", "ModelError", "NotCalibrated", "Parser", "ScoredTree", "Settings", "TrainingError"]

_OF_THE_SHAPE = ("system", "templates", "beam", "joint")
"""Settings that parsing needs, too, so that a model has them in its shape."""


@attrs.frozen
class Parser(TrainedParser):
    """A transition-based parser, on the batch engine where that can run its system.

    Other arguments, such as a tagger, are those of `deptrees.trained_parser.TrainedParser`.

    Args:
        model: what it has learned.

    >>> from deptrees import DependencyTree, sample_treebank
    >>> parser = Parser.train(sample_treebank("train"), epochs=2)
    >>> for tree in parser.parse([["Birds", "sing"], ["Dogs", "sleep"]]):
    ...     len(tree), None in tree.heads
    (2, False)
    (2, False)
    >>> isinstance(parser.parse(DependencyTree([(None, "Sing")])), DependencyTree)
    True
    """

    default_system: ClassVar[StackBufferSystem] = DEFAULT_SYSTEM

    model: Model | StepwiseModel

    @property
    def system(self) -> System:
        return self.model.shape.system

    @property
    def templates(self) -> Templates:
        """The feature templates."""
        return self.model.shape.templates

    @property
    def labels(self) -> tuple[str, ...]:
        return self.model.shape.labels

    @property
    def looks_at(self) -> frozenset[str]:
        return frozenset(name for template in self.templates for name in template.names)

    @classmethod
    def train(
        cls,
        treebank: Columns | Iterable[DependencyTree],
        system: System | type[System] | str = DEFAULT_SYSTEM,
        oracle: OracleFunction | str | None = None,
        dev: Iterable[DependencyTree] | None = None,
        epochs: int = 10,
        seed: int = 1,
        *,
        seeds: int = 1,
        exploration: Exploration = EXPLORATION,
        on_error: str = "go_on",
        templates: Templates = FAST,
        beam: int = 1,
        update: str | UpdateRule = "max_violation",
        restart: bool = True,
        time_limit: int | None = None,
        joint: bool = False,
        subsample: float = 1.0,
        policy: AnyPolicy | None = None,
        constraints: Known | None = None,
        start: Parser | None = None,
        checkpoint: Checkpoint | None = None,
        on_epoch: Callable[[Epoch], None] = lambda _: None,
        on_sentence: OnSentence | None = None,
        on_update: OnUpdate | None = None,
    ) -> Parser:
        """Train a parser (Goldberg & Nivre 2013, algorithm 3).

        With a dynamic oracle, training explores from the second epoch on: nine times in ten, it continues with the
        model's prediction, right or wrong. With any other oracle, it takes only gold transitions. Trees that the system
        cannot build are learned from if its dynamic oracle accepts them (see ``Oracles.take_any_tree``), and left out
        otherwise. Labels are learned if the treebank has any.

        Args:
            treebank: the trees to learn from; they are held in memory, as numbers.
            system: the transition system, or its class or name. Arc-eager is more accurate with ROOT last than with
                ROOT first, and trees of Universal Dependencies have a single root.
            oracle: an oracle function, or the name of one of the library's, such as ``"static"``. By default it is the
                dynamic oracle, but in some systems in which arcs may cross another one, which they learn better from
                (see ``System.learns_best_from``). If the engine does not have it, as with your own, training runs step
                by step and does not explore.
            dev: trees to evaluate on after each epoch. If given, the parser of the epoch with the best labeled
                attachment score is returned, calibrated on them; otherwise that of the last epoch.
            epochs: the number of passes over the treebank.
            seed: determines the order of the sentences and the exploration, so that a run can be repeated.
            seeds: how many models to train, one after another, with this seed and the following ones. The parser has
                the average of their weights, which is more accurate and not slower. The first is evaluated on ``dev``,
                and the others are trained up to its best epoch.
            exploration: how often training continues with the model's prediction, if it explores: a number, from the
                second epoch on, or a schedule, which is a tuple of the rates of each epoch; the last rate stays.
            on_error: what to do after an update (Sartorio 2015, section 4.2.2): ``"go_on"``, ``"early"``, or
                ``"aggressive"``, as Goldberg & Nivre 2013 train easy-first; see `deptrees.training.LocalTraining`.
            templates: what the model looks at. With templates that have numbers, such as embeddings, training runs step
                by step.
            beam: how many derivations to follow at a time, at most 64. With more than one, the parser learns whole
                derivations instead of single transitions, and parses with the same beam: more slowly and more
                accurately.
            update: with a beam, when to update: ``"early"``, ``"max_violation"``, ``"max_violation_from_error"``,
                ``"latest"`` or ``"full"``, see `deptrees.training.GlobalTraining`; or a `deptrees.training.UpdateRule`
                of your own, with which training runs step by step.
            restart: with a beam, whether learning continues after an update (Aufrant, Wisniewski & Yvon 2017).
            time_limit: with a beam, after how many steps it starts afresh in training; ``None`` for never.
            joint: whether to choose each transition together with its label. Otherwise the transition is chosen first
                and then, by separate weights, the label: this is faster and takes less memory, but is less accurate,
                above all with a beam. Systems that the engine cannot run always choose both together.
            subsample: the share of the heads to learn from, drawn anew for each epoch (Aufrant & Wisniewski 2017,
                section 4.4).
            policy: without a beam, which transition training continues with, instead of ``exploration``, such as
                ``SecondBest(k=1, p=0.1)``; see `deptrees.transition.policies`. Training then runs step by step.
                ``seed`` determines its random numbers, and its model is the one that learns.
            constraints: returns what is known about a sentence before it is parsed, for templates that look at it, such
                as ``s0.misc.KnownHead``; see ``Constraints.in_misc``. Trees to evaluate on are parsed under them. Not
                part of the settings.
            start: a parser to continue from, with the same system and the same ``joint``: training starts with what it
                has learned. The templates must include its own. Not part of the settings.
            checkpoint: where to save the training, so that it can be stopped and resumed with the same result.
            on_epoch: called with a record of each epoch when it ends.
            on_sentence: called with each sentence, without comments, before it is learned from. If it returns a tree,
                that replaces the sentence. With it or ``on_update``, training runs step by step.
            on_update: called with each `deptrees.training.Update` once it has been learned from.

        Raises:
            TrainingError: no word has a head, the system can build no tree, the engine cannot train the system so
                with a beam, or cannot go on from ``start``, or the checkpoint is that of another training.
            FileExistsError: there is a checkpoint, and training should not resume from it.
            OSError: the checkpoint cannot be written.
            TypeError: the treebank, the system, the oracle or a number is something else.
            EvaluationError: no word of the development data has a head.
            MeaninglessOption: something is chosen that means nothing without a beam (``update``, ``restart``,
                ``time_limit``), with one (``policy``, ``on_error``), or with an oracle that is not dynamic
                (``exploration``). It is a ``ValueError``.
            ValueError: a number is out of range, or there is no such ``update`` or ``on_error``.
            IncompleteOracle: the policy continued with a wrong transition, after which the oracle is not defined.
            OracleNotDefined: there is no such oracle, or the system does not have it.
            UnknownSystem: there is no system of that name.
        """
        # What only training needs, so that a parser that was saved is there sooner.
        from deptrees.engine import trainer_for
        from deptrees.engine.mixing import mix
        from deptrees.training.checkpoints import following_seeds, identity
        from deptrees.training.run import run

        whole_number("epochs", epochs, 1)
        whole_number("seeds", seeds, 1)
        of_type("start", start, Parser | None, "a parser to go on from")
        check_known(constraints)
        dev = None if dev is None else development_trees(dev)
        function = oracle_for(as_system(system), oracle)
        if constraints is not None:
            if isinstance(treebank, Columns):
                raise TypeError("constraints are asked of trees: give the treebank as trees, not as columns")
            treebank = [constraints(tree).in_misc(tree) for tree in trees_of(treebank)]
        columns = columns_of(treebank)

        def learn(seed: int, epochs: int, dev: list[DependencyTree] | None, checkpoint: Checkpoint | None) -> Parser:
            trainer = trainer_for(
                columns,
                system,
                templates,
                oracle=function,
                seed=seed,
                exploration=exploration,
                on_error=on_error,
                beam=beam,
                update=update,
                restart=restart,
                time_limit=time_limit,
                joint=joint,
                subsample=subsample,
                policy=policy,
                start=start and start.model,
                on_sentence=on_sentence,
                on_update=on_update,
            )
            settings = Settings(
                system=trainer.shape.system,
                oracle=oracle_name(function),
                epochs=epochs,
                seed=seed,
                seeds=seeds,
                exploration=exploration,
                on_error=on_error,
                templates=templates,
                beam=beam,
                update=update if isinstance(update, str) else written(update),
                policy=policy and written(policy),
                restart=restart,
                time_limit=time_limit,
                joint=trainer.shape.joint,  # step by step it is joint whatever was asked for
                subsample=subsample,
            )

            def evaluated(parser: Parser, epoch: Epoch) -> Epoch:
                assert dev is not None
                return attrs.evolve(epoch, scores=evaluation.evaluate(dev, parser.parse(dev, constraints=constraints)))

            return run(
                trainer,
                epochs,
                model=lambda number: cls(trainer.model(), settings=attrs.evolve(settings, epochs=number)),
                load=lambda path: cls.load(path, system=trainer.shape.system),
                evaluated=None if dev is None else evaluated,
                on_epoch=on_epoch,
                checkpoint=checkpoint,
                about=lambda: identity(attrs.evolve(settings, epochs=0), columns, dev),  # there can be more epochs
            )

        best = learn(seed, epochs, dev, checkpoint)
        assert best.settings is not None
        others = [
            learn(other, best.settings.epochs, None, beside).model
            for other, beside in following_seeds(seed, seeds, checkpoint)
        ]
        best = attrs.evolve(best, model=mix([best.model, *others])) if others else best
        return best.calibrate(dev, constraints=constraints) if dev else best

    def calibrate(
        self, treebank: Iterable[DependencyTree], threads: int = 1, *, constraints: Known | None = None
    ) -> Parser:
        """The same parser, calibrated to say how probable it is that a head or a label is right.

        The treebank is parsed, and a logistic function is fitted to the evidence for each head and label (Platt 1999);
        see `deptrees.engine.confidence`.

        Args:
            treebank: trees that the parser was not trained on, similar to those that it will parse. A few hundred are
                enough.
            threads: the number of threads.
            constraints: those under which the parser will parse, if any; see ``parse``. Words that they are about are
                not learned from.

        Raises:
            TrainingError: no word has a head that was not already known.

        >>> from deptrees import sample_treebank
        >>> parser = Parser.train(sample_treebank("train"), epochs=2).calibrate(sample_treebank("dev"))
        >>> parsed = parser.parse(DependencyTree([(None, "Birds"), (None, "sing")]), confidence=True)
        >>> 0 < float(parsed[1].misc_values["HeadConfidence"]) < 1
        True
        """
        gold = list(trees_of(treebank))
        trees = self._tagged(gold, threads)
        columns = Columns.encode(trees)
        heads, labels, found = evidence(self._under(constraints, trees), columns, threads)
        parsed = attach(trees, columns, heads, labels, self.labels)
        return attrs.evolve(self, calibration=Calibration.learn(gold, parsed, found))

    def _parse(
        self,
        sentences: Iterable[Sentence],
        threads: int,
        beam: int | None,
        constraints: Known | None,
        confidence: bool,
    ) -> Iterator[DependencyTree]:
        self.model.shape.width(threads, beam)
        several = self._portions(sentences, threads)
        return chain.from_iterable(
            self._parse_together(trees, threads, beam, constraints, confidence) for trees in several
        )

    def _parse_together(
        self,
        trees: Sequence[DependencyTree],
        threads: int,
        beam: int | None,
        constraints: Known | None,
        confidence: bool,
    ) -> Iterator[DependencyTree]:
        """Parse some sentences."""
        model, columns = self._under(constraints, trees), Columns.encode(trees)
        if not confidence or self.calibration is None:
            return attach(trees, columns, *model.parse(columns, threads, beam), self.labels)
        heads, labels, found = evidence(model, columns, threads, beam)
        parsed = attach(trees, columns, heads, labels, self.labels)
        return self.calibration.tell(parsed, found, labeled=bool(self.labels))

    def _under(
        self, constraints: Known | None, trees: Sequence[DependencyTree]
    ) -> Model | StepwiseModel | ConstrainedModel:
        """The model to parse some sentences with."""
        return self.model if constraints is None else ConstrainedModel(self.model, trees, list(map(constraints, trees)))

    def _parse_to_bytes(
        self, treebank: Treebank, threads: int, beam: int | None, counts: Counter[str]
    ) -> Iterator[bytes]:
        if not treebank.can_be_encoded:
            return super()._parse_to_bytes(treebank, threads, beam, counts)

        def count(text: EncodedText | None) -> None:
            if text is not None:
                counts.update(sentences=len(text), words=int(text.offsets[-1]))

        return self.parse_texts(side_effect(count, treebank.arriving_texts()), threads, beam)

    def parse_texts(
        self, texts: Iterable[EncodedText | None], threads: int = 1, beam: int | None = None
    ) -> Iterator[bytes]:
        """Parse what ``Treebank.arriving_texts`` reads, lazily and in order: each text as its bytes, parsed.

        Where there is a ``None``, all texts before it are parsed before the next one is asked for.

        Raises:
            ValueError: the number of threads or the beam is out of range.

        >>> from deptrees import sample_treebank
        >>> parser = Parser.train(sample_treebank("train"), epochs=2)
        >>> parsed = b"".join(parser.parse_texts(sample_treebank("dev").arriving_texts()))
        >>> len(list(Treebank.from_bytes(parsed)))
        16
        """
        self.model.shape.width(threads, beam)
        return in_order(lambda text: self._parse_text(text, beam), texts, threads)

    def _parse_text(self, text: EncodedText, beam: int | None) -> bytes:
        columns = Columns.of_text(text)
        replaced: list[tuple[str, npt.NDArray[np.int32], Sequence[str]]] = []
        if self.tagger is not None:
            columns = self.tagger.tag_columns(columns)
            replaced += [(name, columns.words[name], columns.vocabularies[name]) for name in self.tagger.columns]
        heads, labels = self.model.parse(columns, 1, beam)
        positions = [*map(str, range(np.diff(columns.offsets).max(initial=0) + 1))]
        replaced += [("head", heads, positions), ("deprel", labels, self.labels), ("deps", np.full_like(heads, -1), ())]
        return text.with_columns(replaced)

    def _k_best(
        self, sentences: Iterable[Sentence], k: int, threads: int, beam: int | None, constraints: Known | None
    ) -> Iterator[list[ScoredTree]]:
        beam = self.model.shape.beam_for(k, beam)
        self.model.shape.width(threads, beam)
        several = self._portions(sentences, threads)
        return chain.from_iterable(self._rank(trees, k, threads, beam, constraints) for trees in several)

    def _rank(
        self, trees: Sequence[DependencyTree], k: int, threads: int, beam: int, constraints: Known | None
    ) -> Iterator[list[ScoredTree]]:
        """The best trees of some sentences."""
        found = self._under(constraints, trees).k_best(Columns.encode(trees), threads, beam)
        for number, tree in enumerate(trees):
            yield [
                ScoredTree(attach_one(tree, heads.tolist(), labels.tolist(), self.labels), score)
                for heads, labels, score in take(k, found.trees(number))
            ]

    def _model_parts(self) -> Sequence[Part]:
        settings = [settings_part(self.settings, *_OF_THE_SHAPE)] if self.settings else []
        return [self.model.part(), *settings]

    @classmethod
    def read(cls, file: ModelFile, system: System | None = None) -> Self:
        if NEURAL_MODEL in file:
            raise ModelError("a linear parser is needed, and this is a neural one, which deptrees.load_parser loads")
        model = read_model(file, system)
        known = {name: getattr(model.shape, name) for name in _OF_THE_SHAPE}
        return cls(
            model,
            settings=read_settings(file, **known),
            calibration=Calibration.read(file),
            **cls._read_companions(file),
        )
