"""The tags that a parser was trained with, and warnings of words that are tagged otherwise."""

from __future__ import annotations

import reprlib
import warnings
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping

import attrs
import numpy as np

from deptrees.files.models import ModelFile, Part
from deptrees.files.parts import KNOWN_TAGS
from deptrees.files.records import to_record
from deptrees.messages import quoted
from deptrees.treebanks.batch import Batch
from deptrees.treebanks.columns import Columns
from deptrees.treebanks.treebank import TreebankWarning
from deptrees.trees.tree import DependencyTree

__all__ = ["KnownTags", "TagWatch", "warn_of_labels"]

_COLUMNS = ("upos", "xpos", "feats")
# The share of words with tags or labels that are new and more than was to be expected. In the development and test data
# of real treebanks at most 1 % of the words have FEATS that training never saw.
_FEW = 0.05
_CHANCE = 0.001  # the probability with which words that had no tag in training follow one another
_ENOUGH = 1000  # words, after which there can be a warning before the end


@attrs.frozen
class KnownTags:
    """What the words had, when a model was trained, in the columns of tags that it looks at.

    Args:
        values: the values of each column, ``"_"`` if some words had none.
        empty: the share of words that had none.
        unseen: the share of words of other texts that are expected to have another one, which is the share of words
            whose value was there once (Good 1953).

    >>> from deptrees import sample_treebank
    >>> known = KnownTags.of(Columns.encode(sample_treebank("train")), ["form", "upos"])
    >>> known.values["upos"][:3], known.empty["upos"], known.unseen["upos"]
    (('ADJ', 'ADP', 'ADV'), 0.0, 0.0)
    """

    values: Mapping[str, tuple[str, ...]] = attrs.field(repr=reprlib.repr)
    empty: Mapping[str, float]
    unseen: Mapping[str, float]

    def __attrs_post_init__(self) -> None:
        if not self.values.keys() == self.empty.keys() == self.unseen.keys():
            raise ValueError("tags and shares are those of different columns")

    @classmethod
    def of(cls, columns: Columns, looks_at: Collection[str]) -> KnownTags:
        """Those of a treebank, in the columns that a model looks at."""
        found = {name: _counts(columns, name) for name in _COLUMNS if name in looks_at}
        empty = {name: counts["_"] / max(counts.total(), 1) for name, counts in found.items()}
        unseen = {name: _unseen(counts) for name, counts in found.items()}
        return cls({name: tuple(sorted(counts)) for name, counts in found.items()}, empty, unseen)

    def part(self) -> Part:
        """What is saved."""
        return Part(KNOWN_TAGS, to_record(self), {})

    @classmethod
    def read(cls, file: ModelFile) -> KnownTags | None:
        """The tags in a file, ``None`` if there are none."""
        return file.read(KNOWN_TAGS, cls) if KNOWN_TAGS in file else None

    def watch(self, batches: Iterable[Batch], fewest: int) -> Iterator[Batch]:
        """The sentences, with one warning of each column that lacks tags or has others, with the share of words.

        There is none if there are fewer than ``fewest`` words in all.
        """
        watch = TagWatch(self)
        for batch in batches:
            watch.see(batch.columns)
            yield batch
        watch.warn(fewest)


class TagWatch:
    """What a parser is given, beside what it was trained with.

    Args:
        known: the tags that words had in training.
    """

    def __init__(self, known: KnownTags) -> None:
        self._columns = [
            _Watched(name, {*values}, known.empty[name], known.unseen[name]) for name, values in known.values.items()
        ]

    def see(self, columns: Columns) -> None:
        """Look at words that are to be parsed, and warn if there have been enough."""
        for each in self._columns:
            each.count(columns)
        self.warn(_ENOUGH)

    def warn(self, fewest: int) -> None:
        """Warn of each column that lacks tags or has others, once, if at least so many words have been seen."""
        for each in self._columns:
            if each.words >= fewest:
                each.warn()


@attrs.define
class _Watched:
    """A column, and how many words have been seen with tags like those in training, and with others."""

    name: str
    known: set[str]
    empty: float
    unseen: float
    words: int = 0
    without: int = 0
    new: int = 0
    in_other_order: int = 0
    example: str = ""
    has_warned: bool = False
    _sorted: set[str] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._sorted = {*map(_in_order, self.known)}

    def count(self, columns: Columns) -> None:
        for value, count in _counts(columns, self.name).items():
            self.words += count
            if value == "_":
                self.without += count
            elif value not in self.known:
                self.new += count
                self.in_other_order += count * (_in_order(value) in self._sorted)
                self.example = self.example or value

    def warn(self) -> None:
        name, advice = self.name.upper(), "tag them like the treebank it was trained on, or train with --pipeline"
        few = (_FEW + self.unseen) * self.words
        # If some had no tag in training, up to half of those that did may lack it: how many have FEATS differs by text.
        too_many = self.without > (_FEW if self.empty < _FEW else (1 + self.empty) / 2) * self.words
        if too_many and self.empty**self.without < _CHANCE:
            fault = f"{_share(self.without, self.words)} have none"
        elif self.new - self.in_other_order > few:
            fault = f"{_share(self.new, self.words)} have one that training never saw, such as {quoted(self.example)}"
        elif self.in_other_order > few:
            share = _share(self.in_other_order, self.words)
            fault, advice = f"{share} have it in another order than in training", "sort it without regard to case"
        else:
            return
        if not self.has_warned:
            self.has_warned = True
            warnings.warn(f"the model looks at {name}, and {fault}: {advice}", TreebankWarning, stacklevel=4)


def warn_of_labels(dev: Iterable[DependencyTree], columns: Columns) -> None:
    """Warn if many words of the development data have labels that are not in the columns that a parser learns from."""
    labels = _counts(columns, "deprel")
    counts = Counter(label for tree in dev for label in tree.labels if label is not None)
    new = {label: count for label, count in counts.items() if label not in labels}
    few = (_FEW + _unseen(labels)) * counts.total()
    if labels.keys() - {"_"} and sum(new.values()) > few:
        share = _share(sum(new.values()), counts.total())
        message = f"{share} of the development data have labels that training never saw, such as {quoted(min(new))}"
        warnings.warn(f"{message}: take data with the same labels", TreebankWarning, stacklevel=3)


def _counts(columns: Columns, name: str) -> Counter[str]:
    """How many words have each value in a column."""
    values = columns.labels[columns.labels >= 0] if name == "deprel" else columns.words[name]
    numbers = np.bincount(values, minlength=len(columns.vocabularies[name]))
    return Counter({text: int(n) for text, n in zip(columns.vocabularies[name], numbers, strict=True) if n})


def _unseen(counts: Counter[str]) -> float:
    """The share of words that are expected to have a value that is not among those counted."""
    return sum(count == 1 for count in counts.values()) / max(counts.total(), 1)


def _share(some: int, words: int) -> str:
    return f"{some / words:.0%} of {words:,} words"


def _in_order(feats: str) -> str:
    return "|".join(sorted(feats.split("|"), key=str.lower))
