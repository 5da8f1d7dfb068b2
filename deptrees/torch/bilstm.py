"""Vectors of words in their sentences, from bidirectional LSTMs (Kiperwasser & Goldberg 2016)."""

from __future__ import annotations

from collections.abc import Sequence

import attrs
import numpy as np
import torch
from torch import Tensor

from deptrees.files.limits import LAYERS
from deptrees.torch.layers import SentenceLSTM
from deptrees.torch.parts import Encoder, EncoderNetwork, is_a, rate, size
from deptrees.torch.vocabulary import Vocabulary
from deptrees.torch.words import Words
from deptrees.trees.tree import DependencyTree

__all__ = ["BiLSTM"]


@attrs.frozen
class BiLSTM(Encoder):
    """An encoder that reads sentences in both directions (Kiperwasser & Goldberg 2016, section 4).

    Args:
        of: makes the vectors that are read. Other than in the paper words have characters too.
        hidden: the size of each LSTM.
        layers: the number of layers of LSTMs.
        dropout: how much of each layer's input, and of the last one's output, is left out in training.
    """

    of: Encoder = attrs.field(factory=Words, validator=is_a(Encoder))
    hidden: int = size(200)
    layers: int = size(2, LAYERS)
    dropout: float = rate(0.33)

    @property
    def columns(self) -> tuple[str, ...]:
        return self.of.columns

    def network(self, vocabulary: Vocabulary) -> EncoderNetwork:
        return _Network(self, self.of.network(vocabulary))


class _Network(EncoderNetwork):
    def __init__(self, sizes: BiLSTM, of: EncoderNetwork) -> None:
        super().__init__(2 * sizes.hidden)
        self.of = of
        self.sentences = SentenceLSTM(of.size, sizes.hidden, sizes.layers, sizes.dropout)

    def forward(self, sentences: Sequence[DependencyTree]) -> Tensor:
        vectors = self.of(sentences)
        return self.sentences(vectors, mirrored(sentences).to(vectors.device))


def mirrored(sentences: Sequence[DependencyTree]) -> Tensor:
    """For each position the one that is as far from the sentence's end as this one is from its beginning.

    Padding stays where it is.

    >>> mirrored([DependencyTree([(2, "Birds"), (0, "sing")]), DependencyTree([(0, "Sing")])])
    tensor([[2, 1],
            [1, 0],
            [0, 2]])
    """
    last = np.array([*map(len, sentences)])
    positions = np.arange(1 + last.max())[:, None]
    return torch.from_numpy(np.where(positions <= last, last - positions, positions))
