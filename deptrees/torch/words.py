"""Vectors of words by themselves: of their forms, their tags and their characters."""

from __future__ import annotations

from collections.abc import Sequence

import attrs
import torch
from torch import Tensor

from deptrees.messages import of_type
from deptrees.torch.layers import Dropout, FormEmbedding, SpellingEmbedding, TagEmbedding
from deptrees.torch.parts import Encoder, EncoderNetwork, rate, size
from deptrees.torch.vocabulary import Vocabulary
from deptrees.treebanks.columns import WORD_COLUMNS, Columns

__all__ = ["Joined", "Words"]


@attrs.frozen(kw_only=True)
class Words(Encoder):
    """An encoder that knows of each word its form, its tags and its characters, and nothing of the sentence.

    The vector of a word has three parts. That of the form has the word's vector among the embeddings after it, if the
    parser is trained with some. That of the tags is the sum of the vectors of all its tags, where what ``|`` separates
    in FEATS are tags apart. That of the characters is made by a convolution, of which the greatest values count (Ma &
    Hovy 2016).

    Args:
        columns: the columns whose tags are looked at.
        form: the size of the vector of a form.
        tags: the size of the vector of a word's tags.
        character: the size of the vector of a character.
        spelling: the size of what is made of a word's characters.
        rare: how often forms are taken for unknown in training: one that occurs n times with the probability
            rare / (rare + n) (Kiperwasser & Goldberg 2016, section 4.1).
        dropout: how often a part of a word's vector is left out in training, each by itself.
    """

    columns: tuple[str, ...] = attrs.field(
        default=("upos", "xpos", "feats"),
        converter=tuple[str, ...],
        validator=attrs.validators.deep_iterable(attrs.validators.in_(WORD_COLUMNS)),
    )
    form: int = size(100)
    tags: int = size(50)
    character: int = size(32)
    spelling: int = size(64)
    rare: float = rate(0.25)
    dropout: float = rate(0.0)

    def network(self, vocabulary: Vocabulary) -> EncoderNetwork:
        return _WordsNetwork(self, vocabulary)


class _WordsNetwork(EncoderNetwork):
    def __init__(self, sizes: Words, vocabulary: Vocabulary) -> None:
        forms = FormEmbedding(vocabulary, sizes.form, sizes.rare)
        super().__init__(forms.size + sizes.tags + sizes.spelling)
        self.vocabulary = vocabulary
        self.dropout = Dropout(sizes.dropout)
        self.forms = forms
        self.tags = TagEmbedding(vocabulary, sizes.tags)
        self.spellings = SpellingEmbedding(vocabulary, sizes.character, sizes.spelling)

    def forward(self, columns: Columns) -> Tensor:
        words = self.vocabulary.encode(columns).to(self.forms.counts.device)
        parts = [self.forms(words), self.tags(words), self.spellings(words)]
        if self.training and self.dropout.rate:
            parts = [part * self.dropout(torch.ones_like(part[:, :1])) for part in parts]
        return torch.cat(parts, 1)


@attrs.frozen
class Joined(Encoder):
    """An encoder whose vectors are those of others, one after the other.

    Args:
        encoders: the others.

    >>> Joined((Words(columns=["upos"]), Words(columns=["xpos"], form=20))).columns
    ('upos', 'xpos')
    """

    encoders: tuple[Encoder, ...] = attrs.field(converter=tuple[Encoder, ...], validator=attrs.validators.min_len(1))

    @encoders.validator
    def _are_encoders(self, _: object, encoders: tuple[object, ...]) -> None:
        for encoder in encoders:
            of_type("encoders", encoder, Encoder, "a list of encoders, such as [Words()]")

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(column for encoder in self.encoders for column in encoder.columns))

    def network(self, vocabulary: Vocabulary) -> EncoderNetwork:
        return _JoinedNetwork([encoder.network(vocabulary) for encoder in self.encoders])


class _JoinedNetwork(EncoderNetwork):
    def __init__(self, networks: Sequence[EncoderNetwork]) -> None:
        super().__init__(sum(network.size for network in networks))
        self.networks = torch.nn.ModuleList(networks)

    def forward(self, columns: Columns) -> Tensor:
        return torch.cat([network(columns) for network in self.networks], 1)
