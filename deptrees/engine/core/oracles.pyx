# cython: language_level=3, boundscheck=False, initializedcheck=False, cdivision=True
"""Costs, and the rows that oracles name."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from deptrees.engine.core.desk cimport Desk
from deptrees.engine.core.losses cimport allocate_costs, allocate_table, fill_costs, fill_table, least_cost, loss
from deptrees.engine.core.lost_arcs cimport (
    conflicts, conflicts_behind, losing_in_word, lost_arcs, narrowed, prepare_sets,
)
from deptrees.engine.core.machine cimport MAX_ROWS, N_SETS, Gold, Program, State, copy_state, count_bits, lowest_bit, take

ORACLES = {
    "static": STATIC,
    "static_prefer_shift": PREFER_SHIFT,
    "nondeterministic": NONDETERMINISTIC,
    "dynamic": DYNAMIC,
}


cdef uint32_t losing_besides(Desk desk, const int32_t *e) noexcept nogil:
    """What `losing_in_word` does not tell of the first word."""
    cdef const Program *p = &desk.machine.program
    cdef const State *s = &desk.state
    cdef const Gold *g = &desk.gold
    cdef uint64_t sets[N_SETS]
    cdef uint64_t arcs
    cdef uint32_t found = 0
    cdef int i, word
    for word in range(s.n_words):
        if word:
            found |= losing_in_word(p, s, g, e, word)
        prepare_sets(s, word, sets)
        for i in range(p.n_wide, p.n_losses):
            arcs = lost_arcs(g.arcs + word * g.n_arcs, sets, e, &p.losses[i])
            if narrowed(arcs, p, s, e, word, &p.losses[i]):
                found |= p.losses[i].rows
    return found


cdef void count_lost(Desk desk, const int32_t *e, int32_t *counts) noexcept nogil:
    """How many gold arcs each row loses."""
    cdef const Program *p = &desk.machine.program
    cdef const State *s = &desk.state
    cdef const Gold *g = &desk.gold
    cdef uint64_t sets[N_SETS]
    cdef uint64_t arcs
    cdef int i, row, word, count
    for row in range(p.n_rows):
        counts[row] = 0
    for word in range(s.n_words):
        prepare_sets(s, word, sets)
        for i in range(p.n_losses):
            arcs = lost_arcs(g.arcs + word * g.n_arcs, sets, e, &p.losses[i])
            count = count_bits(arcs if i < p.n_wide else narrowed(arcs, p, s, e, word, &p.losses[i]))
            for row in range(p.n_rows):
                counts[row] += count * (p.losses[i].rows >> row & 1)


cdef int exact_loss(Desk desk, const State *s) except -1 nogil:
    """The fewest wrong heads with which parsing can end, from the desk's own state or one behind it."""
    cdef const Program *p = &desk.machine.program
    cdef const Gold *g = &desk.gold
    cdef bint single = desk.machine.single_root, enough = True
    cdef int found = 0
    if desk.machine.arcs_on_stack:
        if not desk.least_costs.ready:
            if desk.least_costs.size < s.n + 3:
                enough = allocate_costs(&desk.least_costs, s.n)
            enough = enough and fill_costs(&desk.least_costs, p, single, &desk.state, g)
        if enough:
            found = least_cost(&desk.least_costs, s, g)
    else:
        if not desk.losses.ready:
            if desk.losses.size < s.n + 2:
                enough = allocate_table(&desk.losses, s.n)
            if enough:
                fill_table(&desk.losses, p, desk.machine.exits, desk.machine.pushes_with_head, single, s.n, g)
        if enough:
            found = loss(&desk.losses, p, desk.machine.exits, single, s, g)
    if not enough or found < 0:
        with gil:
            raise MemoryError
    return found


cdef int prepare_losses(Desk desk) except -1 nogil:
    """Make tables of losses for all that comes behind the desk's state, in whatever order it is asked for."""
    if desk.machine.arcs_on_stack and not desk.nothing_lost:
        exact_loss(desk, &desk.state)
    return 0


cdef int count_costs(Desk desk, const int32_t *e, uint32_t possible, int32_t *costs, bint relative) except -1 nogil:
    """What each possible row costs; unless ``relative``, up to a number that is the same for all.

    Where lost arcs do not tell, costs are differences of losses.
    """
    cdef const Program *p = &desk.machine.program
    cdef State *s = &desk.state
    cdef const Gold *g = &desk.gold
    cdef int row, now
    if p.rows_tell and g.projective:
        now = conflicts(s, g) if p.last_word_conflicts else 0
        count_lost(desk, e, costs)
        for row in range(p.n_rows):
            if p.last_word_conflicts and possible >> row & 1:
                costs[row] += conflicts_behind(p, s, g, row) - now
        return 0
    if not desk.machine.tabular:
        with gil:
            if desk.followed < 0:
                desk.costs_of = desk.machine.follow(desk.sentence)
                desk.followed = 0
            for row, cost in enumerate(desk.costs_of([desk.path[i] for i in range(desk.followed, desk.length)])):
                costs[row] = cost
            desk.followed = desk.length
        return 0
    now = exact_loss(desk, s) if relative else 0
    for row in range(p.n_rows):
        if possible >> row & 1:
            copy_state(&desk.other, s)
            desk.other.tracked = False
            take(p, &desk.other, e, row, -1, 0)
            costs[row] = exact_loss(desk, &desk.other) - now
    return 0


cdef int64_t cheapest_rows(Desk desk, const int32_t *e, uint32_t possible) except -1 nogil:
    """The rows of least cost, where costs have to be computed."""
    cdef const Program *p = &desk.machine.program
    cdef const Gold *g = &desk.gold
    cdef int32_t costs[MAX_ROWS]
    cdef int row, least = 1 << 30
    cdef uint32_t found = 0, lossless
    if p.rows_tell and g.projective and not conflicts(&desk.state, g):
        lossless = possible & ~losing(desk, e)
        for row in range(p.n_rows):
            if lossless >> row & 1 and not conflicts_behind(p, &desk.state, g, row):
                found |= (<uint32_t> 1) << row
        return found
    count_costs(desk, e, possible, costs, False)
    for row in range(p.n_rows):
        if possible >> row & 1 and costs[row] < least:
            least = costs[row]
            found = 0
        if possible >> row & 1 and costs[row] == least:
            found |= (<uint32_t> 1) << row
    return found


cdef int64_t rows_to_gold(
    Desk desk, const int32_t *e, uint64_t known, uint32_t possible, int oracle
) except -1 nogil:
    """The rows that an oracle names which knows the way to the gold tree only."""
    cdef const Program *p = &desk.machine.program
    cdef uint32_t correct
    cdef int i, row = 0
    if not (desk.gold.annotated or p.rows_tell and not p.last_word_conflicts):
        correct = free_rows(desk, e, known, possible)
        if oracle == NONDETERMINISTIC:
            return correct
        row = lowest_bit(correct)
        if oracle == PREFER_SHIFT and not p.rows[row].adds_arc and correct >> p.shift & 1:
            row = p.shift
        return (<int64_t> 1) << row
    correct = correct_rows(desk, e, known, possible)
    if oracle == NONDETERMINISTIC:
        return correct
    if oracle == STATIC and correct:
        return (<int64_t> 1) << lowest_bit(correct)
    for i in range(p.n_rows):
        if correct >> p.prefer_shift[i] & 1:
            return (<int64_t> 1) << p.prefer_shift[i]
    for i in range(p.n_rows):  # off the path to the gold tree: the last that is possible
        if possible >> i & 1:
            row = i
    return (<int64_t> 1) << row
