# The weights of a parser, in one table or in two.

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
        allowed: for each label whether arcs from words may have it, and in a second row whether those from ROOT may.
        first: the weights of the first table: rows of a power of two in number, as wide as a multiple of 4; sparse
            unless they are to learn.
        second: the weights of the second table, for ``n_labels`` labels; not used if there are none.
        n_labels: how many labels the second table tells apart; 0 if the first one tells.
        learning: whether to learn, and so to keep what averages need. Otherwise the weights are quantized.
        empty: whether all weights are known to be 0. To look at all rows of large tables takes time.
    """

    cdef bint learning  # which of the following tables there are
    cdef WeightTable tables[2]
    cdef QuantizedTable quantized[2]
    cdef readonly object arrays, changes
    cdef object used, kept
    cdef int n_classes, n_labels
    cdef int starts[MAX_ROWS + 1]  # where the classes of each row begin, and where those of the last one end
    cdef const int32_t *class_rows
    cdef const int32_t *class_labels
    cdef const uint8_t *allowed[2]  # labels of arcs from words, and from ROOT
    cdef public int64_t time

    def __init__(self, rows, labels, allowed, first, second, int n_labels, bint learning, bint empty=False):
        self.n_classes, self.n_labels = len(rows), n_labels
        self.class_rows = <const int32_t *> address(rows, np.int32)
        self.class_labels = <const int32_t *> address(labels, np.int32)
        self.allowed[0] = <const uint8_t *> address(allowed, np.bool_, 2)
        self.allowed[1] = self.allowed[0] + <int64_t> allowed.shape[1]
        for row, start in enumerate(np.searchsorted(rows, np.arange(MAX_ROWS + 1))):
            self.starts[row] = start
        self.learning, self.time = learning, 0
        self.arrays, self.changes = (first, second) if learning else (None, None), (None, None)
        if learning:
            made = [open_table(&self.tables[i], array, True, empty) for i, array in enumerate(self.arrays)]
            self.changes, self.used = zip(*made)
        else:
            made = [quantize_table(&self.quantized[i], array, as_bytes=i == 1) for i, array in enumerate((first, second))]
        self.kept = (rows, labels, allowed, made)

    def invalidate(self):
        """Find out which rows have weights, after something else has written to the arrays."""
        for used, array in zip(self.used, self.arrays, strict=True):
            used[:] = used_rows(array)

    def score(self, int table, rows):
        """The sum of some rows of a table, as parsing adds them up: of as many as there can be templates."""
        if len(rows) > MAX_TEMPLATES:
            raise ValueError(f"there are {len(rows)} rows to add up, and can be {MAX_TEMPLATES}")
        found = np.zeros(self.width, np.float32)
        cdef const QuantizedTable *t = &self.quantized[table]
        cdef const uint32_t *numbers = <const uint32_t *> address(rows, np.uint32)
        cdef const char *places[MAX_TEMPLATES]
        cdef Py_ssize_t i
        for i in range(len(rows)):
            places[i] = t.first + numbers[i] * line_size(t)
        add_quantized(t, places, len(rows), <float *> address(found, np.float32))
        return found

    @property
    def width(self):
        """The number of scores that are written at most at once."""
        if self.learning:
            return max(self.tables[0].width, self.tables[1].width)
        return max(places_in_row(&self.quantized[0]), places_in_row(&self.quantized[1]))
