"""What parsers with a model of their own have in common: they may have a tagger and a tokenizer, and are saved."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import attrs
from more_itertools import side_effect

from deptrees.any_parser import RankingParser
from deptrees.engine.confidence import Calibration
from deptrees.files.models import ModelFile, Part, open_model, save_model
from deptrees.files.output import write_output
from deptrees.files.parts import TAGGER, TOKENIZER
from deptrees.training.records import Settings
from deptrees.transition import StackBufferSystem, System
from deptrees.treebanks.batch import Batch
from deptrees.treebanks.treebank import Treebank
from deptrees.trees.tree import DependencyTree

if TYPE_CHECKING:
    from typing_extensions import Self

    from deptrees.tagger import Tagger
    from deptrees.tokenizer import Tokenizer

__all__ = ["ParsedCounts", "TrainedParser"]


class ParsedCounts(NamedTuple):
    """How much was parsed."""

    sentences: int
    words: int


@attrs.frozen(eq=False, kw_only=True)
class TrainedParser(RankingParser):
    """A parser with a model of its own, linear or neural.

    Args:
        tagger: tags the words before they are parsed; without one they are parsed with the tags that they have.
        tokenizer: divides raw text into the words that are parsed; see `deptrees.train_pipeline`.
        settings: how the model was trained, ``None`` if that is not known.
        calibration: how probable it is that heads and labels are right, ``None`` if that is not known.
    """

    default_system: ClassVar[StackBufferSystem]
    """The transition system of parsers for which none is chosen."""

    tagger: Tagger | None = None
    tokenizer: Tokenizer | None = None
    settings: Settings | None = None
    calibration: Calibration | None = None

    @property
    @abstractmethod
    def system(self) -> System:
        """The transition system."""

    @property
    @abstractmethod
    def labels(self) -> tuple[str, ...]:
        """The labels that it gives to arcs; none if it parses without labels."""

    @property
    @abstractmethod
    def looks_at(self) -> frozenset[str]:
        """The columns that it looks at, such as ``upos``; and, in a linear parser, the other names of its templates."""

    @classmethod
    @abstractmethod
    def train(cls, treebank: Iterable[DependencyTree], *arguments: Any, **settings: Any) -> Self:
        """Train a parser."""

    def _tagged(self, batch: Batch, threads: int = 1) -> Batch:
        """The sentences with the tags that they are parsed with."""
        return batch if self.tagger is None else self.tagger(batch, threads)

    def parse_text(
        self, text: str | Iterable[str], threads: int = 1, beam: int | None = None
    ) -> Iterator[DependencyTree]:
        """Parse raw text, lazily; see ``parse``, and ``Tokenizer.tokenize``.

        For files there is ``parse_file(Treebank("notes.txt", tokenizer=parser.tokenizer), "parsed.conllu")``.

        Args:
            text: the text, or its parts, such as an open file.
            threads: the number of threads; the result does not depend on it.
            beam: how many derivations to follow at a time, at most 64; if not given, as many as in training.

        Raises:
            ValueError: the parser has no tokenizer, or a number is out of range.

        >>> from deptrees import Parser, Tokenizer, sample_treebank
        >>> parser = Parser.train(sample_treebank("train"), epochs=2)
        >>> parser = attrs.evolve(parser, tokenizer=Tokenizer.train(sample_treebank("train")))
        >>> for tree in parser.parse_text("Birds sing. Dogs sleep."):
        ...     len(tree), None in tree.heads
        (3, False)
        (3, False)
        """
        if self.tokenizer is None:
            raise ValueError("the parser has no tokenizer: train it with train_pipeline, or give it sentences")
        found = self.parse_batches(self.tokenizer.batches([text] if isinstance(text, str) else text), threads, beam)
        return (tree for batch in found for tree in batch.trees)

    def parse_file(
        self,
        source: str | os.PathLike[str] | Treebank,
        target: str | os.PathLike[str],
        threads: int = 1,
        beam: int | None = None,
    ) -> ParsedCounts:
        """Parse a CoNLL-U file into another one; with a linear parser many times as fast as by way of trees.

        HEAD and DEPREL are filled in, and the tagger's columns if there is a tagger. DEPS is emptied, for it belongs to
        the tree that was there. All else stays as it is. Files can be of any size.

        Args:
            source: the file, or a ``Treebank``, with all that this can be, such as compressed files.
            target: where to write: a name as `deptrees.write_treebank` takes it.
            threads: the number of threads; the result does not depend on it.
            beam: how many derivations to follow at a time, at most 64; if not given, as many as in training.

        Returns:
            How many sentences were parsed, and how many words.

        Raises:
            ConlluError: a sentence is not valid; then nothing is written.
            FileNotFoundError: there is no such file.
            ValueError: the number of threads or the beam is out of range.

        >>> from tempfile import TemporaryDirectory
        >>> from deptrees import Parser, sample_treebank
        >>> parser = Parser.train(sample_treebank("train"), epochs=2)
        >>> with TemporaryDirectory() as folder:
        ...     parser.parse_file(sample_treebank("dev"), f"{folder}/parsed.conllu")
        ...     list(Treebank(f"{folder}/parsed.conllu")) == list(parser.parse(sample_treebank("dev")))
        ParsedCounts(sentences=16, words=150)
        True
        """
        treebank = source if isinstance(source, Treebank) else Treebank(source)
        counts: Counter[str] = Counter()
        write_output(target, self._parse_to_bytes(treebank, threads, beam, counts))
        return ParsedCounts(**{name: counts[name] for name in ParsedCounts._fields})

    def parse_bytes(self, text: bytes, threads: int = 1, beam: int | None = None) -> bytes:
        r"""Parse a text in CoNLL-U, with a text in CoNLL-U as the result; see ``parse_file``.

        Raises:
            ConlluError: a sentence is not valid; the error calls the text ``<text>``.
            TypeError: the text is not bytes.
            ValueError: the number of threads or the beam is out of range.

        >>> from deptrees import Parser, sample_treebank
        >>> parser = Parser.train(sample_treebank("train"), epochs=2)
        >>> parser.parse_bytes(b"1\tSing\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n")
        b'1\tSing\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n'
        """
        return b"".join(self._parse_to_bytes(Treebank.from_bytes(text), threads, beam, Counter()))

    def _parse_to_bytes(
        self, treebank: Treebank, threads: int, beam: int | None, counts: Counter[str]
    ) -> Iterator[bytes]:
        """The parses, while sentences and words are counted."""
        parsed = self.parse_batches(treebank.batches(), threads, beam)
        for batch in side_effect(lambda batch: counts.update(sentences=len(batch), words=batch.n_words), parsed):
            yield batch.conllu()

    @abstractmethod
    def parse_batches(self, batches: Iterable[Batch], threads: int = 1, beam: int | None = None) -> Iterator[Batch]:
        """Parse batches of sentences."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the parser to a file in the safetensors format, with its tokenizer, tagger, settings and calibration.

        Of a system that is not one of the library's own only its name is saved: pass it again to ``load``.

        Raises:
            ModelError: it is a neural parser, and the encoder or the decoder is not one of the library's own.
        """
        others = (self.tokenizer, self.tagger, self.calibration)
        save_model(path, *self._model_parts(), *(other.part() for other in others if other is not None))

    @abstractmethod
    def _model_parts(self) -> Sequence[Part]:
        """What is saved of the model and of how it was trained."""

    @classmethod
    @abstractmethod
    def read(cls, file: ModelFile, system: System | None = None) -> Self:
        """Read a parser from an open file; see ``load``."""

    @staticmethod
    def _read_companions(file: ModelFile) -> dict[str, Any]:
        """The tokenizer and the tagger in a file, by the names of their fields."""
        found: dict[str, Any] = {}
        if TOKENIZER in file:
            from deptrees.tokenizer import Tokenizer

            found["tokenizer"] = Tokenizer.read(file)
        if TAGGER in file:
            from deptrees.tagger import Tagger

            found["tagger"] = Tagger.read(file)
        return found

    @classmethod
    def load(cls, path: str | os.PathLike[str], system: System | None = None) -> Self:
        """Load a parser that was saved. `deptrees.load_parser` loads one of either kind.

        Args:
            path: the file.
            system: the transition system, if it is not one of the library's own.

        Raises:
            FileNotFoundError: there is no such file.
            ModelError: the file is not a model of this kind, or it is one of another system.

        >>> from tempfile import TemporaryDirectory
        >>> from deptrees import Parser, sample_treebank
        >>> parser = Parser.train(sample_treebank("train"), epochs=1)
        >>> with TemporaryDirectory() as folder:
        ...     parser.save(f"{folder}/model")
        ...     loaded = Parser.load(f"{folder}/model")
        >>> loaded.settings == parser.settings
        True
        >>> loaded.settings
        Settings(system=ArcEager(root='last', single_root=True), oracle='dynamic', epochs=1, seed=1, seeds=1,
                 exploration=0.9, on_error='go_on', templates=Templates(53 templates), beam=1, update='max_violation',
                 restart=True, joint=False, subsample=1.0)
        """
        with open_model(path) as file:
            return cls.read(file, system)
