# Feature hashing: the row of a feature in a table of weights, and how memory is told in time that it will be read.

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define DEPTREES_PREFETCH(address) __builtin_prefetch(address)
    #else
    #define DEPTREES_PREFETCH(address)
    #endif
    """
    void prefetch "DEPTREES_PREFETCH"(const void *address) noexcept nogil


cdef inline uint64_t row_of(int shift, uint64_t feature, uint64_t salt) noexcept nogil:
    """The row of a feature in a table of a power of two; the shift says of which one."""
    return ((feature ^ salt) * <uint64_t> 0x9E3779B97F4A7C15) >> shift
