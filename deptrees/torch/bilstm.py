"""A parser with vectors from bidirectional LSTMs (Kiperwasser & Goldberg 2016)."""

from __future__ import annotations

import attrs
import torch
from torch import Tensor

from deptrees.features import Node
from deptrees.files.limits import LAYERS
from deptrees.torch.extractor import Extractor
from deptrees.torch.layers import FormEmbedding, PlaceScorer, SentenceLSTM, SpellingEmbedding, TagEmbedding
from deptrees.torch.network import Architecture, Network, rate, size
from deptrees.torch.vocabulary import EncodedSentences, Vocabulary
from deptrees.transition import System

__all__ = ["BiLSTM"]

_PLACES = [Node.read(place) for place in ("s2", "s1", "s0", "b0")]


@attrs.frozen(kw_only=True)
class BiLSTM(Architecture):
    """The architecture of a parser that knows of each word the sentence around it.

    It looks at four words: the three on top of the stack and the front of the buffer (Kiperwasser & Goldberg 2016,
    section 4.1). Other than in the paper words have characters too, and an arc gets its label when the tree is
    finished: the one with the best score for head and dependent.

    Args:
        columns: the columns whose tags are looked at.
        batch_size: how many sentences an update learns from.
        learning_rate: how fast to learn at the beginning; by the end the rate has gone down to 0.
        form: the size of the vector of a form.
        tags: the size of the vector of a word's tags.
        character: the size of the vector of a character.
        spelling: the size of what is made of a word's characters.
        hidden: the size of each LSTM.
        layers: the number of layers of LSTMs.
        classifier: the size of the layer between words and scores.
        dropout: how much is left out in training.
        rare: how often forms are taken for unknown in training: one that occurs n times with the probability
            rare / (rare + n).
    """

    form: int = size(100)
    tags: int = size(50)
    character: int = size(32)
    spelling: int = size(64)
    hidden: int = size(200)
    layers: int = size(2, LAYERS)
    classifier: int = size(200)
    dropout: float = rate(0.33)
    rare: float = rate(0.25)

    def network(self, system: System, vocabulary: Vocabulary) -> Network:
        return _Network(self, system, vocabulary)


class _Network(Network):
    def __init__(self, architecture: BiLSTM, system: System, vocabulary: Vocabulary) -> None:
        super().__init__(Extractor(system, _PLACES))
        self.forms = FormEmbedding(vocabulary, architecture.form, architecture.rare)
        self.tags = TagEmbedding(vocabulary, architecture.tags)
        self.spellings = SpellingEmbedding(vocabulary, architecture.character, architecture.spelling)
        word = self.forms.size + architecture.tags + architecture.spelling
        self.sentences = SentenceLSTM(word, architecture.hidden, architecture.layers, architecture.dropout)

        def scorer(places: int, classes: int) -> PlaceScorer:
            return PlaceScorer(
                [(2 * architecture.hidden, places)], architecture.classifier, classes, architecture.dropout
            )

        self.transitions = scorer(len(_PLACES), len(self.extractor.space))
        if vocabulary.labels:
            self.labels = scorer(2, len(vocabulary.labels))

    def forward(self, words: EncodedSentences) -> Tensor:
        """The vectors of the words in their sentences."""
        alone = torch.cat([self.forms(words), self.tags(words), self.spellings(words)], 2)
        return self.sentences(alone, words.mirrored).flatten(0, 1)
