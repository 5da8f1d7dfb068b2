# Scores for configurations of the functional layer: what feature templates see of them is put into a state.

cdef class StepwiseScorer:
    """Feature templates and weights, for configurations that are told of: a sentence, its arcs so far, and places.

    A place is given by what stands around it, two tuples of elements, the nearest first: a configuration's neighbors.

    Args:
        templates: a `deptrees.engine.code.features.FeatureCode`.
        weights: rows of a power of two in number, as wide as a multiple of 4.
        hash_of: from a label to its hash.
        learning: whether to keep what averages need.
    """

    cdef Features features
    cdef WeightTable table
    cdef State state
    cdef size_t size  # of the state's memory
    cdef int reach  # how many elements on each side of a place templates can see
    cdef uint64_t *columns[MAX_COLUMNS]
    cdef uint64_t hashes[MAX_TEMPLATES]
    cdef uint32_t rows[MAX_TEMPLATES]
    cdef uint32_t live[MAX_TEMPLATES + 1]
    # The scores of the last places are cached as long as no weight changes: most are needed again.
    cdef const uint64_t *prints
    cdef const float *cached
    cdef int n_cached
    cdef readonly object changes
    cdef object hash_of, weights, used, sentence, kept

    def __init__(self, templates, weights, hash_of, bint learning):
        cdef int i
        write_features(&self.features, templates)
        self.hash_of, self.weights = hash_of, weights
        self.changes, self.used = open_table(&self.table, weights, learning)
        self.state.tracked = True
        for i in range(self.features.n_nodes):
            if self.features.nodes[i].kind == BEYOND_NODE:
                self.reach = 1 << 30
            elif self.features.nodes[i].kind in (STACK_NODE, BUFFER_NODE):
                self.reach = max(self.reach, self.features.nodes[i].origin + 1)

    def __dealloc__(self):
        free(self.state.memory)

    def invalidate(self):
        """Find out which rows have weights, after something else has written to the arrays."""
        self.used[:] = used_rows(self.weights)
        self.n_cached = 0

    def mark_used(self, rows):
        """Take notice of what something else has written to some rows."""
        cdef const int64_t *numbers = <const int64_t *> address(rows, np.int64)
        cdef Py_ssize_t i
        for i in range(len(rows)):
            self.table.used[numbers[i] >> 6] |= (<uint64_t> 1) << (numbers[i] & 63)
        self.n_cached = 0

    def used_rows(self):
        """The numbers of the rows that have weights, or have had."""
        return rows_in_use(self.used, len(self.weights))

    def set_sentence(self, int n, columns):
        """Start a sentence of n words: for each column that templates read the hashes of nothing, ROOT and the words."""
        cdef int c
        cdef size_t size = state_size(n)
        self.sentence = columns
        for c, hashes in enumerate(columns):
            self.columns[c] = <uint64_t *> address(hashes, np.uint64) + 1
        if size > self.size:
            self.state.memory, self.size = <char *> resized(self.state.memory, size), size
        lay_out(&self.state, n)

    def set_state(self, tuple heads, tuple labels, history):
        """Take the arcs of a configuration: the head and the label of each word, and the last transitions as hashes."""
        cdef State *s = &self.state
        cdef int word, head
        memset(s.heads - 1, 255, 4 * (s.n + 2))
        clear_tracked(s, &self.features.reserved)
        for word in range(1, s.n + 1):
            if labels[word - 1]:
                s.lanes[DEPREL][word] = self.hash_of(labels[word - 1])
            if heads[word - 1] is not None:
                head = self._checked(heads[word - 1])
                s.heads[word] = head
                if head >= 0:
                    link(s, head, word)
                    count_dependent(s, head, word, 1)
        for word in range(HISTORY):
            s.history[word] = history[word] if word < len(history) else self.features.reserved.nothing

    def hashes_in(self, tuple left, tuple right):
        """The features in a place, as hashes."""
        found = np.empty(self.features.n_templates, np.uint64)
        self._look(left, right)
        memcpy(<void *> address(found, np.uint64), self.hashes, 8 * self.features.n_templates)
        return found

    def scores(self, places, scores):
        """Write down the scores in some places, a row for each."""
        cdef float *row = <float *> address(scores, np.float32, 2)
        cdef int number
        cdef const float *found
        prints = np.empty(len(places), np.uint64)
        cdef uint64_t *of_places = <uint64_t *> address(prints, np.uint64)
        for number, (left, right) in enumerate(places):
            self._look(left, right)
            of_places[number] = self._print()
            found = self._find(of_places[number])
            if found != NULL:
                memcpy(row, found, 4 * self.table.width)
            else:
                score_rows(&self.table, self.hashes, self.features.n_templates, 0, self.rows, self.live, row)
            row += self.table.width
        self.kept = prints, scores.copy()
        self.prints, self.cached = of_places, <const float *> address(self.kept[1], np.float32, 2)
        self.n_cached = len(places)

    cdef uint64_t _print(self) noexcept:
        """A hash of all features."""
        cdef uint64_t found = 0
        cdef int i
        for i in range(self.features.n_templates):
            found = mix(found ^ self.hashes[i])
        return found

    cdef const float *_find(self, uint64_t of_place) noexcept:
        cdef int i
        for i in range(self.n_cached):
            if self.prints[i] == of_place:
                return self.cached + <size_t> i * self.table.width
        return NULL

    def change(self, tuple left, tuple right, int column, float by, float time):
        """Raise or lower the score of a column in a place."""
        self._look(left, right)
        find_rows(&self.table, self.hashes, self.features.n_templates, 0, self.rows)
        change(&self.table, self.rows, self.features.n_templates, column, by, time)
        self.n_cached = 0

    cdef int _look(self, tuple left, tuple right) except -1:
        """Find the features in a place."""
        cdef State *s = &self.state
        cdef int i, count = min(len(left), self.reach, s.n + 2)
        s.top = count - 1
        for i in range(count):
            s.stack[s.top - i] = self._checked(left[i])
        s.front, s.end = 0, min(len(right), self.reach, s.n + 2)
        for i in range(s.end):
            s.buffer[i] = self._checked(right[i])
        end_places(s)
        self.features.look(&self.features, s, self.columns, self.hashes, NULL, NULL)

    cdef int _checked(self, int position) except -2:
        """A position that is one in the sentence: systems are also written by users."""
        if not -1 <= position <= self.state.n:
            raise IndexError(f"there is no position {position} in a sentence of {self.state.n} words")
        return position
