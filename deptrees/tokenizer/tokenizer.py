"""The tokenizer: trained, saved, loaded and used."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

import attrs
import numpy as np
import numpy.typing as npt
from more_itertools import first, sliced, split_after

from deptrees.engine import core
from deptrees.evaluation.pairs import EvaluationError
from deptrees.files.models import ModelFile, Part, Saved
from deptrees.files.records import to_record
from deptrees.tagger.lemmatizer import Lemmatizer
from deptrees.tokenizer.model import Decision, Hyperparameters, perceptron, places_data
from deptrees.tokenizer.places import WITHIN_WORDS, Places
from deptrees.tokenizer.training import BETWEEN_WORDS, TokenizerTraining
from deptrees.training.checkpoints import Checkpoint, identity
from deptrees.training.inputs import of_type, trees_of, whole_number
from deptrees.training.records import Epoch
from deptrees.training.run import run
from deptrees.treebanks.conllu import from_conllu
from deptrees.treebanks.raw_text import SurfaceToken, raw_text, sentence_rows, surface_tokens
from deptrees.trees.tree import DependencyTree

__all__ = ["Tokenizer"]

_FORMAT = "deptrees tokenizer 1"
_CHARACTERS_AT_ONCE = 1 << 16
_PARAGRAPH_BREAK = re.compile(r"(?<=\S)[^\S\n]*\n[^\S\n]*\n\s*(?=\S)")
_BREAKS = (_PARAGRAPH_BREAK, re.compile(r"(?<=\S)[^\S\n]*\n\s*(?=\S)"), re.compile(r"(?<=\S)\s+(?=\S)"))
"""Where a text is cut if it is long: between paragraphs, else between lines, else between words."""


def _are_pairs(_: object, __: object, divided: Iterable[tuple[str, str]]) -> None:
    for pair in divided:
        if len(pair) != 2 or not {*pair} <= {*WITHIN_WORDS}:
            raise ValueError(f"words are divided between two of {', '.join(WITHIN_WORDS)}, not {pair}")


@attrs.frozen
class _Record:
    """What is saved of a tokenizer besides its weights."""

    hyperparameters: Hyperparameters
    divided: tuple[tuple[str, ...], ...] = attrs.field(validator=_are_pairs)
    splitter: Lemmatizer | None


@attrs.frozen(eq=False)
class Tokenizer(Saved):
    """A tokenizer: it divides raw text into sentences, tokens and words, as the treebank does that it learnt from.

    Args:
        hyperparameters: what was chosen before it was trained.
        divided: between which characters within words it divides.
        splitter: what makes the words of a multiword token, as lemmas are made of forms; ``None`` if there are none.
        weights: an array (rows × 4).

    >>> from deptrees import sample_treebank
    >>> tokenizer = Tokenizer.train(sample_treebank("train"))
    >>> for tree in tokenizer.tokenize("A dog sleeps. Birds sing!"):
    ...     [token.form for token in tree]
    ['A', 'dog', 'sleeps', '.']
    ['Birds', 'sing', '!']
    """

    hyperparameters: Hyperparameters
    divided: Sequence[tuple[str, ...]]
    splitter: Lemmatizer | None = attrs.field(repr=False)
    weights: npt.NDArray[np.float32] = attrs.field(repr=False)

    @classmethod
    def train(
        cls,
        treebank: Iterable[DependencyTree],
        dev: Iterable[DependencyTree] | None = None,
        epochs: int = 10,
        seed: int = 1,
        *,
        hyperparameters: Hyperparameters | None = None,
        checkpoint: Checkpoint | None = None,
        on_epoch: Callable[[Epoch], None] = lambda _: None,
    ) -> Tokenizer:
        """Train a tokenizer.

        Args:
            treebank: the sentences to learn from, in the order of the text; MISC tells of the spaces between tokens.
                They are held in memory.
            dev: sentences to evaluate on after each epoch. If given, the tokenizer as it was after the best one is
                returned, by the means of the F1 of tokens and that of sentences; otherwise as it was after the last.
            epochs: the number of passes over the treebank.
            seed: determines the order in which the text is learnt from, so that a run can be repeated.
            hyperparameters: what else can be chosen; if not given, the defaults.
            checkpoint: where the training is saved, so that it goes on after it was stopped, with the same result.
            on_epoch: is given a record of each epoch when it ends.

        Raises:
            TrainingError: there are no sentences, or the checkpoint is that of another training.
            EvaluationError: there are no sentences to evaluate on.
            TypeError: the treebank is something else.
            ValueError: a number is out of range.
            FileExistsError: there is a checkpoint, and training is not to go on from it.
            OSError: the checkpoint cannot be written.
        """
        whole_number("epochs", epochs, 1)
        whole_number("seed", seed, 0)
        of_type("hyperparameters", hyperparameters, Hyperparameters | None, "of the class Hyperparameters")
        trees, dev = list(trees_of(treebank)), None if dev is None else list(trees_of(dev))
        training = TokenizerTraining(trees, hyperparameters or Hyperparameters(), seed)
        if dev is not None and not dev:
            raise EvaluationError("there are no sentences in the development data")

        def evaluated(tokenizer: Tokenizer, epoch: Epoch) -> Epoch:
            assert dev is not None
            return attrs.evolve(epoch, accuracy=tokenizer.accuracy(dev))

        return run(
            training,
            epochs,
            model=lambda _: cls(training.hyperparameters, training.divided, training.splitter, training.weights()),
            load=cls.load,
            evaluated=None if dev is None else evaluated,
            on_epoch=on_epoch,
            checkpoint=checkpoint,
            about=lambda: {**identity(training.hyperparameters, trees, dev), "seed": seed},
        )

    def accuracy(self, gold: Iterable[DependencyTree]) -> float:
        """How well it divides the text of a treebank: the mean of the F1 of tokens and that of sentences.

        >>> from deptrees import sample_treebank
        >>> Tokenizer.train(sample_treebank("train")).accuracy(sample_treebank("dev")) > 0.9
        True
        """
        trees = list(gold)
        expected = _spans(surface_tokens(trees))
        found = _spans(sentence for sentence in self.sentences([raw_text(trees)]) if sentence)
        f1 = (2 * len(one & other) / (len(one) + len(other)) for one, other in zip(expected, found, strict=True))
        return sum(f1) / len(expected)

    def tokenize(self, text: str | Iterable[str]) -> Iterator[DependencyTree]:
        """Divide a text into sentences, lazily: trees without heads, with multiword tokens, and spaces in MISC.

        From these `deptrees.treebanks.raw_text.raw_text` makes the text again. Sentences end at blank lines. A
        paragraph of more than 65,536 characters is cut at the end of a line.

        Args:
            text: the text, or its parts, such as an open file.

        >>> from deptrees import sample_treebank
        >>> tokenizer = Tokenizer.train(sample_treebank("train"))
        >>> [tree.text for tree in tokenizer.tokenize(["Dogs sle", "ep.  Birds sing."])]
        ['Dogs sleep.', 'Birds sing.']
        """
        rows = split_after(self.rows([text] if isinstance(text, str) else text), lambda row: not row)
        return (from_conllu("\n".join(map(str, sentence))) for sentence in rows)

    def rows(self, text: Iterable[str | None]) -> Iterator[str | None]:
        """The lines of CoNLL-U for a text, an empty one after each sentence; see ``tokenize``.

        Args:
            text: its parts, and ``None`` where the next one has not arrived yet: what is there up to the latest blank
                line is answered, and then ``None`` again.
        """
        number, begins = 0, ["# newdoc", "# newpar"]
        for tokens in self.sentences(text):
            if tokens is None:
                yield None
                continue
            number += 1
            yield from begins
            yield f"# sent_id = {number}"
            yield from sentence_rows(tokens)
            yield ""
            begins = ["# newpar"] if tokens[-1].after.count("\n") > 1 else []

    def sentences(self, text: Iterable[str | None]) -> Iterator[list[SurfaceToken] | None]:
        """The sentences of a text, each as its tokens; see ``rows``."""
        begun = ""
        for part in text:
            for piece in [None] if part is None else sliced(part, _CHARACTERS_AT_ONCE):
                begun += piece or ""
                cut = 0
                if piece is None:
                    cut = _last_end(_PARAGRAPH_BREAK, begun)
                elif len(begun) >= _CHARACTERS_AT_ONCE:
                    cut = first(filter(None, (_last_end(pattern, begun) for pattern in _BREAKS)), len(begun))
                yield from self._divide(begun[:cut])
                begun = begun[cut:]
                if piece is None:
                    yield None
        yield from self._divide(begun)

    def _divide(self, text: str) -> Iterator[list[SurfaceToken]]:
        """The sentences of a text that is not longer than it should be."""
        places = Places(text, self.divided)
        if not len(places.where):
            return
        starts, stops, is_last = self._tokens(places)
        following = [*starts[1:].tolist(), len(text)]
        before = text[: starts[0]]
        tokens: list[SurfaceToken] = []
        for start, stop, next_start, ends in zip(
            starts.tolist(), stops.tolist(), following, is_last.tolist(), strict=True
        ):
            form = text[start:stop]
            tokens.append(SurfaceToken(form, self._words(form), text[stop:next_start], before))
            before = ""
            if ends:
                yield tokens
                tokens = []

    def _tokens(self, places: Places) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
        """Where tokens start and stop, and whether each is the last one of its sentence."""
        decisions = np.empty((len(places.where), 1), np.int32)
        bounds = places.paragraph_bounds
        self._perceptron.tag(places_data(places, bounds), 0, len(bounds) - 1, decisions)
        found = np.where(places.must_end, np.maximum(decisions[:, 0], Decision.TOKEN), decisions[:, 0])
        stops = places.where[found > Decision.INSIDE] + 1
        starts = places.next_start(np.concatenate([[0], stops[:-1]]))
        return starts, stops, found[found > Decision.INSIDE] == Decision.SENTENCE

    @cached_property
    def _perceptron(self) -> core.TaggerPerceptron:
        return perceptron(self.hyperparameters, self.weights, learning=False)

    def _words(self, form: str) -> Sequence[str]:
        """The words that a token consists of."""
        words = () if self.splitter is None else self.splitter.lemma(form, None, None).split(BETWEEN_WORDS)
        return words if len(words) > 1 and all(words) else (form,)

    def part(self) -> Part:
        """What is saved; a parser's file can hold it beside the parser."""
        record = _Record(self.hyperparameters, tuple(self.divided), self.splitter)
        return Part(_FORMAT, to_record(record), {"tokenizer": self.weights})

    @classmethod
    def is_in(cls, file: ModelFile) -> bool:
        """Whether there is a tokenizer in an open file."""
        return _FORMAT in file

    @classmethod
    def read(cls, file: ModelFile) -> Tokenizer:
        """Read a tokenizer from an open file.

        Raises:
            ModelError: there is none in it.

        >>> from tempfile import TemporaryDirectory
        >>> from deptrees import sample_treebank
        >>> tokenizer = Tokenizer.train(sample_treebank("train"), epochs=1)
        >>> with TemporaryDirectory() as folder:
        ...     tokenizer.save(f"{folder}/tokenizer")
        ...     Tokenizer.load(f"{folder}/tokenizer").divided == tokenizer.divided
        True
        """
        record = file.read(_FORMAT, _Record)
        weights = file.array("tokenizer", record.hyperparameters.table_shape())
        return cls(record.hyperparameters, record.divided, record.splitter, weights)


def _last_end(pattern: re.Pattern[str], text: str) -> int:
    """The end of the last place where a pattern is found; 0 if there is none."""
    return max((found.end() for found in pattern.finditer(text)), default=0)


def _spans(sentences: Iterable[list[SurfaceToken]]) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """Where tokens and where sentences begin and end, counted in characters that are no white space."""
    tokens, whole, position = set(), set(), 0
    for sentence in sentences:
        begin = position
        for token in sentence:
            start, position = position, position + len("".join(token.form.split()))
            tokens.add((start, position))
        whole.add((begin, position))
    return tokens, whole
