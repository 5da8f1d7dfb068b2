# How quantized weights are made: of the floats in a sparse array.

cdef enum:
    LARGE_PAGE = 1 << 21  # bytes of the large pages in which a table lies wholly if it begins with one
    OUTLIERS = 1 << 16  # of so many weights of 8 bits one may be cut off, so that the others are not rounded more

ctypedef struct SparseWeights:  # a deptrees.files.sparse.SparseArray
    const uint8_t *gaps
    const float *weights
    int64_t count
    int64_t n_rows
    int width  # of a row

ctypedef struct Entry:  # one of its weights
    const uint8_t *gap  # that of the next one
    int64_t row
    int64_t column


cdef inline Entry first_entry(const SparseWeights *a) noexcept nogil:
    """What is before all weights."""
    return Entry(a.gaps, 0, -1)


cdef inline void next_entry(Entry *entry, int width) noexcept nogil:
    """Go on to the row and the column of the next weight, most often one of the same row."""
    while entry.gap[0] == 255:
        entry.column += 255
        entry.gap += 1
    entry.column += 1 + entry.gap[0]
    entry.gap += 1
    if entry.column >= width:
        entry.column -= width
        entry.row += 1
    if entry.column >= width:  # a division takes longer than all else
        entry.row += entry.column // width
        entry.column %= width


cdef int range_of(const float *weights, int64_t count, int64_t share) noexcept nogil:
    """The exponent of the least power of two that no weight reaches but one in some, or none if that is 0."""
    cdef int64_t with_exponent[256]
    cdef int64_t i, outliers = count // share if share else 0
    cdef uint32_t bits
    cdef int exponent = 255
    memset(with_exponent, 0, sizeof(with_exponent))
    for i in range(count):
        memcpy(&bits, &weights[i], 4)
        with_exponent[bits >> 23 & 255] += 1
    while exponent and with_exponent[exponent] <= outliers:
        outliers -= with_exponent[exponent]
        exponent -= 1
    return exponent - 126  # the bias of exponents is 127, and they are those of powers of two that are reached


cdef inline int32_t in_steps(float weight, double steps, int limit) noexcept nogil:
    """A weight as a number of steps, of which there are so many in 1."""
    cdef double exact = max(<double> -limit, min(<double> limit, weight * steps))
    return <int32_t> (exact + (0.5 if exact > 0 else -0.5))


cdef void count_weights(const SparseWeights *a, int64_t *counts) noexcept nogil:
    """Count the weights of each column."""
    cdef Entry entry = first_entry(a)
    cdef int64_t i
    for i in range(a.count):
        next_entry(&entry, a.width)
        counts[entry.column] += 1


cdef object lay_out_columns(const QuantizedTable *t, const SparseWeights *a):
    """Where columns lie in a row of several lines: those of most weights first, so that most rows need only one.

    Returns:
        The place of each column, the column of each place, and how many rows at most have weights in other lines. Where
        the number of a row's other lines lies, the column is that of the very last place, whose score will be written
        over what is no score.
    """
    counts = np.zeros(places_in_row(t), np.int64)
    count_weights(a, <int64_t *> address(counts, np.int64))
    columns, places = np.argsort(-counts, kind="stable"), np.arange(len(counts))
    in_number = t.in_block - 8 * sizeof(uint32_t) // (2 * t.bits)
    free = places[(places >= 2 * t.width) | (places % t.in_block < in_number)]
    of_columns, of_places = np.zeros(len(counts), np.int32), np.full(len(counts), columns[len(free) - 1], np.int32)
    of_columns[columns[:len(free)]], of_places[free] = free, columns[:len(free)]
    return of_columns, of_places, min(int(counts[of_columns >= 2 * t.width].sum()), a.n_rows)


cdef inline void write_weight(const QuantizedTable *t, char *line, int place, int32_t weight) noexcept nogil:
    """Put a weight, in steps, into its number in a line, which has those of two columns, half a block apart."""
    cdef int before = place & -2 * t.in_block  # places in blocks before; as many are in one as a power of two
    cdef int64_t at = before // 2 + (place & (t.in_block - 1))
    if place & t.in_block:
        weight *= 1 << t.bits
    if t.bits == BYTE:
        (<int16_t *> line)[at] += <int16_t> weight
    else:
        (<int32_t *> line)[at] += weight


cdef void write_weights(QuantizedTable *t, const SparseWeights *a, const int32_t *places) noexcept nogil:
    """Put the weights into their places, and number the rows that have some in other lines, from 1 on."""
    cdef Entry entry = first_entry(a)
    cdef double steps = 1 / <double> t.step
    cdef int limit = (1 << (t.bits - 1)) - 1, in_line = 2 * t.width, place
    cdef int64_t i
    cdef uint32_t numbered = 0
    cdef uint32_t *number
    cdef char *line
    for i in range(a.count):
        next_entry(&entry, a.width)
        line = t.first + entry.row * line_size(t)
        place = places[entry.column]
        if place >= in_line:
            number = number_of_others(line)
            if number[0] == 0:
                numbered += 1
                number[0] = numbered
            line = <char *> other_lines(t, line) + (place // in_line - 1) * LINE
        write_weight(t, line, place % in_line, in_steps(a.weights[i], steps, limit))


cdef void find_size(QuantizedTable *t, int width) noexcept:
    """Find out what lines rows have that are so many columns wide."""
    t.n_lines = 1
    if t.bits == SHORT_INTEGER and width <= MOST_NARROW:
        t.in_block = NARROW
        t.width = (width + 2 * NARROW - 1) // (2 * NARROW) * NARROW
        return
    t.in_block = t.width = LINE * 4 // t.bits
    if width > 2 * t.width:
        width += 8 * sizeof(uint32_t) // t.bits  # for the number of the other lines
        t.n_lines = (width + 2 * t.width - 1) // (2 * t.width)


cdef char *room_for_lines(list kept, int64_t size) except NULL:
    """Memory for some lines, all 0, that takes none where nothing is written."""
    cdef char *start = <char *> room_for(kept, size + LARGE_PAGE)
    return start + -<uintptr_t> start % LARGE_PAGE


cdef list quantize_table(QuantizedTable *t, array, bint as_bytes):
    """Write down the weights of a sparse array as integers of 8 bits or of 16; what is returned has to be kept."""
    cdef SparseWeights a
    cdef const int32_t *of_columns
    a.gaps = <const uint8_t *> address(array.gaps, np.uint8)
    a.weights = <const float *> address(array.numbers, np.float32)
    a.count, a.n_rows, a.width = len(array.numbers), array.shape[0], array.shape[1]
    t.bits = BYTE if as_bytes else SHORT_INTEGER
    find_size(t, a.width)
    t.shift = 64 - (array.shape[0].bit_length() - 1)
    t.step = ldexpf(1, range_of(a.weights, a.count, OUTLIERS if as_bytes else 0) - t.bits + 1)
    places = columns = np.arange(places_in_row(t), dtype=np.int32)
    if t.n_lines > 1:
        places, columns, others = lay_out_columns(t, &a)
    of_columns, t.columns = <const int32_t *> address(places, np.int32), <const int32_t *> address(columns, np.int32)
    kept = [columns]
    t.first = room_for_lines(kept, a.n_rows * line_size(t))
    if t.n_lines > 1:
        t.others = room_for_lines(kept, (others + 1) * <int64_t> (t.n_lines - 1) * LINE)
    with nogil:
        write_weights(t, &a, of_columns)
    return kept
