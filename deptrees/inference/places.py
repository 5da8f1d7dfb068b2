"""What it scores to push and to remove a word, at each place of the deduction."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from deptrees.inference.deduction import ALONE, BELOW, FRONT, Deduction

__all__ = ["as_arrays", "head_scores", "leave_scores", "push_scores"]

Scores = npt.NDArray[np.float64]
Positions = npt.NDArray[np.int_]


def as_arrays(
    rules: Deduction, scores: npt.ArrayLike, leave: npt.ArrayLike | None, heads: npt.ArrayLike | None
) -> tuple[Scores, Scores | None, Scores | None]:
    """The scores of a chart as arrays, checked; arcs that are too long for the system score −∞."""
    scores = np.asarray(scores, dtype=np.float64)
    leave = None if leave is None else np.asarray(leave, dtype=np.float64)
    heads = None if heads is None else np.asarray(heads, dtype=np.float64)
    size, rows = len(scores) if scores.ndim else 0, len(rules.system.rows)
    if scores.shape != (size, size, rows) or size < 2:
        raise ValueError(f"scores for {rules.system} must have the shape (n + 2, n + 2, {rows}), not {scores.shape}")
    if leave is not None and (leave.shape[3:] != (rows,) or not {*leave.shape[:3]} <= {1, size}):
        raise ValueError(f"leave must have the shape {(size, size, size, rows)}, or 1 in places, not {leave.shape}")
    if heads is not None and heads.shape != (size, size - 1):
        raise ValueError(f"heads must have the shape {(size, size - 1)}, not {heads.shape}")
    if not all(given is None or (given < np.inf).all() for given in (scores, leave, heads)):
        raise ValueError("a score must be a finite number or -inf")
    if (longest := rules.system.longest_arc) is not None:
        head, word = np.ogrid[:size, : size - 1]
        far = (abs(head - word) > longest) & (head < size - 1)
        heads = np.where(far, -np.inf, 0.0 if heads is None else heads)
    return scores, leave, heads


def push_scores(rules: Deduction, scores: Scores) -> Scores:
    """At [mark, row, k, d] what it scores to push d upon k."""
    below, front = _kinds(len(scores))
    allowed = rules.pushes[:, :, below[:, None], front]
    push = np.where(allowed, np.moveaxis(scores, -1, 0)[rules.pushing], -np.inf)
    if (longest := rules.system.longest_arc) is not None:
        positions = np.arange(len(scores))
        push[1:, :, abs(positions[:, None] - positions) > longest] = -np.inf
    return push


def leave_scores(rules: Deduction, scores: Scores, leave: Scores | None, heads: Scores | None) -> Scores:
    """At [mark, way, below, d, j] what it scores to remove d with j in front; below is k, or whether k is a word."""
    by_row = scores[None] if leave is None else leave
    below, front = _kinds(len(scores))
    if len(by_row) == 1 and heads is None:
        below = below[:2]
    rules.check_length(len(scores) - 2, axes=2 if len(below) == 2 else 3)
    ways = np.zeros((len(rules.leaving) + 1, len(by_row), *scores.shape[:2]))
    ways[:-1] = np.moveaxis(by_row, -1, 0)[rules.leaving]
    of_heads = 0.0 if heads is None else head_scores(rules, heads)
    return np.where(rules.leaves[:, :, below[:, None, None], front], ways + of_heads, -np.inf)


def head_scores(rules: Deduction, heads: Scores) -> Scores:
    """At [mark, way, k, d, j] what the head scores that d has when it has left."""
    size = len(heads)
    k, d, j = np.ogrid[:size, :size, :size]
    kinds = rules.heads[..., None, None, None]
    head = np.select([kinds == FRONT, kinds == BELOW, kinds == ALONE], [j % (size - 1), k, size - 1], 0)
    scores: Scores = heads[head, np.minimum(d, size - 2)]
    return scores


def _kinds(size: int) -> tuple[Positions, Positions]:
    """What each position is for the deduction: as the element below, and as the front."""
    positions = np.arange(size)
    return np.minimum(positions, 1), np.clip(positions - size + 3, 0, 2)
