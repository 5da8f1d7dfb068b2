# What two states of one long sentence differ in, so that one is made like the other without copying all of it: each block
# of 64 elements, of 64 places of the stack and of 64 places of the buffer has a hash of what is in it.

cdef enum:
    TOUCHED = 7

cdef int LONG = 2000  # words from which on that is faster than to copy all


def copy_differences_from(int words):
    """Set how many words make a sentence long, which makes no difference to what is found; returns what it was."""
    global LONG
    before, LONG = LONG, words
    return before


ctypedef struct Hashes:  # a number for each block: the sum of the hashes of what is in it
    int n_blocks
    uint64_t *elements
    uint64_t *stack
    uint64_t *buffer

ctypedef struct Change:
    int n
    int32_t elements[TOUCHED]  # all whose entries a row changes, each once
    int stack_from  # the first place of the stack that it changes
    int buffer_from, buffer_to  # the places of the buffer, without the last one


cdef inline int hashed_blocks(int64_t n) noexcept nogil:
    """How many blocks there are of the elements, and of the places of stack and buffer, of a sentence of n words."""
    return ((n + 4) >> 6) + 1


cdef inline void lay_out_hashes(Hashes *h, int n_blocks) noexcept nogil:
    """Where in the memory of a state's hashes their parts are."""
    h.n_blocks = n_blocks
    h.stack = h.elements + n_blocks
    h.buffer = h.stack + n_blocks


cdef inline void start_hashes(Hashes *h, int n, uint64_t start) noexcept nogil:
    """The hashes of a state from which others begin; those that begin from states with another start never agree."""
    cdef int i
    lay_out_hashes(h, hashed_blocks(n))
    for i in range(3 * h.n_blocks):
        h.elements[i] = start


cdef inline void copy_hashes(Hashes *to, const Hashes *of) noexcept nogil:
    lay_out_hashes(to, of.n_blocks)
    memcpy(to.elements, of.elements, 3 * 8 * <size_t> of.n_blocks)


cdef inline void touch(Change *c, int x) noexcept nogil:
    """Add an element to those that change."""
    cdef int i
    if x < 0:
        return
    for i in range(c.n):
        if c.elements[i] == x:
            return
    c.elements[c.n] = x
    c.n += 1


cdef inline void find_change(Change *c, const SystemCode *code, const State *s, const int32_t *e, int row) noexcept nogil:
    """What a row is about to change."""
    cdef const RowCode *r = &code.rows[row]
    cdef int dependent = e[r.dependent], head = e[r.head]
    c.n = 0
    if r.adds_arc:
        touch(c, dependent)
        touch(c, head)
        touch(c, outside(s, head, dependent))
        if not s.flags[dependent] & OPEN:
            touch(c, s.heads[dependent])
            touch(c, outside(s, s.heads[dependent], dependent))
    if r.pushes:
        touch(c, s.buffer[s.front])
    if r.takes_off:
        touch(c, s.stack[s.top - r.depth])
    c.stack_from = max(s.top - r.depth, 0)
    c.buffer_from = max(s.front - 1, 0)
    c.buffer_to = c.buffer_from if r.back == AWAY else s.front + 2


cdef inline uint64_t pair(int one, int other) noexcept nogil:
    return <uint64_t> <uint32_t> one << 32 | <uint32_t> other


cdef inline uint64_t element_hash(const State *s, int x) noexcept nogil:
    """The hash of all entries of an element."""
    cdef uint64_t found = mix(pair(s.heads[x], s.labels[x])) + mix(pair(s.left[x], s.right[x]) + 1)
    found += mix(pair(s.inner[x], s.flags[x]) + 2) + mix(pair(s.n_left[x], s.n_right[x]) + 3)
    found += mix(s.lanes[LEFT_LABELS][x] + 4) + mix(s.lanes[RIGHT_LABELS][x] + 5)
    return mix(found + <uint64_t> x)


cdef inline void count_change(Hashes *h, const Change *c, const State *s, int sign) noexcept nogil:
    """Take what a row changes out of the hashes (-1) before the row is taken, and put it in (1) afterwards."""
    cdef int i, x
    for i in range(c.n):
        x = c.elements[i]
        h.elements[x >> 6] += <uint64_t> sign * element_hash(s, x)
    for i in range(c.stack_from, s.top + 1):
        h.stack[i >> 6] += <uint64_t> sign * mix(pair(i, s.stack[i]))
    for i in range(c.buffer_from, c.buffer_to):
        h.buffer[i >> 6] += <uint64_t> sign * mix(pair(i, s.buffer[i]))


cdef inline void copy_elements(State *to, const State *of, int block) noexcept nogil:
    """Make all entries of the elements of a block the same in two states of a sentence."""
    cdef int lane, i, x = block << 6
    cdef size_t n = min(64, of.n + 1 - x)
    to.on_stack[block], to.in_buffer[block], to.open[block] = of.on_stack[block], of.in_buffer[block], of.open[block]
    memcpy(to.flags + x, of.flags + x, n)
    for i in range(N_COLUMNS):  # heads and those after them
        memcpy(to.heads + i * (of.n + 2) + x, of.heads + i * (of.n + 2) + x, 4 * n)
    for lane in range(N_LANES):
        memcpy(to.lanes[lane] + x, of.lanes[lane] + x, 8 * n)


cdef inline void copy_difference(State *to, Hashes *mine, const State *of, const Hashes *others) noexcept nogil:
    """Make a state like another one of the same sentence, and its hashes."""
    cdef int block, n
    for block in range(others.n_blocks):
        if mine.elements[block] != others.elements[block]:
            copy_elements(to, of, block)
        n = min(64, of.n + 2 - (block << 6))
        if n <= 0:
            continue
        if mine.stack[block] != others.stack[block]:
            memcpy(to.stack + (block << 6), of.stack + (block << 6), 4 * n)
        if mine.buffer[block] != others.buffer[block]:
            memcpy(to.buffer + (block << 6), of.buffer + (block << 6), 4 * n)
    copy_hashes(mine, others)
    to.top, to.front, to.end = of.top, of.front, of.end
    memcpy(to.history, of.history, sizeof(of.history))
