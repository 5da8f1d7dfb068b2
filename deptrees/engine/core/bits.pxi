# Sets as bits, and hashes of 64 bits.

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define DEPTREES_LOWEST_BIT(bits) __builtin_ctzll(bits)
    #define DEPTREES_COUNT_BITS(bits) __builtin_popcountll(bits)
    #else
    static int DEPTREES_LOWEST_BIT(uint64_t bits) { int i = 0; while (!(bits >> i & 1)) i++; return i; }
    static int DEPTREES_COUNT_BITS(uint64_t bits) { int i = 0; while (bits) { bits &= bits - 1; i++; } return i; }
    #endif
    """
    int lowest_bit "DEPTREES_LOWEST_BIT"(uint64_t bits) noexcept nogil
    int count_bits "DEPTREES_COUNT_BITS"(uint64_t bits) noexcept nogil


cdef inline uint64_t mix(uint64_t value) noexcept nogil:
    """A hash in which every bit of a number counts: the last step of SplitMix64."""
    value = (value ^ (value >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    value = (value ^ (value >> 27)) * <uint64_t> 0x94D049BB133111EB
    return value ^ (value >> 31)


cdef inline uint64_t number_hash(int value) noexcept nogil:
    """The hash of a number that is a feature's value, as deptrees.features.number_hash makes it."""
    return mix(<uint64_t> value + <uint64_t> 0x9E3779B9)
