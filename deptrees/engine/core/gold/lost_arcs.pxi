# The gold arcs that rows lose, and conflicts between them.

cdef inline void prepare_sets(const State *s, int block, uint64_t *sets) noexcept nogil:
    """One block of each set that regions are made of, by its number."""
    cdef uint64_t open = s.open[block], stack = s.on_stack[block], buffer = s.in_buffer[block]
    cdef uint64_t below = stack & ~bit(s.stack[s.top], block), after = buffer & ~bit(s.buffer[s.front], block)
    sets[0] = ~<uint64_t> 0
    sets[OPEN >> 3] = open
    sets[ON_STACK >> 3] = stack
    sets[(ON_STACK | OPEN) >> 3] = stack & open
    sets[(ON_STACK | OTHERS) >> 3] = below
    sets[(ON_STACK | OTHERS | OPEN) >> 3] = below & open
    sets[IN_BUFFER >> 3] = buffer
    sets[(IN_BUFFER | OPEN) >> 3] = buffer & open
    sets[(IN_BUFFER | OTHERS) >> 3] = after
    sets[(IN_BUFFER | OTHERS | OPEN) >> 3] = after & open


cdef inline uint64_t lost_arcs(
    const uint64_t *arcs, const uint64_t *sets, const int32_t *e, const LostArcs *of
) noexcept nogil:
    """The other ends of the gold arcs that a loss is made of, as one block of a set."""
    return arcs[2 * e[of.place] + of.is_head] & sets[of.set]


cdef inline uint64_t narrowed(
    uint64_t arcs, const int32_t *e, uint64_t known, int block, const LostArcs *of
) noexcept nogil:
    """What is left of them if they must be at a place, or something else must hold."""
    if of.region.at >= 0:
        arcs &= bit(e[of.region.at], block)
    return arcs if is_true(&of.when, known) else 0


cdef inline uint32_t losing_in_block(
    const SystemCode *code, const State *s, const Gold *g, const int32_t *e, int block
) noexcept nogil:
    """The rows that lose gold arcs of which sets tell all, and whose other ends are in one block of these."""
    cdef uint64_t sets[N_SETS]
    cdef const uint64_t *arcs = g.arcs + block * g.n_arcs
    cdef const LostArcs *losses = &code.losses[0]
    cdef uint32_t losing = 0
    cdef int i
    prepare_sets(s, block, sets)
    for i in range(code.n_wide):
        losing |= losses[i].rows & -<uint32_t> (lost_arcs(arcs, sets, e, &losses[i]) != 0)
    return losing


# Conflicts of the last word (Aufrant & Wisniewski 2017, appendix A.5.1): see deptrees.transition.losses.last_word


cdef inline int lowest_open(const State *s) noexcept nogil:
    """The lowest word on the stack that has no head, -1 if there is none."""
    cdef int block
    for block in range(s.n_blocks):
        if s.on_stack[block] & s.open[block]:
            return 64 * block + lowest_bit(s.on_stack[block] & s.open[block])
    return -1


cdef inline int conflicts(const State *s, const Gold *g) noexcept nogil:
    cdef int ancestor = g.ancestor[s.buffer[s.front] if s.front < s.end else s.n + 1]
    return ancestor >= 0 and s.flags[ancestor] & ON_STACK and 0 <= lowest_open(s) <= ancestor


cdef inline int conflicts_after(const SystemCode *code, const State *s, const Gold *g, int row) noexcept nogil:
    """The conflicts in the configuration that a row leads to, without going there."""
    cdef const RowCode *r = &code.rows[row]
    cdef int top = s.stack[s.top], front = s.buffer[s.front] if s.front < s.end else s.n + 1
    cdef int lowest = lowest_open(s), ancestor
    if r.takes_off:
        ancestor = g.ancestor[front]
        if ancestor < 0 or ancestor == top or lowest == top:
            return 0
        return s.flags[ancestor] & ON_STACK and 0 <= lowest <= ancestor
    ancestor = g.ancestor[front + 1]
    if lowest < 0 and not r.adds_arc:
        lowest = front
    if ancestor < 0 or lowest < 0:
        return 0
    return (ancestor == front or s.flags[ancestor] & ON_STACK) and lowest <= ancestor
