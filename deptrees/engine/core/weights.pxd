# A table of weights, one row for each feature's hash, and its averages.

from libc.stdint cimport uint32_t, uint64_t

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define DEPTREES_PREFETCH(address) __builtin_prefetch(address)
    #else
    #define DEPTREES_PREFETCH(address)
    #endif
    """
    void prefetch "DEPTREES_PREFETCH"(const void *address) noexcept nogil

ctypedef struct Table:
    int width  # a multiple of 4
    int shift  # which bits of a hash tell the row
    float *weights
    float *changes  # of each weight the sum of its changes, each times when it happened; NULL if it does not learn
    uint64_t *used  # bits: whether a row has ever been changed. Most have not, and need not be added


cdef inline uint64_t row_of(const Table *t, uint64_t feature, uint64_t salt) noexcept nogil:
    return ((feature ^ salt) * <uint64_t> 0x9E3779B97F4A7C15) >> t.shift


cdef inline void find_rows(
    const Table *t, const uint64_t *features, int n, uint64_t salt, uint32_t *rows
) noexcept nogil:
    cdef int i
    for i in range(n):
        rows[i] = <uint32_t> row_of(t, features[i], salt)


cdef inline void fetch(const float *row, int width) noexcept nogil:
    # Have memory bring a row, as many weights at a time as it reads at once.
    cdef int i
    for i in range(0, width, 16):
        prefetch(row + i)
    prefetch(row + width - 1)


cdef inline void add_up(
    const float *weights, int width, const uint32_t *rows, int n, int many, float *scores
) noexcept nogil:
    # The sums of the first weights of some rows. As ``many`` is a constant wherever this is inlined, they are kept in
    # registers; at most 16 have room there.
    cdef float sums[16]
    cdef const float *row
    cdef int i, j
    for j in range(many):
        sums[j] = 0
    for i in range(n):
        row = weights + <size_t> rows[i] * width
        for j in range(many):
            sums[j] += row[j]
    for j in range(many):
        scores[j] = sums[j]


cdef inline void score(
    const Table *t, const uint64_t *features, int n, uint64_t salt, uint32_t *rows, uint32_t *live, float *scores
) noexcept nogil:
    # The sum of the rows of some features; the numbers of the rows are kept for an update. Rows are fetched as soon as
    # they are known, used or not, so that memory works while the others are being found.
    cdef int i, j = 0, n_live = 0, width = t.width
    cdef uint32_t number
    for i in range(n):
        number = <uint32_t> row_of(t, features[i], salt)
        rows[i] = live[n_live] = number
        fetch(t.weights + <size_t> number * width, width)
        n_live += t.used[number >> 6] >> (number & 63) & 1
    while j + 16 <= width:
        add_up(t.weights + j, width, live, n_live, 16, scores + j)
        j += 16
    while j < width:
        add_up(t.weights + j, width, live, n_live, 4, scores + j)
        j += 4


cdef inline void change(Table *t, const uint32_t *rows, int n, int which, float by, float time) noexcept nogil:
    # Raise or lower a class.
    cdef int i
    cdef size_t row
    for i in range(n):
        row = <size_t> rows[i] * t.width
        t.weights[row + which] += by
        t.changes[row + which] += by * time
        t.used[rows[i] >> 6] |= (<uint64_t> 1) << (rows[i] & 63)


cdef inline void learn(Table *t, const uint32_t *rows, int n, int better, int worse, float time) noexcept nogil:
    # Raise one class and lower another.
    change(t, rows, n, better, 1, time)
    change(t, rows, n, worse, -1, time)
