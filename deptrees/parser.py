"""The parser: a model and what comes with it, trained, saved, loaded and used."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice, tee
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, overload

import attrs
import numpy as np

from deptrees import evaluation
from deptrees.engine.confidence import Calibration, Confidence, Evidence, NotCalibrated
from deptrees.engine.finding import AnyModel, Found, SearchOptions, read_model
from deptrees.files.models import ModelError, ModelFile, Part, fingerprint, open_model, save_model
from deptrees.files.parts import ENHANCER, TAGGER, TOKENIZER
from deptrees.messages import of_type, quoted
from deptrees.packages.installed import model_file
from deptrees.training.declarations import takes
from deptrees.training.inputs import columns_of
from deptrees.training.known_tags import KnownTags, warn_of_labels
from deptrees.training.options import LinearOptions, ParserOptions, read_settings, settings_part
from deptrees.training.records import Epoch, TrainingError
from deptrees.transition import System
from deptrees.transition.constraints import Constraints, Known
from deptrees.transition.systems.registry import GivenSystem
from deptrees.treebanks.batch import Batch, batches, in_order
from deptrees.treebanks.columns import Columns
from deptrees.treebanks.treebank import Treebank, Written, write_batches
from deptrees.trees.tree import AnyTree, DependencyTree, Sentence, is_tree, trees_of

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from deptrees.engine import StepwiseTrainer, Trainer
    from deptrees.engine.incremental import IncrementalParse
    from deptrees.enhanced import Enhancer
    from deptrees.search import WeightedSet
    from deptrees.tagger import Tagger
    from deptrees.tokenizer import Tokenizer

__all__ = [
    "Epoch",
    "ModelError",
    "NotCalibrated",
    "ParseOptions",
    "Parser",
    "RankingOptions",
    "ScoredTree",
    "TrainingError",
    "learned_enhancer",
    "load_parser",
]


_FOLDS, _EPOCHS = 5, 5
"""How many parsers make trees for the enhancer to learn from, and how long each of them is trained."""


class ScoredTree(NamedTuple):
    """A tree, and the score of its best derivation."""

    tree: DependencyTree
    score: float


class RankingOptions(TypedDict, total=False):
    """How to search for the trees of sentences."""

    threads: int
    """The number of threads; the result does not depend on it."""
    beam: int | None
    """How many derivations to follow at a time, at most 64; by default as many as in training."""
    constraints: Known | None
    """Returns what is known about a sentence before it is parsed; ``Constraints.given`` keeps all heads and labels that
    it has."""


class ParseOptions(RankingOptions, total=False):
    """How to parse sentences."""

    confidence: bool
    """Whether to write into MISC how probable it is that the parse is right: ``HeadConfidence`` is the probability that
    the head is right, ``Confidence`` that both the head and the label are."""


def _model(given: AnyModel) -> AnyModel:
    of_type("model", given, AnyModel, "what a parser has learned, such as parser.model or an Ensemble")
    return given


@attrs.frozen(eq=False)
class Parser:
    """A parser: it finds the trees of sentences, with a model of any kind.

    Args:
        model: what it has learned; `deptrees.Ensemble` is one that other parsers vote in.
        tagger: tags the words before they are parsed; without one they are parsed with the tags that they have.
        tokenizer: divides raw text into the words that are parsed; see `deptrees.train_pipeline`.
        enhancer: makes the enhanced graphs of the trees; without one, DEPS stays empty.
        settings: how the model was trained, ``None`` if that is not known.
        calibration: how probable it is that heads and labels are right, ``None`` if that is not known. Some models
            say so themselves, others learn it from held-out data; see ``calibrate``.
        known_tags: the tags that words had in training, ``None`` if that is not known.

    >>> from deptrees import DependencyTree, sample_treebank
    >>> parser = Parser.train(sample_treebank("train"), epochs=2)
    >>> for tree in parser.parse([["Birds", "sing"], ["Dogs", "sleep"]]):
    ...     len(tree), None in tree.heads
    (2, False)
    (2, False)
    >>> isinstance(parser.parse(DependencyTree([(None, "Sing")])), DependencyTree)
    True
    """

    model: AnyModel = attrs.field(converter=_model)
    tagger: Tagger | None = attrs.field(
        default=attrs.Factory(lambda self: self.model.tagger, takes_self=True), kw_only=True
    )
    tokenizer: Tokenizer | None = attrs.field(
        default=attrs.Factory(lambda self: self.model.tokenizer, takes_self=True), kw_only=True
    )
    enhancer: Enhancer | None = attrs.field(
        default=attrs.Factory(lambda self: self.model.enhancer, takes_self=True), kw_only=True
    )
    settings: ParserOptions | None = attrs.field(default=None, kw_only=True)
    calibration: Confidence | None = attrs.field(
        default=attrs.Factory(lambda self: self.model.calibration, takes_self=True), kw_only=True
    )
    known_tags: KnownTags | None = attrs.field(
        default=attrs.Factory(lambda self: self.model.known_tags, takes_self=True), kw_only=True, repr=False
    )

    @property
    def system(self) -> System:
        """The transition system."""
        return self.model.system

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that it gives to arcs; none if it parses without labels."""
        return self.model.labels

    @property
    def looks_at(self) -> frozenset[str]:
        """The columns that its model looks at, such as ``upos``, among other names of its templates."""
        return self.model.looks_at

    @property
    def expected_tags(self) -> KnownTags | None:
        """The tags that words should have before they are parsed; ``None`` if a tagger gives them, or if not known."""
        return self.known_tags if self.tagger is None else None

    @classmethod
    @takes(LinearOptions)
    def train(cls, treebank: Columns | Iterable[AnyTree], options: LinearOptions) -> Parser:
        """Train a parser (Goldberg & Nivre 2013, algorithm 3).

        Only with a dynamic oracle does training explore; by default, from the second epoch on, nine times in ten it
        continues with the model's prediction, right or wrong. Trees that the system cannot build are learned from if
        its dynamic oracle accepts them (see ``Oracles.take_any_tree``), and left out otherwise. Labels are learned if
        the treebank has any. With several seeds, the first is evaluated on ``dev``, and the others are trained up to
        its best epoch; the parser is calibrated on ``dev``.

        Args:
            treebank: the trees to learn from; they are held in memory, as numbers.
            options: those of `LinearOptions`, as keywords.

        Raises:
            TrainingError: no word has a head, the system can build no tree, the engine cannot train the system so
                with a beam, or cannot go on from ``start``, or the checkpoint is that of another training.
            FileExistsError, OSError: there is a checkpoint that should not be resumed, or it cannot be written.
            TypeError, ValueError: the treebank or an option is something else, or has a wrong value.
            EvaluationError: no word of the development data has a head.
            MeaninglessOption: an option would change nothing because of the others.
            IncompleteOracle: the policy continued with a wrong transition, after which the oracle is not defined.
            OracleNotDefined, UnknownSystem: there is no such oracle or system, or the system does not have the oracle.
        """
        # What only training needs, so that a parser that was saved is there sooner.
        from deptrees.engine.mixing import mix
        from deptrees.engine.stepwise.trainer import trainer_for
        from deptrees.training.checkpoints import identity
        from deptrees.training.run import run, watched_on

        constraints, dev = options.constraints, options.trees_to_evaluate_on()
        enhancer = getattr(options.start, "enhancer", None)
        if options.enhanced or constraints is not None:
            if isinstance(treebank, Columns):
                what = "enhanced dependencies are learned from" if options.enhanced else "constraints are asked of"
                raise TypeError(f"{what} trees: give the treebank as trees, not as columns")
            trees = list(trees_of(treebank))
            enhancer = learned_enhancer(trees, options.seed) if options.enhanced else enhancer
            treebank = trees if constraints is None else [constraints(tree).in_misc(tree) for tree in trees]
        columns = columns_of(treebank)
        warn_of_labels(dev or (), columns)

        def model(trainer: Trainer | StepwiseTrainer, epochs: int) -> Parser:
            # Step by step, labels are chosen with transitions whatever was asked for.
            settings = trainer.options.settings(LinearOptions, epochs=epochs, joint=trainer.spec.joint)
            found = trainer.model()
            return cls(found, settings=settings, known_tags=KnownTags.of(columns, found.looks_at))

        def evaluated(parser: Parser, epoch: Epoch) -> Epoch:
            assert dev is not None
            found = watched_on(dev, parser.parse(dev, constraints=constraints), epoch, options)
            return attrs.evolve(epoch, scores=evaluation.evaluate(dev, found))

        def about(seed: int) -> dict[str, object]:
            # There can be more epochs.
            settings = options.settings(LinearOptions, seed=seed, epochs=0, joint=bool(options.joint))
            start = options.started_from
            return {**identity(settings, columns, dev), "start": start and fingerprint(start.part())}

        best = run(
            options,
            lambda seed: trainer_for(columns, attrs.evolve(options, seed=seed)),
            model=model,
            mean=lambda parsers: attrs.evolve(parsers[0], model=mix([parser.model for parser in parsers])),
            evaluated=None if dev is None else evaluated,
            about=about,
            load=lambda path: cls.load(path, system=options.system),
            best_epoch=lambda parser: parser.settings.epochs if parser.settings else options.epochs,
        )
        best = attrs.evolve(best, enhancer=enhancer)
        return best.calibrate(dev, constraints=constraints) if dev else best

    def calibrate(self, treebank: Iterable[AnyTree], **options: Unpack[RankingOptions]) -> Parser:
        """The same parser, calibrated to say how probable it is that a head or a label is right.

        The treebank is parsed, and a logistic function is fitted to the evidence for each head and label (Platt 1999).

        Args:
            treebank: a few hundred trees that the parser was not trained on, similar to those that it will parse.
            options: ``threads``, and the ``beam`` and the ``constraints`` with which the parser will parse; see
                `ParseOptions`. Words that constraints are about are not learned from.

        Raises:
            TrainingError: no word has a head that was not already known.
            ValueError: a number is out of range, or the model cannot say how clear its choices are with such a beam.

        >>> from deptrees import sample_treebank
        >>> parser = Parser.train(sample_treebank("train"), epochs=2).calibrate(sample_treebank("dev"))
        >>> parsed = parser.parse(DependencyTree([(None, "Birds"), (None, "sing")]), confidence=True)
        >>> 0 < float(parsed[1].misc_values["HeadConfidence"]) < 1
        True
        """
        gold = Batch.of(trees_of(treebank))
        how = attrs.evolve(self._options(**options), margins=True)
        self.model.check(how)
        _, found, how = self._find(gold, how, options.get("constraints"))
        evidence = Evidence.of(found, how.constraints)
        return attrs.evolve(self, calibration=Calibration.learn(evidence, found, gold.columns, self.labels))

    @overload
    def parse(self, sentences: AnyTree, **options: Unpack[ParseOptions]) -> DependencyTree: ...

    @overload
    def parse(self, sentences: Iterable[Sentence], **options: Unpack[ParseOptions]) -> Iterator[DependencyTree]: ...

    def parse(
        self, sentences: AnyTree | Iterable[Sentence], **options: Unpack[ParseOptions]
    ) -> DependencyTree | Iterator[DependencyTree]:
        """Parse sentences, lazily and in order; one tree in gives one tree.

        Args:
            sentences: trees, whose heads are ignored, or lists of words. Comments and extra tokens of trees are kept.
                The first two are taken one by one, and later up to 1,024 before the next tree comes. There is one
                warning if many words do not have the tags that the model looks at.
            options: ``threads``, ``beam``, ``constraints`` and ``confidence``; see `ParseOptions`.

        Raises:
            BrokenConstraints: the constraints on a sentence cannot be met; the message names it and the words.
            NotCalibrated: the parser does not know how probable it is that a parse is right; see ``calibrate``.
            TypeError: the sentences are raw text, or the constraints are no function.
            ValueError: the number of threads or the beam is out of range, or the model has no answer to an option.

        >>> from deptrees import Parser, sample_treebank
        >>> from deptrees.transition import Constraints
        >>> parser = Parser.train(sample_treebank("train"), epochs=2)
        >>> tree = DependencyTree([(3, "Old"), (None, "birds"), (None, "sing", "root")])
        >>> parsed = parser.parse(tree, constraints=Constraints.given)
        >>> parsed.heads[0], parsed.labels[2]
        (3, 'root')
        """
        if is_tree(sentences):
            return self(Batch.of([sentences]), **options).trees[0]
        parsed = self.parse_batches(batches(_not_text(sentences)), **options)
        return (tree for batch in parsed for tree in batch.trees)

    @overload
    def k_best(self, sentences: AnyTree, k: int, **options: Unpack[RankingOptions]) -> list[ScoredTree]: ...

    @overload
    def k_best(
        self, sentences: Iterable[Sentence], k: int, **options: Unpack[RankingOptions]
    ) -> Iterator[list[ScoredTree]]: ...

    def k_best(
        self, sentences: AnyTree | Iterable[Sentence], k: int, **options: Unpack[RankingOptions]
    ) -> list[ScoredTree] | Iterator[list[ScoredTree]]:
        """For each sentence, the best trees at the end of a beam search, lazily and in order.

        Scores are sums over the transitions of a tree's best derivation, or votes where parsers vote on arcs. They rank
        the trees of a sentence, but cannot be compared between sentences. In a parser that chooses labels after
        transitions, the trees differ in more than a label; see ``joint``.

        Args:
            sentences: trees, whose heads are ignored, or lists of words; one tree gives one list.
            k: the greatest number of trees. There are fewer if derivations of the beam build the same tree.
            options: ``threads``, ``beam``, by default k or as many as in training, whichever is more, and
                ``constraints``; see `ParseOptions`. A wider beam finds better trees.

        Raises:
            BrokenConstraints: the constraints on a sentence cannot be met; the message names it and the words.
            TypeError: the sentences are raw text, or the constraints are no function.
            ValueError: k, the number of threads or the beam is out of range.

        >>> from deptrees import Parser, sample_treebank
        >>> parser = Parser.train(sample_treebank("train"), epochs=2)
        >>> first, second = parser.k_best(DependencyTree([(None, "Birds"), (None, "sing")]), k=2)
        >>> first.tree.heads, second.tree.heads, first.score > second.score
        ((0, 1), (2, 0), True)
        """
        if is_tree(sentences):
            return self.ranked(Batch.of([sentences]), k, **options)[0]
        how, alone = self._options(**options, k=k), RankingOptions(**{**options, "threads": 1})
        watched = self.watched(batches(_not_text(sentences)))
        found = in_order(lambda batch: self.ranked(batch, k, **alone), watched, how.threads)
        return (trees for ranked in found for trees in ranked)

    def ranked(self, batch: Batch, k: int, **options: Unpack[RankingOptions]) -> list[list[ScoredTree]]:
        """The best trees of each sentence of a batch; see ``k_best``."""
        how = self._options(**options, k=k)
        tagged, found, _ = self._find(batch, how, options.get("constraints"))
        parsed = [found.written(tagged, row, self.model) for row in range(len(found.heads))]
        places = [[(row, number) for row in found.rows(number)[: how.k]] for number in range(len(batch))]
        trees = [parsed[row].trees[number] for row, number in chain.from_iterable(places)]
        if self.enhancer is not None:
            trees = [*self.enhancer(Batch.of(trees)).trees]
        rest = iter(trees)
        return [[ScoredTree(next(rest), float(found.scores[place])) for place in ranked] for ranked in places]

    def derivations(
        self, sentence: Sentence, *, beam: int, constraints: Known | None = None
    ) -> WeightedSet[DependencyTree]:
        """The derivations of a sentence at the end of a beam search, with weights whose logarithms are their scores.

        Several can build the same tree. How much their probabilities mean depends on the model: a neural one learns to
        give them, a linear one only learns to rank. Where parsers vote on arcs, scores are votes.

        Args:
            sentence: a tree, whose heads are ignored, or a list of words.
            beam: how many derivations to follow at a time, at most 64.
            constraints: returns what is known about it before it is parsed; see `ParseOptions`.

        Raises:
            BrokenConstraints: the constraints on the sentence cannot be met.
            TypeError: the sentence is raw text, or the constraints are no function.
            ValueError: the beam is out of range.

        >>> from deptrees import Parser, sample_treebank
        >>> parser = Parser.train(sample_treebank("train"), epochs=2, beam=4, joint=True)
        >>> found = parser.derivations(["Birds", "sing"], beam=16)
        >>> trees, head = found.by(lambda tree: tree.heads), found.by(lambda tree: tree.heads[0])
        >>> found.entropy >= trees.entropy >= head.entropy
        True
        """
        from deptrees.search import WeightedSet

        how = self._options(beam=beam, k=beam, constraints=constraints)
        tagged, found, _ = self._find(Batch.of([sentence]), how, constraints)
        rows = np.flatnonzero(found.scores[:, 0] > -np.inf).tolist()
        trees = [found.written(tagged, row, self.model).trees[0] for row in rows]
        return WeightedSet(trees, found.scores[rows, 0])

    def incremental(self, *, beam: int | None = None) -> IncrementalParse:
        """Parse a sentence word by word: what is known after each of them.

        What is known after word t depends on the first t + lookahead words only. Each transition has a probability
        among those that are possible, by a softmax of their scores. A beam compares derivations that have come to the
        same word; with a beam of 1, the tree at the end is that of ``parse``. Train without a beam for this: a parser
        that learns to compare whole derivations learns less of each transition.

        Args:
            beam: how many derivations to follow at a time, at most 64; by default as many as in training.

        Returns:
            What is fed the words, one after the other; where it is used in a ``with``, the sentence ends with that.

        Raises:
            ValueError: the model does not read words from left to right, or the beam is out of range.

        >>> from deptrees import Parser, sample_treebank
        >>> parser = Parser.train(sample_treebank("train"), system="arc-hybrid", lookahead=0, epochs=2)
        >>> with parser.incremental(beam=4) as state:
        ...     for word in ["The", "dog", "sleeps"]:
        ...         known = state.feed(word)
        ...         known.word, len(known.hypotheses), known.depth
        (1, 1, 1)
        (2, 4, 2)
        (3, 4, 3)
        >>> None in state.tree.heads
        False
        """
        from deptrees.engine.incremental import IncrementalParse
        from deptrees.search import BeamSearch

        how = self._options(beam=beam)
        if self.model.lookahead is None:
            kind = type(self.model).__name__
            raise ValueError(f"a {kind} in {self.system} does not read words from left to right: train another parser")
        ranking: Any = self.model.ranking
        search = BeamSearch(attrs.evolve(ranking, normalize=True), how.width(self.model.beam))
        return IncrementalParse(search, self.model.lookahead, self.tagger)

    def parse_text(
        self,
        text: str | Iterable[str],
        *,
        lines: bool = False,
        ranges: bool = False,
        document: str = "",
        **options: Unpack[ParseOptions],
    ) -> Iterator[DependencyTree]:
        r"""Parse raw text, lazily; see ``parse``, and ``Tokenizer.tokenize``.

        For files there is ``parse_file(Treebank("notes.txt", tokenizer=parser.tokenizer), "parsed.conllu")``, and for
        many texts ``parse_texts``.

        Args:
            text: the text, or its parts, such as an open file.
            lines: whether each line is a sentence; one that is too long to be tokenized together may be several.
            ranges: whether to write into MISC where each token is in the text, in characters: ``TokenRange=0:5``.
            document: the name of the text, with which the ids of its sentences begin.
            options: those of ``parse``; see `ParseOptions`.

        Raises:
            TypeError: the text is something else, such as bytes.
            ValueError: the parser has no tokenizer, or a number is out of range.

        >>> from deptrees import Parser, Tokenizer, sample_treebank
        >>> parser = Parser.train(sample_treebank("train"), epochs=2)
        >>> parser = attrs.evolve(parser, tokenizer=Tokenizer.train(sample_treebank("train")))
        >>> for tree in parser.parse_text("Birds sing. Dogs sleep."):
        ...     len(tree), None in tree.heads
        (3, False)
        (3, False)
        >>> [[token.misc for token in tree] for tree in parser.parse_text("Sing\nSleep", lines=True, ranges=True)]
        [['SpacesAfter=\\n|TokenRange=0:4'], ['SpaceAfter=No|TokenRange=5:10']]
        """
        tokenizer = self._divider()
        if lines or ranges:
            tokenizer = attrs.evolve(tokenizer, lines=lines, ranges=ranges)
        parsed = self.parse_batches(tokenizer.batches(text, document), **options)
        return (tree for batch in parsed for tree in batch.trees)

    def parse_texts(self, texts: Iterable[str], **options: Unpack[ParseOptions]) -> Iterator[list[DependencyTree]]:
        """Parse many texts, such as those of a column of a table: the trees of each, lazily and in order.

        Their sentences are parsed together, for short texts several times as fast as one text after the other. The ids
        of the sentences begin with the number of the text.

        Args:
            texts: the texts.
            options: those of ``parse``; see `ParseOptions`.

        Raises:
            TypeError: there is a single text, or one that is something else.
            ValueError: the parser has no tokenizer, or a number is out of range.

        >>> from deptrees import load_parser
        >>> parser = load_parser("english")
        >>> for trees in parser.parse_texts(["Birds sing. Dogs sleep.", "", "She reads."]):
        ...     [(tree.sent_id, tree.text) for tree in trees]
        [('1-1', 'Birds sing.'), ('1-2', 'Dogs sleep.')]
        []
        [('3-1', 'She reads.')]
        """
        if isinstance(texts, str) or not isinstance(texts, Iterable):
            raise TypeError(f"{quoted(texts)} is no list of texts: give a single one to parse_text")
        tokenizer = self._divider()
        divided, counted = tee(
            [tree for batch in tokenizer.batches(text, str(number)) for tree in batch.trees]
            for number, text in enumerate(texts, 1)
        )
        parsed = self.parse(chain.from_iterable(divided), **options)
        return ([*islice(parsed, len(trees))] for trees in counted)

    def _divider(self) -> Tokenizer:
        if self.tokenizer is None:
            raise ValueError("the parser has no tokenizer: train it with train_pipeline, or give it sentences")
        return self.tokenizer

    def parse_file(
        self, source: str | os.PathLike[str] | Treebank, target: str | os.PathLike[str], **options: Unpack[ParseOptions]
    ) -> Written:
        """Parse a CoNLL-U file into another one.

        HEAD and DEPREL are filled in, the tagger's columns if there is a tagger, and DEPS if there is an enhancer;
        otherwise DEPS is emptied, for it belongs to the tree that was there. Files can be of any size.

        Args:
            source: the file, or a ``Treebank``, with all that this can be, such as compressed files.
            target: where to write: a name as `deptrees.write_treebank` takes it.
            options: those of ``parse``; see `ParseOptions`.

        Returns:
            How many sentences were parsed, and how many words.

        Raises:
            ConlluError: a sentence is not valid; then nothing is written.
            FileNotFoundError: there is no such file.

        >>> from tempfile import TemporaryDirectory
        >>> from deptrees import Parser, sample_treebank
        >>> parser = Parser.train(sample_treebank("train"), epochs=2)
        >>> with TemporaryDirectory() as folder:
        ...     parser.parse_file(sample_treebank("dev"), f"{folder}/parsed.conllu")
        ...     list(Treebank(f"{folder}/parsed.conllu")) == list(parser.parse(sample_treebank("dev")))
        Written(sentences=16, words=150)
        True
        """
        treebank = source if isinstance(source, Treebank) else Treebank(source)
        return write_batches(target, self.parse_batches(treebank.batches(), **options))

    def parse_bytes(self, text: bytes, **options: Unpack[ParseOptions]) -> bytes:
        r"""Parse a text in CoNLL-U, with a text in CoNLL-U as the result; see ``parse_file``.

        Raises:
            ConlluError: a sentence is not valid; the error calls the text ``<text>``.
            TypeError: the text is not bytes.

        >>> from deptrees import Parser, sample_treebank
        >>> parser = Parser.train(sample_treebank("train"), epochs=2)
        >>> parser.parse_bytes(b"1\tSing\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n")
        b'1\tSing\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n'
        """
        parsed = self.parse_batches(Treebank.from_bytes(text).batches(), **options)
        return b"".join([batch.conllu() for batch in parsed])

    def parse_batches(self, batches: Iterable[Batch], **options: Unpack[ParseOptions]) -> Iterator[Batch]:
        """Parse batches of sentences, lazily and in order, as many at a time as there are threads; see ``parse``.

        Where no sentences have arrived, which is what an empty batch means, those before are parsed first.

        >>> from deptrees import Parser, sample_treebank
        >>> parser = Parser.train(sample_treebank("train"), epochs=2)
        >>> sum(len(batch) for batch in parser.parse_batches(sample_treebank("dev").batches()))
        16
        """
        how = self._options(**options)
        alone: ParseOptions = {**options, "threads": 1}
        return in_order(lambda batch: self(batch, **alone), self.watched(batches), how.threads)

    def watched(self, batches: Iterable[Batch], fewest: int = 100) -> Iterable[Batch]:
        """The sentences, with a warning if many words do not have the tags that the model looks at.

        There is none if there are fewer than ``fewest`` words in all.

        >>> from deptrees import Parser, sample_treebank
        >>> parser = Parser.train(sample_treebank("train"), epochs=2)
        >>> sum(len(batch) for batch in parser.watched(sample_treebank("dev").batches()))
        16
        """
        expected = self.expected_tags
        return batches if expected is None else expected.watch(batches, fewest)

    def __call__(self, batch: Batch, **options: Unpack[ParseOptions]) -> Batch:
        """Parse a batch of sentences; see ``parse``."""
        tagged, found, how = self._find(batch, self._options(**options), options.get("constraints"))
        parsed = found.written(tagged, 0, self.model)
        if self.enhancer is not None:
            parsed = self.enhancer(parsed)
        if not how.margins or self.calibration is None:
            return parsed
        return self.calibration.write(parsed, Evidence.of(found, how.constraints), labeled=bool(self.labels))

    def _options(
        self,
        *,
        threads: int = 1,
        beam: int | None = None,
        constraints: Known | None = None,
        confidence: bool = False,
        k: int | None = None,
        **others: object,
    ) -> SearchOptions:
        """How to search, once it is known that the parser can."""
        for name in others:
            raise TypeError(
                f"there is no option {quoted(name)}: choose one of {', '.join(ParseOptions.__annotations__)}"
            )
        of_type("constraints", constraints, Callable | None, "a function, such as Constraints.given")
        of_type("confidence", confidence, bool, "True or False")
        if confidence and self.calibration is None:
            raise NotCalibrated
        options = SearchOptions(beam=beam, k=k, threads=threads, margins=confidence)
        self.model.check(options)
        return options

    def _find(
        self, batch: Batch, options: SearchOptions, constraints: Known | None
    ) -> tuple[Batch, Found, SearchOptions]:
        """The sentences with the tags that they are parsed with, their trees, and how they were searched for."""
        tagged = batch if self.tagger is None else self.tagger(batch, options.threads)
        if constraints is not None:
            known = [*map(constraints, tagged.trees)]
            for each in known:
                of_type("constraints", each, Constraints, "a function that returns Constraints for each sentence")
            options = attrs.evolve(options, constraints=known)
        return tagged, self.model.find(tagged, options), options

    def parts(self) -> list[Part]:
        """What is saved: the model, its settings, and what comes with it."""
        own = self.model.own_settings
        settings = [settings_part(self.settings, *own)] if self.settings else []
        others = (self.tokenizer, self.tagger, self.enhancer, self.calibration, self.known_tags)
        saved = [self.model.part(), *settings, *(other.part() for other in others if other is not None)]
        return [part for part in saved if part is not None]

    def save(self, path: str | os.PathLike[str], *, compact: bool = False) -> None:
        """Save the parser to a file in the safetensors format, with its tokenizer, tagger, settings and calibration.

        Args:
            path: the file.
            compact: whether to keep only the largest 30 % of the weights of linear models, at most 2.2 million of each
                part, rounded to 254 numbers. A pipeline for English then takes a twelfth of the room, and parses nearly
                as well (`deptrees.packages`).

        Of a system that is not one of the library's own its name is saved, as ``module:Class``, with its options.
        Import the module before you load the parser, or name the system to ``load``, which imports nothing unasked.

        Raises:
            ModelError: it is a neural parser, and the encoder or the decoder is not one of the library's own.
        """
        save_model(path, *(part.compact() if compact else part for part in self.parts()))

    @classmethod
    def read(
        cls,
        file: ModelFile,
        system: GivenSystem | None = None,
        read: Callable[[ModelFile, GivenSystem | None], AnyModel] = read_model,
    ) -> Self:
        """Read a parser from an open file, its model by a function; see ``load``."""
        model = read(file, system)
        found: dict[str, Any] = {}
        if TOKENIZER in file:
            from deptrees.tokenizer import Tokenizer

            found["tokenizer"] = Tokenizer.read(file)
        if TAGGER in file:
            from deptrees.tagger import Tagger

            found["tagger"] = Tagger.read(file)
        if ENHANCER in file:
            from deptrees.enhanced import Enhancer

            found["enhancer"] = Enhancer.read(file)
        settings = read_settings(file, **model.own_settings)
        calibration = Calibration.read(file) or model.calibration
        return cls(model, settings=settings, calibration=calibration, known_tags=KnownTags.read(file), **found)

    @classmethod
    def load(cls, path: str | os.PathLike[str], system: GivenSystem | None = None) -> Self:
        """Load a parser that was saved, whatever model it has.

        Args:
            path: the file.
            system: the transition system, its class, or its name, such as ``"my_systems:Mine"``: needed if it is
                not one of the library's own and its module has not been imported.

        Raises:
            FileNotFoundError: there is no such file.
            ModelError: the file is not a parser's, or it is one of another system.
            ImportError: it is a neural parser, and PyTorch is not installed.

        >>> from tempfile import TemporaryDirectory
        >>> from deptrees import Parser, sample_treebank
        >>> parser = Parser.train(sample_treebank("train"), epochs=1)
        >>> with TemporaryDirectory() as folder:
        ...     parser.save(f"{folder}/model")
        ...     Parser.load(f"{folder}/model").settings
        LinearOptions(epochs=1, seed=1, seeds=1, system=ArcEager(root='last', single_root=True), oracle='dynamic',
                      beam=1, exploration=0.9, on_error='go_on', templates=Templates(53 templates),
                      update='max_violation', restart=True, joint=False, subsample=1.0)
        """
        with open_model(path) as file:
            return cls.read(file, system)


