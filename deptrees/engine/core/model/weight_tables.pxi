# Tables of perceptron weights, with a row for each feature's hash, and what their averages need.

ctypedef struct WeightTable:
    int width  # a multiple of 4
    int shift  # which bits of a hash tell the row
    float *weights
    float *changes  # of each weight the sum of its changes, each times when it happened; NULL if it does not learn
    uint64_t *used  # bits: whether a row has ever been changed. Most have not, and need not be added


cdef inline void find_rows(
    const WeightTable *t, const uint64_t *features, int n, uint64_t salt, uint32_t *rows
) noexcept nogil:
    cdef int i
    for i in range(n):
        rows[i] = <uint32_t> row_of(t.shift, features[i], salt)


cdef inline void fetch(const float *row, int width) noexcept nogil:
    """Have memory bring a row, as many weights at a time as it reads at once."""
    cdef int i
    for i in range(0, width, 16):
        prefetch(row + i)
    prefetch(row + width - 1)


cdef inline void add_up(
    const float *weights, int width, const uint32_t *rows, int n, int many, float *scores
) noexcept nogil:
    """The sums of the first weights of some rows.

    As ``many`` is a constant wherever this is inlined, they are kept in registers; at most 16 have room there.
    """
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


cdef inline int fetch_rows(
    const WeightTable *t, const uint64_t *features, int n, uint64_t salt, uint32_t *rows, uint32_t *live
) noexcept nogil:
    """Find the rows of some features, and which of them are in use; how many are.

    Rows are fetched as soon as they are known, used or not: memory works while the others are being found.
    """
    cdef int i, n_live = 0, width = t.width
    cdef uint32_t number
    for i in range(n):
        number = <uint32_t> row_of(t.shift, features[i], salt)
        rows[i] = live[n_live] = number
        fetch(t.weights + <size_t> number * width, width)
        n_live += t.used[number >> 6] >> (number & 63) & 1
    return n_live


cdef inline void add_rows(const WeightTable *t, const uint32_t *live, int n_live, float *scores) noexcept nogil:
    """The sum of rows that are in use."""
    cdef int j = 0, width = t.width
    while j + 16 <= width:
        add_up(t.weights + j, width, live, n_live, 16, scores + j)
        j += 16
    while j < width:
        add_up(t.weights + j, width, live, n_live, 4, scores + j)
        j += 4


cdef inline void score_rows(
    const WeightTable *t, const uint64_t *features, int n, uint64_t salt, uint32_t *rows, uint32_t *live, float *scores
) noexcept nogil:
    """The sum of the rows of some features, whose numbers are kept."""
    add_rows(t, live, fetch_rows(t, features, n, salt, rows, live), scores)


cdef inline void change(WeightTable *t, const uint32_t *rows, int n, int which, float by, float time) noexcept nogil:
    """Raise or lower a class."""
    cdef int i
    cdef size_t row
    for i in range(n):
        row = <size_t> rows[i] * t.width
        t.weights[row + which] += by
        t.changes[row + which] += by * time
        t.used[rows[i] >> 6] |= (<uint64_t> 1) << (rows[i] & 63)


cdef inline void update(WeightTable *t, const uint32_t *rows, int n, int better, int worse, float time) noexcept nogil:
    """Raise one class and lower another."""
    change(t, rows, n, better, 1, time)
    change(t, rows, n, worse, -1, time)


cdef object open_table(WeightTable *t, array, bint learning, bint empty=False):
    """Point at the weights in an array; what else there is to point at is made here, and returned to be kept."""
    changed = np.zeros(array.shape, array.dtype) if learning else None
    in_use = np.zeros(words_of_bits(array), np.uint64) if empty else used_rows(array)
    t.width = array.shape[1]
    t.shift = 64 - (array.shape[0].bit_length() - 1)
    t.weights = <float *> address(array, np.float32, 2)
    t.used = <uint64_t *> address(in_use, np.uint64)
    t.changes = <float *> address(changed, np.float32, 2) if learning else NULL
    return changed, in_use


cdef int64_t words_of_bits(array):
    """How many numbers have a bit for each row."""
    return (array.shape[0] + 63) // 64


cdef object used_rows(array):
    """Bits: whether a row has a weight."""
    cdef const float *weights = <const float *> address(array, np.float32, 2)
    cdef int64_t row, n_rows = array.shape[0]
    cdef int j, width = array.shape[1]
    cdef bint used
    found = np.zeros(words_of_bits(array), np.uint64)
    cdef uint64_t *bits = <uint64_t *> address(found, np.uint64)
    with nogil:
        for row in range(n_rows):
            used = False
            for j in range(width):
                used |= weights[row * width + j] != 0
            bits[row >> 6] |= (<uint64_t> used) << (row & 63)
    return found


cdef object rows_in_use(used, Py_ssize_t n):
    """The numbers of the rows, n in all, whose bits are set."""
    return np.flatnonzero(np.unpackbits(used.view(np.uint8), bitorder="little")[:n])
