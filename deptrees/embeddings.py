"""Embeddings: vectors of words, learnt from text without annotation, and clusters of words made from them."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

__all__ = ["NO_EMBEDDINGS", "Embeddings", "EmbeddingsError", "clusters", "k_means", "read_embeddings"]

_Floats = npt.NDArray[np.floating[Any]]
_Integers = npt.NDArray[np.intp]

_POINTS_AT_ONCE = 1 << 12
_LEAST_GAIN = 1e-4
"""Clusters that are not better than the last ones by this share are as good as they get."""


class EmbeddingsError(ValueError):
    """A file of embeddings is not valid; the message names the file, the line and the reason."""


def _matrix(vectors: npt.ArrayLike) -> npt.NDArray[np.float32]:
    matrix = np.array(vectors, np.float32)
    matrix.flags.writeable = False
    return matrix


@attrs.frozen
class Embeddings(Mapping[str, npt.NDArray[np.float32]]):
    """Vectors of words: a mapping from words to the rows of a matrix.

    Args:
        words: the words.
        vectors: the vector of each word, in rows; they are copied.

    Raises:
        ValueError: there is not one row for each word, or a word comes twice.

    >>> embeddings = Embeddings(["dog", "cat"], [[0.5, 1], [0.25, 1]])
    >>> embeddings["cat"], "cow" in embeddings, len(embeddings), embeddings.size
    (array([0.25, 1.  ], dtype=float32), False, 2, 2)
    """

    words: tuple[str, ...] = attrs.field(converter=tuple[str, ...])
    vectors: npt.NDArray[np.float32] = attrs.field(
        converter=_matrix, eq=attrs.cmp_using(eq=np.array_equal), hash=False, repr=False
    )

    def __attrs_post_init__(self) -> None:
        if self.vectors.ndim != 2 or len(self.vectors) != len(self.words):
            raise ValueError(f"{len(self.words)} words need as many rows of vectors: not {self.vectors.shape}")
        if len(self.rows) < len(self.words):
            raise ValueError("a word comes twice: give each of them one vector")

    @property
    def size(self) -> int:
        """The size of each vector."""
        return int(self.vectors.shape[1])

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """The row of each word."""
        return {word: row for row, word in enumerate(self.words)}

    def __getitem__(self, word: str) -> npt.NDArray[np.float32]:
        vector: npt.NDArray[np.float32] = self.vectors[self.rows[word]]
        return vector

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    def __len__(self) -> int:
        return len(self.words)


NO_EMBEDDINGS = Embeddings((), np.zeros((0, 0)))
"""Vectors of size 0 for no words at all."""


def read_embeddings(path: str | os.PathLike[str], words: Collection[str] | None = None) -> Embeddings:
    """Read embeddings in the text format of word2vec, fastText and GloVe.

    Each line has a word and the numbers of its vector, with a space before each number. word2vec and fastText write a
    line before all others, with the number of words and the size of vectors. The file is read line by line, and only the
    vectors asked for are kept. If a word comes twice, as in some published files, it has its first vector.

    Args:
        path: the file; decompressed if it ends in ``.gz``.
        words: the words to keep, as they are written and in lower case; all if not given.

    Raises:
        FileNotFoundError: there is no such file.
        EmbeddingsError: a line is not like the others, or there are fewer than the first one says.

    >>> from tempfile import TemporaryDirectory
    >>> from pathlib import Path
    >>> with TemporaryDirectory() as folder:
    ...     Path(folder, "vectors.txt").write_text("dog 0.5 1\\ncat 0.25 1\\n") and None
    ...     read_embeddings(f"{folder}/vectors.txt", words=["Cat", "Cow"])
    Embeddings(words=('cat',))
    """
    wanted = None if words is None else {*words, *[word.lower() for word in words]}
    found: dict[str, npt.NDArray[np.float32]] = {}
    size = 0
    for word, line, size in _lines(os.fspath(path)):
        if (wanted is None or word in wanted) and word not in found:
            found[word] = line
    return Embeddings(found, np.array(list(found.values())).reshape(-1, size))
