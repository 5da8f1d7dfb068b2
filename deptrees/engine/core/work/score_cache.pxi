# Scores of states, cached by what features see of them: derivations of a beam often differ in nothing else.

cdef enum:
    CACHED = 1 << 10  # of how many states scores are cached
    GROUP = 16  # classes whose highest score is cached, too: where it is too low, they need not be looked at
    UNKNOWN_LABEL = -2  # stands where the label of a row is not known yet


@cython.final
cdef class ScoreCache:
    """The scores of the last states.

    Keys tell what features see, which rows are possible, and which arcs are from ROOT. The rows of weights for a state
    can be fetched in advance, and are brought while the state before it is scored.
    """

    cdef Workspace work
    cdef Weights weights
    cdef int n_groups
    cdef int width  # room for the scores of a state
    cdef bint gold_only
    cdef uint64_t *keys
    cdef float *scores
    cdef float *highest  # of all scores of a state, and then of each group of classes
    cdef int32_t *labels  # the best ones for the arcs of rows
    cdef const char *fetched[2][MAX_TEMPLATES]  # quantized rows, those fetched last and those before
    cdef uint64_t fetched_for[2]  # the keys for which they are
    cdef int last  # which of the two
    cdef list kept

    def __cinit__(self, Workspace work, Weights weights, bint gold_only):
        self.work, self.weights, self.gold_only, self.kept = work, weights, gold_only, []
        self.n_groups = (weights.n_classes + GROUP - 1) // GROUP
        self.width = max(weights.width, self.n_groups * GROUP)
        self.keys = <uint64_t *> room_for(self.kept, 8 * CACHED)
        self.scores = <float *> room_for(self.kept, 4 * CACHED * self.width)
        self.highest = <float *> room_for(self.kept, 4 * CACHED * (1 + self.n_groups))
        self.labels = <int32_t *> room_for(self.kept, 4 * CACHED * MAX_ROWS)

    cdef void forget(self) noexcept nogil:
        """Begin anew: the weights may have changed."""
        memset(self.keys, 0, 8 * CACHED)

    cdef void prefetch(self, uint64_t key, const uint64_t *features) noexcept nogil:
        """Have memory bring what it takes to score a state, unless its scores are cached."""
        cdef int n = self.work.system.features.n_templates
        if self.weights.learning or self.keys[key % CACHED] == key:
            return
        self.last ^= 1
        self.fetched_for[self.last] = key
        fetch_quantized(&self.weights.quantized[0], features, n, 0, self.fetched[self.last])

    cdef size_t find(self, uint64_t key, const uint64_t *features, const Standing *at) noexcept nogil:
        """The place where the scores of a state are cached; those of rows that are not possible are -inf.

        So are those of labels that arcs may not have, unless gold trees tell labels.
        """
        cdef size_t place = key % CACHED
        cdef int row
        if self.keys[place] != key:
            self._score(key, features, self.scores + place * self.width)
            self.keys[place] = key
            if not self.gold_only:
                rule_out_labels(self.work, self.weights, at.e, self.scores + place * self.width)
            self._rule_out(place, at.possible)
            for row in range(MAX_ROWS):
                self.labels[place * MAX_ROWS + row] = UNKNOWN_LABEL
        return place

    cdef void _score(self, uint64_t key, const uint64_t *features, float *scores) noexcept nogil:
        cdef int which = self.last
        if self.weights.learning:
            ask_for_rows(self.work, self.weights, 0, features, 0)
            add_up_rows(self.work, self.weights, 0, scores)
            return
        if self.fetched_for[which] != key:
            which ^= 1
        if self.fetched_for[which] != key:  # it was cached when it was prefetched, and something else has its place
            self.prefetch(key, features)
            which = self.last
        add_quantized(&self.weights.quantized[0], self.fetched[which], self.work.system.features.n_templates, scores)

    cdef void _rule_out(self, size_t place, uint32_t possible) noexcept nogil:
        """Give the classes of rows that are not possible the score -inf, and find the highest scores."""
        cdef float *scores = self.scores + place * self.width
        cdef float *highest = self.highest + place * (1 + self.n_groups)
        cdef const int *starts = self.weights.starts
        cdef int row, c, group
        for row in range(self.work.system.code.n_rows):
            if not possible >> row & 1:
                for c in range(starts[row], starts[row + 1]):
                    scores[c] = -INFINITY
        for c in range(self.weights.n_classes, self.n_groups * GROUP):
            scores[c] = -INFINITY
        highest[0] = -INFINITY
        for group in range(self.n_groups):
            highest[1 + group] = highest_of_group(scores + group * GROUP)
            highest[0] = max(highest[0], highest[1 + group])

    cdef const float *scores_at(self, size_t place) noexcept nogil:
        """The scores of all classes."""
        return self.scores + place * self.width

    cdef const float *highest_at(self, size_t place) noexcept nogil:
        """The highest score, and then that of each group of classes."""
        return self.highest + place * (1 + self.n_groups)

    cdef int label(self, uint64_t key, const uint64_t *features, const int32_t *e, int row) noexcept nogil:
        """The best label for the arc of a row in a state that has been scored."""
        cdef size_t place = key % CACHED
        cdef int32_t *label = &self.labels[place * MAX_ROWS + row]
        if self.keys[place] != key:
            return best_label(self.work, self.weights, features, e, row)
        if label[0] == UNKNOWN_LABEL:
            label[0] = best_label(self.work, self.weights, features, e, row)
        return label[0]


cdef inline float highest_of_group(const float *scores) noexcept nogil:
    """The highest score of a group of classes: of four parts at a time."""
    cdef float highest[4]
    cdef int i, part
    memcpy(highest, scores, sizeof(highest))
    for i in range(4, GROUP, 4):
        for part in range(4):
            highest[part] = scores[i + part] if scores[i + part] > highest[part] else highest[part]
    return max(max(highest[0], highest[1]), max(highest[2], highest[3]))
