"""Where a word is among the words of a batch: one sentence after another, each with its ROOT before its words."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from deptrees.treebanks.columns import Columns

__all__ = ["roots", "word_numbers"]

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
