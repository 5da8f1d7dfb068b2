"""The tagger: trained, saved, loaded and used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import overload

import attrs
import numpy as np
import numpy.typing as npt
from more_itertools import first

from deptrees.engine import core
from deptrees.evaluation.pairs import EvaluationError
from deptrees.evaluation.tags import tag_accuracy
from deptrees.files.models import ModelFile, Part, Saved
from deptrees.files.records import to_record
from deptrees.tagger.hyperparameters import Hyperparameters
from deptrees.tagger.lexicon import Lexicon, forms_of
from deptrees.tagger.training import TaggerTraining, tags_in
from deptrees.training.checkpoints import Checkpoint, identity
from deptrees.training.inputs import of_type, trees_of, whole_number
from deptrees.training.records import Epoch
from deptrees.training.run import run
from deptrees.treebanks.columns import MISSING, Columns, check_texts
from deptrees.treebanks.sentences import portions
from deptrees.trees.tree import DependencyTree, Sentence

__all__ = ["Tagger"]

_FORMAT = "deptrees tagger 2"
_WEIGHTS = "tagger"
_SENTENCES_AT_ONCE = 200

_Integers = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float32]


@attrs.frozen
class _Record:
    """What is saved of a tagger besides its weights."""

    hyperparameters: Hyperparameters
    tags: tuple[str | None, ...] = attrs.field(validator=[attrs.validators.min_len(1), check_texts])
    lexicon: Lexicon = attrs.field()

    @lexicon.validator
    def _has_these_tags(self, _: object, lexicon: Lexicon) -> None:
        numbers = {*lexicon.dictionary.values()}.union(*lexicon.classes.values())
        if not numbers <= {*range(len(self.tags))}:
            raise ValueError(f"the lexicon has tags that are not numbers from 0 to {len(self.tags) - 1}")


@attrs.frozen(eq=False)
class Tagger(Saved):
    """A part-of-speech tagger.

    Args:
        hyperparameters: what was chosen before it was trained.
        tags: the tags that it gives.
        lexicon: what the treebank says of its words.
        weights: what it has learnt.

    >>> from deptrees import sample_treebank
    >>> tagger = Tagger.train(sample_treebank("train"))
    >>> [token.upos for token in tagger.tag(DependencyTree([(None, "The"), (None, "dog"), (None, "sleeps")]))]
    ['DET', 'NOUN', 'VERB']
    >>> for tree in tagger.tag([["Birds", "sing", "."], ["Dogs", "sleep", "."]]):
    ...     tree[3].upos
    'PUNCT'
    'PUNCT'
    """

    hyperparameters: Hyperparameters
    tags: tuple[str | None, ...]
    lexicon: Lexicon = attrs.field(repr=False)
    weights: _Floats = attrs.field(repr=False)

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
    ) -> Tagger:
        """Train a tagger.

        Words before the one to be tagged have the tags that the model has given them, right or wrong, in training as
        in use. Words without a gold tag are tagged, but not learnt from.

        Args:
            treebank: the trees to learn from; they are held in memory.
            dev: trees to evaluate on after each epoch. If given, the tagger as it was after the best one is returned,
                otherwise as it was after the last.
            epochs: the number of passes over the treebank.
            seed: determines the order of the sentences, so that a run can be repeated.
            hyperparameters: the column to fill in, and what else can be chosen; if not given, the defaults.
            checkpoint: where the training is saved, so that it goes on after it was stopped, with the same result.
            on_epoch: is given a record of each epoch when it ends.

        Raises:
            TrainingError: no word has a tag, or the checkpoint is that of another training.
            EvaluationError: no word of the development data has one.
            TypeError: the treebank is something else.
            ValueError: a number is out of range.
            FileExistsError: there is a checkpoint, and training is not to go on from it.
            OSError: the checkpoint cannot be written.
        """
        whole_number("epochs", epochs, 1)
        whole_number("seed", seed, 0)
        of_type("hyperparameters", hyperparameters, Hyperparameters | None, "of the class Hyperparameters")
        chosen = hyperparameters or Hyperparameters()
        trees, dev = list(trees_of(treebank)), None if dev is None else list(trees_of(dev))
        training = TaggerTraining(trees, chosen, seed)
        if dev is not None and not tags_in(dev, chosen.column):
            raise EvaluationError(f"no word of the development data has a tag in the column {chosen.column}")

        def evaluated(tagger: Tagger, epoch: Epoch) -> Epoch:
            assert dev is not None
            return attrs.evolve(epoch, accuracy=tag_accuracy(dev, tagger.tag(dev), chosen.column))

        return run(
            training,
            epochs,
            model=lambda _: cls(chosen, training.tags, training.lexicon, training.weights()),
            load=cls.load,
            evaluated=None if dev is None else evaluated,
            on_epoch=on_epoch,
            checkpoint=checkpoint,
            about=lambda: {**identity(chosen, trees, dev), "seed": seed},
        )

    @cached_property
    def _perceptron(self) -> core.TaggerPerceptron:
        return core.TaggerPerceptron(self.hyperparameters.parts, self.weights, len(self.tags), False)

    @overload
    def tag(self, sentences: DependencyTree, threads: int = 1) -> DependencyTree: ...

    @overload
    def tag(self, sentences: Iterable[Sentence], threads: int = 1) -> Iterator[DependencyTree]: ...

    def tag(
        self, sentences: DependencyTree | Iterable[Sentence], threads: int = 1
    ) -> DependencyTree | Iterator[DependencyTree]:
        """Tag sentences, lazily and in order; one tree in gives one tree.

        Args:
            sentences: trees or lists of words. Only the forms are looked at, and only the tagger's column is changed.
            threads: the number of threads; the result does not depend on it.

        Raises:
            ValueError: the number of threads is less than one.
        """
        whole_number("threads", threads, 1)
        if isinstance(sentences, DependencyTree):
            return first(self._tag([sentences], threads))
        return self._tag(sentences, threads)

    def _tag(self, sentences: Iterable[Sentence], threads: int) -> Iterator[DependencyTree]:
        for trees in portions(sentences):
            yield from self.tag_together(trees, threads)

    def tag_together(self, trees: Sequence[DependencyTree], threads: int = 1) -> list[DependencyTree]:
        """Tag sentences in one go; see ``tag``."""
        column = self.hyperparameters.column
        numbers = iter(self._numbers(*forms_of(trees), threads).tolist())
        return [
            attrs.evolve(
                tree,
                tokens=[attrs.evolve(token, **{column: self.tags[next(numbers)]}) for token in tree.tokens],
            )
            for tree in trees
        ]

    def tag_columns(self, columns: Columns, threads: int = 1) -> Columns:
        """Tag a treebank of numbers; see ``tag``.

        >>> from deptrees import sample_treebank
        >>> tagger = Tagger.train(sample_treebank("train"))
        >>> columns = tagger.tag_columns(Columns.encode(sample_treebank("dev")))
        >>> columns.tree(0).words == Columns.encode(tagger.tag(sample_treebank("dev"))).tree(0).words
        True
        """
        numbers = self._numbers(columns.offsets, columns.words["form"], columns.vocabularies["form"], threads)
        tags = tuple([MISSING if tag is None else tag for tag in self.tags])
        column = self.hyperparameters.column
        return attrs.evolve(
            columns,
            words={**columns.words, column: numbers},
            vocabularies={**columns.vocabularies, column: tags},
        )

    def _numbers(
        self, offsets: npt.NDArray[np.int64], types: _Integers, forms: Sequence[str], threads: int
    ) -> _Integers:
        """The numbers of the tags of all words."""
        words, count = self.lexicon.words(offsets, types, forms), len(offsets) - 1
        numbers = np.empty(len(types), np.int32)

        def tag(start: int) -> None:
            self._perceptron.tag(words, start, min(start + _SENTENCES_AT_ONCE, count), numbers)

        with ThreadPoolExecutor(threads) as pool:
            for _ in pool.map(tag, range(0, count, _SENTENCES_AT_ONCE)):
                pass
        return numbers

    def part(self) -> Part:
        """What is saved; a parser's file can hold it beside the parser."""
        record = to_record(_Record(self.hyperparameters, self.tags, self.lexicon))
        return Part(_FORMAT, record, {_WEIGHTS: self.weights})

    @classmethod
    def is_in(cls, file: ModelFile) -> bool:
        """Whether there is a tagger in an open file."""
        return _FORMAT in file

    @classmethod
    def read(cls, file: ModelFile) -> Tagger:
        """Read a tagger from an open file.

        Raises:
            ModelError: there is none in it.

        >>> from tempfile import TemporaryDirectory
        >>> from deptrees import sample_treebank
        >>> tagger = Tagger.train(sample_treebank("train"), epochs=1)
        >>> with TemporaryDirectory() as folder:
        ...     tagger.save(f"{folder}/tagger")
        ...     Tagger.load(f"{folder}/tagger").tags == tagger.tags
        True
        """
        record = file.read(_FORMAT, _Record)
        weights = file.array(_WEIGHTS, record.hyperparameters.table_shape(len(record.tags)))
        return cls(record.hyperparameters, record.tags, record.lexicon, weights)
