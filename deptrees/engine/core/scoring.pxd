# Perceptron weights, and what has the highest score.

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from deptrees.engine.core.desk cimport Desk
from deptrees.engine.core.machine cimport State
from deptrees.engine.core.weights cimport Table


cdef class Weights:
    cdef Table tables[2]
    cdef readonly object arrays
    cdef readonly object changes
    cdef object used
    cdef const int32_t[::1] class_rows
    cdef const int32_t[::1] class_labels
    cdef int n_labels
    cdef public int64_t time


cdef int best_class(Weights w, const float *scores, uint32_t rows) noexcept nogil
cdef int best_label(Desk desk, Weights w, const uint64_t *features, int row) noexcept nogil
cdef void look_and_score(Desk desk, Weights w, const State *s, uint64_t *features) noexcept nogil
