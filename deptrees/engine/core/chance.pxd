# Random numbers (SplitMix64).

from libc.stdint cimport uint32_t, uint64_t

from deptrees.engine.core.machine cimport lowest_bit, mixed


cdef inline uint64_t drawn(uint64_t *random) noexcept nogil:
    """The next random number (SplitMix64)."""
    random[0] += <uint64_t> 0x9E3779B97F4A7C15
    return mixed(random[0])


cdef inline bint chance(uint64_t *random, double p) noexcept nogil:
    return p > 0 and (drawn(random) >> 11) * (1.0 / 9007199254740992.0) < p


cdef inline int draw_row(uint64_t *random, uint32_t rows) noexcept nogil:
    """One of some rows; random numbers are drawn only where there is a choice."""
    cdef uint32_t rest = rows & (rows - 1)
    cdef int count = 1
    if rest:
        while rest:
            rest &= rest - 1
            count += 1
        for count in range(<int> ((drawn(random) >> 32) * count >> 32)):
            rows &= rows - 1
    return lowest_bit(rows)
