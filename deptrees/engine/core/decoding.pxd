# Beam search, for parsing and for global training.

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from deptrees.engine.core.desk cimport Desk
from deptrees.engine.core.machine cimport State
from deptrees.engine.core.scoring cimport Weights

cdef enum:
    NO_ORACLE = -1  # no transition is correct, and none is wrong

ctypedef struct Hypothesis:
    int parent  # the hypothesis that it continues, -1 at the start
    int length  # how many transitions lie behind it
    int choice  # which class it took
    int label
    float score
    bint correct  # whether all its transitions are gold

ctypedef struct Candidate:
    float score
    int parent  # which state it continues
    int choice  # with which class; -1: the state is final and stays as it is
    bint correct


cdef class History:
    cdef Hypothesis *made
    cdef int n
    cdef int room

    cdef int add(self, int parent, int choice, int label, float score, bint correct) except -1 nogil


cdef class Beam:
    cdef Desk desk
    cdef Weights weights
    cdef History history
    cdef int oracle
    cdef bint gold_only
    cdef int size
    cdef int width
    cdef int n_live
    cdef int *live  # the states that are followed, the best first
    cdef int *nodes  # of each state its hypothesis
    cdef int *parents  # what that was before a step
    cdef int *spare
    cdef int *uses
    cdef State *states
    cdef uint64_t *features
    cdef uint64_t *sums  # of the features of each state
    cdef Candidate *candidates
    cdef uint64_t *known  # whose scores and labels are remembered
    cdef float *known_scores
    cdef int32_t *known_labels
    cdef char *memory

    cdef const State *best(self) except NULL nogil
    cdef void forget(self) noexcept nogil
    cdef State *put(self, int node) noexcept nogil
    cdef int extend(self) except -1 nogil
    cdef int _take(self, int slot, const Candidate *one) except -1 nogil
    cdef int _candidates(self) except -1 nogil
    cdef int64_t _gold(self, int slot, uint32_t possible) except -1 nogil
    cdef int _gold_label(self, int slot, int row) noexcept nogil
    cdef bint _agrees(self, int slot, int choice) noexcept nogil
    cdef uint64_t *_features(self, int slot) noexcept nogil
    cdef const float *_scores(self, int slot) noexcept nogil
    cdef int _label(self, int slot, int row) noexcept nogil
    cdef int _insert(self, int count, float total, int parent, int choice, bint correct) noexcept nogil
