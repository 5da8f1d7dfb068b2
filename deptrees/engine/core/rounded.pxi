# Weights rounded to small integers, to parse with: they take less memory, and their sums are exact in any order.

cdef extern from "sums.h" nogil:
    void sum_rows_of_bytes(const int16_t *table, size_t width, const uint32_t *rows, int n, float step, float *scores)
    void sum_narrow_rows(const int32_t *table, size_t width, const uint32_t *rows, int n, float step, float *scores)
    void sum_wide_rows(const int32_t *table, size_t width, const uint32_t *rows, int n, float step, float *scores)

cdef enum:  # bits of a weight, and how many numbers there are in a block; a number holds two weights
    BYTE = 8
    SHORT_INTEGER = 16
    LINE = 64  # bytes that memory brings at once
    BYTES_IN_BLOCK = LINE / 2
    NARROW = 2
    WIDE = LINE / 4
    MOST_NARROW = 16  # classes that rows of narrow blocks have at most: each block goes through all rows
    OUTLIERS = 1 << 16  # of so many weights of 8 bits one may be cut off, so that the others are not rounded more

ctypedef struct RoundedTable:
    int bits  # of a weight
    int in_block
    int width  # numbers in a row
    int shift  # which bits of a hash tell the row
    float step  # what weights are multiples of: a power of two, so that scores are exact
    char *numbers


cdef inline void fetch_rounded(
    const RoundedTable *t, const uint64_t *features, int n, uint64_t salt, uint32_t *rows
) noexcept nogil:
    """Find the rows of some features, and have memory bring them."""
    cdef int i, j, size = t.width * t.bits // 4
    cdef const char *row
    for i in range(n):
        rows[i] = <uint32_t> row_of(t.shift, features[i], salt)
        row = t.numbers + <size_t> rows[i] * size
        for j in range((size + LINE - 1) // LINE):
            prefetch(row + j * LINE)


cdef inline void add_rounded(const RoundedTable *t, const uint32_t *rows, int n, float *scores) noexcept nogil:
    """The sum of some rows: the scores of all columns, of those besides, too, that fill the last block."""
    if t.bits == BYTE:
        sum_rows_of_bytes(<const int16_t *> t.numbers, t.width, rows, n, t.step, scores)
    elif t.in_block == NARROW:
        sum_narrow_rows(<const int32_t *> t.numbers, t.width, rows, n, t.step, scores)
    else:
        sum_wide_rows(<const int32_t *> t.numbers, t.width, rows, n, t.step, scores)


cdef int range_of(const float *weights, int64_t count, int64_t share) noexcept nogil:
    """The exponent of the least power of two that no weight reaches but one in some, or none if that is 0."""
    cdef int64_t with_exponent[256]
    cdef int64_t i, outliers, n = 0
    cdef uint32_t bits
    cdef int exponent
    memset(with_exponent, 0, sizeof(with_exponent))
    for i in range(count):
        if weights[i] != 0:
            memcpy(&bits, &weights[i], 4)
            with_exponent[bits >> 23 & 255] += 1
            n += 1
    outliers = n // share if share else 0
    exponent = 255
    while exponent > 0 and with_exponent[exponent] <= outliers:
        outliers -= with_exponent[exponent]
        exponent -= 1
    return exponent - 126  # the bias of exponents is 127, and they are those of powers of two that are reached


cdef inline int64_t rounded(const float *row, int column, int width, double steps, int limit) noexcept nogil:
    """A weight in steps."""
    cdef double exact
    if column >= width:
        return 0
    exact = max(<double> -limit, min(<double> limit, row[column] * steps))
    return <int64_t> (exact + (0.5 if exact > 0 else -0.5))


cdef void round_row(const RoundedTable *t, const float *row, int width, void *numbers) noexcept nogil:
    """Write down a row."""
    cdef int i, column, limit = (1 << (t.bits - 1)) - 1
    cdef double steps = 1 / t.step
    cdef int64_t number
    for i in range(t.width):
        column = i // t.in_block * 2 * t.in_block + i % t.in_block
        number = rounded(row, column, width, steps, limit)
        number += rounded(row, column + t.in_block, width, steps, limit) * (1 << t.bits)
        if t.bits == BYTE:
            (<int16_t *> numbers)[i] = <int16_t> number
        else:
            (<int32_t *> numbers)[i] = <int32_t> number


cdef object round_table(RoundedTable *t, array, bint as_bytes):
    """Write down weights, as integers of 8 bits or of 16; what is returned has to be kept.

    Rows without weights are not written to: a table of zeros takes no memory where nobody has written.
    """
    cdef const float *weights = <const float *> address(array, np.float32, 2)
    cdef int64_t row, j, n = array.shape[0]
    cdef int width = array.shape[1], size
    cdef bint in_use
    t.bits = BYTE if as_bytes else SHORT_INTEGER
    t.in_block = BYTES_IN_BLOCK if as_bytes else NARROW if width <= MOST_NARROW else WIDE
    t.width = (width + 2 * t.in_block - 1) // (2 * t.in_block) * t.in_block
    t.shift = 64 - (array.shape[0].bit_length() - 1)
    size = t.width * t.bits // 4
    memory = np.zeros(n * size + LINE, np.uint8)
    t.numbers = <char *> address(memory, np.uint8)
    t.numbers += -<uintptr_t> t.numbers % LINE
    with nogil:
        t.step = ldexpf(1, range_of(weights, n * width, OUTLIERS if as_bytes else 0) - t.bits + 1)
        for row in range(n):
            in_use = False
            for j in range(row * width, (row + 1) * width):
                in_use |= weights[j] != 0
            if in_use:
                round_row(t, weights + row * width, width, t.numbers + row * size)
    return memory
