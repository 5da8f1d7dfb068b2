# Random numbers (SplitMix64).

cdef inline uint64_t draw(uint64_t *random) noexcept nogil:
    """The next random number."""
    random[0] += <uint64_t> 0x9E3779B97F4A7C15
    return mix(random[0])


cdef inline bint happens(uint64_t *random, double probability) noexcept nogil:
    return probability > 0 and (draw(random) >> 11) * (1.0 / 9007199254740992.0) < probability


cdef inline int draw_row(uint64_t *random, uint32_t rows) noexcept nogil:
    """One of some rows; random numbers are drawn only where there is a choice."""
    cdef int i
    if rows & (rows - 1):
        for i in range(<int> ((draw(random) >> 32) * count_bits(rows) >> 32)):
            rows &= rows - 1
    return lowest_bit(rows)
