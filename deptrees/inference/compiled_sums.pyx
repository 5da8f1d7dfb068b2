# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# cython: binding=False, auto_pickle=False
"""The inside and the outside algorithm in C: see deptrees.inference.sums.

The axes of ``leave`` are [mark, below, j, d] here, as the inner loops read it.
"""

import numpy as np

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY, exp, log

__all__ = ["inside", "outside"]


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
