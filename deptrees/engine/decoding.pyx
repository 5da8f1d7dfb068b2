# cython: language_level=3, boundscheck=False, initializedcheck=False, cdivision=True
"""Greedy and beam decoding."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from deptrees.engine.desk cimport Data, Desk, Machine, advance, open_sentence
from deptrees.engine.features cimport look
from deptrees.engine.machine cimport FINAL, MAX_PLACES, MAX_ROWS, State, copy_state, elements, facts, next_rows, state_size
from deptrees.engine.scoring cimport Weights, best_class, best_label, look_and_score
from deptrees.engine.weights cimport score

__all__ = ["parse"]

cdef enum:
    REMEMBERED = 1 << 10
    NOT_ASKED = -2

ctypedef struct Candidate:
    float score
    int parent  # which state it continues
    int choice  # with which class; -1: the state is final and stays as it is


def parse(Weights w, Machine machine, Data data, int64_t start, int64_t stop, int32_t[::1] heads, int32_t[::1] labels, int root_label, int beam):
    """Parse the sentences from one number to another, and write down their heads and labels."""
    cdef Desk desk = Desk(machine, data, True, w.width)
    cdef Beam derivations = Beam(desk, beam, w.width) if beam > 1 else None
    cdef const State *s
    cdef int64_t sentence, at
    cdef int word
    with nogil:
        for sentence in range(start, stop):
            open_sentence(desk, sentence, False)
            if beam > 1:
                s = derivations.best(w)
            else:
                while parse_step(desk, w):
                    pass
                s = &desk.state
            at = data.offsets[sentence] - 1
            for word in range(1, s.n + 1):
                heads[at + word] = s.heads[word]
                labels[at + word] = s.labels[word]
                if s.heads[word] < 0 and not machine.has_root:
                    heads[at + word] = 0
                    labels[at + word] = root_label


cdef int64_t rows_to_try(Desk desk, const State *s) except -1 nogil:
    """The possible rows; none if the configuration is final."""
    cdef int32_t e[MAX_PLACES + 1]
    cdef uint32_t possible
    elements(&desk.machine.program, s, e)
    possible = next_rows(&desk.machine.program, facts(&desk.machine.program, s, e))
    if possible == 0:
        with gil:
            raise ValueError(f"no transition is possible, but parsing is not at its end, in sentence {desk.sentence}")
    return 0 if possible == FINAL else possible


cdef int parse_step(Desk desk, Weights w) except -1 nogil:
    """Take the best transition; 0 if there is none to be taken."""
    cdef uint32_t possible = <uint32_t> rows_to_try(desk, &desk.state)
    cdef int best, row
    if not possible:
        return 0
    look_and_score(desk, w, &desk.state, desk.features)
    best = best_class(w, desk.scores, possible)
    row = w.class_rows[best]
    advance(desk, &desk.state, row, w.class_labels[best] if w.n_labels == 0 else best_label(desk, w, desk.features, row))
    return 1


cdef class Beam:
    """The best derivations of a sentence, as many as there is room for.

    A state passes to the last of the derivations that continue it; only the others get a copy. Derivations often differ
    in what no feature sees any more, so scores are remembered, by the sum of all features.
    """

    cdef Desk desk
    cdef int size
    cdef State *states
    cdef int *live
    cdef int *spare
    cdef int *uses
    cdef float *totals
    cdef uint64_t *features
    cdef Candidate *candidates
    cdef uint64_t *sums  # of the features of each state
    cdef uint64_t *known  # whose scores and labels are remembered
    cdef float *known_scores
    cdef int32_t *known_labels
    cdef int width
    cdef char *memory

    def __cinit__(self, Desk desk, int size, int width):
        cdef size_t room = (state_size(desk.data.longest) + 7) // 8 * 8
        cdef int i
        self.desk, self.size = desk, size
        self.memory = <char *> malloc(2 * size * room)
        self.states = <State *> calloc(2 * size, sizeof(State))
        self.live = <int *> malloc(2 * size * sizeof(int))
        self.spare = <int *> malloc(2 * size * sizeof(int))
        self.uses = <int *> malloc(2 * size * sizeof(int))
        self.totals = <float *> malloc(2 * size * sizeof(float))
        self.features = <uint64_t *> malloc(8 * 2 * size * (desk.machine.features.n_templates + 1))
        self.candidates = <Candidate *> malloc((size + 1) * sizeof(Candidate))
        self.width = width
        self.sums = <uint64_t *> malloc(8 * 2 * size)
        self.known = <uint64_t *> calloc(REMEMBERED, 8)
        self.known_scores = <float *> malloc(4 * REMEMBERED * width)
        self.known_labels = <int32_t *> malloc(4 * REMEMBERED * MAX_ROWS)
        if not (self.memory and self.states and self.live and self.spare and self.uses and self.totals and self.features
                and self.candidates and self.sums and self.known and self.known_scores and self.known_labels):
            raise MemoryError
        for i in range(2 * size):
            self.states[i].memory = self.memory + i * room

    def __dealloc__(self):
        free(self.memory)
        free(self.states)
        free(self.live)
        free(self.spare)
        free(self.uses)
        free(self.totals)
        free(self.features)
        free(self.candidates)
        free(self.sums)
        free(self.known)
        free(self.known_scores)
        free(self.known_labels)

    cdef const State *best(self, Weights w) except NULL nogil:
        """The best final state, from the desk's own state on."""
        cdef int n_live = 1, n_candidates, n_spare, i, slot, row
        cdef bint done = False
        cdef Candidate *one
        copy_state(&self.states[0], &self.desk.state)
        self.live[0] = 0
        self.totals[0] = 0
        while not done:
            n_candidates = self._candidates(w, n_live)
            # Which states go on, and how often; the others are free.
            for slot in range(2 * self.size):
                self.uses[slot] = 0
            for i in range(n_candidates):
                self.uses[self.candidates[i].parent] += 1
            n_spare = 0
            for slot in range(2 * self.size):
                if not self.uses[slot]:
                    self.spare[n_spare] = slot
                    n_spare += 1
            done = True
            for i in range(n_candidates):
                one = &self.candidates[i]
                slot = one.parent
                self.uses[slot] -= 1
                if self.uses[slot]:
                    n_spare -= 1
                    slot = self.spare[n_spare]
                    copy_state(&self.states[slot], &self.states[one.parent])
                self.live[i] = slot
                self.totals[slot] = one.score
                if one.choice >= 0:
                    done = False
                    row = w.class_rows[one.choice]
                    advance(self.desk, &self.states[slot], row, w.class_labels[one.choice] if w.n_labels == 0 else
                            self._label(w, one.parent, row))
            n_live = n_candidates
        return &self.states[self.live[0]]

    cdef uint64_t *_features(self, int slot) noexcept nogil:
        return self.features + slot * self.desk.machine.features.n_templates

    cdef int _candidates(self, Weights w, int n_live) except -1 nogil:
        """Write down the best ways to go on, the best one first, and count them."""
        cdef int i, c, slot, count = 0
        cdef uint32_t possible
        cdef const float *scores
        for i in range(n_live):
            slot = self.live[i]
            possible = <uint32_t> rows_to_try(self.desk, &self.states[slot])
            if not possible:
                count = self._insert(count, self.totals[slot], slot, -1)
                continue
            scores = self._scores(w, slot)
            for c in range(w.class_rows.shape[0]):
                if possible >> w.class_rows[c] & 1:
                    count = self._insert(count, self.totals[slot] + scores[c], slot, c)
        return count

    cdef const float *_scores(self, Weights w, int slot) noexcept nogil:
        """The scores of all classes in a state."""
        cdef uint64_t *features = self._features(slot)
        cdef int i, n = self.desk.machine.features.n_templates
        cdef uint64_t total = 1
        cdef size_t place
        look(&self.desk.machine.features, &self.states[slot], self.desk.columns, features)
        for i in range(n):
            total += features[i]
        place = total % <uint64_t> REMEMBERED
        self.sums[slot] = total
        if self.known[place] != total:
            self.known[place] = total
            score(&w.tables[0], features, n, 0, self.desk.rows, self.desk.live, self.known_scores + place * self.width)
            for i in range(MAX_ROWS):
                self.known_labels[place * MAX_ROWS + i] = NOT_ASKED
        return self.known_scores + place * self.width

    cdef int _label(self, Weights w, int slot, int row) noexcept nogil:
        """The best label for the arc of a row in a state that has been scored."""
        cdef uint64_t total = self.sums[slot]
        cdef int32_t *label = &self.known_labels[(total % <uint64_t> REMEMBERED) * MAX_ROWS + row]
        if self.known[total % <uint64_t> REMEMBERED] != total:
            return best_label(self.desk, w, self._features(slot), row)
        if label[0] == NOT_ASKED:
            label[0] = best_label(self.desk, w, self._features(slot), row)
        return label[0]

    cdef int _insert(self, int count, float total, int parent, int choice) noexcept nogil:
        """Put a candidate where it belongs, if it is good enough."""
        cdef int place = count
        while place > 0 and self.candidates[place - 1].score < total:
            self.candidates[place] = self.candidates[place - 1]
            place -= 1
        if place < self.size:
            self.candidates[place].score = total
            self.candidates[place].parent = parent
            self.candidates[place].choice = choice
        return min(count + 1, self.size)
