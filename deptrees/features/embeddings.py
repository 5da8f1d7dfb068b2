"""Embeddings: vectors of words, learnt from text without annotation, and clusters of words made from them."""

from __future__ import annotations

import gzip
import os
import re
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

__all__ = ["NO_EMBEDDINGS", "Embeddings", "EmbeddingsError", "clusters", "k_means", "read_embeddings"]

_Floats = npt.NDArray[np.floating[Any]]
_Integers = npt.NDArray[np.intp]

_HEADER = re.compile(r"(\d+) (\d+)")
_MORE_NUMBERS = re.compile(r" [-+]?\.?\d[-+.e\d]*$")
"""What a word does not end with, although some files have words with spaces."""
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
        ValueError: there is not one row for each word, a word comes twice, or a number is not finite.

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
        if not np.isfinite(self.vectors).all():
            raise ValueError("a number is not finite")

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
    r"""Read embeddings in the text format of word2vec, fastText and GloVe.

    Each line has a word and the numbers of its vector, with a space before each number. word2vec and fastText write a
    line before all others, with the number of words and the size of vectors. The file is read line by line, and only
    the vectors asked for are kept. If a word comes twice, as in some published files, its first vector counts.

    Args:
        path: the file; decompressed if it ends in ``.gz``.
        words: the words to keep, as they are written and in lower case; all if not given.

    Raises:
        FileNotFoundError: there is no such file.
        EmbeddingsError: a line is not like the others, or there are fewer than the first one says.

    >>> from tempfile import TemporaryDirectory
    >>> from pathlib import Path
    >>> with TemporaryDirectory() as folder:
    ...     Path(folder, "vectors.txt").write_text("dog 0.5 1\ncat 0.25 1\n") and None
    ...     read_embeddings(f"{folder}/vectors.txt", words=["Cat", "Cow"])
    Embeddings(words=('cat',))
    """
    wanted = None if words is None else {*words, *[word.lower() for word in words]}
    found: dict[str, npt.NDArray[np.float32]] = {}
    lines = _numbered_lines(os.fspath(path))
    number, text = first = next(lines, (1, ""))
    header = _HEADER.fullmatch(text)
    size = int(header[2]) if header else text.count(" ")
    if not size:
        raise _error(path, number, f"expected a word and its vector, found {text!r}")
    for number, line in lines if header else chain([first], lines):
        word, *vector = line.rsplit(" ", size)
        if len(vector) < size or _MORE_NUMBERS.search(word):
            raise _error(path, number, f"expected a word and {size} numbers, found {line.count(' ') + 1} texts")
        if (wanted is None or word in wanted) and word not in found:
            found[word] = _read_vector(vector, path, number)
    if header and number - 1 != int(header[1]):
        raise _error(path, number, f"the file ends after {number - 1} words, the first line says {header[1]}")
    return Embeddings(found, np.array(list(found.values())).reshape(-1, size))


def _numbered_lines(path: str) -> Iterator[tuple[int, str]]:
    number = 0
    opened = gzip.open if path.endswith(".gz") else open
    # Bytes that are not UTF-8 pass as surrogates: the ends of words that were cut off, in words nobody looks up.
    with opened(path, "rt", encoding="utf-8-sig", errors="surrogateescape", newline="\n") as stream:
        try:
            for number, line in enumerate(stream, 1):
                yield number, line.rstrip(" \r\n")
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise _error(path, number + 1, f"the file cannot be decompressed: {error}") from None


def _read_vector(texts: Sequence[str], path: str | os.PathLike[str], number: int) -> npt.NDArray[np.float32]:
    try:
        vector = np.array(texts, np.float32)
    except ValueError as error:
        raise _error(path, number, str(error)) from None
    if not np.isfinite(vector).all():
        raise _error(path, number, "a number is not finite")
    return vector


def _error(path: str | os.PathLike[str], line: int, reason: str) -> EmbeddingsError:
    return EmbeddingsError(f"{os.fspath(path)}, line {line}: {reason}")


# Clusters


def clusters(embeddings: Embeddings, n: int = 1000, seed: int = 1) -> dict[str, str]:
    """Words put together by the directions of their vectors: features for a linear model (Guo et al. 2014).

    Args:
        embeddings: the vectors.
        n: the number of clusters.
        seed: determines what k-means starts from.

    Returns:
        The cluster of each word, for `deptrees.features.Templates.with_clusters`: the text of a number from 0.

    Raises:
        ValueError: there are not as many words as clusters, or no clusters are asked for.

    >>> found = clusters(Embeddings(["dog", "cat", "run"], [[2, 0.1], [1, 0], [0, 1]]), n=2)
    >>> found["dog"] == found["cat"] != found["run"]
    True
    """
    lengths = np.linalg.norm(embeddings.vectors, axis=1, keepdims=True)
    directions = embeddings.vectors / np.where(lengths > 0, lengths, 1)
    *_, nearest = k_means(directions, n, np.random.default_rng(seed))
    return dict(zip(embeddings.words, map(str, nearest.tolist()), strict=True))


def k_means(points: _Floats, n: int, random: np.random.Generator) -> Iterator[_Integers]:
    """Lloyd's algorithm from a k-means++ start (Arthur & Vassilvitskii 2007).

    Args:
        points: the points, in rows.
        n: the number of clusters.
        random: chooses the start.

    Yields:
        For each point the number of the nearest centre, as long as the centres get clearly better.

    Raises:
        ValueError: there are not as many points as clusters, or no clusters are asked for.
    """
    if not 1 <= n <= len(points):
        raise ValueError(f"{len(points)} points make 1 to {len(points)} clusters: not {n}")
    centres = points[_spread(points, n, random)]
    least = np.inf
    while True:
        nearest = _nearest(points, centres)
        cost = _squared_distances(points, centres[nearest]).sum()
        if cost >= (1 - _LEAST_GAIN) * least:
            return
        yield nearest
        least = cost
        centres = _means(points, nearest, centres)


def _spread(points: _Floats, n: int, random: np.random.Generator) -> list[int]:
    """Points to begin with, each chosen the more likely the farther it is from those before."""
    chosen = [int(random.integers(len(points)))]
    distances = np.full(len(points), np.inf)
    while len(chosen) < n:
        distances = np.minimum(distances, _squared_distances(points, points[chosen[-1]]))
        sums = distances.cumsum()
        place = sums.searchsorted(random.random() * sums[-1], side="right")
        chosen.append(min(int(place), len(points) - 1))  # where all points are chosen, none is farther than another
    return chosen


def _squared_distances(points: _Floats, others: _Floats) -> _Floats:
    distances: _Floats = np.square(points - others).sum(1)
    return distances


def _nearest(points: _Floats, centres: _Floats) -> _Integers:
    """For each point the number of the nearest centre."""
    offsets = np.einsum("ij,ij->i", centres, centres) / 2
    portions = [points[start : start + _POINTS_AT_ONCE] for start in range(0, len(points), _POINTS_AT_ONCE)]
    return np.concatenate([(offsets - portion @ centres.T).argmin(1) for portion in portions])


def _means(points: _Floats, nearest: _Integers, centres: _Floats) -> _Floats:
    """The mean of the points of each cluster; a cluster without points keeps its centre."""
    order = nearest.argsort(kind="stable")
    used, starts, counts = np.unique(nearest[order], return_index=True, return_counts=True)
    means = centres.copy()
    means[used] = np.add.reduceat(points[order], starts) / counts[:, None]
    return means
