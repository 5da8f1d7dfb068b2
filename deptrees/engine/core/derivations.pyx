# cython: language_level=3, boundscheck=False, initializedcheck=False, cdivision=True
"""Derivations, to look at one by one and to write into arrays."""

cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from deptrees.engine.core.chance cimport chance, draw_row
from deptrees.engine.core.desk cimport Data, Desk, Machine, go, open_sentence
from deptrees.engine.core.features cimport look
from deptrees.engine.core.machine cimport FINAL, ELEMENTS, MAX_ROWS, Program, facts, mixed, next_rows
from deptrees.engine.core.oracles cimport correct_rows, count_costs, gold_label, gold_rows
from deptrees.engine.core.scoring cimport Weights, best_class, look_and_score

from deptrees.engine.core.oracles import ORACLES

cdef uint8_t FOUR_BITS[16][4]
for i in range(64):
    FOUR_BITS[i // 4][i % 4] = i // 4 >> i % 4 & 1

__all__ = ["Derivation", "Steps"]


cdef class Derivation:
    """The states of one sentence, one at a time: the engine, for looking at."""

    cdef Desk desk
    cdef int32_t e[ELEMENTS]
    cdef uint64_t known

    def __init__(self, Machine machine, Data data, int64_t sentence):
        self.desk = Desk(machine, data, True)
        open_sentence(self.desk, sentence, True)

    @property
    def stack(self):
        return tuple([self.desk.state.stack[i] for i in range(self.desk.state.top + 1)])

    @property
    def buffer(self):
        return tuple([self.desk.state.buffer[i] for i in range(self.desk.state.front, self.desk.state.end)])

    @property
    def heads(self):
        return tuple([self.desk.state.heads[i] for i in range(1, self.desk.state.n + 1)])

    @property
    def labels(self):
        return tuple([self.desk.state.labels[i] for i in range(1, self.desk.state.n + 1)])

    cdef uint32_t _next(self) noexcept:
        self.known = facts(&self.desk.machine.program, &self.desk.state, self.e)
        return next_rows(&self.desk.machine.program, self.known)

    @property
    def is_final(self):
        return self._next() == FINAL

    def possible(self):
        """The possible rows, as bits; none if the configuration is final."""
        return self._next() & ~FINAL

    def take(self, int row, int label):
        """Take a row."""
        cdef uint32_t possible = self._next()
        go(self.desk, self.e, row, label, correct_rows(self.desk, self.e, self.known, possible))

    def costs(self):
        """The cost of each possible row."""
        cdef int32_t costs[MAX_ROWS]
        cdef uint32_t possible = self.possible()
        count_costs(self.desk, self.e, possible, costs, True)
        return {row: costs[row] for row in range(self.desk.machine.program.n_rows) if possible >> row & 1}

    def gold(self, str oracle):
        """The rows that an oracle names, as bits."""
        cdef uint32_t possible = self.possible()
        return gold_rows(self.desk, self.e, self.known, possible, ORACLES[oracle])

    def features(self):
        """The features, as hashes."""
        look(&self.desk.machine.features, &self.desk.state, self.desk.columns, self.desk.features)
        return [self.desk.features[i] for i in range(self.desk.machine.features.n_templates)]


cdef inline void write_bits(uint32_t bits, uint8_t *to, int count) noexcept nogil:
    # Four at a time, as most tables have four rows.
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
        machine: the machine.
        data: the sentences.
        order: which of them, in which order.
        oracle: the name of the oracle.
        exploration: how often to go on with a prediction, or, without a model, with any possible transition.
        seed: determines random choices, for each sentence on its own.
        weights: a model to explore with, or ``None``.
        with_features: whether features are asked for.
    """

    cdef Desk desk
    cdef Weights weights
    cdef const int64_t[::1] order
    cdef int64_t next
    cdef int oracle
    cdef double exploration
    cdef uint64_t seed
    cdef uint64_t random
    cdef bint with_features

    def __init__(
        self, Machine machine, Data data, order, str oracle, double exploration, int64_t seed, weights, bint
        with_features
    ):
        self.weights = weights
        self.with_features = with_features and machine.features.n_templates > 0
        tracked = self.with_features or weights is not None
        self.desk = Desk(machine, data, tracked, 0 if weights is None else weights.width)
        self.order, self.next, self.oracle = order, 0, ORACLES[oracle]
        self.exploration, self.seed = exploration, mixed(<uint64_t> seed)
        self.desk.sentence = -1

    def fill(
        self, uint8_t[:, ::1] possible, uint8_t[:, ::1] gold, int32_t[::1] taken, int32_t[::1] labels, int32_t[::1]
        sentence, int32_t[::1] step, uint64_t[:, ::1] features
    ):
        """Write down the next steps.

        Returns:
            How many they are: less than the arrays hold only at the end.
        """
        cdef int64_t count = 0, room = taken.shape[0]
        cdef uint32_t possible_rows, gold_rows
        cdef int i, n_rows = self.desk.machine.program.n_rows
        cdef Desk desk = self.desk
        cdef uint8_t *possible_bits = &possible[0, 0]
        cdef uint8_t *gold_bits = &gold[0, 0]
        with nogil:
            while count < room:
                if desk.sentence < 0:
                    if self.next == self.order.shape[0]:
                        break
                    open_sentence(desk, self.order[self.next], True)
                    self.random = self.seed ^ mixed(<uint64_t> self.order[self.next])
                    self.next += 1
                sentence[count] = <int32_t> desk.sentence
                step[count] = desk.length
                possible_rows = self._step(&gold_rows, &taken[count], &labels[count])
                if possible_rows == FINAL:
                    desk.sentence = -1
                    continue
                write_bits(possible_rows, possible_bits + count * n_rows, n_rows)
                write_bits(gold_rows, gold_bits + count * n_rows, n_rows)
                if self.with_features:
                    for i in range(desk.machine.features.n_templates):
                        features[count, i] = desk.features[i]
                count += 1
        return count

    cdef uint32_t _step(self, uint32_t *gold, int32_t *taken, int32_t *label) except? 0 nogil:
        """Go one step: tells the possible rows, the gold ones, and what is taken; FINAL if there is none."""
        cdef const Program *p = &self.desk.machine.program
        cdef int32_t e[ELEMENTS]
        cdef uint64_t known = facts(p, &self.desk.state, e)
        cdef uint32_t correct, possible = next_rows(p, known)
        cdef int row, gold_class
        if possible == FINAL:
            return FINAL
        correct = <uint32_t> gold_rows(self.desk, e, known, possible, self.oracle)
        if self.with_features:
            look(&self.desk.machine.features, &self.desk.state, self.desk.columns, self.desk.features)
        if not chance(&self.random, self.exploration):
            row = draw_row(&self.random, correct)
        elif self.weights is None:
            row = draw_row(&self.random, possible)
        else:
            look_and_score(self.desk, self.weights, &self.desk.state, self.desk.features)
            row = self.weights.class_rows[best_class(self.weights, self.desk.scores, possible)]
        gold_class = gold_label(self.desk, e, row)
        go(self.desk, e, row, gold_class, correct)
        gold[0], taken[0], label[0] = correct, row, gold_class
        return possible
