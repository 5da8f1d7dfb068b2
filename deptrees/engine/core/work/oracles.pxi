# Costs, and the rows that oracles name, in a workspace's own state.

cdef enum:  # oracles
    STATIC, PREFER_SHIFT, NONDETERMINISTIC, STATIC_DYNAMIC, DYNAMIC

ORACLES = {
    "static": STATIC,
    "static_prefer_shift": PREFER_SHIFT,
    "static_lazy_swap": STATIC,  # of another table
    "nondeterministic": NONDETERMINISTIC,
    "static_dynamic": STATIC_DYNAMIC,
    "dynamic": DYNAMIC,
}


cdef inline uint32_t losing(Workspace work) noexcept nogil:
    """The rows that lose gold arcs. Most sentences take one block of a set, and most losses are told by sets."""
    cdef const SystemCode *code = &work.system.code
    cdef uint32_t found = losing_in_block(code, &work.state, &work.gold, work.at.e, 0)
    if work.state.n_blocks > 1 or code.n_wide < code.n_losses:
        found |= losing_besides(work)
    return found


cdef inline uint32_t correct_rows(Workspace work) noexcept nogil:
    """Those of the possible rows that lead to the gold tree, as the table tells."""
    cdef const SystemCode *code = &work.system.code
    cdef uint64_t known
    cdef uint32_t correct = work.at.possible
    cdef int row
    if not code.has_losses_only:
        known = with_gold_facts(code, &work.state, &work.gold, &work.at)
        for row in range(code.n_rows):
            if correct >> row & 1 and not is_true(&code.rows[row].correct, known):
                correct ^= 1u << row
    return correct & ~losing(work) if code.n_losses else correct


cdef inline int64_t free_rows(Workspace work) except -1 nogil:
    """The rows of cost 0."""
    if work.nothing_lost or work.rows_tell and not work.system.code.last_word_conflicts:
        return correct_rows(work)
    return cheapest_rows(work)


cdef inline bint names_free_rows(Workspace work, int oracle) noexcept nogil:
    """Whether an oracle names the rows of cost 0, all of them."""
    return oracle == DYNAMIC or oracle == NONDETERMINISTIC and work.system.code.canonical


cdef inline int64_t gold_rows(Workspace work, int oracle) except -1 nogil:
    """The rows that an oracle names."""
    cdef uint32_t correct
    if names_free_rows(work, oracle):
        return free_rows(work)
    if oracle == STATIC_DYNAMIC:
        return static_dynamic_rows(work)
    if oracle == STATIC and work.nothing_lost:  # the usual case, without going elsewhere
        correct = correct_rows(work)
        if correct:
            return (<int64_t> 1) << lowest_bit(correct)
    return rows_to_gold(work, oracle)


cdef inline int gold_label(Workspace work, const Standing *at, int row) noexcept nogil:
    """The gold label of the word that a row attaches, -1 if it attaches none or the label is not known."""
    return work.gold.labels[at.e[work.system.code.rows[row].dependent]]


cdef uint32_t losing_besides(Workspace work) noexcept nogil:
    """What `losing_in_block` does not tell of the first block."""
    cdef const SystemCode *code = &work.system.code
    cdef const Gold *g = &work.gold
    cdef const int32_t *e = work.at.e
    cdef uint64_t known = with_gold_facts(code, &work.state, g, &work.at), arcs
    cdef uint64_t sets[N_SETS]
    cdef uint32_t found = 0
    cdef int i, block
    for block in range(work.state.n_blocks):
        if block:
            found |= losing_in_block(code, &work.state, g, e, block)
        prepare_sets(&work.state, block, sets)
        for i in range(code.n_wide, code.n_losses):
            arcs = lost_arcs(g.arcs + block * g.n_arcs, sets, e, &code.losses[i])
            if narrowed(arcs, e, known, block, &code.losses[i]):
                found |= code.losses[i].rows
    return found


cdef void count_lost(Workspace work, int32_t *counts) noexcept nogil:
    """How many gold arcs each row loses."""
    cdef const SystemCode *code = &work.system.code
    cdef const Gold *g = &work.gold
    cdef const int32_t *e = work.at.e
    cdef uint64_t known = with_gold_facts(code, &work.state, g, &work.at), arcs
    cdef uint64_t sets[N_SETS]
    cdef int i, row, block, count
    memset(counts, 0, code.n_rows * sizeof(int32_t))
    for block in range(work.state.n_blocks):
        prepare_sets(&work.state, block, sets)
        for i in range(code.n_losses):
            arcs = lost_arcs(g.arcs + block * g.n_arcs, sets, e, &code.losses[i])
            if i >= code.n_wide:
                arcs = narrowed(arcs, e, known, block, &code.losses[i])
            if arcs:
                count = count_bits(arcs)
                for row in range(code.n_rows):
                    counts[row] += count * (code.losses[i].rows >> row & 1)


cdef int exact_loss(Workspace work, const State *s) except -1 nogil:
    """The fewest wrong heads with which parsing can end, from the workspace's own state or one after it."""
    cdef ArcStandardLosses *on_stack = &work.arc_standard_losses
    cdef TabularLosses *by_exits = &work.tabular_losses
    cdef const SystemCode *code = &work.system.code
    cdef const Exits *exits = work.system.exits
    cdef const Gold *g = &work.gold
    cdef bint single = work.system.single_root
    if work.system.arcs_on_stack:
        if not on_stack.ready:
            fill_arc_standard(on_stack, code, single, &work.state, g)
        return arc_standard_loss(on_stack, s, g)
    if not by_exits.ready:
        fill_tabular(by_exits, code, exits, work.system.pushes_with_head, single, g, s.n)
    return tabular_loss(by_exits, code, exits, single, s, g)


