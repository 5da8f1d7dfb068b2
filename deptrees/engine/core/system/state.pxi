# A configuration as arrays, in one piece of memory, and the gold tree beside it.
#
# Elements are ROOT (0) and the words (1 to n); -1 is none. What feature templates read of the arcs (valencies, labels,
# the outermost dependents) is kept up to date only where there are features: such a state is tracked.

cdef enum:  # lanes: what changes with the state and feature templates read
    DEPREL, LEFT_VALENCY, RIGHT_VALENCY, LEFT_LABELS, RIGHT_LABELS, N_LANES

LANES = {
    "deprel": DEPREL, "left_valency": LEFT_VALENCY, "right_valency": RIGHT_VALENCY,
    "left_labels": LEFT_LABELS, "right_labels": RIGHT_LABELS,
}

cdef enum:
    HISTORY = 4  # how many of the last transitions are remembered
    NOTHING = -1  # stands at places where there is no element
    NOWHERE = -2  # stands at the place that stands for none
    N_COLUMNS = 7  # arrays of a state that have a number of 32 bits for each element

ctypedef struct ReservedHashes:  # what features see of no word, of ROOT, and of a word without a label
    uint64_t nothing, root, missing

ctypedef struct State:
    int n
    int top  # where in the stack its top is
    int front, end  # where in the buffer they are
    bint tracked  # whether dependents and lanes are kept, for features to read
    int32_t *stack
    int32_t *buffer
    # Sets of elements: a bit for each, in as many blocks of 64 bits as that takes. They say the same as the flags.
    int n_blocks
    uint64_t *on_stack
    uint64_t *in_buffer
    uint64_t *open
    # From here on one entry for each element from -1 (nothing) over 0 (ROOT) to n.
    uint8_t *flags
    int32_t *heads
    int32_t *labels
    int32_t *left  # the outermost dependents of a word, from where `inner` leads to the others
    int32_t *right
    int32_t *inner
    int32_t *n_left
    int32_t *n_right
    uint64_t *lanes[N_LANES]
    uint64_t history[HISTORY]
    char *memory

ctypedef struct Gold:
    int32_t *heads  # -1 where not known
    int32_t *labels  # -1 where not known
    # For each element from -1 on two sets, its dependents and its head: first one block of them all, then the next one.
    uint64_t *arcs
    int64_t n_arcs  # how many numbers there are in each block
    int32_t *order
    int32_t *components
    int32_t *ancestor  # for each front of the buffer, the last word's first ancestor before it; -1 if there is none
    bint projective, annotated
    bint empty_is_meant  # whether words without a gold head are to stay without one


cdef inline int blocks_for(int n) noexcept nogil:
    """How many blocks of 64 bits a set of elements takes."""
    return (n >> 6) + 1


cdef inline size_t state_size(int n) noexcept nogil:
    """The bytes that `lay_out` deals out."""
    cdef size_t of_elements = (<size_t> (n + 2)) * (8 * N_LANES + 4 * N_COLUMNS + 1)
    return of_elements + 4 * (2 * n + 4 + 2 * MAX_PLACES) + 8 * (3 * blocks_for(n) + 1)


cdef inline void lay_out(State *s, int n) noexcept nogil:
    """Where in a state's memory the parts of a sentence with n words are."""
    cdef char *memory = s.memory
    cdef int lane
    s.n = n
    s.n_blocks = blocks_for(n)
    s.on_stack = <uint64_t *> memory + 1
    s.in_buffer = s.on_stack + s.n_blocks
    s.open = s.in_buffer + s.n_blocks
    memory += 8 * (3 * s.n_blocks + 1)
    for lane in range(N_LANES):
        s.lanes[lane] = <uint64_t *> memory + 1
        memory += 8 * (n + 2)
    s.heads = <int32_t *> memory + 1
    s.labels = s.heads + n + 2
    s.left = s.labels + n + 2
    s.right = s.left + n + 2
    s.inner = s.right + n + 2
    s.n_left = s.inner + n + 2
    s.n_right = s.n_left + n + 2
    memory += 4 * N_COLUMNS * (n + 2)
    s.stack = <int32_t *> memory + MAX_PLACES
    s.buffer = s.stack + n + 2
    memory += 4 * (2 * n + 4 + 2 * MAX_PLACES)
    s.flags = <uint8_t *> memory + 1


cdef inline uint64_t bit(int x, int block) noexcept nogil:
    """An element as a set, of which this is one block."""
    return (<uint64_t> (x >> 6 == block)) << (x & 63)


cdef inline void flip(uint64_t *set, int x, uint64_t flips) noexcept nogil:
    """If flips is 1, put an element into a set, or take it out if it is in; nothing may be flipped 0 times."""
    set[x >> 6] ^= flips << (x & 63)


cdef inline void end_places(State *s) noexcept nogil:
    """Put nothing below the bottom of the stack and behind the end of the buffer: so nobody has to ask what is there."""
    cdef int i
    for i in range(MAX_PLACES):
        s.stack[i - MAX_PLACES] = s.buffer[s.end + i] = NOTHING


