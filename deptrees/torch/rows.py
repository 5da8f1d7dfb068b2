"""Rows of arrays: of a batch's words, one sentence after another, each with its ROOT before its words; of beams."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from deptrees.treebanks.columns import Columns

__all__ = ["cuts", "joined", "ranks", "roots", "rounded_up", "word_numbers"]

_Scalar = TypeVar("_Scalar", bound=np.generic)

_Integers = npt.NDArray[np.int64]


def roots(columns: Columns) -> _Integers:
    """The row of each sentence's ROOT.

    >>> from deptrees import DependencyTree
    >>> roots(Columns.encode([DependencyTree([(2, "Birds"), (0, "sing")]), DependencyTree([(0, "Sing")])])).tolist()
    [0, 3]
    """
    rows: _Integers = columns.offsets[:-1] + np.arange(len(columns))
    return rows


def word_numbers(positions: _Integers, roots: _Integers) -> _Integers:
    """The numbers of words, from 1, as `PlaceScorer` counts them: one more than their rows; 0 for no word.

    Args:
        positions: the positions of the words in their sentences, less than 0 for no word.
        roots: the row of the ROOT of each word's sentence.

    >>> word_numbers(np.array([0, 2, -1]), np.array([0, 3, 3])).tolist()
    [1, 6, 0]
    """
    return np.where(positions < 0, 0, 1 + positions + roots)


def ranks(places: _Integers) -> _Integers:
    """The rank of each derivation among those of its sentence, which are next to each other, from 0.

    Args:
        places: the sentence of each derivation, in order.

    >>> ranks(np.array([0, 0, 0, 2, 3, 3])).tolist()
    [0, 1, 2, 0, 0, 1]
    """
    return np.arange(len(places)) - np.searchsorted(places, places)


def rounded_up(number: int) -> int:
    """The next number that is at most four binary digits and zeros after them: a size to fill tables up to.

    oneDNN, which PyTorch leaves much to on a CPU, has to prepare for each new shape, and does badly with some: with
    bfloat16, LSTMs that read 113 sentences take four times as long as with 112.

    >>> [rounded_up(number) for number in (0, 7, 15, 17, 62, 112, 113)]
    [0, 7, 15, 18, 64, 112, 120]
    """
    step = 1 << max(0, int(number - 1).bit_length() - 4)
    return -(-number // step) * step


def cuts(lengths: _Integers, go_together: Callable[[int, int, int], bool]) -> list[int]:
    """Where to cut a series of sentences, the longest last, into those that are read together.

    Args:
        lengths: how long each is.
        go_together: whether some do, given their number, the length of the longest, and how much padding they need.

    >>> cuts(np.array([5] * 20 + [6] * 10 + [20] * 50), lambda count, longest, padding: padding <= 6 * longest)
    [30]
    """
    found, first, words = list[int](), 0, 0
    for number, length in enumerate(lengths.tolist()):
        count = number - first + 1
        if number > first and not go_together(count, length, (count - 1) * length - words):
            found.append(number)
            first, words = number, 0
        words += length
    return found


def joined(tables: Sequence[npt.NDArray[_Scalar]]) -> npt.NDArray[_Scalar]:
    """The rows of several tables, some of which have more blocks than others: those get more blocks, of zeros.

    >>> joined([np.ones((1, 2)), np.ones((1, 3))]).tolist()
    [[1.0, 1.0, 0.0], [1.0, 1.0, 1.0]]
    """
    width = max(table.shape[1] for table in tables)

    def more(table: npt.NDArray[np.generic]) -> list[tuple[int, int]]:
        return [(0, 0), (0, width - table.shape[1]), *[(0, 0)] * (table.ndim - 2)]

    return np.concatenate([table if table.shape[1] == width else np.pad(table, more(table)) for table in tables])
