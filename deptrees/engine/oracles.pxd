# Costs, and the rows that oracles name.

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from deptrees.engine.desk cimport Desk

cdef enum:  # oracles
    STATIC, PREFER_SHIFT, NONDETERMINISTIC, DYNAMIC

cdef uint32_t correct_rows(Desk desk, const int32_t *e, uint64_t known, uint32_t possible) noexcept nogil
cdef int count_costs(Desk desk, const int32_t *e, uint32_t possible, int32_t *costs, bint relative) except -1 nogil
cdef int prepare_losses(Desk desk) except -1 nogil
cdef int64_t gold_rows(Desk desk, const int32_t *e, uint64_t known, uint32_t possible, int oracle) except -1 nogil


cdef inline int gold_label(Desk desk, const int32_t *e, int row) noexcept nogil:
    # The gold label of the word that a row attaches, -1 if it attaches none or the label is not known.
    cdef int place = desk.machine.program.rows[row].dependent
    return -1 if place < 0 else desk.labels[e[place]]
