"""Arrays of which most numbers are 0: only the others are kept, in memory as in files."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

__all__ = ["SparseArray"]


_LONG = 255
"""The byte that says of as many places that they are before the next number, in addition to what the next byte says."""


@attrs.frozen
class SparseArray:
    """An array of some shape of which most numbers are 0.

    Args:
        gaps: how many places there are before each of the numbers that are not 0, after the one before it, over all of
            the array. A byte says it, and other bytes before it, of 255 places each, if there are more than 254.
        numbers: what they are.

    Raises:
        ValueError: there is not one number for each gap, or there are no such places in the array.

    >>> array = SparseArray.of(np.array([[0, 0, 1.5], [0, 2, 0]], np.float32))
    >>> array.gaps.tolist(), array.where.tolist(), array.numbers.tolist(), array.dense().tolist()
    ([2, 1], [2, 4], [1.5, 2.0], [[0.0, 0.0, 1.5], [0.0, 2.0, 0.0]])
    """

    shape: tuple[int, ...]
    gaps: npt.NDArray[np.uint8] = attrs.field(eq=attrs.cmp_using(np.array_equal))
    numbers: npt.NDArray[Any] = attrs.field(eq=attrs.cmp_using(np.array_equal))

    def __attrs_post_init__(self) -> None:
        count = np.count_nonzero(self.gaps != _LONG)
        if self.gaps.ndim != 1 or self.numbers.shape != (count,) or (self.gaps[-1:] == _LONG).any():
            raise ValueError("there should be one number for each place")
        if count + int(self.gaps.sum(dtype=np.uint64)) > self.size:
            raise ValueError(f"the places of numbers should all be less than {self.size}")

    @classmethod
    def at(cls, shape: tuple[int, ...], where: npt.NDArray[np.int64], numbers: npt.NDArray[np.generic]) -> SparseArray:
        """An array with numbers at some places, counted over all of it, in order.

        Raises:
            ValueError: the places do not rise, or there are no such places in the array.

        >>> SparseArray.at((9, 99), np.array([254, 510, 511]), np.ones(3)).gaps.tolist()
        [254, 255, 0, 0]
        """
        gaps = np.diff(where, prepend=-1) - 1
        if where.ndim != 1 or (gaps < 0).any() or (where[-1:] >= prod(shape)).any():
            raise ValueError(f"the places of numbers should rise, from 0 on, and all be less than {prod(shape)}")
        long, rest = np.divmod(gaps, _LONG)
        found = np.full(len(where) + int(long.sum()), _LONG, np.uint8)
        found[np.arange(len(where)) + np.cumsum(long)] = rest
        return cls(shape, found, numbers)

    @classmethod
    def empty(cls, shape: tuple[int, ...]) -> SparseArray:
        """An array of float32 that are all 0."""
        return cls(shape, np.empty(0, np.uint8), np.empty(0, np.float32))

    @classmethod
    def of(cls, array: npt.NDArray[np.generic]) -> SparseArray:
        """What is not 0 in an array."""
        where = np.flatnonzero(array != 0)  # twice as fast as without the comparison
        return cls.at(array.shape, where, array.ravel()[where])

    @classmethod
    def of_rows(
        cls, shape: tuple[int, ...], rows: npt.NDArray[np.intp], numbers: npt.NDArray[np.generic]
    ) -> SparseArray:
        """What is not 0 in an array that has such numbers in some rows only.

        >>> SparseArray.of_rows((9, 2), np.array([3, 8]), np.array([[1.5, 0], [0, 2]], np.float32)).where.tolist()
        [6, 17]
        """
        found = np.flatnonzero(numbers != 0)
        row, column = np.divmod(found, shape[1])
        return cls.at(shape, rows[row] * shape[1] + column, numbers.ravel()[found])

    @classmethod
    def mean(cls, arrays: Sequence[SparseArray]) -> SparseArray:
        """The mean of several arrays of one shape.

        >>> SparseArray.mean([SparseArray.of(np.array(row, np.float32)) for row in ([0, 1, 4], [0, 0, 2])]).numbers
        array([0.5, 3. ], dtype=float32)
        """
        where, place = np.unique(np.concatenate([array.where for array in arrays]), return_inverse=True)
        numbers = np.concatenate([array.numbers for array in arrays])
        means = np.bincount(place, numbers, len(where)) / len(arrays)
        return cls.at(arrays[0].shape, where, means.astype(numbers.dtype))

    def compact(self, share: float = 0.3, sizes: int = 127, most: int = 2_200_000) -> SparseArray:
        """The largest of its numbers, each rounded to one of 254: 127 sizes of either sign in a geometric sequence.

        A number changes by at most 1 % where the largest is 12 times the smallest that is kept, by 2 % where 150 times.

        Args:
            share: the share of numbers to keep, more if several are as large as the last of them.
            sizes: to round to, at most 127 for a number to fit in a byte.
            most: the most numbers to keep, in the same way: a share of very many would not be compact.

        >>> array = SparseArray.of(np.array([0, 1, -3, 2, 0.5, 0, 4], np.float32))
        >>> array.compact(0.5, most=1).where.tolist()
        [6]
        >>> array.compact(0.5).where.tolist(), array.compact(0.5).numbers
        ([2, 3, 6], array([-3.004868,  2.      ,  4.      ], dtype=float32))
        """
        if not len(self.numbers):
            return self
        magnitudes = np.abs(self.numbers)
        share = min(share, most / len(magnitudes))
        kept = np.flatnonzero(magnitudes >= np.quantile(magnitudes, 1 - share))
        smallest, largest = float(magnitudes[kept].min()), float(magnitudes[kept].max())
        place = np.log(magnitudes[kept] / smallest) / (np.log(largest / smallest) or 1)  # from 0 to 1
        rounded = np.geomspace(smallest, largest, sizes)[np.rint(place * (sizes - 1)).astype(np.intp)]
        numbers = np.copysign(rounded, self.numbers[kept]).astype(self.numbers.dtype)
        return SparseArray.at(self.shape, self.where[kept], numbers)

    @property
    def where(self) -> npt.NDArray[np.int64]:
        """The places of the numbers, counted over all of the array, in order."""
        where: npt.NDArray[np.int64] = np.cumsum(self.gaps, dtype=np.int64)[self.gaps != _LONG]
        where += np.arange(len(where))
        return where

    @property
    def size(self) -> int:
        """How many numbers it has, those that are 0 included."""
        return prod(self.shape)

    def dense(self) -> npt.NDArray[Any]:
        """All of its numbers."""
        array = np.zeros(self.shape, self.numbers.dtype)
        array.ravel()[self.where] = self.numbers
        return array
