"""Trees of least cost: projective ones, by the algorithm of Eisner 1996. ``spanning_trees`` finds all kinds."""

from __future__ import annotations

import attrs
import numpy as np
import numpy.typing as npt

__all__ = ["Charts", "eisner", "least_projective", "least_projective_with"]


@attrs.frozen(eq=False)
class Charts:
    """The costs of the best half-spans of a sequence: of a head with all its descendants on one side, up to an end.

    Args:
        complete: ``complete[h, e]`` is the least cost of the arcs of a projective tree over the positions from h to e,
            in either direction, whose root is h; 0 where e is h.
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
    """The costs of the best projective trees over all parts of a sequence, with any number of roots (Eisner 1996).

    It takes O(n³) time, in O(n) calls of numpy.

    Args:
        cost: a square matrix: ``cost[h, d]`` is the cost of the arc from h to d; infinity forbids it. The diagonal is
            not read. Several such matrices, stacked, give stacked charts.
        ends: ``ends[h, e]`` is the additional cost of e being the outer end, the one away from h, of the subtree of a
            dependent of h; infinity forbids it.

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
    n = cost.shape[-1] if cost.ndim else 0
    if cost.shape[-2:] != (n, n) or n == 0:
        raise ValueError(f"costs must be a square matrix over at least one element, not of shape {cost.shape}")
    if np.isnan(cost).any() or np.isneginf(cost).any():
        raise ValueError("a cost must be a number or positive infinity")
    ends = np.broadcast_to(np.asarray(ends, dtype=np.float64), (n, n))
    complete, incomplete = np.full((2, *cost.shape), np.inf)
    complete[..., np.arange(n), np.arange(n)] = 0.0
    for width in range(1, n):
        # All spans of this width at once: one in each row of these indices, its splits along the row.
        left = np.arange(n - width)
        right = left + width
        here, there = left[:, None], right[:, None]
        split = here + np.arange(width)
        meeting = (complete[..., here, split] + complete[..., there, split + 1]).min(axis=-1)
        incomplete[..., left, right] = meeting + cost[..., left, right]
        incomplete[..., right, left] = meeting + cost[..., right, left]
        closed = (incomplete[..., here, split + 1] + complete[..., split + 1, there]).min(axis=-1)
        complete[..., left, right] = closed + ends[left, right]
        closed = (incomplete[..., there, split] + complete[..., split, here]).min(axis=-1)
        complete[..., right, left] = closed + ends[right, left]
    return Charts(complete, incomplete)


def least_projective(cost: npt.ArrayLike, single_root: bool = False) -> npt.NDArray[np.float64]:
    """The least cost, as in ``eisner``, of a projective tree rooted in the first element, with a single root or not.

    >>> cost = [[9, 0, 0], [9, 9, 1], [9, 2, 9]]
    >>> float(least_projective(cost)), float(least_projective(cost, single_root=True))
    (0.0, 1.0)
    """
    complete, from_root = eisner(cost).complete, np.asarray(cost)[..., 0, 1:]
    if not single_root or not from_root.shape[-1]:
        return np.asarray(complete[..., 0, -1])
    return np.asarray((from_root + complete[..., 1:, 1] + complete[..., 1:, -1]).min(axis=-1))


def least_projective_with(cost: npt.NDArray[np.float64], single_root: bool = False) -> Charts:
    """The least costs of projective trees that contain a half-span, for all of them at once: inside and outside.

    Args:
        cost: a square matrix, as in ``eisner``.
        single_root: whether the first element gets a single dependent; its own half-spans are left out then, but for
            the arcs to its dependents.

    Returns:
        Charts in which ``complete[h, e]`` is the least cost of a tree with this half-span. Next to h, e is a dependent
        without dependents. ``incomplete[h, d]`` is the least cost of a tree with the arc from h to d.

    >>> import numpy as np
    >>> cost = np.array([[9.0, 0, 0], [9, 9, 1], [9, 2, 9]])
    >>> least_projective_with(cost).incomplete[:, 1:].tolist()
    [[0.0, 0.0], [inf, 1.0], [2.0, inf]]
    """
    n, charts = len(cost), eisner(cost)
    inside, with_arc = charts.complete, charts.incomplete
    complete, incomplete = np.full((2, n, n), np.inf)  # what the rest of a tree costs
    if single_root and n > 1:
        words = np.arange(1, n)
        complete[words, 1], complete[words, -1] = cost[0, 1:] + inside[1:, -1], cost[0, 1:] + inside[1:, 1]
    else:
        complete[0, -1] = 0.0

    def lower(rest: npt.NDArray[np.float64], *place: npt.NDArray[np.intp], to: npt.NDArray[np.float64]) -> None:
        rest[place] = np.minimum(rest[place], to)

    for width in range(n - 1, 0, -1):  # each span gives to its parts, as these have given to it in ``eisner``
        left = np.arange(n - width)
        right = left + width
        here, there = left[:, None], right[:, None]
        split = here + np.arange(width)
        after, before = complete[left, right, None], complete[right, left, None]
        lower(incomplete, here, split + 1, to=after + inside[split + 1, there])
        lower(complete, split + 1, there, to=after + with_arc[here, split + 1])
        lower(incomplete, there, split, to=before + inside[split, here])
        lower(complete, split, here, to=before + with_arc[there, split])
        arcs = np.minimum(incomplete[left, right] + cost[left, right], incomplete[right, left] + cost[right, left])[
            :, None
        ]
        lower(complete, here, split, to=arcs + inside[there, split + 1])
        lower(complete, there, split + 1, to=arcs + inside[here, split])
    found = Charts(complete + inside, incomplete + with_arc)
    if single_root and n > 1:
        found.incomplete[0, 1:] = cost[0, 1:] + inside[1:, 1] + inside[1:, -1]
    return found
