"""The sum over all derivations, and how much of it goes through each place: the inside and the outside algorithm.

They take the axioms, of shape [k, j], and two arrays of elements: ``push`` at [mark, k, d] and ``leave`` at
[mark, below, d, j], where ``below`` is k or, if that does not matter, whether k is a word.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from deptrees.inference.deduction import Deduction
from deptrees.inference.places import head_scores
from deptrees.inference.semirings import LOG_SUM, MAX_PLUS, Elements, Semiring

__all__ = [
    "compiled",
    "inside",
    "keep_best",
    "outside",
    "readable_inside",
    "readable_keep_best",
    "readable_outside",
    "shares",
    "total",
]

Scores = npt.NDArray[np.float64]
_Places = npt.NDArray[np.intp]

try:
    compiled: Any = import_module("deptrees.inference.compiled_sums")
except ImportError:
    compiled = None


def total(semiring: Semiring, scores: Scores) -> Elements:
    """The sums of scores over the second axis: over the rows that push, or over the ways to leave."""
    if compiled is None or semiring not in (LOG_SUM, MAX_PLUS):
        return semiring.sum(semiring.lift(scores), 1 - scores.ndim)
    found: Elements = compiled.total(_flat(scores), semiring is LOG_SUM)
    return found.reshape(len(scores), *scores.shape[2:])


def shares(scores: Scores, totals: Scores) -> Scores:
    """The share of each score in the sum over the second axis, of which ``totals`` has the logarithm."""
    if compiled is None:
        found: Scores = np.exp(scores - np.where(np.isneginf(totals), 0.0, totals)[:, None])
        return found
    return compiled.shares(_flat(scores), totals.reshape(len(scores), -1)).reshape(scores.shape)  # type: ignore[no-any-return]


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


def keep_best(rules: Deduction, axioms: Scores, push: Scores, leave: Scores, heads: Scores) -> Scores:
    """What it scores to leave, at [mark, way, k, d, j], −∞ where the heads of another term of the item score more.

    Args:
        rules: what head each way to leave gives.
        axioms: as in ``inside``.
        push: at [mark, k, d], 0 where it is possible to push and −∞ where it is not.
        leave: at [mark, way, below, d, j].
        heads: at [h, d] what it scores that d ends with the head h, at [n + 1, d] with none.
    """
    if compiled is None:
        return readable_keep_best(rules, axioms, push, leave, heads)
    return compiled.keep_best(axioms, push, np.ascontiguousarray(leave), rules.heads.astype(np.intp), heads)  # type: ignore[no-any-return]


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
        parts = found[:, k, d, j] = np.exp(terms - whole) * through[k, j]
        through[k, d] += parts.sum(axis=0)
        through[d, j] += parts.sum(axis=0)
    return found


def readable_keep_best(rules: Deduction, axioms: Scores, push: Scores, leave: Scores, heads: Scores) -> Scores:
    """``keep_best``: a term is among the best of its item if it scores what the item does."""
    leave = leave[:, :, _below(np.arange(len(axioms)), leave)]
    by_heads = np.where(np.isneginf(leave), leave, head_scores(rules, heads))
    best = readable_inside(MAX_PLUS, axioms, push, by_heads.max(axis=1))
    terms = best[:, :, None] + best + push[:, None, :, :, None] + by_heads
    return np.where(terms == np.where(np.isneginf(best), 0.0, best)[:, None], leave, -np.inf)


def _of_width(width: int, size: int) -> tuple[_Places, _Places, _Places]:
    """All k, d and j with k < d < j whose j - k is the width: in rows of the same k and j."""
    k = np.arange(size - width)[:, None]
    return k, k + np.arange(1, width), k + width


def _flat(scores: Scores) -> Scores:
    """With all axes after the second one as one."""
    return np.ascontiguousarray(scores).reshape(*scores.shape[:2], -1)


def _below(k: _Places, leave: Elements) -> Any:
    return np.minimum(k, leave.shape[-3] - 1)
