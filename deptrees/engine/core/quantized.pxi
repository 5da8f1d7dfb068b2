# Quantized weights, to parse with: small integers, which memory brings faster, and whose sums are exact in any order.

cdef extern from "sums.h" nogil:
    void sum_rows_of_bytes(const int16_t *const *rows, int n, size_t width, float step, float *scores)
    void sum_narrow_rows(const int32_t *const *rows, int n, size_t width, float step, float *scores)
    void sum_wide_rows(const int32_t *const *rows, int n, size_t width, float step, float *scores)

cdef enum:  # bits of a weight, and how many numbers there are in a block; a number holds two weights
    BYTE = 8
    SHORT_INTEGER = 16
    LINE = 64  # bytes that memory brings at once
    LARGE_PAGE = 1 << 21  # bytes of the large pages in which a table lies wholly if it begins with one
    BYTES_IN_BLOCK = LINE / 2
    NARROW = 2
    WIDE = LINE / 4
    MOST_NARROW = 16  # classes that rows of narrow blocks have at most: each block goes through all rows
    OUTLIERS = 1 << 16  # of so many weights of 8 bits one may be cut off, so that the others are not rounded more

ctypedef struct QuantizedTable:
    int bits  # of a weight
    int in_block
    int width  # numbers in a row
    int shift  # which bits of a hash tell the row
    float step  # what weights are multiples of: a power of two, so that scores are exact
    char *numbers


cdef inline size_t row_size(const QuantizedTable *t) noexcept nogil:
    """The bytes of a row."""
    return t.width * t.bits // 4


cdef inline const char *quantized_row(const QuantizedTable *t, uint64_t feature, uint64_t salt) noexcept nogil:
    """The row of a feature, which memory is told to bring: the first line of it."""
    cdef const char *row = t.numbers + row_of(t.shift, feature, salt) * row_size(t)
    prefetch(row)
    return row


cdef inline void fetch_other_lines(const QuantizedTable *t, const char **rows, int n) noexcept nogil:
    """Have memory bring all of some rows but their first lines."""
    cdef size_t size = row_size(t), line = LINE
    cdef int i
    while line < size:
        for i in range(n):
            prefetch(rows[i] + line)
        line += LINE


cdef inline void fetch_quantized(
    const QuantizedTable *t, const uint64_t *features, int n, uint64_t salt, const char **rows
) noexcept nogil:
    """Find the rows of some features, and have memory bring them."""
    cdef QuantizedTable table = t[0]  # which no address that is written down can change
    cdef int i
    for i in range(n):
        rows[i] = quantized_row(&table, features[i], salt)
    fetch_other_lines(t, rows, n)


cdef inline void add_quantized(const QuantizedTable *t, const char **rows, int n, float *scores) noexcept nogil:
    """The sum of some rows: the scores of all columns, of those besides, too, that fill the last block."""
    if t.bits == BYTE:
        sum_rows_of_bytes(<const int16_t **> rows, n, t.width, t.step, scores)
    elif t.in_block == NARROW:
        sum_narrow_rows(<const int32_t **> rows, n, t.width, t.step, scores)
    else:
        sum_wide_rows(<const int32_t **> rows, n, t.width, t.step, scores)


cdef int range_of(const float *weights, int64_t count, int64_t share) noexcept nogil:
    """The exponent of the least power of two that no weight reaches but one in some, or none if that is 0."""
    cdef int64_t with_exponent[256]
    cdef int64_t i, outliers
    cdef uint32_t bits
    cdef int exponent
    memset(with_exponent, 0, sizeof(with_exponent))
    for i in range(count):
        memcpy(&bits, &weights[i], 4)
        with_exponent[bits >> 23 & 255] += 1
    outliers = count // share if share else 0
    exponent = 255
    while exponent and with_exponent[exponent] <= outliers:
        outliers -= with_exponent[exponent]
        exponent -= 1
    return exponent - 126  # the bias of exponents is 127, and they are those of powers of two that are reached


cdef inline void write_weight(const QuantizedTable *t, int64_t start, int column, int32_t weight) noexcept nogil:
    """Put a weight into its number, which has those of two columns, half a block apart.

    Args:
        start: where the row begins, in numbers.
        weight: a multiple of the step.
    """
    cdef int before = column & -2 * t.in_block  # columns in blocks before; as many are in one as a power of two
    cdef int64_t at = start + before // 2 + (column & (t.in_block - 1))
    if column & t.in_block:
        weight *= 1 << t.bits
    if t.bits == BYTE:
        (<int16_t *> t.numbers)[at] += <int16_t> weight
    else:
        (<int32_t *> t.numbers)[at] += weight


cdef inline int32_t in_steps(float weight, double steps, int limit) noexcept nogil:
    """A weight as a number of steps, of which there are so many in 1."""
    cdef double exact = max(<double> -limit, min(<double> limit, weight * steps))
    return <int32_t> (exact + (0.5 if exact > 0 else -0.5))


cdef void write_weights(const QuantizedTable *t, const int64_t *where, const float *weights, int64_t n, int width):
    """Put the weights of a sparse array, so many columns wide, into a table."""
    cdef int64_t i, row = 0, first = 0, last = 0  # the places of the row that is being written begin and end here
    cdef double steps = 1 / <double> t.step
    cdef int limit = (1 << (t.bits - 1)) - 1
    with nogil:
        for i in range(n):
            if where[i] >= last:
                row = where[i] // width
                first, last = row * width, (row + 1) * width
            write_weight(t, row * t.width, <int> (where[i] - first), in_steps(weights[i], steps, limit))


cdef object quantize_table(QuantizedTable *t, array, bint as_bytes):
    """Write down the weights of a sparse array as integers of 8 bits or of 16; what is returned has to be kept.

    The table takes no memory where no weight is written.
    """
    cdef const int64_t *where = <const int64_t *> address(array.where, np.int64)
    cdef const float *weights = <const float *> address(array.numbers, np.float32)
    cdef int64_t count = len(array.where), n_rows = array.shape[0]
    cdef int width = array.shape[1]
    t.bits = BYTE if as_bytes else SHORT_INTEGER
    t.in_block = BYTES_IN_BLOCK if as_bytes else NARROW if width <= MOST_NARROW else WIDE
    t.width = (width + 2 * t.in_block - 1) // (2 * t.in_block) * t.in_block
    t.shift = 64 - (array.shape[0].bit_length() - 1)
    memory = np.zeros(n_rows * t.width * t.bits // 4 + LARGE_PAGE, np.uint8)
    t.numbers = <char *> address(memory, np.uint8)
    t.numbers += -<uintptr_t> t.numbers % LARGE_PAGE
    t.step = ldexpf(1, range_of(weights, count, OUTLIERS if as_bytes else 0) - t.bits + 1)
    write_weights(t, where, weights, count, width)
    return memory
