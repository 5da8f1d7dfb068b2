"""The words of a treebank as arrays for counting, and predicted heads and labels beside the gold ones."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from functools import cached_property
from typing import Any, TypeGuard

import attrs
import numpy as np
import numpy.typing as npt
from more_itertools import unzip

from deptrees.evaluation.pairs import Trees, pairs
from deptrees.files.output import STANDARD_STREAM
from deptrees.treebanks.columns import Columns
from deptrees.treebanks.treebank import Treebank
from deptrees.trees.tree import DependencyTree

__all__ = ["Booleans", "Integers", "Words", "known_forms", "paired_words", "sentence_numbers"]

Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]


@attrs.frozen(eq=False)
class Words:
    """A treebank, one row for each word.

    Args:
        columns: the treebank.
        known: the forms of the training data, if there is any.

    >>> words = Words(Columns.encode([DependencyTree([(0, "Sing")]), DependencyTree([(2, "Birds"), (0, "sing")])]))
    >>> words.sentence.tolist(), words.position.tolist(), words.head.tolist()
    ([0, 1, 1], [1, 1, 2], [-1, 2, -1])
    """

    columns: Columns
    known: frozenset[str] | None = None

    def __len__(self) -> int:
        return len(self.columns.heads)

    @cached_property
    def sentence(self) -> Integers:
        """The sentence of each word, from 0."""
        return np.repeat(np.arange(len(self.columns)), np.diff(self.columns.offsets))

    @cached_property
    def position(self) -> Integers:
        """The position of each word in its sentence, from 1."""
        return np.arange(len(self)) - self.columns.offsets[self.sentence] + 1

    @cached_property
    def head(self) -> Integers:
        """The row of each word's head; -1 for ROOT, -2 for no head."""
        heads = self.columns.heads
        return np.where(heads > 0, self.columns.offsets[self.sentence] + heads - 1, np.where(heads == 0, -1, -2))

    def with_universal_labels(self) -> Words:
        """The words with the universal part of their labels, the part before the colon.

        >>> words = Words(Columns.encode([DependencyTree([(0, "a", "obl"), (1, "b", "obl:tmod")])]))
        >>> words.with_universal_labels().columns.tree(0).labels
        ('obl', 'obl')
        """
        return self._with_labels([label.partition(":")[0] for label in self.columns.vocabularies["deprel"]])

    def _with_labels(self, names: list[str], **others: Any) -> Words:
        """The words with a name for each label number, of which several may be the same."""
        vocabulary = tuple(dict.fromkeys(names))
        number = {name: position for position, name in enumerate(vocabulary)}
        new = np.array([*map(number.__getitem__, names), -1], np.int32)
        vocabularies = {**self.columns.vocabularies, "deprel": vocabulary}
        labels = new[others.pop("labels", self.columns.labels)]
        columns = attrs.evolve(self.columns, labels=labels, vocabularies=vocabularies, **others)
        return attrs.evolve(self, columns=columns)

    def parsed(self, predicted: Columns) -> tuple[Words, Words]:
        """These words, and the same words with predicted heads and labels; a label has one number in both."""
        ours, theirs = self.columns.vocabularies["deprel"], predicted.vocabularies["deprel"]
        names = [*ours, *theirs]
        labels = np.where(predicted.labels < 0, -1, predicted.labels + len(ours))
        return (
            self._with_labels(names),
            self._with_labels(names, labels=labels, heads=predicted.heads, projective=predicted.projective),
        )


def known_forms(train: Iterable[DependencyTree] | None) -> frozenset[str] | None:
    """The forms of training data, if there is any.

    >>> known_forms([DependencyTree([(0, "Go")])])
    frozenset({'Go'})
    """
    return None if train is None else frozenset(Columns.encode(train).vocabularies["form"])


def paired_words(gold: Trees, predicted: Trees, known: frozenset[str] | None = None) -> tuple[Words, Words]:
    """The words of gold trees, and the same words with predicted heads and labels.

    Files are read without making trees. All other columns, including tags, are the gold ones in both.

    Args:
        gold: a tree, or a treebank.
        predicted: the same sentences, parsed.
        known: the forms of the training data, if there is any.

    Raises:
        EvaluationError: the sentences are not the same.

    >>> tree = DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root")])
    >>> ours, theirs = paired_words(tree, tree.reattach([0, 1], ["root", "obj"]))
    >>> ours.columns.labels.tolist(), theirs.columns.labels.tolist(), theirs.columns.tree(0)
    ([0, 1], [1, 2], DependencyTree([(0, 'Birds', 'root'), (1, 'sing', 'obj')]))
    """
    if _can_be_read_twice(gold) and _can_be_read_twice(predicted):
        ours, theirs = Columns.encode(gold), Columns.encode(predicted)
        if not _have_the_same_words(ours, theirs):
            deque(pairs(gold, predicted), 0)  # says which sentence differs, and where
    else:
        trees: Any = [*map(list, unzip(pairs(gold, predicted)))] or [[], []]
        ours, theirs = map(Columns.encode, trees)
    return Words(ours, known).parsed(theirs)


def _can_be_read_twice(trees: Trees) -> TypeGuard[Treebank]:
    return isinstance(trees, Treebank) and STANDARD_STREAM not in trees.paths


def _have_the_same_words(ours: Columns, theirs: Columns) -> bool:
    if not np.array_equal(ours.offsets, theirs.offsets):
        return False
    number = {form: position for position, form in enumerate(ours.vocabularies["form"])}
    same = np.array([number.get(form, -1) for form in theirs.vocabularies["form"]], np.int32)
    return np.array_equal(ours.words["form"], same[theirs.words["form"]])


def sentence_numbers(group: Integers, sentence: Integers, groups: int) -> tuple[tuple[int, ...], ...]:
    """For each group, the sentences with a word in it, without duplicates, numbered from 1.

    Args:
        group: the group of each word.
        sentence: its sentence, from 0.
        groups: the number of groups.

    >>> sentence_numbers(np.array([0, 0, 2, 0]), np.array([0, 0, 1, 4]), 3)
    ((1, 5), (), (2,))
    """
    most = int(sentence.max(initial=0)) + 1
    found = np.unique(group * most + sentence)
    bounds = np.searchsorted(found, np.arange(1, groups) * most)
    return tuple(tuple((part % most + 1).tolist()) for part in np.split(found, bounds))[:groups]
