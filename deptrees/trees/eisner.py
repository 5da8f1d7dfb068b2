"""Projective trees of least cost, by Eisner's algorithm."""

from __future__ import annotations

import attrs
import numpy as np
import numpy.typing as npt

__all__ = ["Charts", "eisner"]


@attrs.frozen(eq=False)
class Charts:
    """What the best half-spans of a sequence cost, computed by ``eisner``.

    A half-span is a head with dependents on one side of it, everything in between included. In both charts the row is
    the head; the column is the other end, to the left or to the right of the head. An entry tells of the costs of the
    arcs between its two ends only.

    Args:
        complete: ``complete[h, e]`` is the least cost of a projective tree over the positions from h to e whose root
            is h; 0 where e is h.
        incomplete: ``incomplete[h, d]`` is the same for trees in which d depends on h and has no dependents on the
            side that faces away from h; infinite where d is h.
    """

    complete: npt.NDArray[np.float64]
    incomplete: npt.NDArray[np.float64]

    @property
    def minimum(self) -> float:
        """The least cost of a projective tree over the whole sequence, rooted in its first element."""
        return float(self.complete[0, -1])


def eisner(cost: npt.ArrayLike, ends: npt.ArrayLike = 0.0) -> Charts:
    """The costs of the best projective trees over all parts of a sequence (Eisner 1996).

    A tree costs the sum of its arcs. The root may have any number of dependents. It takes O(n³) time, of which Python
    sees only O(n).

    Args:
        cost: a square matrix: ``cost[h, d]`` is what it costs that d depends on h; infinity forbids it. The diagonal
            is not read.
        ends: ``ends[h, e]`` is what it costs, beside the arc, that the subtree of a dependent of h ends with e, on the
            side that faces away from h; infinity forbids it. Nothing if it is not given.

    Raises:
        ValueError: the matrix is not square or is empty, or a cost is negative infinity or not a number.

    >>> import numpy as np
    >>> cost = np.full((4, 4), 9)
    >>> cost[0, 2], cost[2, 1], cost[2, 3], cost[1, 3] = 1, 2, 4, 0  # the arcs 0 → 2 and 1 → 3 cross
    >>> charts = eisner(cost)
    >>> charts.minimum, float(charts.complete[2, 1]), float(charts.incomplete[2, 3])
    (7.0, 2.0, 4.0)
    """
    cost = np.asarray(cost, dtype=np.float64)
    n = len(cost) if cost.ndim else 0
    if cost.shape != (n, n) or n == 0:
        raise ValueError(f"costs must be a square matrix over at least one element, not of shape {cost.shape}")
    if np.isnan(cost).any() or np.isneginf(cost).any():
        raise ValueError("a cost must be a number or positive infinity")
    ends = np.broadcast_to(np.asarray(ends, dtype=np.float64), (n, n))
    complete = np.full((n, n), np.inf)
    incomplete = np.full((n, n), np.inf)
    np.fill_diagonal(complete, 0.0)
    for width in range(1, n):
        # All spans of this width at once: one in each row of these indices, its splits along the row.
        left = np.arange(n - width)
        right = left + width
        here, there = left[:, None], right[:, None]
        split = here + np.arange(width)
        meeting = (complete[here, split] + complete[there, split + 1]).min(axis=1)
        incomplete[left, right] = meeting + cost[left, right]
        incomplete[right, left] = meeting + cost[right, left]
        closed = (incomplete[here, split + 1] + complete[split + 1, there]).min(axis=1)
        complete[left, right] = closed + ends[left, right]
        closed = (incomplete[there, split] + complete[split, here]).min(axis=1)
        complete[right, left] = closed + ends[right, left]
    return Charts(complete, incomplete)
