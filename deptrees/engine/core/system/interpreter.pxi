# The interpreter of a system's rows: which are possible in a state, and what they do to it.

cdef enum:
    FACT_BITS = 16  # facts are looked up in a table where they do not take more bits than this
    FINAL = 1 << 30  # no row: the configuration is final
    SETTLED = 31  # the bit of a table's entry that says that the facts of the places settle what is possible


ctypedef struct Standing:  # where a state stands, as the rows see it
    int32_t e[MAX_PLACES + 2]  # the elements at the places that the rows name, and then NOWHERE and NOTHING
    uint64_t known  # as bits all that tells which rows are possible
    uint32_t possible  # these rows, or FINAL


# Conditions


cdef inline uint64_t elements_at(const State *s, int n_stack, int n_buffer, int32_t *e) noexcept nogil:
    """The elements at so many places of the stack and of the buffer, and the facts of these places as bits."""
    cdef uint64_t found = 0
    cdef int i, places = n_stack + n_buffer
    cdef const int32_t *top = s.stack + s.top
    cdef const int32_t *front = s.buffer + s.front
    for i in range(n_stack):
        e[i] = top[-i]
        found |= (<uint64_t> (s.flags[e[i]] & PLACE_FACTS)) << PLACE_BITS * i
    for i in range(n_buffer):
        e[n_stack + i] = front[i]
        found |= (<uint64_t> (s.flags[front[i]] & PLACE_FACTS)) << PLACE_BITS * (n_stack + i)
    e[places] = NOWHERE
    e[places + 1] = NOTHING
    return found


cdef inline uint64_t find_elements(const SystemCode *code, const State *s, int32_t *e) noexcept nogil:
    """The elements at the places that the rows name, and the facts of these places as bits.

    For the places of most systems, arc-eager's and arc-standard's, compilers write straight lines rather than loops.
    """
    if code.n_stack == 1 and code.n_buffer == 2:
        return elements_at(s, 1, 2, e)
    if code.n_stack == 2 and code.n_buffer == 1:
        return elements_at(s, 2, 1, e)
    return elements_at(s, code.n_stack, code.n_buffer, e)


cdef inline bint belongs(const State *s, const int32_t *e, const RegionCode *r, int x) noexcept nogil:
    """Whether an element is in a region."""
    return x >= 0 and (s.flags[x] & r.flags) == r.flags and x != e[r.not_at] and (r.at < 0 or x == e[r.at])


cdef inline int region_size(const State *s, const int32_t *e, const RegionCode *r) noexcept nogil:
    """The number of elements in a region of the stack or of the buffer; two may stand for more."""
    cdef const uint64_t *elements = s.on_stack if r.flags & ON_STACK else s.in_buffer
    cdef uint64_t found
    cdef int block, count = 0, excluded = e[r.not_at]
    if r.at >= 0:
        return belongs(s, e, r, e[r.at])
    if r.flags & OPEN:
        for block in range(s.n_blocks):
            found = elements[block] & s.open[block] & ~bit(excluded, block)
            count += (found != 0) + ((found & (found - 1)) != 0)
        return count
    count = s.top + 1 if r.flags & ON_STACK else s.end - s.front
    if excluded >= 0 and (s.flags[excluded] & r.flags) == r.flags:
        count -= 1
    return count


cdef inline bint is_to_be_passed(const State *s, const Gold *g, int x) noexcept nogil:
    """Whether a later word of the buffer comes before an element in the gold tree's projective order."""
    cdef int i, word
    if g.projective:
        return False
    for i in range(s.front, s.end):
        word = s.buffer[i]
        if word > x and g.order[word] < g.order[x]:
            return True
    return False


cdef inline bint condition_holds(
    const SystemCode *code, const State *s, const Gold *g, const int32_t *e, const ConditionCode *c
) noexcept nogil:
    """Whether a condition holds that is more than a fact of a place."""
    cdef int x, y, block
    if c.kind == EMPTY:
        return region_size(s, e, &code.regions[c.region]) == 0
    if c.kind == SINGLE:
        return region_size(s, e, &code.regions[c.region]) <= 1
    x = e[c.first]
    if x < 0:
        return False
    if c.kind == PENDING:
        for block in range(s.n_blocks):
            if g.arcs[block * g.n_arcs + 2 * x] & s.in_buffer[block]:
                return True
        return False
    if c.kind == COMPLETE:
        for block in range(s.n_blocks):
            if g.arcs[block * g.n_arcs + 2 * x] & s.open[block]:
                return False
        return True
    if c.kind == PASSED:
        return is_to_be_passed(s, g, x)
    y = e[c.second]
    if y < 0:
        return False
    if c.kind == BEFORE:
        return x < y
    if c.kind == SHORT:
        return abs(x - y) <= code.longest_arc
    if c.kind == GOLD:
        return y > 0 and g.heads[y] == x
    if c.kind == GOLD_BEFORE:
        return g.order[x] < g.order[y]
    return g.components[x] == g.components[y]


