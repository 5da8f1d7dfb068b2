"""From sentences to the numbers that embeddings take."""

from __future__ import annotations

import reprlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import attrs
import numpy as np
import numpy.typing as npt
import torch
from more_itertools import flatten
from torch import Tensor

from deptrees.features import known_of
from deptrees.features.embeddings import NO_EMBEDDINGS, Embeddings
from deptrees.features.values import column_value
from deptrees.messages import quoted
from deptrees.transition.labels import ANY_LABELS, LabelHeads, are_of_labels
from deptrees.treebanks.columns import MISSING, WORD_COLUMNS, Columns, check_texts
from deptrees.trees.token import ROOT
from deptrees.trees.tree import DependencyTree

__all__ = ["PADDING", "UNKNOWN", "EncodedWords", "Vocabulary"]

PADDING = 0
UNKNOWN = 1
"""The number of all forms that are not known. Unknown tags and characters are passed over."""


@attrs.frozen(eq=False)
class EncodedWords:
    """The words of some sentences, one after another, with ROOT before the words of each sentence.

    Args:
        tagged: for each word its rows in ``tags``, one for each column.
        tags: for each different text of a column the numbers of its tags, filled up with padding.
        spelled: for each word its place among the different forms.
        forms: the number of each different form in lower case.
        embedded: the number of each different form among the embeddings, padding where it has none.
        characters: the characters of the different forms, each between its neighbors: three numbers, padding where
            there is none. Before and after each form is a row more, with its first and with its last character.
        spelling: for each row of ``characters`` the place of its form.
    """

    tagged: Tensor
    tags: Tensor
    spelled: Tensor
    forms: Tensor
    embedded: Tensor
    characters: Tensor
    spelling: Tensor

    def to(self, device: torch.device) -> EncodedWords:
        """The same on another device."""
        return EncodedWords(*[tensor.to(device) for tensor in attrs.astuple(self, recurse=False)])


def _different(_: object, attribute: attrs.Attribute[tuple[str, ...]], texts: Sequence[str]) -> None:
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
        label_heads: which labels arcs from ROOT have, and which arcs from words.
        embeddings: vectors of words, of these and of any others. A form that has none has that of its lower case.

    >>> from deptrees import Token
    >>> tree = DependencyTree([Token("Birds", 2, "nsubj", upos="NOUN"), Token("sing", 0, "root", upos="VERB")])
    >>> vocabulary = Vocabulary.of([tree], ["upos", "feats"])
    >>> vocabulary.forms, vocabulary.tags, vocabulary.labels
    (('ROOT', 'birds', 'sing'), ('upos=NOUN', 'upos=VERB'), ('nsubj', 'root'))
    >>> words = vocabulary.encode(Columns.encode([tree, DependencyTree([])]))
    >>> words.forms[words.spelled]
    tensor([2, 3, 4, 2])
    """

    columns: tuple[str, ...] = attrs.field(
        converter=tuple[str, ...], validator=attrs.validators.deep_iterable(attrs.validators.in_(WORD_COLUMNS))
    )
    forms: tuple[str, ...] = attrs.field(converter=tuple[str, ...], validator=_different, repr=reprlib.repr)
    counts: tuple[int, ...] = attrs.field(converter=tuple[int, ...], repr=reprlib.repr)
    tags: tuple[str, ...] = attrs.field(converter=tuple[str, ...], validator=_different, repr=reprlib.repr)
    characters: tuple[str, ...] = attrs.field(converter=tuple[str, ...], validator=_different, repr=reprlib.repr)
    labels: tuple[str, ...] = attrs.field(converter=tuple[str, ...], validator=check_texts, repr=reprlib.repr)
    label_heads: LabelHeads = attrs.field(default=ANY_LABELS, validator=are_of_labels)
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
        forms, tags, characters = Counter[str](), Counter[str](), Counter[str]()
        labels, arcs = set[str](), set[tuple[int, str]]()
        for tree in trees:
            forms[ROOT.form] += 1
            for word in tree:
                form = column_value(word, "form")
                forms[form.lower()] += 1
                tags.update(flatten(_tags(column, column_value(word, column)) for column in columns))
                characters.update(form)
                if word.label is not None:
                    labels.add(word.label)
                    if word.head is not None:
                        arcs.add((word.head, word.label))
        heads = LabelHeads.of(arcs)
        return cls(columns, forms, forms.values(), tags, characters, sorted(labels), heads, embeddings)

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

    def encode(self, columns: Columns) -> EncodedWords:
        """The words of some sentences in numbers."""
        forms, spelled = _texts(columns, "form", ROOT.form)
        known = [self._form_numbers.get(ROOT.form, UNKNOWN), *map(self._form_number, forms[1:])]
        embedded = [PADDING, *map(self._embedded_number, forms[1:])]
        tags: list[list[str]] = [[]]
        tagged = np.empty((len(spelled), len(self.columns)), np.int64)
        for place, column in enumerate(self.columns):
            texts, found = _texts(columns, column, MISSING)
            tagged[:, place] = len(tags) + found
            tags += [_tags(column, text) for text in texts]
        return EncodedWords(
            torch.from_numpy(tagged),
            _rows(tags, self._tag_numbers),
            torch.from_numpy(spelled),
            torch.tensor(known),
            torch.tensor(embedded),
            *self._characters(forms),
        )

    def _characters(self, forms: Iterable[str]) -> tuple[Tensor, Tensor]:
        """The characters of forms between their neighbors, and the place of the form of each; see `EncodedWords`."""
        known, line, lengths = self._character_numbers, [PADDING, PADDING], list[int]()
        for form in forms:
            before = len(line)
            line += [known[character] for character in form if character in known]
            line += [PADDING, PADDING]
            lengths.append(len(line) - before)
        windows = np.lib.stride_tricks.sliding_window_view(np.array(line), 3)
        return torch.from_numpy(windows.copy()), torch.from_numpy(np.arange(len(lengths)).repeat(lengths))

    def _form_number(self, form: str) -> int:
        return self._form_numbers.get(form.lower(), UNKNOWN)

    def _embedded_number(self, form: str) -> int:
        row = known_of(form, self.embeddings.rows)
        return PADDING if row is None else row + 1


def _texts(columns: Columns, name: str, of_root: str) -> tuple[list[str], npt.NDArray[np.int64]]:
    """The different texts in a column, that of ROOT first; and for each word, and for ROOT, the number of its text."""
    texts = columns.vocabularies[name]
    different, numbers = np.unique(columns.words[name], return_inverse=True)
    found = np.insert(1 + numbers.astype(np.int64), columns.offsets[:-1], 0)
    return [of_root, *[texts[number] for number in different.tolist()]], found


def _rows(texts: Iterable[Iterable[str]], numbers: Mapping[str, int]) -> Tensor:
    """For each series of texts a row of numbers, filled up with padding; there is one column at least."""
    rows = [[numbers[text] for text in series if text in numbers] for series in texts]
    width = max(1, *map(len, rows))
    return torch.tensor([[*row, *[PADDING] * (width - len(row))] for row in rows])


def _tags(column: str, text: str) -> list[str]:
    """The tags in a column of a word."""
    return [] if text == MISSING else [f"{column}={tag}" for tag in text.split("|") if tag]
