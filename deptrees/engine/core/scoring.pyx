# cython: language_level=3, boundscheck=False, initializedcheck=False, cdivision=True
"""Perceptron weights, and what has the highest score."""

from libc.stdint cimport int64_t, uint32_t, uint64_t

from deptrees.engine.core.desk cimport Desk
from deptrees.engine.core.features cimport look
from deptrees.engine.core.machine cimport State
from deptrees.engine.core.weights cimport fetch, score

import numpy as np

__all__ = ["Weights", "read_rows"]


def rows_used(weights):
    """Which rows are not all zeros, as the bits of numbers of 64 bits."""
    bits = np.packbits(weights.any(axis=1), bitorder="little")
    return np.concatenate([bits, np.zeros((8 - len(bits) % 8) % 8, np.uint8)]).view("<u8").astype(np.uint64)


def read_rows(const float[:, ::1] table, const uint32_t[::1] rows):
    """The sum of some rows of a table: what scoring cannot do without, and so the limit of its speed."""
    cdef float[::1] sums = np.zeros(table.shape[1], np.float32)
    cdef float *sum_of = &sums[0]
    cdef const float *row
    cdef int width = table.shape[1], j
    cdef int64_t i
    with nogil:
        for i in range(rows.shape[0]):
            if i + 32 < rows.shape[0]:  # far enough ahead for memory to have brought it in time
                fetch(&table[rows[i + 32], 0], width)
            row = &table[rows[i], 0]
            for j in range(width):
                sum_of[j] += row[j]
    return np.asarray(sums)


cdef class Weights:
    """Perceptron weights for rows and labels.

    Args:
        rows: for each class of the first table its row.
        labels: for each class of the first table its label, -1 if it has none or the second table tells.
        first: the weights of the first table: rows of a power of two in number, as wide as a multiple of 4.
        second: the weights of the second table, for ``n_labels`` labels; not used if there are none.
        n_labels: how many labels the second table tells apart; 0 if the first one tells.
        learning: whether to keep what averages need.
    """

    def __init__(self, rows, labels, first, second, int n_labels, bint learning):
        cdef float[:, ::1] weights, changes
        cdef uint64_t[::1] used
        self.class_rows, self.class_labels, self.n_labels = rows, labels, n_labels
        self.arrays = (first, second)
        self.changes = (np.zeros_like(first), np.zeros_like(second)) if learning else (None, None)
        self.used = (rows_used(first), rows_used(second))
        self.time = 0
        for i in range(2):
            weights = self.arrays[i]
            self.tables[i].width = weights.shape[1]
            self.tables[i].shift = 64 - (int(weights.shape[0]).bit_length() - 1)
            self.tables[i].weights = &weights[0, 0]
            used = self.used[i]
            self.tables[i].used = &used[0]
            self.tables[i].changes = NULL
            if learning:
                changes = self.changes[i]
                self.tables[i].changes = &changes[0, 0]

    @property
    def width(self):
        """The number of classes that are scored at most at once."""
        return max(self.tables[0].width, self.tables[1].width)


cdef int best_class(Weights w, const float *scores, uint32_t rows) noexcept nogil:
    """The class with the highest score among those of some rows."""
    cdef int c, best = -1
    for c in range(w.class_rows.shape[0]):
        if rows >> w.class_rows[c] & 1 and (best < 0 or scores[c] > scores[best]):
            best = c
    return best


cdef int best_label(Desk desk, Weights w, const uint64_t *features, int row) noexcept nogil:
    """The label with the highest score for the arc of a row; -1 if it adds none."""
    cdef int c, best = 0
    if not desk.machine.program.rows[row].adds_arc or w.n_labels == 0:
        return -1
    score(&w.tables[1], features, desk.machine.features.n_templates, desk.machine.row_hashes[row], desk.label_rows,
          desk.live, desk.label_scores)
    for c in range(1, w.n_labels):
        if desk.label_scores[c] > desk.label_scores[best]:
            best = c
    return best


cdef void look_and_score(Desk desk, Weights w, const State *s, uint64_t *features) noexcept nogil:
    """Score the classes of the first table."""
    look(&desk.machine.features, s, desk.columns, features)
    score(&w.tables[0], features, desk.machine.features.n_templates, 0, desk.rows, desk.live, desk.scores)