cdef inline void start_state(const SystemCode *code, State *s, int n, const ReservedHashes *reserved) noexcept nogil:
    """The initial configuration."""
    cdef int i
    lay_out(s, n)
    s.top, s.front, s.end = -1, 0, n
    for i in range(1, n + 1):
        s.buffer[i - 1] = i
        s.flags[i] = EXISTS | WORD | OPEN | IN_BUFFER
    for i in range(s.n_blocks):
        s.on_stack[i] = 0
        s.in_buffer[i] = s.open[i] = ~<uint64_t> 0
    s.in_buffer[s.n_blocks - 1] = s.open[s.n_blocks - 1] = ~<uint64_t> 0 >> (63 - (n & 63))
    s.in_buffer[0] ^= 1
    s.open[0] ^= 1
    s.flags[NOTHING] = 0
    s.flags[0] = EXISTS | ATTACHED
    if code.root_first:
        s.top = s.stack[0] = 0
        s.flags[0] |= ON_STACK
        s.on_stack[0] |= 1
    elif code.root_last:
        s.buffer[n] = 0
        s.end = n + 1
        s.flags[0] |= IN_BUFFER
        s.in_buffer[0] |= 1
    end_places(s)
    memset(s.heads - 1, 255, 4 * (n + 2))
    memset(s.labels - 1, 255, 4 * (n + 2))
    for i in range(HISTORY):
        s.history[i] = reserved.nothing
    if s.tracked:
        clear_tracked(s, reserved)


cdef inline void clear_tracked(State *s, const ReservedHashes *reserved) noexcept nogil:
    """What features read of a configuration without arcs."""
    cdef int i, lane
    memset(s.left - 1, 255, 4 * 3 * (s.n + 2))
    memset(s.n_left - 1, 0, 4 * 2 * (s.n + 2))
    for i in range(s.n + 1):
        s.lanes[DEPREL][i] = reserved.missing
        s.lanes[LEFT_VALENCY][i] = s.lanes[RIGHT_VALENCY][i] = number_hash(0)
        s.lanes[LEFT_LABELS][i] = s.lanes[RIGHT_LABELS][i] = 0
    s.lanes[DEPREL][0] = reserved.root
    for lane in range(N_LANES):
        s.lanes[lane][NOTHING] = reserved.nothing


cdef inline void copy_state(State *to, const State *of) noexcept nogil:
    cdef char *memory = to.memory
    memcpy(memory, of.memory, state_size(of.n))
    to[0] = of[0]
    to.memory = memory
    lay_out(to, of.n)


cdef inline int outside(const State *s, int head, int dependent) noexcept nogil:
    """The next dependent on the same side that is further from the head, NOTHING if this is the outermost."""
    cdef bint is_left = dependent < head
    cdef int other = s.left[head] if is_left else s.right[head], outer = NOTHING
    while other >= 0 and (other < dependent if is_left else other > dependent):
        outer = other
        other = s.inner[other]
    return outer


cdef inline int32_t *link_to(State *s, int head, int dependent) noexcept nogil:
    """What leads to a dependent, from the head or from the next dependent on the same side that is further out."""
    cdef int outer = outside(s, head, dependent)
    if outer >= 0:
        return &s.inner[outer]
    return &s.left[head] if dependent < head else &s.right[head]


cdef inline void link(State *s, int head, int dependent) noexcept nogil:
    """Put a dependent among those on its side of the head, the outermost first."""
    cdef int32_t *to = link_to(s, head, dependent)
    s.inner[dependent] = to[0]
    to[0] = dependent


cdef inline void count_dependent(State *s, int head, int dependent, int change) noexcept nogil:
    """Valencies and label sets; a set is the sum of its members' hashes, so that the order does not matter."""
    cdef uint64_t members = mix(s.lanes[DEPREL][dependent]) * <uint64_t> change
    if dependent < head:
        s.n_left[head] += change
        s.lanes[LEFT_VALENCY][head] = number_hash(s.n_left[head])
        s.lanes[LEFT_LABELS][head] += members
    else:
        s.n_right[head] += change
        s.lanes[RIGHT_VALENCY][head] = number_hash(s.n_right[head])
        s.lanes[RIGHT_LABELS][head] += members


cdef inline void track(State *s, int head, int dependent, uint64_t label_hash) noexcept nogil:
    """Keep what features read, for an arc that is about to be added."""
    if not s.flags[dependent] & OPEN:
        link_to(s, s.heads[dependent], dependent)[0] = s.inner[dependent]
        count_dependent(s, s.heads[dependent], dependent, -1)
    s.lanes[DEPREL][dependent] = label_hash
    link(s, head, dependent)
    count_dependent(s, head, dependent, 1)


cdef inline void put_back(State *s, int x, bint after) noexcept nogil:
    """Put an element in front of the buffer, or after its front."""
    s.front -= 1
    s.buffer[s.front] = s.buffer[s.front + 1]
    s.buffer[s.front + after] = x
    s.flags[x] ^= IN_BUFFER
    flip(s.in_buffer, x, 1)