cdef inline uint64_t with_gold_facts(
    const SystemCode *code, const State *s, const Gold *g, const Standing *at
) noexcept nogil:
    """All facts, also those about the gold tree, for rows that say when they are correct."""
    cdef uint64_t known = at.known
    cdef int i, places = code.n_stack + code.n_buffer
    for i in range(code.n_conditions - code.n_gold, code.n_conditions):
        known |= <uint64_t> condition_holds(code, s, g, at.e, &code.conditions[i]) << (PLACE_BITS * places + i)
    return known


cdef inline bint is_true(const Formula *f, uint64_t known) noexcept nogil:
    cdef int i
    cdef bint found = ((known & f.all) == f.all) & ((known & f.none) == 0)
    for i in range(f.n_clauses):
        found &= (known & f.clauses[i].some | ~known & f.clauses[i].lacking) != 0
    return found


cdef inline uint32_t rows_by_facts(const SystemCode *code, uint64_t known) noexcept nogil:
    """The rows whose preconditions hold, or FINAL."""
    cdef uint32_t found = 0
    cdef int row
    if is_true(&code.final, known):
        return FINAL
    for row in range(code.n_rows):
        found |= (<uint32_t> is_true(&code.rows[row].when, known)) << row
    return found


cdef inline void find_standing(const SystemCode *code, const State *s, Standing *at) noexcept nogil:
    """Find out where a state stands, by the table of possible rows if there is one.

    Conditions are not looked at where the facts of the places settle what is possible.
    """
    cdef uint64_t known = find_elements(code, s, at.e)
    cdef int i, places = code.n_stack + code.n_buffer
    if code.possible == NULL or not code.possible[known] >> SETTLED:
        for i in range(code.n_conditions - code.n_gold):
            known |= <uint64_t> condition_holds(code, s, NULL, at.e, &code.conditions[i]) << (PLACE_BITS * places + i)
    at.known = known
    at.possible = rows_by_facts(code, known) if code.possible == NULL else code.possible[known] & ~(1u << SETTLED)


cdef int tabulate(SystemCode *code) except -1:
    """Make the table of possible rows if it is not too large."""
    cdef int64_t i
    cdef int places = PLACE_BITS * (code.n_stack + code.n_buffer), bits = places + code.n_conditions - code.n_gold
    if bits > FACT_BITS:
        return 0
    code.possible = <uint32_t *> resized(NULL, 4 << bits)
    for i in range(1 << bits):
        code.possible[i] = rows_by_facts(code, i)
    if code.has_losses_only:  # otherwise conditions may be asked when it comes to what is correct
        for i in range(1 << places):
            code.possible[i] |= <uint32_t> all_alike(code.possible + i, 1 << places, 1 << (bits - places)) << SETTLED


cdef bint all_alike(const uint32_t *numbers, int64_t apart, int64_t count) noexcept:
    """Whether some numbers, which lie so far apart, are one and the same."""
    cdef int64_t i
    for i in range(1, count):
        if numbers[i * apart] != numbers[0]:
            return False
    return True


# Steps


cdef inline void take_row(
    const SystemCode *code, State *s, const int32_t *e, int row, int label, uint64_t label_hash
) noexcept nogil:
    """Go on to the next configuration.

    What a row does not do is done to nothing, or 0 times: no processor can foresee which row comes next.
    """
    cdef const RowCode *r = &code.rows[row]
    cdef int i, x, top = s.top, dependent = e[r.dependent]
    cdef uint32_t opened = s.flags[dependent] >> 3 & 1
    if s.tracked and r.adds_arc:
        track(s, e[r.head], dependent, label_hash)
    s.heads[dependent] = e[r.head]
    s.labels[dependent] = label
    s.flags[dependent] ^= opened * (OPEN | ATTACHED)
    flip(s.open, dependent, opened)
    # The front of the buffer onto the stack
    x = s.buffer[s.front]
    s.stack[top + 1] = x
    s.front += r.pushes
    s.flags[x] ^= r.pushes * (ON_STACK | IN_BUFFER)
    flip(s.on_stack, x, r.pushes)
    flip(s.in_buffer, x, r.pushes)
    # An element off the stack
    x = s.stack[top - r.depth]
    for i in range(top - r.depth, top - 1):
        s.stack[i] = s.stack[i + 1]
    s.stack[top - (r.depth > 0)] = s.stack[top]
    s.flags[x] ^= r.takes_off * ON_STACK
    flip(s.on_stack, x, r.takes_off)
    s.top = top + r.pushes - r.takes_off
    if r.back != AWAY:
        put_back(s, x, r.back == BACK_AFTER)
