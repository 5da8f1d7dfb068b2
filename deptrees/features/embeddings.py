"""Embeddings: vectors of words, learned from unannotated text."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property, partial

import attrs
import numpy as np
import numpy.typing as npt
from more_itertools import peekable

from deptrees.files.compressed import DAMAGES, is_damage, open_to_read
from deptrees.files.limits import WEIGHT
from deptrees.messages import of_type
from deptrees.trees.token import canonical

__all__ = ["NO_EMBEDDINGS", "Embeddings", "EmbeddingsError", "read_embeddings"]

_HEADER = re.compile(r"(\d+) (\d+)")
_LONGEST_LINE = 1 << 22  # characters: what has longer ones is something else, and may have no end
_MORE_NUMBERS = re.compile(r" [-+]?\.?\d[-+.e\d]*$")
"""A number at the end of a word. Some files have words with spaces, but none that end so."""


class EmbeddingsError(ValueError):
    """A file of embeddings is not valid; the message names the file, the line and the reason."""


def _matrix(vectors: npt.ArrayLike) -> npt.NDArray[np.float32]:
    with np.errstate(over="ignore"):  # what is too large is not finite, and refused
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
        ValueError: there is not one row per word, a word occurs twice, or a number is not finite.

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
        if len({*self.words}) < len(self.words):
            raise ValueError("a word comes twice: give each of them one vector")
        if not (np.abs(self.vectors) <= WEIGHT).all():
            raise ValueError(f"a number is not finite, or not from {-WEIGHT} to {WEIGHT}")

    @property
    def size(self) -> int:
        """The size of each vector."""
        return int(self.vectors.shape[1])

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """The row of each word, as it is written and as it is looked up (`deptrees.trees.token.canonical`)."""
        rows = {word: row for row, word in enumerate(self.words)}
        return {**{canonical(word): row for word, row in rows.items()}, **rows}

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

    Each line has a word and the numbers of its vector, with a space before each number; the first one may have the
    number of words and the size of vectors. Only the wanted vectors are held in memory. If a word occurs twice, as in
    some published files, its first vector counts.

    Args:
        path: the file; decompressed if it ends in ``.gz``.
        words: the words to keep, as written and in lower case; by default all.

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
    words = None if words is None else [*words]
    for word in words or ():
        of_type("word", word, str, "a text")
    wanted = None if words is None else {*words, *[word.lower() for word in words]}
    found: dict[str, npt.NDArray[np.float32]] = {}
    lines = peekable(_numbered_lines(os.fspath(path)))
    number, text = lines.peek((1, ""))
    header = _HEADER.fullmatch(text)
    size = int(header[2]) if header else text.count(" ")
    if not size:
        raise _error(path, number, f"expected a word and its vector, found {text!r}")
    if header:
        next(lines)
    for number, line in lines:
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
    # Bytes that are not UTF-8, such as those of words cut off within a character, are read as surrogates.
    with (
        open_to_read(path) as file,
        io.TextIOWrapper(file, encoding="utf-8-sig", errors="surrogateescape", newline="\n") as stream,
    ):
        try:
            for number, line in enumerate(iter(partial(stream.readline, _LONGEST_LINE), ""), 1):
                yield number, line.rstrip(" \r\n")
        except DAMAGES as error:
            if not is_damage(error):
                raise
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
