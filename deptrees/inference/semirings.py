"""Semirings: what is added up over all derivations (Goodman 1999).

Elements are arrays. Those of a semiring in which an element is several numbers have one more axis, the first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

__all__ = ["COUNTING", "ENTROPY", "LOG_SUM", "MAX_PLUS", "MIN_PLUS", "Elements", "Semiring", "k_best"]

Elements = npt.NDArray[Any]


@attrs.frozen(eq=False)
class Semiring:
    """How the scores of one derivation are combined, and how derivations are.

    Its zero is the element of the score −∞, and its one that of the score 0.

    Args:
        lift: the elements of an array of scores.
        times: ⊗, of two arrays of elements, which are broadcast.
        sum: ⊕ over one axis of an array of elements, which is counted from the last.

    >>> import numpy as np
    >>> scores = np.array([[0.5, 0.25], [0.5, -np.inf]])
    >>> MAX_PLUS.sum(MAX_PLUS.lift(scores), -1).tolist(), COUNTING.sum(COUNTING.lift(scores), -1).tolist()
    ([0.5, 0.5], [2, 1])
    """

    lift: Callable[[npt.NDArray[np.float64]], Elements]
    times: Callable[[Elements, Elements], Elements]
    sum: Callable[[Elements, int], Elements]


def _with_entropy(scores: npt.NDArray[np.float64]) -> Elements:
    return np.stack([scores, np.zeros_like(scores)])


def _entropy(elements: Elements, axis: int) -> Elements:
    """The sum of the weights; the entropy of the choice between them, and the mean of the entropies behind them."""
    weights, entropies = elements
    total = np.logaddexp.reduce(weights, axis)
    surprisals = np.where(
        np.isneginf(weights), 0.0, np.expand_dims(np.where(np.isneginf(total), 0.0, total), axis) - weights
    )
    shares = np.where(np.isneginf(weights), 0.0, np.exp(-surprisals))
    return np.stack([total, (shares * (entropies + surprisals)).sum(axis)])


LOG_SUM = Semiring(lift=np.asarray, times=np.add, sum=np.logaddexp.reduce)
"""The logarithm of the sum of exp(score) over all derivations, which is the partition function."""
MAX_PLUS = Semiring(lift=np.asarray, times=np.add, sum=np.max)
"""The highest score."""
MIN_PLUS = Semiring(lift=np.negative, times=np.add, sum=np.min)
"""The least cost, where a cost is a score with the sign changed."""
COUNTING = Semiring(lift=lambda scores: (scores > -np.inf).astype(int).astype(object), times=np.multiply, sum=np.sum)
"""The number of derivations whose scores are not −∞, as an integer of Python, so that it is exact."""
ENTROPY = Semiring(lift=_with_entropy, times=np.add, sum=_entropy)
"""The logarithm of the sum, and the entropy of the derivations in nats (Li & Eisner 2009)."""


def k_best(k: int) -> Semiring:
    """The semiring of the k highest scores, in order; −∞ where there are fewer derivations.

    >>> import numpy as np
    >>> best = k_best(2)
    >>> best.sum(best.lift(np.array([1.0, 3.0, 2.0])), -1).tolist()
    [3.0, 2.0]
    """

    def lift(scores: npt.NDArray[np.float64]) -> Elements:
        return np.stack([scores, *[np.full_like(scores, -np.inf)] * (k - 1)])

    def highest(scores: Elements) -> Elements:
        return -np.sort(-scores, axis=0)[:k]

    def times(one: Elements, other: Elements) -> Elements:
        pairs = one[:, None] + other[None]
        return highest(pairs.reshape(-1, *pairs.shape[2:]))

    def total(elements: Elements, axis: int) -> Elements:
        ranks = np.moveaxis(elements, axis, 0)
        return highest(ranks.reshape(-1, *ranks.shape[2:]))

    return Semiring(lift, times, total)
