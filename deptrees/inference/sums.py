"""The sum over all derivations, and how much of it goes through each place: the inside and the outside algorithm.

Both take the axioms, of shape [k, j], and two arrays of elements: ``push`` at [mark, k, d] and ``leave`` at
[mark, below, d, j], where ``below`` is k or, if that does not matter, whether k is a word.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from deptrees.inference.semirings import LOG_SUM, MAX_PLUS, Elements, Semiring

__all__ = ["compiled", "inside", "outside", "readable_inside", "readable_outside"]

Scores = npt.NDArray[np.float64]

try:
    compiled: Any = import_module("deptrees.inference.compiled_sums")
except ImportError:
    compiled = None


def inside(semiring: Semiring, axioms: Elements, push: Elements, leave: Elements) -> Elements:
    """B(k, j) at [k, j]: compiled for the highest score and the logarithm of the sum, if possible."""
    if compiled is None or semiring not in (LOG_SUM, MAX_PLUS):
        return readable_inside(semiring, axioms, push, leave)
    return compiled.inside(axioms, push, np.ascontiguousarray(leave.swapaxes(2, 3)), semiring is LOG_SUM)  # type: ignore[no-any-return]


def outside(sums: Scores, push: Scores, leave: Scores) -> Scores:
    """At [mark, k, d, j] the probability that d is pushed upon k with this mark, and leaves with j in front.

    It is the derivative of the logarithm of the sum, ``sums[0, -1]``, by the scores of these places (Eisner 2016).
    """
    if compiled is None:
        return readable_outside(sums, push, leave)
    return compiled.outside(sums, push, np.ascontiguousarray(leave.swapaxes(2, 3))).swapaxes(2, 3)  # type: ignore[no-any-return]


def readable_inside(semiring: Semiring, axioms: Elements, push: Elements, leave: Elements) -> Elements:
    """``inside``, for any semiring: the items of the same width at once."""
    times, plus = semiring.times, semiring.sum
    sums = axioms.copy()
    for width in range(2, axioms.shape[-1]):
        k, d, j = _of_width(width, axioms.shape[-1])
        ways = plus(times(push[..., k, d], leave[..., _below(k, leave), d, j]), -3)
        terms = times(times(sums[..., k, d], sums[..., d, j]), ways)
        k, j = k[:, 0], j[:, 0]
        sums[..., k, j] = plus(np.concatenate([sums[..., k, j, None], terms], axis=-1), -1)
    return sums


def readable_outside(sums: Scores, push: Scores, leave: Scores) -> Scores:
    """``outside``: what goes through an item is divided among its terms, the widest items first."""
    through, found = np.zeros_like(sums), np.zeros((*push.shape, len(sums)))
    through[0, -1] = 1.0
    for width in range(len(sums) - 1, 1, -1):
        k, d, j = _of_width(width, len(sums))
        whole = np.where(np.isneginf(sums[k, j]), 0.0, sums[k, j])
        terms = sums[k, d] + sums[d, j] + push[:, k, d] + leave[:, _below(k, leave), d, j]
        shares = found[:, k, d, j] = np.exp(terms - whole) * through[k, j]
        through[k, d] += shares.sum(axis=0)
        through[d, j] += shares.sum(axis=0)
    return found


def _of_width(width: int, size: int) -> tuple[Any, Any, Any]:
    """All k, d and j with k < d < j whose j - k is the width: in rows of the same k and j."""
    k = np.arange(size - width)[:, None]
    return k, k + np.arange(1, width), k + width


def _below(k: Any, leave: Elements) -> Any:
    return np.minimum(k, leave.shape[-3] - 1)
