# The steps of derivations, one sentence after the other, written into arrays.

cdef uint8_t FOUR_BITS[16][4]
for i in range(64):
    FOUR_BITS[i // 4][i % 4] = i // 4 >> i % 4 & 1


cdef inline void write_bits(uint32_t bits, uint8_t *to, int count) noexcept nogil:
    """Four at a time, as most tables have four rows."""
    cdef int i = 0
    while i + 4 <= count:
        memcpy(to + i, FOUR_BITS[bits >> i & 15], 4)
        i += 4
    while i < count:
        to[i] = bits >> i & 1
        i += 1


@cython.final
cdef class Steps:
    """The steps of derivations, written into arrays as many at a time as these hold.

    Args:
        system: the system.
        data: the sentences.
        order: which of them, in which order.
        oracle: the name of the oracle.
        exploration: how often to go on with a prediction, or, without a model, with any possible transition.
        seed: determines random choices, for each sentence on its own.
        weights: a model to explore with, or ``None``.
        with_features: whether features are asked for.
    """

    cdef Workspace work
    cdef Weights weights
    cdef const int64_t *order
    cdef int64_t n_sentences, next
    cdef object kept
    cdef int oracle
    cdef double exploration
    cdef uint64_t seed, random
    cdef bint with_features
    cdef readonly object astray  # a sentence that the oracle led to another tree than the gold tree, and the heads there

    def __init__(
        self, CompiledSystem system, ParserData data, order, str oracle, double exploration, int64_t seed, weights,
        bint with_features
    ):
        self.weights = weights
        self.with_features = with_features and system.features.n_templates > 0
        tracked = self.with_features or weights is not None
        self.work = Workspace(system, data, tracked, 0 if weights is None else weights.width)
        self.order, self.kept = sentence_numbers(order, data.n_sentences), order
        self.n_sentences, self.next, self.oracle = len(order), 0, ORACLES[oracle]
        self.exploration, self.seed = exploration, mix(<uint64_t> seed)
        self.work.sentence = -1

    def finish(self):
        """Go to the end of all derivations without writing steps down."""
        cdef uint32_t gold
        cdef int32_t taken, label
        with nogil:
            while self.next < self.n_sentences:
                self._open()
                while self._step(&gold, &taken, &label) != FINAL:
                    pass

    def fill(self, possible, gold, taken, labels, sentence, step, features):
        """Write down the next steps, and return how many: less than the arrays hold only at the end."""
        cdef int64_t count = 0, room = len(taken)
        cdef uint32_t gold_rows, possible_rows
        cdef Workspace work = self.work
        cdef int n_rows = work.system.code.n_rows, n_templates = work.system.features.n_templates
        cdef uint8_t *all_possible = <uint8_t *> address(possible, np.uint8, 2)
        cdef uint8_t *all_gold = <uint8_t *> address(gold, np.uint8, 2)
        cdef int32_t *all_taken = <int32_t *> address(taken, np.int32)
        cdef int32_t *all_labels = <int32_t *> address(labels, np.int32)
        cdef int32_t *sentences = <int32_t *> address(sentence, np.int32)
        cdef int32_t *steps = <int32_t *> address(step, np.int32)
        cdef uint64_t *all_features = <uint64_t *> address(features, np.uint64, 2)
        with nogil:
            while count < room:
                if work.sentence < 0:
                    if self.next == self.n_sentences:
                        break
                    self._open()
                sentences[count] = <int32_t> work.sentence
                steps[count] = work.length
                possible_rows = self._step(&gold_rows, &all_taken[count], &all_labels[count])
                if possible_rows == FINAL:
                    work.sentence = -1
                    continue
                write_bits(possible_rows, all_possible + count * n_rows, n_rows)
                write_bits(gold_rows, all_gold + count * n_rows, n_rows)
                if self.with_features:
                    memcpy(all_features + count * n_templates, work.features, 8 * n_templates)
                count += 1
        return count

    cdef int _open(self) except -1 nogil:
        """Start the next sentence."""
        open_sentence(self.work, self.order[self.next], True)
        self.random = self.seed ^ mix(<uint64_t> self.order[self.next])
        self.next += 1

    cdef int _check_end(self) except -1 nogil:
        """Compare what an oracle that knows the way to the gold tree only has led to with the gold tree."""
        cdef const State *s = &self.work.state
        cdef int word, head
        for word in range(1, s.n + 1):
            head = 0 if s.heads[word] < 0 and not self.work.system.has_root else s.heads[word]
            if is_wrong(&self.work.gold, word, head):
                return self._note_astray()

    cdef int _note_astray(self) except -1 with gil:
        cdef const State *s = &self.work.state
        self.astray = self.work.sentence, [s.heads[i] for i in range(1, s.n + 1)]

    cdef uint32_t _step(self, uint32_t *gold, int32_t *taken, int32_t *label) except? 0 nogil:
        """Go one step: tells the possible rows, the gold ones, and what is taken; FINAL if there is none."""
        cdef uint32_t correct, possible
        cdef int row, gold_class
        find_next(self.work, &self.work.state, &self.work.at, self.work.length)
        possible = self.work.at.possible
        if possible == FINAL:
            if self.oracle != DYNAMIC:
                self._check_end()
            return FINAL
        correct = <uint32_t> gold_rows(self.work, self.oracle)
        if not correct:
            self._note_astray()
            return FINAL
        if self.with_features:
            look(self.work, &self.work.state, self.work.features)
        if not happens(&self.random, self.exploration):
            row = draw_row(&self.random, correct)
        elif self.weights is None:
            row = draw_row(&self.random, possible)
        else:
            look_and_score(self.work, self.weights)
            row = self.weights.class_rows[best_class(self.weights, self.work.scores[0], possible)]
        gold_class = gold_label(self.work, &self.work.at, row)
        go_on(self.work, row, gold_class, correct)
        gold[0], taken[0], label[0] = correct, row, gold_class
        return possible