def learned_enhancer(treebank: Iterable[AnyTree], seed: int = 1) -> Enhancer:
    """An enhancer that has learned from trees, and from what parsers that have not seen them make of the sentences.

    Each fifth of the treebank is parsed by a parser trained on the rest, so that the enhancer knows wrong trees, too.

    Args:
        treebank: trees with enhanced dependencies; they are held in memory.
        seed: determines all that is random.

    Raises:
        TrainingError, GraphError: see ``Enhancer.train``.

    >>> from deptrees import Token
    >>> tree = DependencyTree([Token("Birds", 2, "nsubj", deps="2:nsubj"), Token("sing", 0, "root", deps="0:root")])
    >>> learned_enhancer([tree] * 5)
    <enhancer of 1 kinds of paths>
    """
    from deptrees.enhanced import Enhancer

    trees = list(trees_of(treebank))
    gold, parsed = [], list[DependencyTree]()
    for training, held_out in evaluation.folds(trees, min(_FOLDS, len(trees)), seed) if len(trees) > 1 else ():
        gold += held_out
        parsed += Parser.train(training, epochs=_EPOCHS, seed=seed).parse(held_out)
    return Enhancer.train(gold or trees, seed, parsed)


def load_parser(model: str | os.PathLike[str], system: GivenSystem | None = None) -> Parser:
    """Load a parser.

    Args:
        model: its file, or the name of a model that is installed as a package (`deptrees.packages`).
        system: the transition system, its class, or its name, such as ``"my_systems:Mine"``: needed if it is
            not one of the library's own and its module has not been imported.

    Raises:
        FileNotFoundError: there is no such file, and no such model is installed.
        ModelError: see ``Parser.load``.
    """
    return Parser.load(model_file(model), system)


def _not_text(sentences: Iterable[Sentence]) -> Iterable[Sentence]:
    """The sentences, once it is known that they are neither raw text nor anything else."""
    if isinstance(sentences, str) or not isinstance(sentences, Iterable):
        raise TypeError(
            f"{quoted(sentences)} is no list of sentences: give raw text to parse_text, or to parse lists of words, "
            "such as [['Birds', 'sing']]"
        )
    return sentences
