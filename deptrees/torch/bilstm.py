"""Vectors of words in their sentences, from bidirectional LSTMs (Kiperwasser & Goldberg 2016)."""

from __future__ import annotations

from collections.abc import Iterator

import attrs
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from deptrees.files.limits import LAYERS
from deptrees.torch.layers import SentenceLSTM
from deptrees.torch.parts import Encoder, EncoderNetwork, is_a, rate, size
from deptrees.torch.rows import cuts, roots, rounded_up
from deptrees.torch.vocabulary import Vocabulary
from deptrees.torch.words import Words
from deptrees.treebanks.columns import Columns

__all__ = ["BiLSTM"]

_SENTENCES_OF_PADDING = 6
"""As much padding as there are words in so many sentences takes as long as to read another batch."""

_Integers = npt.NDArray[np.int64]


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

    def forward(self, columns: Columns) -> Tensor:
        vectors, batches = self.of(columns), list(_batches(columns))
        read = [self._read(vectors, batch) for batch in batches]
        rows = np.concatenate([batch.rows[batch.is_word] for batch in batches])
        found = np.flatnonzero(np.concatenate([batch.is_word for batch in batches]))
        return torch.cat(read).index_select(0, _tensor(found[rows.argsort()], vectors))

    def _read(self, vectors: Tensor, batch: _Batch) -> Tensor:
        """The vectors of a batch, padding among them, a row for each."""
        given = vectors.index_select(0, _tensor(batch.rows, vectors)).unflatten(0, batch.shape)
        return self.sentences(given, _tensor(batch.mirrored, vectors)).flatten(0, 1)


@attrs.frozen(eq=False)
class _Batch:
    """Sentences that are read together: in turn all first words (ROOT), all second ones, and so on.

    Where a sentence has no such word, there is padding: the row of any word, also in sentences that are turned round.
    """

    shape: tuple[int, int]
    """How many positions and sentences there are."""
    rows: _Integers
    is_word: npt.NDArray[np.bool_]
    mirrored: _Integers


def _batches(columns: Columns) -> Iterator[_Batch]:
    """All sentences, those of about the same length together, so that there is little padding.

    >>> from deptrees import DependencyTree
    >>> trees = [DependencyTree([(2, "Birds"), (0, "sing")]), DependencyTree([(0, "Sing")])]
    >>> for batch in _batches(Columns.encode(trees)):
    ...     batch.shape, batch.rows.tolist(), batch.is_word.tolist(), batch.mirrored.tolist()
    ((3, 2), [3, 0, 4, 1, 3, 2], [True, True, True, True, False, True], [2, 5, 0, 3, 4, 1])
    """
    first, last = roots(columns), np.diff(columns.offsets)
    order = last.argsort(kind="stable")
    for chosen in np.split(order, cuts(last[order] + 1, _go_together)):
        positions = np.arange(rounded_up(1 + last[chosen].max()))[:, None]
        others = (0, rounded_up(len(chosen)) - len(chosen))  # sentences without any words
        first_of, last_of = np.pad(first[chosen], others), np.pad(last[chosen], others, constant_values=-1)
        is_word = positions <= last_of
        rows = first_of + positions * is_word
        mirrored = np.where(is_word, last_of - positions, positions) * len(last_of) + np.arange(len(last_of))
        yield _Batch(is_word.shape, rows.ravel(), is_word.ravel(), mirrored.ravel())


def _go_together(_: int, longest: int, padding: int) -> bool:
    return padding <= _SENTENCES_OF_PADDING * longest


def _tensor(numbers: _Integers, other: Tensor) -> Tensor:
    """Numbers as a tensor where another one is."""
    return torch.from_numpy(numbers).to(other.device)
