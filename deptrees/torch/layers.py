"""What the networks are made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812  its name everywhere
from torch import Tensor, nn

from deptrees.torch.rows import rounded_up
from deptrees.torch.vocabulary import PADDING, UNKNOWN, EncodedWords, Vocabulary

__all__ = ["FormEmbedding", "PlaceScorer", "SentenceLSTM", "SpellingEmbedding", "TagEmbedding", "read"]

_CHARACTERS_AT_A_TIME = 3
_STRETCH = 256
"""So many words of a sentence are read in one go."""


class FormEmbedding(nn.Module):
    """Vectors of forms: those learned in training, and after them those of the embeddings, which stay as they are.

    In training forms are sometimes taken for unknown: one that occurs n times with the probability rare / (rare + n)
    (Kiperwasser & Goldberg 2016, section 4.1). They keep the vectors of the embeddings, as all forms do that are
    unknown in parsing.

    Args:
        vocabulary: what is known.
        size: the size of the vectors that are learned.
        rare: how often forms are taken for unknown.
    """

    counts: Tensor
    embedded: Tensor

    def __init__(self, vocabulary: Vocabulary, size: int, rare: float) -> None:
        super().__init__()
        self.size = size + vocabulary.embeddings.size
        self.rare = rare
        self.register_buffer("counts", torch.tensor([1, 1, *vocabulary.counts]), persistent=False)
        embedded = np.pad(vocabulary.embeddings.vectors, ((1, 0), (0, 0)))  # PADDING has a vector of zeros
        self.register_buffer("embedded", torch.from_numpy(embedded), persistent=False)
        self.vectors = nn.Embedding(vocabulary.sizes[0], size, PADDING)

    def forward(self, words: EncodedWords) -> Tensor:
        """The vector of each word."""
        forms = words.forms[words.spelled]
        if self.training:
            unknown = self.rare / (self.rare + self.counts[forms])
            forms = forms.masked_fill(torch.rand_like(unknown) < unknown, UNKNOWN)
        return torch.cat([self.vectors(forms), F.embedding(words.embedded[words.spelled], self.embedded)], 1)


class TagEmbedding(nn.Module):
    """Vectors of words' tags: of those of one word the sum.

    Args:
        vocabulary: what is known.
        size: the size of the vectors.
    """

    def __init__(self, vocabulary: Vocabulary, size: int) -> None:
        super().__init__()
        self.vectors = nn.EmbeddingBag(vocabulary.sizes[1], size, mode="sum", padding_idx=PADDING)

    def forward(self, words: EncodedWords) -> Tensor:
        """The vector of each word."""
        return F.embedding(words.tagged, self.vectors(words.tags)).sum(1)


class SpellingEmbedding(nn.Module):
    """Vectors of words by their characters: a convolution, of which the greatest values count (Ma & Hovy 2016).

    Args:
        vocabulary: what is known.
        character: the size of the vector of a character.
        size: the size of the vectors of words.
    """

    def __init__(self, vocabulary: Vocabulary, character: int, size: int) -> None:
        super().__init__()
        self.characters = nn.Embedding(vocabulary.sizes[2], character, PADDING)
        self.convolution = nn.Conv1d(character, size, _CHARACTERS_AT_A_TIME)

    def forward(self, words: EncodedWords) -> Tensor:
        """The vector of each word."""
        table = self._table()
        places = self.characters.num_embeddings * torch.arange(_CHARACTERS_AT_A_TIME, device=table.device)
        sums = F.embedding_bag(words.characters + places, table, mode="sum")
        # Zero is the sum where there is nothing but padding, as there is around each word.
        greatest = sums.new_zeros(len(words.forms), sums.shape[1]).scatter_reduce(
            0, words.spelling[:, None].expand_as(sums), sums, "amax"
        )
        bias = self.convolution.bias
        assert bias is not None
        return F.embedding(words.spelled, (greatest + bias).relu())

    def _table(self) -> Tensor:
        """What each character adds to the sum at each of the places where it may be, all at the first place first."""
        vectors, weight = self.characters.weight, self.convolution.weight
        return torch.einsum("kc,scp->pks", vectors, weight).flatten(0, 1).type_as(weight)


def read(lstm: nn.Module, vectors: Tensor) -> Tensor:
    """What an LSTM makes of vectors, whose first dimension is the position.

    It reads a stretch after another, so that Ctrl-C is answered between them, and on the way back, too.
    """
    found, state = list[Tensor](), None
    for stretch in vectors.split(_STRETCH):
        of_stretch, state = lstm(stretch, state)
        found.append(_interruptible(of_stretch))
    return torch.cat(found) if len(found) > 1 else found[0]


def _interruptible(vectors: Tensor) -> Tensor:
    """The same vectors; Ctrl-C is answered when their gradient has been found, by way of a function of Python."""
    if vectors.requires_grad:
        vectors.register_hook(_nothing)
    return vectors


def _nothing(_: Tensor) -> None:
    pass


class SentenceLSTM(nn.Module):
    """Bidirectional LSTMs over the sentences of a batch, one upon the other.

    The sentences are turned round for the LSTMs that read backwards, so that padding stays after them: on a CPU that
    is faster than packed sequences.

    Args:
        size: the size of the vectors that come in.
        hidden: half the size of those that go out.
        layers: the number of layers.
        dropout: how much of each layer's input is left out in training, and of the last one's output.
    """

    def __init__(self, size: int, hidden: int, layers: int, dropout: float) -> None:
        super().__init__()
        sizes = [size, *[2 * hidden] * (layers - 1)]
        self.dropout = Dropout(dropout, shared=True)
        self.forwards = nn.ModuleList([nn.LSTM(size, hidden) for size in sizes])
        self.backwards = nn.ModuleList([nn.LSTM(size, hidden) for size in sizes])

    def forward(self, vectors: Tensor, mirrored: Tensor) -> Tensor:
        """The vectors of words in their sentences, from those of words by themselves.

        Args:
            vectors: the first dimension is the position, and the second the sentence.
            mirrored: the sentences turned round: for each place in these two dimensions the number of another one.
        """
        for ahead, back in zip(self.forwards, self.backwards, strict=True):
            vectors = self.dropout(vectors)
            from_left, from_right = read(ahead, vectors), read(back, _turned(vectors, mirrored))
            vectors = torch.cat([from_left, _turned(from_right, mirrored)], 2)
        return self.dropout(vectors)


def _turned(vectors: Tensor, mirrored: Tensor) -> Tensor:
    return vectors.flatten(0, 1).index_select(0, mirrored).view_as(vectors)


class Dropout(nn.Module):
    """Dropout, for which PyTorch's own takes three times as long to draw numbers on a CPU.

    Args:
        rate: how much is left out in training.
        shared: whether the same is left out of all words of a sentence (Gal & Ghahramani 2016), which are
            along the first dimension.
    """

    def __init__(self, rate: float, *, shared: bool = False) -> None:
        super().__init__()
        self.rate = rate
        self.shared = shared

    def forward(self, vectors: Tensor) -> Tensor:
        """What is left of the vectors."""
        if not self.training or not self.rate:
            return vectors
        kept = torch.rand_like(vectors[:1] if self.shared else vectors) >= self.rate
        return vectors * (kept / (1 - self.rate)).type_as(vectors)


class PlaceScorer(nn.Module):
    """A layer over the vectors found at some places, and a score for each class.

    The first layer is linear: what a vector adds to it is worked out once for each place that it can stand at, and not
    again for every configuration (Chen & Manning 2014, section 3.3).

    Args:
        kinds: the size of the vectors of each kind, and the number of places where there are any.
        hidden: the size of the layer.
        classes: the number of classes.
        dropout: how much of the layer is left out in training.
        activation: what is done to the layer.
    """

    first: Tensor
    """For each place the row of no vector in the table of its kind."""
    apart: Tensor
    """For each place how many rows later that of the next vector is."""

    def __init__(
        self,
        kinds: Sequence[tuple[int, int]],
        hidden: int,
        classes: int,
        dropout: float,
        activation: Callable[[Tensor], Tensor] = torch.tanh,
    ) -> None:
        super().__init__()
        self._places = [places for _, places in kinds]
        first = [place for _, places in kinds for place in range(places)]
        apart = [places for _, places in kinds for _ in range(places)]
        self.register_buffer("first", torch.tensor(first), persistent=False)
        self.register_buffer("apart", torch.tensor(apart), persistent=False)
        self._activation = activation
        shares = [nn.Linear(size, places * hidden, bias=False) for size, places in kinds]
        self.shares = nn.ModuleList(shares)
        self.missing = nn.ParameterList([torch.zeros(places, hidden) for _, places in kinds])
        self.bias = nn.Parameter(torch.zeros(hidden))
        self.dropout = Dropout(dropout)
        self.output = nn.Linear(hidden, classes)
        bound = sum(size * places for size, places in kinds) ** -0.5  # as in the one linear layer that these are
        for share in shares:
            nn.init.uniform_(share.weight, -bound, bound)

    def tables(self, *vectors: Tensor) -> list[Tensor]:
        """What the vectors of each kind add to the layer: a row for each place, those of no vector first."""
        made = []
        for missing, share, rows in zip(self.missing, self.shares, vectors, strict=True):
            others = rounded_up(1 + len(rows)) - 1 - len(rows)
            added = share(F.pad(rows, (0, 0, 1, others)))
            if self.training:  # sums are more precise then than their terms
                added = added.float()
            added[0] += missing.flatten()
            made.append(_interruptible(added).view(-1, missing.shape[1]))
        return made

    def forward(self, tables: Sequence[Tensor], numbers: Tensor) -> Tensor:
        """The scores of the classes.

        Args:
            tables: what ``tables`` gives.
            numbers: in each row the number of the vector at each place, counted from 1, 0 where there is none.
        """
        layer: Tensor = self.bias
        rows = torch.addcmul(self.first, numbers, self.apart)
        for table, of_kind in zip(tables, rows.split(self._places, 1), strict=True):
            layer = layer + F.embedding_bag(of_kind, table, mode="sum")
        return self.output(self.dropout(self._activation(_interruptible(layer))))
