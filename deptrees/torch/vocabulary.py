"""From sentences to the numbers that embeddings take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import attrs
import numpy as np
import torch
from torch import Tensor

from deptrees.features import known_of
from deptrees.features.embeddings import NO_EMBEDDINGS, Embeddings
from deptrees.messages import quoted
from deptrees.treebanks.columns import COLUMNS, check_texts
from deptrees.trees.token import ROOT, Token
from deptrees.trees.tree import DependencyTree

__all__ = ["PADDING", "UNKNOWN", "EncodedSentences", "Vocabulary"]

PADDING = 0
UNKNOWN = 1
"""The number of all forms that are not known. Unknown tags and characters are passed over."""


@attrs.frozen(eq=False)
class EncodedSentences:
    """The words of a batch of sentences: the first dimension is the position, 0 for ROOT, and the second the sentence.

    Args:
        forms: the number of each form in lower case.
        embedded: the number of each form among the embeddings, padding where it has none.
        tags: the numbers of each word's tags, filled up with padding.
        spellings: for each word its row in ``characters``.
        characters: for each different form of the batch the numbers of its characters, filled up with padding.
    """

    forms: Tensor
    embedded: Tensor
    tags: Tensor
    spellings: Tensor
    characters: Tensor

    def to(self, device: torch.device) -> EncodedSentences:
        """The same on another device."""
        return EncodedSentences(*[tensor.to(device) for tensor in attrs.astuple(self, recurse=False)])


def _different(_: object, attribute: Any, texts: Sequence[str]) -> None:
    if len({*texts}) < len(texts):
        raise ValueError(f"{len(texts)} {attribute.name}, and only {len({*texts})} are different")


@attrs.frozen
class Vocabulary:
    """The texts that a model knows.

    Args:
        columns: the columns of CoNLL-U that tags are taken from, in lower case; what ``|`` separates are tags apart.
        forms: the forms, in lower case.
        counts: how often each form occurs.
        tags: the tags, each with the name of its column.
        characters: the characters of forms.
        labels: the labels of arcs.
        embeddings: vectors of words, of these and of any others. A form that has none has that of its lower case.

    >>> tree = DependencyTree([Token("Birds", 2, "nsubj", upos="NOUN"), Token("sing", 0, "root", upos="VERB")])
    >>> vocabulary = Vocabulary.of([tree], ["upos", "feats"])
    >>> vocabulary.forms, vocabulary.tags, vocabulary.labels
    (('ROOT', 'birds', 'sing'), ('upos=NOUN', 'upos=VERB'), ('nsubj', 'root'))
    >>> vocabulary.encode([tree, DependencyTree([])]).forms
    tensor([[2, 2], [3, 0], [4, 0]])
    """

    columns: tuple[str, ...] = attrs.field(
        converter=tuple[str, ...], validator=attrs.validators.deep_iterable(attrs.validators.in_(COLUMNS))
    )
    forms: tuple[str, ...] = attrs.field(converter=tuple[str, ...], validator=_different)
    counts: tuple[int, ...] = attrs.field(converter=tuple[int, ...])
    tags: tuple[str, ...] = attrs.field(converter=tuple[str, ...], validator=_different)
    characters: tuple[str, ...] = attrs.field(converter=tuple[str, ...], validator=_different)
    labels: tuple[str, ...] = attrs.field(converter=tuple[str, ...], validator=check_texts)
    embeddings: Embeddings = attrs.field(default=NO_EMBEDDINGS, repr=False)

    @counts.validator
    def _one_for_each_form(self, _: object, counts: Sequence[int]) -> None:
        if len(counts) != len(self.forms) or not all(0 < count < 1 << 62 for count in counts):
            raise ValueError(f"{len(self.forms)} forms need as many counts, each 1 or more: not {quoted(counts)}")

    @classmethod
    def of(
        cls, trees: Iterable[DependencyTree], columns: Sequence[str], embeddings: Embeddings = NO_EMBEDDINGS
    ) -> Vocabulary:
        """All that occurs in a treebank, in the order in which it is met; labels in alphabetical order."""
        forms, tags, characters, labels = Counter[str](), Counter[str](), Counter[str](), set()
        for tree in trees:
            forms[ROOT.form] += 1
            for word in tree:
                forms[word.form.lower()] += 1
                tags.update(_tags(word, columns))
                characters.update(word.form)
                labels.add(word.label)
        named = sorted(label for label in labels if label is not None)
        return cls(columns, forms, forms.values(), tags, characters, named, embeddings)

    @property
    def sizes(self) -> tuple[int, int, int]:
        """How many numbers there are for forms, for tags and for characters."""
        return len(self.forms) + 2, len(self.tags) + 1, len(self.characters) + 1

    @cached_property
    def label_numbers(self) -> dict[str, int]:
        """The number of each label, from 0."""
        return {label: number for number, label in enumerate(self.labels)}

    @cached_property
    def _form_numbers(self) -> dict[str, int]:
        return {form: number for number, form in enumerate(self.forms, UNKNOWN + 1)}

    @cached_property
    def _tag_numbers(self) -> dict[str, int]:
        return {tag: number for number, tag in enumerate(self.tags, PADDING + 1)}

    @cached_property
    def _character_numbers(self) -> dict[str, int]:
        return {character: number for number, character in enumerate(self.characters, PADDING + 1)}

    def encode(self, sentences: Sequence[DependencyTree]) -> EncodedSentences:
        """The words of some sentences in numbers."""
        shape = (1 + max(map(len, sentences)), len(sentences))
        forms, embedded, spelled, tagged = np.zeros((4, *shape), np.int64)
        spellings: dict[str, int] = {}
        tag_sets: dict[tuple[str, ...], int] = {}
        for place, sentence in enumerate(sentences):
            tokens = (ROOT, *sentence)
            here = (slice(len(tokens)), place)
            forms[here] = [self._form_number(token) for token in tokens]
            embedded[here] = [self._embedded_number(token) for token in tokens]
            spelled[here] = [spellings.setdefault(token.form, len(spellings)) for token in tokens]
            tagged[here] = [tag_sets.setdefault(_tags(token, self.columns), len(tag_sets)) for token in tokens]
        return EncodedSentences(
            torch.from_numpy(forms),
            torch.from_numpy(embedded),
            _rows(tag_sets, self._tag_numbers)[tagged],
            torch.from_numpy(spelled),
            _rows(spellings, self._character_numbers),
        )

    def _form_number(self, token: Token) -> int:
        return self._form_numbers.get(token.form if token is ROOT else token.form.lower(), UNKNOWN)

    def _embedded_number(self, token: Token) -> int:
        row = None if token is ROOT else known_of(token.form, self.embeddings.rows)
        return PADDING if row is None else row + 1


def _rows(texts: Iterable[Iterable[str]], numbers: Mapping[str, int]) -> Tensor:
    """For each series of texts a row of numbers, filled up with padding; there is one column at least."""
    rows = [[numbers[text] for text in series if text in numbers] for series in texts]
    width = max(1, *map(len, rows))
    return torch.tensor([[*row, *[PADDING] * (width - len(row))] for row in rows])


def _tags(word: Token, columns: Sequence[str]) -> tuple[str, ...]:
    return tuple([f"{column}={tag}" for column in columns for tag in (getattr(word, column) or "").split("|") if tag])
