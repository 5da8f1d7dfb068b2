# What one thread works with: a machine, a treebank's numbers, and the state of one sentence.

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

from deptrees.engine.core.features cimport MAX_COLUMNS, MAX_TEMPLATES, Features
from deptrees.engine.core.losses cimport Exits, LeastCosts, LossTable
from deptrees.engine.core.machine cimport ELEMENTS, MAX_ROWS, Formula, Gold, Program, State, elements, mixed, take


cdef class Machine:
    cdef Program program
    cdef Features features
    cdef Exits exits[2]
    cdef bint tabular
    cdef bint pushes_with_head
    cdef bint arcs_on_stack
    cdef bint single_root
    cdef bint has_root
    cdef uint64_t row_hashes[MAX_ROWS]
    cdef uint64_t nothing, root, missing
    cdef object follow

    cdef int _tabulate(self) except -1
    cdef void _formula(self, Formula *to, formula) except *


cdef class Data:
    cdef const int64_t[::1] offsets
    cdef const int32_t[::1] heads
    cdef const int32_t[::1] labels
    cdef const uint64_t[::1] label_hashes
    cdef const uint8_t[::1] projective
    cdef const int32_t[:, ::1] ranks
    cdef const int32_t *ids[MAX_COLUMNS]
    cdef const uint64_t *hashes[MAX_COLUMNS]
    cdef bint has_ranks
    cdef int n_columns
    cdef int64_t longest
    cdef object kept


cdef class Desk:
    cdef Machine machine
    cdef Data data
    cdef State state
    cdef State other
    cdef Gold gold
    cdef uint64_t *arcs  # room for the sets of gold arcs
    cdef const uint64_t *label_hashes
    cdef LossTable losses
    cdef LeastCosts least_costs
    cdef uint64_t *columns[MAX_COLUMNS]
    cdef uint64_t features[MAX_TEMPLATES]
    cdef uint32_t rows[MAX_TEMPLATES]
    cdef uint32_t label_rows[MAX_TEMPLATES]
    cdef uint32_t live[MAX_TEMPLATES + 1]
    cdef float *scores
    cdef float *label_scores
    cdef char *memory
    cdef int32_t *path  # the rows taken, where the functional layer tells costs; otherwise NULL
    cdef int length
    cdef bint nothing_lost  # so far the gold tree can be built, and that suffices to tell the rows of cost 0
    cdef int64_t sentence
    cdef int followed  # how many of them the function that tells costs knows; -1: there is no such function yet
    cdef object costs_of


cdef int open_sentence(Desk desk, int64_t sentence, bint with_gold) except -1 nogil


cdef inline void advance_from(Desk desk, State *s, const int32_t *e, int row, int label) noexcept nogil:
    # Take a row in a state with these elements at the places that the program knows.
    cdef uint64_t label_hash = 0
    if s.tracked:
        label_hash = desk.machine.missing if label < 0 else desk.label_hashes[label]
    take(&desk.machine.program, s, e, row, label, label_hash)
    if s.tracked:
        s.history[3] = s.history[2]
        s.history[2] = s.history[1]
        s.history[1] = s.history[0]
        s.history[0] = mixed(desk.machine.row_hashes[row])
        if label >= 0:
            s.history[0] += mixed(label_hash)


cdef inline void advance(Desk desk, State *s, int row, int label) noexcept nogil:
    # Take a row in a state.
    cdef int32_t e[ELEMENTS]
    elements(&desk.machine.program, s, e)
    advance_from(desk, s, e, row, label)


cdef inline void go(Desk desk, const int32_t *e, int row, int label, uint32_t correct) noexcept nogil:
    # Take a row in the desk's own state, and remember it, and whether it is known to be correct.
    desk.nothing_lost &= correct >> row & 1
    advance_from(desk, &desk.state, e, row, label)
    if desk.path != NULL:
        desk.path[desk.length] = row
    desk.length += 1
