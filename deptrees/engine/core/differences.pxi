# What the steps of a search change in a long sentence. Two states of one search differ in what has changed since they
# were one, so that one is made like the other without copying all of it.

cdef enum:
    CHANGES = 1 << 14  # how many of the last steps are remembered
    TOUCHED = 7

cdef int LONG = 2000  # words from which on that is faster than to copy all


def copy_differences_from(int words):
    """Set how many words make a sentence long; tests hold that it makes no difference to what is found.

    Returns:
        How many it was before.
    """
    global LONG
    before, LONG = LONG, words
    return before


ctypedef struct Change:
    int search  # the step belongs to the hypothesis of this number in the search of this number
    int node
    int32_t elements[TOUCHED]  # all whose entries have changed, or NOTHING
    int stack_from  # what is below stays
    int buffer_from  # what is before stays, and what is after the next one
    int buffer_to


cdef inline void begin_change(Change *c, const SystemCode *code, const State *s, const int32_t *e, int row) noexcept nogil:
    """Note what a row is about to change."""
    cdef const RowCode *r = &code.rows[row]
    cdef int dependent = e[r.dependent], head = NOTHING, pushed = s.buffer[s.front], off = s.stack[s.top - r.depth]
    if r.adds_arc and not s.flags[dependent] & OPEN:
        head = s.heads[dependent]
    c.elements[0], c.elements[1], c.elements[2] = dependent, e[r.head], head
    c.elements[3] = outside(s, head, dependent) if head >= 0 else NOTHING
    c.elements[4] = pushed if r.pushes and pushed != dependent else NOTHING
    c.elements[5] = off if r.takes_off and off != dependent else NOTHING
    c.stack_from = max(s.top - r.depth, 0)
    c.buffer_from, c.buffer_to = s.front, s.front + 1


cdef inline void end_change(Change *c, const SystemCode *code, const State *s, int row) noexcept nogil:
    """Note what it has changed besides."""
    c.elements[6] = outside(s, c.elements[1], c.elements[0]) if code.rows[row].adds_arc else NOTHING
    c.buffer_from = min(c.buffer_from, s.front)


cdef inline void copy_element(State *to, const State *of, int x) noexcept nogil:
    """Make all entries of an element the same in two states of a sentence."""
    cdef int lane, block = x >> 6
    to.flags[x], to.heads[x], to.labels[x] = of.flags[x], of.heads[x], of.labels[x]
    to.left[x], to.right[x], to.inner[x] = of.left[x], of.right[x], of.inner[x]
    to.n_left[x], to.n_right[x] = of.n_left[x], of.n_right[x]
    for lane in range(N_LANES):
        to.lanes[lane][x] = of.lanes[lane][x]
    # Whatever else differs in these blocks is copied, too.
    to.on_stack[block], to.in_buffer[block], to.open[block] = of.on_stack[block], of.in_buffer[block], of.open[block]


cdef inline void copy_places(State *to, const State *of, int stack_from, int buffer_from, int buffer_to) noexcept nogil:
    """Make stack, buffer and history the same in two states that differ only there, and only in these places."""
    if stack_from <= of.top:
        memcpy(to.stack + stack_from, of.stack + stack_from, 4 * (of.top + 1 - stack_from))
    memcpy(to.buffer + buffer_from, of.buffer + buffer_from, 4 * (buffer_to + 1 - buffer_from))
    to.top, to.front, to.end = of.top, of.front, of.end
    memcpy(to.history, of.history, sizeof(of.history))
