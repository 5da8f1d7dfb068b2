# Perceptron weights: tables with a row for each feature's hash, and what their averages need.

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

    The numbers of the rows are kept for an update. Rows are fetched as soon as they are known, used or not, so that
    memory works while the others are being found.
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


def rows_of(features, int bits, uint64_t salt=0):
    """The rows of features in a table of weights of this size, as a power of two; the salt is that of a table's part."""
    cdef WeightTable table
    cdef const uint64_t *hashes = <const uint64_t *> address(features, np.uint64)
    found = np.empty(len(features), np.uint32)
    table.shift = 64 - bits
    find_rows(&table, hashes, len(features), salt, <uint32_t *> address(found, np.uint32))
    return found


cdef class Weights:
    """Perceptron weights for rows and labels: floats that learn, or quantized ones to parse with.

    Args:
        rows: for each class of the first table its row, in order.
        labels: for each class of the first table its label, -1 if it has none or the second table tells.
        first: the weights of the first table: rows of a power of two in number, as wide as a multiple of 4; in arrays
            to learn, otherwise in sparse ones.
        second: the weights of the second table, for ``n_labels`` labels; not used if there are none.
        n_labels: how many labels the second table tells apart; 0 if the first one tells.
        learning: whether to learn, and so to keep what averages need. Otherwise the weights are quantized.
        empty: whether all weights are known to be 0. To look at all rows of large tables takes time.
    """

    cdef bint learning  # which of the following tables there are
    cdef WeightTable tables[2]
    cdef QuantizedTable quantized[2]
    cdef readonly object arrays
    cdef readonly object changes
    cdef object used
    cdef object kept
    cdef int n_classes
    cdef int starts[MAX_ROWS + 1]  # where the classes of each row begin, and where those of the last one end
    cdef const int32_t *class_rows
    cdef const int32_t *class_labels
    cdef int n_labels
    cdef public int64_t time

    def __init__(self, rows, labels, first, second, int n_labels, bint learning, bint empty=False):
        self.n_classes, self.n_labels = len(rows), n_labels
        self.class_rows = <const int32_t *> address(rows, np.int32)
        self.class_labels = <const int32_t *> address(labels, np.int32)
        for row, start in enumerate(np.searchsorted(rows, np.arange(MAX_ROWS + 1))):
            self.starts[row] = start
        self.learning, self.time = learning, 0
        if learning:
            self.arrays = first, second
            made = [open_table(&self.tables[i], array, True, empty) for i, array in enumerate(self.arrays)]
            self.changes, self.used = zip(*made)
        else:
            self.arrays = None, None
            made = [quantize_table(&self.quantized[i], array, as_bytes=i == 1) for i, array in enumerate((first, second))]
            self.changes = None, None
        self.kept = (rows, labels, made)

    def look_again(self):
        """Find out which rows have weights, after something else has written to the arrays."""
        for used, array in zip(self.used, self.arrays, strict=True):
            used[:] = used_rows(array)

    def score(self, int table, rows):
        """The sum of some rows of a table, as parsing adds them up: of as many as there can be templates."""
        if len(rows) > MAX_TEMPLATES:
            raise ValueError(f"there are {len(rows)} rows to add up, and can be {MAX_TEMPLATES}")
        found = np.zeros(self.width, np.float32)
        cdef const QuantizedTable *t = &self.quantized[table]
        places = rows.astype(np.uint64) * <uint64_t> line_size(t) + <uint64_t> <uintptr_t> t.first
        add_quantized(t, <const char **> address(places, np.uint64), len(rows), <float *> address(found, np.float32))
        return found

    @property
    def width(self):
        """The number of scores that are written at most at once."""
        if self.learning:
            return max(self.tables[0].width, self.tables[1].width)
        return max(places_in_row(&self.quantized[0]), places_in_row(&self.quantized[1]))
