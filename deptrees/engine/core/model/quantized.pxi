# Quantized weights, to parse with: small integers, which memory brings faster, and whose sums are exact in any order.
#
# A row lies in one or more lines of memory. If it has several, the columns with the most weights have their places in
# the first one. Most rows have no weights in others, and so no others: only the first line is read, and takes room.

cdef extern from "model/sums.h" nogil:
    void sum_rows_of_bytes(const int16_t *const *rows, int n, size_t width, float step, float *scores)
    void sum_narrow_rows(const int32_t *const *rows, int n, size_t width, float step, float *scores)
    void sum_wide_rows(const int32_t *const *rows, int n, size_t width, float step, float *scores)

cdef enum:  # bits of a weight, and how many numbers there are in a block; a number holds two weights
    BYTE = 8
    SHORT_INTEGER = 16
    LINE = 64  # bytes that memory brings at once
    BYTES_IN_BLOCK = LINE / 2
    NARROW = 2
    WIDE = LINE / 4
    MAX_TEMPLATES = 256  # rows that are added up at most: the sum of as many weights of 8 bits has 16
    MOST_NARROW = 16  # classes that rows of narrow blocks have at most: each block goes through all rows

ctypedef struct QuantizedTable:
    int bits  # of a weight
    int in_block
    int width  # numbers in a line of a row, which is its only one if they fit in
    int n_lines
    int shift  # which bits of a hash tell the row
    float step  # what weights are multiples of: a power of two, so that scores are exact
    char *first  # the first lines of all rows, which end with the number of the others
    char *others  # the other lines of rows that have weights there; number 0 has none
    const int32_t *columns  # of each place in a row, the column whose weight is there


cdef inline size_t line_size(const QuantizedTable *t) noexcept nogil:
    """The bytes of a line of a row."""
    return t.width * t.bits // 4


cdef inline int places_in_row(const QuantizedTable *t) noexcept nogil:
    """How many columns have room in a row."""
    return 2 * t.width * t.n_lines


cdef inline const char *quantized_row(const QuantizedTable *t, uint64_t feature, uint64_t salt) noexcept nogil:
    """The row of a feature, of which memory is told to bring the first line."""
    cdef const char *row = t.first + row_of(t.shift, feature, salt) * line_size(t)
    prefetch(row)
    return row


cdef inline uint32_t *number_of_others(const char *row) noexcept nogil:
    """Which other lines a row has, 0 if it has none."""
    return <uint32_t *> (row + LINE - sizeof(uint32_t))


cdef inline const char *other_lines(const QuantizedTable *t, const char *row) noexcept nogil:
    """The other lines of a row."""
    return t.others + number_of_others(row)[0] * <size_t> (t.n_lines - 1) * LINE


cdef inline void fetch_quantized(
    const QuantizedTable *t, const uint64_t *features, int n, uint64_t salt, const char **rows
) noexcept nogil:
    """Find the rows of some features, and have memory bring their first lines."""
    cdef QuantizedTable table = t[0]  # which no address that is written down can change
    cdef int i
    for i in range(n):
        rows[i] = quantized_row(&table, features[i], salt)


cdef inline int fetch_others(const QuantizedTable *t, const char **rows, int n, const char **others) noexcept nogil:
    """Have memory bring the other lines of rows; how many rows have some."""
    cdef int i, line, count = 0
    for i in range(n):  # without a branch, for no processor can foresee which have
        others[count] = other_lines(t, rows[i])
        prefetch(others[count])
        count += number_of_others(rows[i])[0] != 0
    for line in range(1, t.n_lines - 1):
        for i in range(count):
            prefetch(others[i] + line * LINE)
    return count


cdef inline void add_line(const QuantizedTable *t, const char **lines, int n, float *scores) noexcept nogil:
    """The sum of some lines: the scores of the columns in their places."""
    if t.bits == BYTE:
        sum_rows_of_bytes(<const int16_t **> lines, n, t.width, t.step, scores)
    elif t.in_block == NARROW:
        sum_narrow_rows(<const int32_t **> lines, n, t.width, t.step, scores)
    else:
        sum_wide_rows(<const int32_t **> lines, n, t.width, t.step, scores)


cdef inline void add_quantized(const QuantizedTable *t, const char **rows, int n, float *scores) noexcept nogil:
    """The sum of some rows: the scores of all columns, and of some besides that fill the last line."""
    if t.n_lines == 1:
        add_line(t, rows, n, scores)
    else:
        add_lines(t, rows, n, scores)


cdef void add_lines(const QuantizedTable *t, const char **rows, int n, float *scores) noexcept nogil:
    """The sum of rows that have several lines. While the first ones are added up, memory brings the others."""
    cdef const char *others[MAX_TEMPLATES]
    cdef float sums[2 * BYTES_IN_BLOCK]
    cdef const int32_t *columns = t.columns
    cdef int line, i, in_line = 2 * t.width, n_others = fetch_others(t, rows, n, others)
    add_line(t, rows, n, sums)
    for line in range(1, t.n_lines + 1):
        for i in range(in_line):
            scores[columns[i]] = sums[i]
        if line < t.n_lines:
            add_line(t, others, n_others, sums)
            for i in range(n_others):
                others[i] += LINE
        columns += in_line
