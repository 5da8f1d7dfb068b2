"""The ready-made parser: a system, feature templates and a model, trained, saved, loaded and used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import attrs
import numpy as np
import numpy.typing as npt
from more_itertools import side_effect, take

from deptrees import evaluation
from deptrees.any_parser import ScoredTree
from deptrees.engine import Model, read_model
from deptrees.engine.confidence import Calibration, NotCalibrated, evidence
from deptrees.engine.constrained import ConstrainedModel
from deptrees.features import Templates
from deptrees.files.models import ModelError, ModelFile, Part
from deptrees.files.parts import NEURAL_MODEL
from deptrees.trained_parser import TrainedParser
from deptrees.training.declarations import takes
from deptrees.training.inputs import columns_of, trees_of
from deptrees.training.options import LinearOptions, read_settings, settings_part
from deptrees.training.records import Epoch, TrainingError
from deptrees.transition import System
from deptrees.transition.constraints import Known
from deptrees.treebanks.columns import Columns
from deptrees.treebanks.sentences import attach, attach_one, in_order
from deptrees.treebanks.treebank import Treebank
from deptrees.trees.tree import DependencyTree, Sentence

if TYPE_CHECKING:
    from typing_extensions import Self

    from deptrees.engine import StepwiseModel, StepwiseTrainer, Trainer
    from deptrees.treebanks.encoded_text import EncodedText

__all__ = ["Epoch", "ModelError", "NotCalibrated", "Parser", "ScoredTree", "TrainingError"]

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
    @takes(LinearOptions)
    def train(cls, treebank: Columns | Iterable[DependencyTree], options: LinearOptions) -> Parser:
        """Train a parser (Goldberg & Nivre 2013, algorithm 3).

        With a dynamic oracle, training explores from the second epoch on: nine times in ten, it continues with the
        model's prediction, right or wrong. With any other oracle, it takes only gold transitions. Trees that the system
        cannot build are learned from if its dynamic oracle accepts them (see ``Oracles.take_any_tree``), and left out
        otherwise. Labels are learned if the treebank has any. With several seeds, the first is evaluated on ``dev``,
        and the others are trained up to its best epoch; the parser is calibrated on ``dev``.

        Args:
            treebank: the trees to learn from; they are held in memory, as numbers.
            options: those of `LinearOptions`, as keywords.

        Raises:
            TrainingError: no word has a head, the system can build no tree, the engine cannot train the system so
                with a beam, or cannot go on from ``start``, or the checkpoint is that of another training.
            FileExistsError: there is a checkpoint, and training should not resume from it.
            OSError: the checkpoint cannot be written.
            TypeError: the treebank or an option is something else.
            EvaluationError: no word of the development data has a head.
            MeaninglessOption: an option would change nothing because of the others. It is a ``ValueError``.
            ValueError: an option has a wrong value.
            IncompleteOracle: the policy continued with a wrong transition, after which the oracle is not defined.
            OracleNotDefined: there is no such oracle, or the system does not have it.
            UnknownSystem: there is no system of that name.
        """
        # What only training needs, so that a parser that was saved is there sooner.
        from deptrees.engine import trainer_for
        from deptrees.engine.mixing import mix
        from deptrees.training.checkpoints import identity
        from deptrees.training.run import run

        constraints, dev = options.constraints, options.trees_to_evaluate_on()
        if constraints is not None:
            if isinstance(treebank, Columns):
                raise TypeError("constraints are asked of trees: give the treebank as trees, not as columns")
            treebank = [constraints(tree).in_misc(tree) for tree in trees_of(treebank)]
        columns = columns_of(treebank)

        def model(trainer: Trainer | StepwiseTrainer, epochs: int) -> Parser:
            # Step by step, labels are chosen with transitions whatever was asked for.
            settings = trainer.options.settings(LinearOptions, epochs=epochs, joint=trainer.shape.joint)
            return cls(trainer.model(), settings=settings)

        def evaluated(parser: Parser, epoch: Epoch) -> Epoch:
            assert dev is not None
            return attrs.evolve(epoch, scores=evaluation.evaluate(dev, parser.parse(dev, constraints=constraints)))

        best = run(
            options,
            lambda seed: trainer_for(columns, attrs.evolve(options, seed=seed)),
            model=model,
            mean=lambda parsers: attrs.evolve(parsers[0], model=mix([parser.model for parser in parsers])),
            evaluated=None if dev is None else evaluated,
            # There can be more epochs.
            about=lambda seed: identity(options.settings(LinearOptions, seed=seed, epochs=0), columns, dev),
            load=lambda path: cls.load(path, system=options.system),
            best_epoch=lambda parser: parser.settings.epochs if parser.settings else options.epochs,
        )
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
            settings=read_settings(file, LinearOptions, **known),
            calibration=Calibration.read(file),
            **cls._read_companions(file),
        )