cdef int prepare_losses(Workspace work) except -1 nogil:
    """Make tables of losses for all that comes after the workspace's own state, in whatever order it is asked for."""
    if work.system.arcs_on_stack and not work.nothing_lost:
        exact_loss(work, &work.state)


cdef int count_costs(Workspace work, int32_t *costs, bint relative) except -1 nogil:
    """What each possible row costs; unless ``relative``, up to a number that is the same for all.

    Where lost arcs do not tell, costs are differences of losses.
    """
    cdef const SystemCode *code = &work.system.code
    cdef State *s = &work.state
    cdef uint32_t possible = work.at.possible
    cdef int row, now
    if work.rows_tell:
        now = conflicts(s, &work.gold) if code.last_word_conflicts else 0
        count_lost(work, costs)
        for row in range(code.n_rows):
            if code.last_word_conflicts and possible >> row & 1:
                costs[row] += conflicts_after(code, s, &work.gold, row) - now
        return 0
    if not work.system.has_losses:
        return replayed_costs(work, costs)
    now = exact_loss(work, s) if relative else 0
    for row in range(code.n_rows):
        if possible >> row & 1:
            copy_state(&work.other, s)
            work.other.tracked = False
            take_row(code, &work.other, work.at.e, row, -1, 0)
            costs[row] = exact_loss(work, &work.other) - now


cdef int catch_up(Workspace work) except -1 with gil:
    """Have the functional layer replay the rows that have been taken here since."""
    if work.replayed < 0:
        work.replay, work.replayed = work.system.make_replay(work.sentence), 0
    work.replay.take([work.path[i] for i in range(work.replayed, work.length)])
    work.replayed = work.length


cdef int replayed_costs(Workspace work, int32_t *costs) except -1 with gil:
    """The costs of all rows where only the functional layer can tell them."""
    cdef int row
    catch_up(work)
    for row, cost in enumerate(work.replay.costs()):
        costs[row] = cost


cdef enum:
    TOO_LONG = 2


cdef int replayed_is_free(Workspace work, int row) except -1 with gil:
    """Whether a row costs nothing, where only the functional layer can tell it; or TOO_LONG to tell."""
    catch_up(work)
    is_free = work.replay.is_free(row)
    return TOO_LONG if is_free is None else <bint> is_free


cdef inline bint must_replay(Workspace work, int oracle) noexcept nogil:
    """Whether an oracle's rows are those that cost nothing, and only the functional layer can tell these."""
    return not (work.system.has_losses or work.nothing_lost or work.rows_tell) and names_free_rows(work, oracle)


cdef int64_t cheapest_rows(Workspace work) except -1 nogil:
    """The rows of least cost, where costs have to be computed; none where that takes too long, and lost arcs do not tell."""
    cdef const SystemCode *code = &work.system.code
    cdef int32_t costs[MAX_ROWS]
    cdef int row
    cdef uint32_t found
    if work.rows_tell and not conflicts(&work.state, &work.gold):
        found = work.at.possible & ~losing(work)
        for row in range(code.n_rows):
            if found >> row & 1 and conflicts_after(code, &work.state, &work.gold, row):
                found ^= 1u << row
        return found
    if not work.rows_tell and work.state.n > work.most_exact_words:
        if not code.n_losses:
            return 0
        count_lost(work, costs)
    else:
        count_costs(work, costs, False)
    return rows_of_least(costs, code.n_rows, work.at.possible)


cdef uint32_t rows_of_least(const int32_t *costs, int n_rows, uint32_t among) noexcept nogil:
    """Those of some rows that cost least."""
    cdef int row, least = 1 << 30
    cdef uint32_t found = 0
    for row in range(n_rows):
        if among >> row & 1 and costs[row] <= least:
            found = (found if costs[row] == least else 0) | 1u << row
            least = costs[row]
    return found


cdef int64_t static_dynamic_rows(Workspace work) noexcept nogil:
    """The correct rows or, where each that may lose arcs loses some, those that lose the fewest."""
    cdef const SystemCode *code = &work.system.code
    cdef int32_t lost[MAX_ROWS]
    cdef int i
    cdef uint32_t correct = correct_rows(work), may_lose = 0
    if correct:
        return correct
    for i in range(code.n_losses):
        may_lose |= code.losses[i].rows
    count_lost(work, lost)
    return rows_of_least(lost, code.n_rows, work.at.possible & may_lose)


cdef int64_t rows_to_gold(Workspace work, int oracle) except -1 nogil:
    """The rows that an oracle names which knows the way to the gold tree only."""
    cdef const SystemCode *code = &work.system.code
    cdef bint knows_way = work.gold.annotated or code.rows_tell and not code.last_word_conflicts
    cdef uint32_t correct = <uint32_t> (correct_rows(work) if knows_way else free_rows(work))
    cdef int i, row = 0
    if oracle == NONDETERMINISTIC:
        return correct
    if not knows_way or oracle == STATIC and correct:
        row = lowest_bit(correct)
        if oracle == PREFER_SHIFT and not code.rows[row].adds_arc and correct >> code.shift & 1:
            row = code.shift
        return (<int64_t> 1) << row
    for i in range(code.n_rows):
        if correct >> code.prefer_shift[i] & 1:
            return (<int64_t> 1) << code.prefer_shift[i]
    for i in range(code.n_rows):  # off the path to the gold tree: the last that is possible
        if work.at.possible >> i & 1:
            row = i
    return (<int64_t> 1) << row
