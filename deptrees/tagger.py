"""A part-of-speech tagger: an averaged perceptron that reads from left to right (Collins 2002), on the compiled core.

What it looks at is told by features, each of one or more parts joined by ``+``. A part is something of a word, and in
brackets how far that word stands from the one to be tagged, as in ``lower[-1]+lower``:

====================== ===============================================================================================
``form``, ``lower``    the word as it is written; in lower case
``suffix1``-``4``      its last characters in lower case, ``prefix1``-``4`` its first ones
``shape``              which characters are large or small letters, digits, or others: ``Xx``, ``00-xx``
``known``              the tags that it has in the treebank, if it is there often enough
``tag``                the tag that it has been given, if it stands before
====================== ===============================================================================================

Frequent words that have always, or nearly always, the same tag are looked up in a dictionary (Aufrant & Wisniewski,
PanParser, section 4.9).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import pairwise
from typing import Any, overload

import attrs
import numpy as np
import numpy.typing as npt
from more_itertools import first

from deptrees.engine import core
from deptrees.evaluation.pairs import EvaluationError
from deptrees.evaluation.tags import TagColumn, tag_accuracy
from deptrees.features import text_hash
from deptrees.files.limits import BITS
from deptrees.files.models import ModelFile, Part, Saved
from deptrees.files.records import to_record
from deptrees.training.checkpoints import Checkpoint, identity
from deptrees.training.inputs import of_type, trees_of, whole_number
from deptrees.training.records import Epoch, TrainingError
from deptrees.training.resumable import ResumableTraining, cut
from deptrees.training.run import run
from deptrees.treebanks.columns import MISSING, Columns, check_texts
from deptrees.treebanks.sentences import portions
from deptrees.trees.tree import DependencyTree, Sentence

__all__ = ["FEATURES", "Hyperparameters", "Lexicon", "Tagger", "jackknifed"]

FEATURES = (
    *("form", "lower", "shape", "known"),
    *("suffix1", "suffix2", "suffix3", "suffix4", "prefix1", "prefix2", "prefix3", "prefix4"),
    *("tag[-1]", "tag[-2]", "tag[-1]+tag[-2]", "tag[-1]+lower", "tag[-1]+suffix3"),
    *("lower[-2]", "lower[-1]", "lower[+1]", "lower[+2]", "lower[-1]+lower", "lower+lower[+1]"),
    *("suffix3[-1]", "suffix3[+1]", "shape[-1]", "shape[+1]"),
    *("known[-1]", "known[+1]", "known[+2]", "known+known[+1]", "known[-1]+known+known[+1]"),
    *("tag[-1]+known[+1]", "tag[-1]+known+known[+1]"),
)
"""What a tagger looks at."""

_FORMAT = "deptrees tagger 2"
_WEIGHTS = "tagger"
_MOST_WEIGHTS = 1 << 26
_SENTENCES_AT_ONCE = 200
_WORDS_IN_PORTION = 20_000

_Integers = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float32]
_Part = tuple[int, int]


def _part(text: str, feature: str) -> _Part:
    """The number of an attribute and an offset."""
    match = re.fullmatch(r"(\w+)(?:\[([+-]\d)\])?", text)
    if match is None or match[1] not in core.ATTRIBUTES:
        raise ValueError(
            f"{text!r} in the feature {feature!r}: expected one of {', '.join(core.ATTRIBUTES)}, or lower[-1]"
        )
    offset = int(match[2] or 0)
    if match[1] == "tag" and offset >= 0:
        raise ValueError(f"{text!r} in the feature {feature!r}: only words on the left have a tag, as in tag[-1]")
    return core.ATTRIBUTES.index(match[1]), offset


def _feature(text: str) -> tuple[_Part, ...]:
    parts = re.split(r"\+(?!\d)", text)
    most = core.TAGGER_LIMITS["parts"]
    if len(parts) > most:
        raise ValueError(f"the feature {text!r} has {len(parts)} parts: {most} are the most")
    return tuple(_part(part, text) for part in parts)


@attrs.frozen
class Hyperparameters:
    """All that is chosen before a tagger is trained; saved with it.

    Args:
        column: the column that it fills in.
        features: what it looks at.
        bits: the size of the table of weights, as a power of two: how many rows there are at most for the features to
            share. There are fewer if there are so many tags that the table would have more than 67 million weights.
        dictionary_count: how often a word must occur to be in the dictionary.
        dictionary_share: how large the share of its most frequent tag must then be: all others are taken for mistakes.
        known_count: how often a word must occur for the feature ``known`` to tell its tags.
        known_share: how large the share of a tag must be to be one of them.

    Raises:
        ValueError: a feature is not one, or there are too many.

    >>> Hyperparameters(features=["size"])
    Traceback (most recent call last):
    ValueError: 'size' in the feature 'size': expected one of form, lower, suffix1, suffix2, suffix3, suffix4, prefix1,
    prefix2, prefix3, prefix4, shape, known, tag, or lower[-1]
    """

    column: TagColumn = attrs.field(default="upos", validator=attrs.validators.in_(["upos", "xpos", "feats"]))
    features: tuple[str, ...] = attrs.field(default=FEATURES, converter=tuple[str, ...])
    bits: int = attrs.field(default=20, validator=[attrs.validators.ge(6), attrs.validators.le(BITS)])
    dictionary_count: int = 20
    dictionary_share: float = 0.99
    known_count: int = 3
    known_share: float = 0.05

    def __attrs_post_init__(self) -> None:
        _ = self.parts

    @cached_property
    def parts(self) -> tuple[tuple[_Part, ...], ...]:
        """The features in numbers: each part an attribute and an offset."""
        most = core.TAGGER_LIMITS["features"]
        if len(self.features) > most:
            raise ValueError(f"{len(self.features)} features: {most} are the most")
        return tuple(map(_feature, self.features))

    def table_shape(self, n_tags: int) -> tuple[int, int]:
        """The shape of the table of weights: rows for features, with one for each tag and some to fill it up to 4."""
        width = -(-n_tags // 4) * 4
        return 1 << min(self.bits, (_MOST_WEIGHTS // width).bit_length() - 1), width


@attrs.frozen
class Lexicon:
    """What a treebank says of its words. Tags are given by their numbers.

    Args:
        dictionary: the tag of each word that has one whatever stands around it.
        classes: for each word, in lower case, its tags, the most frequent first.
    """

    dictionary: Mapping[str, int]
    classes: Mapping[str, tuple[int, ...]]

    @classmethod
    def count(cls, forms: Iterable[str], tags: Iterable[int], limits: Hyperparameters) -> Lexicon:
        """Make a lexicon of words and their tags; -1 is no tag."""
        as_written: defaultdict[str, Counter[int]] = defaultdict(Counter)
        lower: defaultdict[str, Counter[int]] = defaultdict(Counter)
        for form, tag in zip(forms, tags, strict=True):
            if tag >= 0:
                as_written[form][tag] += 1
                lower[form.lower()][tag] += 1
        certain = _frequent(as_written, limits.dictionary_count, limits.dictionary_share)
        classes = _frequent(lower, limits.known_count, limits.known_share)
        return cls({form: found[0] for form, found in certain.items()}, classes)

    @cached_property
    def _hashes(self) -> dict[str, int]:
        return {form: _class_hash(tags) for form, tags in self.classes.items()}

    def words(self, offsets: npt.NDArray[np.int64], types: _Integers, forms: Sequence[str]) -> core.TaggerData:
        """Sentences as the core wants them.

        Args:
            offsets: where each sentence begins, and where the last one ends.
            types: for each word the number of its form.
            forms: the forms.
        """
        unknown = _class_hash(())
        known = np.array([self._hashes.get(form.lower(), unknown) for form in forms], np.uint64)
        fixed = np.array([self.dictionary.get(form, -1) for form in forms], np.int32)
        return core.TaggerData(offsets, types, core.look_at(list(forms), known), fixed)


def _forms(trees: Sequence[DependencyTree]) -> tuple[npt.NDArray[np.int64], _Integers, Sequence[str]]:
    """Where each sentence begins and where the last one ends, for each word the number of its form, and the forms."""
    numbers: dict[str, int] = {}
    types = [numbers.setdefault(token.form, len(numbers)) for tree in trees for token in tree.tokens]
    return np.cumsum([0, *map(len, trees)], dtype=np.int64), np.array(types, np.int32), tuple(numbers)


def _frequent(words: Mapping[str, Counter[int]], least: int, share: float) -> dict[str, tuple[int, ...]]:
    """For words that are there often enough the tags with a share of at least so much, the most frequent first."""
    found = {}
    for form, counts in words.items():
        total = counts.total()
        tags = tuple(tag for tag, count in counts.most_common() if count >= share * total)
        if total >= least and tags:
            found[form] = tags
    return found


def _class_hash(tags: tuple[int, ...]) -> int:
    return text_hash(" ".join(map(str, tags)))


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
        training = _Training(trees, chosen, seed)
        if dev is not None and not _tags(_values(dev, chosen.column), chosen.column):
            raise EvaluationError(f"no word of the development data has a tag in the column {chosen.column}")

        def evaluated(tagger: Tagger, epoch: Epoch) -> Epoch:
            assert dev is not None
            return attrs.evolve(epoch, accuracy=tag_accuracy(dev, tagger.tag(dev), chosen.column))

        return run(
            training,
            epochs,
            model=lambda _: training.tagger(),
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
        numbers = iter(self._numbers(*_forms(trees), threads).tolist())
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


class _Training(ResumableTraining[npt.NDArray[np.int64]]):
    """Training a tagger.

    Raises:
        TrainingError: there is no word with a tag.
    """

    def __init__(self, trees: Sequence[DependencyTree], hyperparameters: Hyperparameters, seed: int) -> None:
        super().__init__(seed)
        column = _values(trees, hyperparameters.column)
        self._hyperparameters, self._tags = hyperparameters, _tags(column, hyperparameters.column)
        if not self._tags:
            raise TrainingError(f"no word has a tag in the column {hyperparameters.column}: there is nothing to learn")
        numbers = {tag: number for number, tag in enumerate(self._tags)}
        self._gold = np.array([numbers.get(tag, -1) for tag in column], np.int32)
        forms = (token.form for tree in trees for token in tree.tokens)
        self._lexicon = Lexicon.count(forms, self._gold.tolist(), hyperparameters)
        self._words, self._lengths = self._lexicon.words(*_forms(trees)), np.array([len(tree) for tree in trees])
        weights = np.zeros(hyperparameters.table_shape(len(self._tags)), np.float32)
        self._perceptron = core.TaggerPerceptron(hyperparameters.parts, weights, len(self._tags), True)

    def tagger(self) -> Tagger:
        """The tagger with the average of the weights so far."""
        return Tagger(self._hyperparameters, self._tags, self._lexicon, self._perceptron.averages())

    def _divide(self) -> Sequence[npt.NDArray[np.int64]]:
        return cut(self._random.permutation(len(self._lengths)), self._lengths, _WORDS_IN_PORTION)

    def _learn(self, portion: npt.NDArray[np.int64]) -> tuple[int, int]:
        return self._perceptron.learn(self._words, portion, self._gold)

    def _record(self, number: int, steps: int, errors: int) -> Epoch:
        return Epoch(number, len(self._lengths), 0, steps, errors)

    def _arrays(self) -> Mapping[str, npt.NDArray[Any]]:
        return {"weights": self._perceptron.weights, "changes": self._perceptron.changes}

    def _rest(self) -> Mapping[str, Any]:
        return {"time": self._perceptron.time}

    def _take_over(self, arrays: Mapping[str, npt.NDArray[Any]], rest: Mapping[str, Any]) -> None:
        self._perceptron.time = rest["time"]
        self._perceptron.look_again()


def _values(trees: Iterable[DependencyTree], column: TagColumn) -> list[str | None]:
    return [getattr(token, column) for tree in trees for token in tree.tokens]


def _tags(values: Iterable[str | None], column: TagColumn) -> tuple[str | None, ...]:
    """The tags in a column. A word without UPOS or XPOS is not annotated, one without FEATS has none."""
    return tuple(sorted({value for value in values if value is not None or column == "feats"}, key=str))


def jackknifed(
    treebank: Iterable[DependencyTree],
    folds: int = 10,
    epochs: int = 10,
    seed: int = 1,
    *,
    hyperparameters: Hyperparameters | None = None,
    checkpoint: Checkpoint | None = None,
) -> Iterator[DependencyTree]:
    """The trees of a treebank, in order, with tags from taggers that have not seen them.

    A parser that is trained on such tags meets in training what it meets in use. The treebank is cut into as many
    pieces as there are folds; each is tagged by a tagger that was trained on all the others.

    Args:
        treebank: the trees; they are held in memory.
        folds: the number of taggers to train.
        epochs: how often each looks at its part of the treebank.
        seed: determines the order of the sentences in training.
        hyperparameters: those of the taggers; if not given, the defaults.
        checkpoint: where the taggers' training is saved: each in a file beside it, whose name ends in its number.

    Raises:
        ValueError: there are fewer than two folds.
        TrainingError: a tagger has nothing to learn from.

    >>> from deptrees import sample_treebank
    >>> trees = list(sample_treebank("train"))
    >>> tagged = list(jackknifed(trees, folds=3))
    >>> [tree.heads for tree in tagged] == [tree.heads for tree in trees], tagged == trees
    (True, False)
    """
    if folds < 2:
        raise ValueError(f"{folds} folds: two are the least, as each is tagged by what is learnt from the others")
    return _jackknifed(list(trees_of(treebank)), folds, epochs, seed, hyperparameters or Hyperparameters(), checkpoint)


def _jackknifed(
    trees: list[DependencyTree],
    folds: int,
    epochs: int,
    seed: int,
    hyperparameters: Hyperparameters,
    checkpoint: Checkpoint | None,
) -> Iterator[DependencyTree]:
    for number, (start, stop) in enumerate(pairwise(len(trees) * fold // folds for fold in range(folds + 1)), 1):
        if start < stop:
            others, own = trees[:start] + trees[stop:], checkpoint and checkpoint.beside(str(number))
            tagger = Tagger.train(others, None, epochs, seed, hyperparameters=hyperparameters, checkpoint=own)
            yield from tagger.tag(trees[start:stop])
