# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# cython: binding=False, auto_pickle=False
"""The inside and the outside algorithm in C: see deptrees.inference.sums.

The axes of ``leave`` are [mark, below, j, d] in both, as the inner loops read it.
"""

import numpy as np

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY, exp, log

__all__ = ["inside", "keep_best", "outside", "shares", "total"]


def inside(const double[:, ::1] axioms, const double[:, :, ::1] push, const double[:, :, :, ::1] leave, bint adds):
    """B(k, j): the logarithms of sums if ``adds``, otherwise the highest scores."""
    cdef int size = axioms.shape[0], k
    found = np.full((size, size), -INFINITY)
    cdef double[:, ::1] sums = found
    cdef double[:, ::1] by_front = np.full((size, size), -INFINITY)  # [j, k]
    cdef double[:, ::1] pushed = np.empty((push.shape[0], size)), terms = np.empty((push.shape[0], size))
    for k in range(size - 2, -1, -1):
        PyErr_CheckSignals()
        with nogil:
            fill_row(k, min(k, <int> leave.shape[1] - 1), axioms, push, leave, adds, sums, by_front, pushed, terms)
    return found


cdef void fill_row(
    int k, int below, const double[:, ::1] axioms, const double[:, :, ::1] push, const double[:, :, :, ::1] leave,
    bint adds, double[:, ::1] sums, double[:, ::1] by_front, double[:, ::1] pushed, double[:, ::1] terms,
) noexcept nogil:
    """All items of one k."""
    cdef int size = axioms.shape[0], marks = push.shape[0], d, j, mark
    cdef double best, total, term
    for j in range(k + 1, size):
        best = axioms[k, j]
        for mark in range(marks):
            for d in range(k + 1, j):
                term = pushed[mark, d] + by_front[j, d] + leave[mark, below, j, d]
                terms[mark, d] = term
                best = max(best, term)
        if adds and best > -INFINITY:
            total = exp(axioms[k, j] - best)
            for mark in range(marks):
                for d in range(k + 1, j):
                    total += exp(terms[mark, d] - best)
            best += log(total)
        sums[k, j] = by_front[j, k] = best
        for mark in range(marks):
            pushed[mark, j] = best + push[mark, k, j]


def outside(const double[:, ::1] sums, const double[:, :, ::1] push, const double[:, :, :, ::1] leave):
    """What goes through each place, at [mark, k, j, d]."""
    cdef int size = sums.shape[0], marks = push.shape[0], k, d, j, mark, below
    cdef double share
    found = np.zeros((marks, size, size, size))
    cdef double[:, :, :, ::1] shares = found
    cdef double[:, ::1] through = np.zeros((size, size))
    through[0, size - 1] = 1
    for k in range(size - 1):
        PyErr_CheckSignals()
        below = min(k, <int> leave.shape[1] - 1)
        with nogil:
            for j in range(size - 1, k + 1, -1):
                if through[k, j] == 0 or sums[k, j] == -INFINITY:
                    continue
                for mark in range(marks):
                    for d in range(k + 1, j):
                        share = sums[k, d] + push[mark, k, d] + sums[d, j] + leave[mark, below, j, d] - sums[k, j]
                        share = exp(share) * through[k, j]
                        shares[mark, k, j, d] = share
                        through[k, d] += share
                        through[d, j] += share
    return found


def total(const double[:, :, ::1] terms, bint adds):
    """Over the middle axis the logarithms of sums if ``adds``, otherwise the highest scores."""
    cdef Py_ssize_t mark, row, place
    cdef double best, sum
    found = np.empty((terms.shape[0], terms.shape[2]))
    cdef double[:, ::1] totals = found
    with nogil:
        for mark in range(terms.shape[0]):
            for place in range(terms.shape[2]):
                best = -INFINITY
                for row in range(terms.shape[1]):
                    best = max(best, terms[mark, row, place])
                if adds and best > -INFINITY and terms.shape[1] > 1:
                    sum = 0
                    for row in range(terms.shape[1]):
                        sum += exp(terms[mark, row, place] - best)
                    best += log(sum)
                totals[mark, place] = best
    return found


def shares(const double[:, :, ::1] terms, const double[:, ::1] totals):
    """The share of each term in the sum of which ``totals`` has the logarithm."""
    cdef Py_ssize_t mark, row, place
    found = np.zeros((terms.shape[0], terms.shape[1], terms.shape[2]))
    cdef double[:, :, ::1] parts = found
    with nogil:
        for mark in range(terms.shape[0]):
            for row in range(terms.shape[1]):
                for place in range(terms.shape[2]):
                    if terms[mark, row, place] > -INFINITY:
                        parts[mark, row, place] = exp(terms[mark, row, place] - totals[mark, place])
    return found


def keep_best(
    const double[:, ::1] axioms, const double[:, :, ::1] push, const double[:, :, :, :, ::1] leave,
    const Py_ssize_t[:, ::1] kinds, const double[:, ::1] heads,
):
    """``leave`` at [mark, way, k, d, j], -inf where the heads of another term of the item score more."""
    cdef int size = axioms.shape[0], k
    kept = np.full((leave.shape[0], leave.shape[1], size, size, size), -INFINITY)
    cdef double[:, :, :, :, ::1] found = kept
    cdef double[:, ::1] sums = np.full((size, size), -INFINITY)
    for k in range(size - 2, -1, -1):
        PyErr_CheckSignals()
        with nogil:
            keep_row(k, min(k, <int> leave.shape[2] - 1), axioms, push, leave, kinds, heads, sums, found)
    return kept


cdef void keep_row(
    int k, int below, const double[:, ::1] axioms, const double[:, :, ::1] push,
    const double[:, :, :, :, ::1] leave, const Py_ssize_t[:, ::1] kinds, const double[:, ::1] heads,
    double[:, ::1] sums, double[:, :, :, :, ::1] found,
) noexcept nogil:
    """All items of one k."""
    cdef int size = axioms.shape[0], d, j, mark, way, again
    cdef double best, inner
    cdef int[4] head  # by kind: FRONT, BELOW, ALONE, WITH_ROOT
    head[1], head[2], head[3] = k, size - 1, 0
    for j in range(k + 1, size):
        head[0] = j % (size - 1)
        best = axioms[k, j]
        for again in range(2):
            for d in range(k + 1, j):
                for mark in range(push.shape[0]):
                    inner = sums[k, d] + push[mark, k, d] + sums[d, j]
                    if inner == -INFINITY:
                        continue
                    for way in range(leave.shape[1]):
                        if leave[mark, way, below, d, j] == -INFINITY:
                            continue
                        if not again:
                            best = max(best, inner + heads[head[kinds[mark, way]], d])
                        elif inner + heads[head[kinds[mark, way]], d] == best:
                            found[mark, way, k, d, j] = leave[mark, way, below, d, j]
            sums[k, j] = best
