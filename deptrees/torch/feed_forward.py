"""A parser with one hidden layer over words, tags and labels around a configuration (Chen & Manning 2014)."""

from __future__ import annotations

import attrs
import torch
from torch import Tensor, nn

from deptrees.features import Node
from deptrees.torch.extractor import Extractor
from deptrees.torch.layers import FormEmbedding, PlaceScorer, TagEmbedding
from deptrees.torch.network import Architecture, Network, rate, size
from deptrees.torch.vocabulary import EncodedSentences, Vocabulary
from deptrees.transition import System

__all__ = ["FeedForward"]

_TOKENS = [Node.read(place) for place in ("s0", "s1", "s2", "b0", "b1", "b2")]
_DEPENDENTS = [
    Node.read(f"{head}.{way}")
    for head in ("s0", "s1")
    for way in ("left", "right", "left2", "right2", "left.left", "right.right")
]


@attrs.frozen(kw_only=True)
class FeedForward(Architecture):
    """The architecture of a parser that sees 18 words with tags, and 12 labels (Chen & Manning 2014, section 3.1).

    The words are three of the stack, three of the buffer, and dependents of the two on top of the stack. Labels are
    chosen with the transitions. Other than in the paper training is done with Adam, and with exploration if the oracle
    is dynamic; there is a word for all forms that are not known, which rare ones are taken for in training.

    Args:
        columns: the columns whose tags are looked at.
        batch_size: how many sentences an update learns from.
        learning_rate: how fast to learn at the beginning; by the end the rate has gone down to 0.
        embedding: the size of the vectors of forms, tags and labels.
        hidden: the size of the hidden layer, of which the cube is taken.
        dropout: how much of it is left out in training.
        rare: how often forms are taken for unknown in training: one that occurs n times with the probability
            rare / (rare + n).
    """

    embedding: int = size(50)
    hidden: int = size(200)
    dropout: float = rate(0.5)
    rare: float = rate(0.25)

    def network(self, system: System, vocabulary: Vocabulary) -> Network:
        return _Network(self, system, vocabulary)


class _Network(Network):
    def __init__(self, architecture: FeedForward, system: System, vocabulary: Vocabulary) -> None:
        super().__init__(Extractor(system, _TOKENS + _DEPENDENTS, vocabulary.labels, len(_DEPENDENTS)))
        self.forms = FormEmbedding(vocabulary, architecture.embedding, architecture.rare)
        self.tags = TagEmbedding(vocabulary, architecture.embedding)
        self.arc_labels = nn.Embedding(len(self.extractor.label_numbers) - 1, architecture.embedding)
        word = self.forms.size + architecture.embedding
        self.transitions = PlaceScorer(
            [(word, len(self.extractor.places)), (architecture.embedding, len(_DEPENDENTS))],
            architecture.hidden,
            len(self.extractor.space),
            architecture.dropout,
            _cube,
        )

    def forward(self, words: EncodedSentences) -> Tensor:
        """The vectors of the words by themselves."""
        return torch.cat([self.forms(words), self.tags(words)], 2).flatten(0, 1)

    def tables(self, vectors: Tensor) -> list[Tensor]:
        return self.transitions.tables(vectors, self.arc_labels.weight)


def _cube(layer: Tensor) -> Tensor:
    return layer**3
