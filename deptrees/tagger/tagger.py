"""The tagger: trained, saved, loaded and used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import ClassVar, overload

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.engine import core
from deptrees.evaluation.tags import TagColumn
from deptrees.files.models import ModelError, ModelFile, Part, Saved
from deptrees.files.parts import MODELS, TAGGER
from deptrees.files.records import to_record
from deptrees.files.sparse import SparseArray
from deptrees.tagger.column_model import ColumnModel, perceptrons
from deptrees.tagger.hyperparameters import Hyperparameters
from deptrees.tagger.lemmatizer import Lemmatizer
from deptrees.tagger.lexicon import Lexicon, words_to_tag
from deptrees.tagger.tag_sets import TagSet
from deptrees.threads import share_out
from deptrees.training.declarations import Kind, option, takes
from deptrees.training.inputs import whole_number
from deptrees.training.options import Options
from deptrees.training.records import Epoch
from deptrees.treebanks.batch import Batch, batches
from deptrees.treebanks.columns import MISSING, check_texts
from deptrees.trees.tree import AnyTree, DependencyTree, Sentence, is_tree, trees_of

__all__ = ["Tagger", "TaggerOptions"]

_Integers = npt.NDArray[np.int32]
_Found = tuple[_Integers, tuple[str | None, ...]]


@attrs.frozen
class _Column:
    """What is saved of a column besides the weights."""

    tags: tuple[str | None, ...] = attrs.field(validator=[attrs.validators.min_len(1), check_texts])
    lexicon: Lexicon = attrs.field()

    @lexicon.validator
    def _has_these_tags(self, _: object, lexicon: Lexicon) -> None:
        numbers = {*lexicon.dictionary.values()}.union(*lexicon.classes)
        if not numbers <= {*range(len(self.tags))}:
            raise ValueError(f"the lexicon has tags that are not numbers from 0 to {len(self.tags) - 1}")


@attrs.frozen
class _Record:
    """What is saved of a tagger besides its weights."""

    hyperparameters: Hyperparameters
    columns: tuple[_Column, ...]
    lemmatizer: Lemmatizer | None

    def __attrs_post_init__(self) -> None:
        columns, features = len(self.columns), len(self.hyperparameters.features)
        if columns != features:
            raise ValueError(f"{columns} columns of tags, and features for {features}")
        if (self.lemmatizer is not None) != self.hyperparameters.lemmas:
            raise ValueError("rules for lemmas without lemmas, or lemmas without rules")


@attrs.frozen(kw_only=True, repr=False)
class TaggerOptions(Options):
    """The options of training a tagger."""

    of: ClassVar[str] = "a tagger"

    hyperparameters: Hyperparameters | None = option(
        None,
        "The columns to fill in, and everything else that can be chosen.",
        Kind(Hyperparameters, "of the class Hyperparameters"),
    )


def _mean(*models: ColumnModel) -> ColumnModel:
    """What several taggers that were trained on the same words have learned of a column: the average of the weights."""
    return attrs.evolve(models[0], weights=SparseArray.mean([model.weights for model in models]))


@attrs.frozen(eq=False, repr=False)
class Tagger(Saved):
    """A tagger: it fills in parts of speech (UPOS, XPOS), morphological features (FEATS) and lemmas.

    Args:
        hyperparameters: what was chosen before training, without columns that the treebank does not have.
        models: what it has learned about each column of tags.
        lemmatizer: the rules for lemmas, if it fills them in.

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
    models: Sequence[ColumnModel]
    lemmatizer: Lemmatizer | None = None

    def __repr__(self) -> str:
        return f"<tagger of {', '.join(self.columns)}>"

    @property
    def columns(self) -> tuple[TagColumn, ...]:
        """The columns that it fills in, in this order."""
        return self.hyperparameters.columns

    @property
    def lookahead(self) -> int:
        """On how many words after its own a tag depends."""
        return self.hyperparameters.lookahead

    @classmethod
    @takes(TaggerOptions)
    def train(cls, treebank: Iterable[AnyTree], options: TaggerOptions) -> Tagger:
        """Train a tagger.

        In training as in use, features look at the model's own tags, right or wrong. Words without a gold tag are
        tagged, but not learned from. Of the epochs, that one is best in which most words have all tags right.

        Args:
            treebank: the trees to learn from; they are held in memory.
            options: those of `TaggerOptions`, as keywords.

        Raises:
            TrainingError: no word has a tag, or the checkpoint is that of another training.
            EvaluationError: no word of the development data has one.
            TypeError: the treebank or an option is something else.
            ValueError: a number is out of range.
            FileExistsError: there is a checkpoint, and training should not resume from it.
            OSError: the checkpoint cannot be written.
        """
        from deptrees.evaluation.pairs import EvaluationError
        from deptrees.evaluation.tags import tag_accuracy
        from deptrees.tagger.tag_sets import tags_in
        from deptrees.tagger.training import TaggerTraining
        from deptrees.training.checkpoints import identity
        from deptrees.training.run import run, watched_on

        trees, dev = list(trees_of(treebank)), None if options.dev is None else list(trees_of(options.dev))
        hyperparameters = options.hyperparameters or Hyperparameters()

        def begin(seed: int) -> TaggerTraining:
            training = TaggerTraining(trees, hyperparameters, seed)
            columns = training.hyperparameters.columns
            if dev is not None and not any(tags_in(dev, column) for column in columns):
                reason = "no word of the development data has a tag in the column"
                raise EvaluationError(f"{reason} {' or '.join(columns)}")
            return training

        def evaluated(tagger: Tagger, epoch: Epoch) -> Epoch:
            assert dev is not None
            found = watched_on(dev, tagger.tag(dev), epoch, options)
            return attrs.evolve(epoch, accuracy=tag_accuracy(dev, found, tagger.columns))

        return run(
            options,
            begin,
            model=lambda training, _: cls(training.hyperparameters, training.models(), training.lemmatizer),
            mean=lambda found: attrs.evolve(found[0], models=[*map(_mean, *(tagger.models for tagger in found))]),
            evaluated=None if dev is None else evaluated,
            about=lambda seed: {**identity(hyperparameters, trees, dev), "seed": seed},
            load=cls.load,
        )

    @cached_property
    def _perceptrons(self) -> list[core.tagging.TaggerPerceptron]:
        return perceptrons(self.hyperparameters, self.models, learning=False)

    @overload
    def tag(self, sentences: AnyTree, threads: int = 1) -> DependencyTree: ...

    @overload
    def tag(self, sentences: Iterable[Sentence], threads: int = 1) -> Iterator[DependencyTree]: ...

    def tag(
        self, sentences: AnyTree | Iterable[Sentence], threads: int = 1
    ) -> DependencyTree | Iterator[DependencyTree]:
        """Tag sentences, lazily and in order; one tree in gives one tree.

        Args:
            sentences: trees or lists of words. The tagger looks at forms only, and changes its own columns only.
            threads: the number of threads; the result does not depend on it.

        Raises:
            ValueError: the number of threads is less than one.
        """
        whole_number("threads", threads, 1)
        if is_tree(sentences):
            return self(Batch.of([sentences]), threads).trees[0]
        # A generator: chains that two threads ask at a time free what they run.
        return (tree for batch in batches(sentences) for tree in self(batch, threads).trees)

    def __call__(self, batch: Batch, threads: int = 1) -> Batch:
        """Tag a batch of sentences; see ``tag``.

        >>> from deptrees import sample_treebank
        >>> tagger = Tagger.train(sample_treebank("train"))
        >>> batch = next(sample_treebank("dev").batches())
        >>> list(tagger(batch).trees) == list(tagger.tag(batch.trees))
        True
        """
        columns = batch.columns
        found = self._tags(columns.offsets, columns.words["form"], columns.vocabularies["form"], threads)
        texts = [(numbers, [MISSING if tag is None else tag for tag in tags]) for numbers, tags in found]
        return batch.with_columns(**dict(zip(self.columns, texts, strict=True)))

    def _tags(
        self, offsets: npt.NDArray[np.int64], types: _Integers, forms: Sequence[str], threads: int
    ) -> list[_Found]:
        """For each column the numbers of the tags of all words, and the tags."""
        words, count = words_to_tag([model.lexicon for model in self.models], offsets, types, forms), len(offsets) - 1
        numbers = np.empty((len(self.models), len(types)), np.int32)

        def tag(start: int, stop: int) -> None:
            for perceptron, found in zip(self._perceptrons, numbers, strict=True):
                perceptron.tag(words, start, stop, found)

        share_out(tag, count, threads)
        tags = [(found, model.tag_set.tags) for model, found in zip(self.models, numbers, strict=True)]
        return tags if self.lemmatizer is None else [*tags, self._lemmas(self.lemmatizer, types, forms, tags)]

    def _lemmas(self, lemmatizer: Lemmatizer, types: _Integers, forms: Sequence[str], tags: Sequence[_Found]) -> _Found:
        """The numbers of the lemmas of all words, and the lemmas: one is made for all words that are alike."""
        named = dict(zip(self.hyperparameters.features, tags, strict=True))
        nothing: _Found = np.zeros(len(types), np.int32), (None,)
        (upos, parts_of_speech), (feats, bundles) = named.get("upos", nothing), named.get("feats", nothing)
        shape = max(1, len(forms)), max(1, len(parts_of_speech)), max(1, len(bundles))
        words, numbers = np.unique(np.ravel_multi_index((types, upos, feats), shape), return_inverse=True)
        lemmas = [
            lemmatizer.lemma(forms[form], parts_of_speech[tag], bundles[bundle])
            for form, tag, bundle in zip(*(part.tolist() for part in np.unravel_index(words, shape)), strict=True)
        ]
        return numbers.astype(np.int32), tuple(lemmas)

    def part(self) -> Part:
        """What is saved; a parser's file can hold it beside the parser."""
        columns = tuple([_Column(model.tag_set.tags, model.lexicon) for model in self.models])
        named = zip(self.hyperparameters.features, self.models, strict=True)
        arrays = {f"tagger.{name}": model.weights for name, model in named}
        return Part(TAGGER, to_record(_Record(self.hyperparameters, columns, self.lemmatizer)), arrays)

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
        ...     Tagger.load(f"{folder}/tagger").columns == tagger.columns
        True
        """
        if TAGGER not in file and any(name in file for name in MODELS):
            raise ModelError("the parser has no tagger: train it with --pipeline, or train a tagger by itself")
        record = file.read(TAGGER, _Record)
        models = []
        for name, column in zip(record.hyperparameters.features, record.columns, strict=True):
            tag_set = TagSet(column.tags)
            weights = file.sparse_array(f"tagger.{name}", record.hyperparameters.table_shape(tag_set.n_values))
            models.append(ColumnModel(tag_set, column.lexicon, weights))
        return cls(record.hyperparameters, models, record.lemmatizer)
