# Costs, and the rows that oracles name.

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from deptrees.engine.core.desk cimport Desk
from deptrees.engine.core.lost_arcs cimport losing_in_word
from deptrees.engine.core.machine cimport Program, gold_facts, lowest_bit, true

cdef enum:  # oracles
    STATIC, PREFER_SHIFT, NONDETERMINISTIC, DYNAMIC

cdef int count_costs(Desk desk, const int32_t *e, uint32_t possible, int32_t *costs, bint relative) except -1 nogil
cdef int prepare_losses(Desk desk) except -1 nogil
cdef uint32_t losing_besides(Desk desk, const int32_t *e) noexcept nogil
cdef int64_t cheapest_rows(Desk desk, const int32_t *e, uint32_t possible) except -1 nogil
cdef int64_t rows_to_gold(
    Desk desk, const int32_t *e, uint64_t known, uint32_t possible, int oracle
) except -1 nogil


cdef inline uint32_t losing(Desk desk, const int32_t *e) noexcept nogil:
    # The rows that lose gold arcs. Most sentences take one word of a set, and most losses are told by sets.
    cdef const Program *p = &desk.machine.program
    cdef uint32_t found = losing_in_word(p, &desk.state, &desk.gold, e, 0)
    if desk.state.n_words > 1 or p.n_wide < p.n_losses:
        found |= losing_besides(desk, e)
    return found


cdef inline uint32_t correct_rows(Desk desk, const int32_t *e, uint64_t known, uint32_t possible) noexcept nogil:
    # Those of the possible rows that lead to the gold tree, as the table tells.
    cdef const Program *p = &desk.machine.program
    cdef uint32_t correct = 0
    cdef int row
    if p.n_losses:
        return possible & ~losing(desk, e)
    known |= gold_facts(p, &desk.state, &desk.gold, e)
    for row in range(p.n_rows):
        if possible >> row & 1 and true(&p.rows[row].correct, known):
            correct |= (<uint32_t> 1) << row
    return correct


cdef inline int64_t free_rows(Desk desk, const int32_t *e, uint64_t known, uint32_t possible) except -1 nogil:
    # The rows of cost 0.
    cdef const Program *p = &desk.machine.program
    if desk.nothing_lost or p.rows_tell and desk.gold.projective and not p.last_word_conflicts:
        return correct_rows(desk, e, known, possible)
    return cheapest_rows(desk, e, possible)


cdef inline int64_t gold_rows(
    Desk desk, const int32_t *e, uint64_t known, uint32_t possible, int oracle
) except -1 nogil:
    # The rows that an oracle names.
    cdef uint32_t correct
    if oracle == DYNAMIC or oracle == NONDETERMINISTIC and desk.machine.program.canonical:
        return free_rows(desk, e, known, possible)
    if oracle == STATIC and desk.nothing_lost:  # the usual case, without going elsewhere
        correct = correct_rows(desk, e, known, possible)
        if correct:
            return (<int64_t> 1) << lowest_bit(correct)
    return rows_to_gold(desk, e, known, possible, oracle)


cdef inline int gold_label(Desk desk, const int32_t *e, int row) noexcept nogil:
    # The gold label of the word that a row attaches, -1 if it attaches none or the label is not known.
    return desk.gold.labels[e[desk.machine.program.rows[row].dependent]]
