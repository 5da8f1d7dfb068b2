# The state of parsing as arrays, and the interpreter of a table's rows. Everything here is inlined where it is used.

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport abs
from libc.string cimport memcpy, memset

cdef enum:  # the limits that deptrees.engine.program keeps
    MAX_ROWS = 30
    MAX_PLACES = 12
    MAX_CONDITIONS = 40
    MAX_REGIONS = 32
    MAX_LOSSES = 32
    MAX_CLAUSES = 8

cdef enum:
    FACT_BITS = 16  # facts are looked up in a table where they do not take more bits than this

cdef enum:
    FINAL = 1 << 30  # no row: the configuration is final
    SETTLED = 31  # the bit of a table's entry that says that the facts of the places settle what is possible

cdef enum:  # what is known of an element; the first four are also the facts of the place that it stands at
    EXISTS = 1
    WORD = 2
    ATTACHED = 4
    OPEN = 8  # a word without a head
    ON_STACK = 16
    IN_BUFFER = 32
    OTHERS = 64  # in the number of a set: without the top of the stack, or the front of the buffer
    N_SETS = 2 * OTHERS >> 3

cdef enum:  # conditions that are more than a place's facts
    EMPTY, SINGLE, BEFORE, SHORT, GOLD, PENDING, COMPLETE, GOLD_BEFORE, SAME_COMPONENT

cdef enum:  # where an element goes that is taken off the stack
    AWAY, BACK, BACK_BEHIND

cdef enum:  # what changes in a state's lanes, which feature templates read
    DEPREL, LEFT_VALENCY, RIGHT_VALENCY, LEFT_LABELS, RIGHT_LABELS, N_LANES

cdef enum:
    HISTORY = 4
    NOTHING = -1  # stands at places where there is no element
    NOWHERE = -2  # stands at the place that stands for none
    ELEMENTS = MAX_PLACES + 2

ctypedef struct Clause:  # one of these facts holds, or one of those does not
    uint64_t some
    uint64_t lacking

ctypedef struct Formula:  # a conjunction
    uint64_t all
    uint64_t none
    int n_clauses
    Clause clauses[MAX_CLAUSES]

ctypedef struct Asked:  # a condition: a bit of the facts behind those of the places
    int kind
    int first
    int second
    int region

ctypedef struct Region:  # the elements that have these flags, in which places they may stand, and near which one
    uint8_t flags
    int8_t not_at
    int8_t at
    int8_t near

ctypedef struct Lost:  # gold arcs that rows may lose
    uint8_t is_head
    uint8_t place
    uint8_t set  # the number of the set that the other ends are in
    Region region  # and what else is asked of them
    int among
    uint32_t rows  # those that lose them, as bits

ctypedef struct Row:
    Formula when
    Formula correct
    bint adds_arc
    int head  # the places of the arc that it adds, or that of nothing
    int dependent
    uint32_t takes_off  # 1 or 0: whether it takes an element off the stack
    int depth  # how far below the top that is
    int back  # and where it goes
    uint32_t pushes  # 1 or 0: whether the front of the buffer is pushed

ctypedef struct Program:
    int n_stack  # how many places of the stack are looked at, and of the buffer
    int n_buffer
    int n_conditions
    int n_gold  # how many of the conditions, the last ones, are about the gold tree
    Asked conditions[MAX_CONDITIONS]
    Region regions[MAX_REGIONS]
    int n_losses
    int n_wide  # of how many of them, the first ones, nothing is asked but a set
    Lost losses[MAX_LOSSES]
    int n_rows
    Row rows[MAX_ROWS]
    int prefer_shift[MAX_ROWS]  # the order of the rows when Shift goes before all that adds no arc
    int shift  # which row is Shift
    Formula final
    bint root_first
    bint root_last
    bint last_word_conflicts
    bint rows_tell  # whether lost arcs tell what is correct
    bint canonical  # whether rows tell one correct transition only
    int longest_arc  # -1: there is no limit
    uint32_t *possible  # a table: for facts the possible rows; NULL where it would be too large

ctypedef struct State:
    int n
    int top  # where in the stack its top is
    int front  # where in the buffer its front is
    int end  # where in the buffer its end is
    bint tracked  # whether dependents and lanes are kept, for features to read
    int32_t *stack
    int32_t *buffer
    # Sets of elements: a bit for each, in as many words of 64 bits as that takes. They say the same as the flags.
    int n_words
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
    # For each element from -1 on two sets, its dependents and its head: first one word of them all, then the next one.
    uint64_t *arcs
    int64_t n_arcs  # how many numbers there are of each word
    int32_t *order
    int32_t *components
    int32_t *ancestor  # for each front of the buffer, the last word's first ancestor before it; -1 if there is none
    bint projective
    bint annotated


cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define DEPTREES_LOWEST_BIT(bits) __builtin_ctzll(bits)
    #define DEPTREES_COUNT_BITS(bits) __builtin_popcountll(bits)
    #else
    static int DEPTREES_LOWEST_BIT(uint64_t bits) { int i = 0; while (!(bits >> i & 1)) i++; return i; }
    static int DEPTREES_COUNT_BITS(uint64_t bits) { int i = 0; while (bits) { bits &= bits - 1; i++; } return i; }
    #endif
    """
    int lowest_bit "DEPTREES_LOWEST_BIT"(uint64_t bits) noexcept nogil
    int count_bits "DEPTREES_COUNT_BITS"(uint64_t bits) noexcept nogil


cdef inline uint64_t mixed(uint64_t value) noexcept nogil:
    value = (value ^ (value >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    value = (value ^ (value >> 27)) * <uint64_t> 0x94D049BB133111EB
    return value ^ (value >> 31)


cdef inline uint64_t number(int value) noexcept nogil:
    # The hash of a number that is a feature's value.
    return mixed(<uint64_t> value + <uint64_t> 0x9E3779B9)


# States


cdef inline int words(int n) noexcept nogil:
    # How many words of 64 bits a set of elements takes.
    return (n >> 6) + 1


cdef inline size_t state_size(int n) noexcept nogil:
    return (<size_t> (n + 2)) * (8 * N_LANES + 4 * 7 + 1) + 4 * (2 * n + 4 + 2 * MAX_PLACES) + 8 * (3 * words(n) + 1)


cdef inline void lay_out(State *s, int n) noexcept nogil:
    # Where in a state's memory the parts of a sentence with n words are.
    cdef char *memory = s.memory
    cdef int lane
    s.n = n
    s.n_words = words(n)
    s.on_stack = <uint64_t *> memory + 1
    s.in_buffer = s.on_stack + s.n_words
    s.open = s.in_buffer + s.n_words
    memory += 8 * (3 * s.n_words + 1)
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
    memory += 4 * 7 * (n + 2)
    s.stack = <int32_t *> memory + MAX_PLACES
    s.buffer = s.stack + n + 2
    memory += 4 * (2 * n + 4 + 2 * MAX_PLACES)
    s.flags = <uint8_t *> memory + 1


cdef inline uint64_t bit(int x, int word) noexcept nogil:
    # An element as a set, of which this is one word.
    return (<uint64_t> (x >> 6 == word)) << (x & 63)


cdef inline void flip(uint64_t *set, int x, uint64_t flips) noexcept nogil:
    # If flips is 1, put an element into a set, or take it out if it is in; nothing may be flipped 0 times.
    set[x >> 6] ^= flips << (x & 63)


cdef inline void start(
    const Program *p, State *s, int n, uint64_t nothing, uint64_t root, uint64_t missing
) noexcept nogil:
    # The initial configuration; the hashes are those of lanes in which nothing has been written yet.
    cdef int i, lane
    lay_out(s, n)
    for i in range(MAX_PLACES):
        s.stack[i - MAX_PLACES] = -1
    s.top = -1
    s.front = 0
    s.end = 0
    for i in range(1, n + 1):
        s.buffer[i - 1] = i
        s.flags[i] = EXISTS | WORD | OPEN | IN_BUFFER
    for i in range(s.n_words):
        s.on_stack[i] = 0
        s.in_buffer[i] = s.open[i] = ~<uint64_t> 0
    s.in_buffer[s.n_words - 1] = s.open[s.n_words - 1] = ~<uint64_t> 0 >> (63 - (n & 63))
    s.in_buffer[0] ^= 1
    s.open[0] ^= 1
    s.end = n
    s.flags[-1] = 0
    s.flags[0] = EXISTS | ATTACHED
    if p.root_first:
        s.top = 0
        s.stack[0] = 0
        s.flags[0] |= ON_STACK
        s.on_stack[0] |= 1
    elif p.root_last:
        s.buffer[n] = 0
        s.end = n + 1
        s.flags[0] |= IN_BUFFER
        s.in_buffer[0] |= 1
    for i in range(MAX_PLACES):
        s.buffer[s.end + i] = -1
    memset(s.heads - 1, 255, 4 * (n + 2))
    memset(s.labels - 1, 255, 4 * (n + 2))
    for i in range(HISTORY):
        s.history[i] = nothing
    if s.tracked:
        memset(s.left - 1, 255, 4 * 3 * (n + 2))
        memset(s.n_left - 1, 0, 4 * 2 * (n + 2))
        for i in range(n + 1):
            s.lanes[DEPREL][i] = missing
            s.lanes[LEFT_VALENCY][i] = s.lanes[RIGHT_VALENCY][i] = number(0)
            s.lanes[LEFT_LABELS][i] = s.lanes[RIGHT_LABELS][i] = 0
        s.lanes[DEPREL][0] = root
        for lane in range(N_LANES):
            s.lanes[lane][-1] = nothing


cdef inline void copy_state(State *to, const State *of) noexcept nogil:
    cdef char *memory = to.memory
    memcpy(memory, of.memory, state_size(of.n))
    to[0] = of[0]
    to.memory = memory
    lay_out(to, of.n)


# Conditions


cdef inline uint64_t elements(const Program *p, const State *s, int32_t *e) noexcept nogil:
    # The elements at the places that the program knows, and the facts of these places.
    cdef uint64_t found = 0
    cdef int i, n_stack = p.n_stack, places = n_stack + p.n_buffer
    cdef const int32_t *top = s.stack + s.top
    cdef const int32_t *front = s.buffer + s.front - n_stack
    for i in range(places):
        e[i] = top[-i] if i < n_stack else front[i]
        found |= (<uint64_t> (s.flags[e[i]] & 15)) << 4 * i
    e[places] = NOWHERE
    e[places + 1] = NOTHING
    return found


cdef inline bint belongs(const Program *p, const State *s, const int32_t *e, const Region *r, int x) noexcept nogil:
    # Whether an element is in a region.
    if x < 0 or (s.flags[x] & r.flags) != r.flags or x == e[r.not_at] or (r.at >= 0 and x != e[r.at]):
        return False
    return r.near < 0 or abs(x - e[r.near]) <= p.longest_arc


cdef inline int size(const Program *p, const State *s, const int32_t *e, int region) noexcept nogil:
    # The number of elements in a region of the stack or of the buffer; two may stand for more.
    cdef const Region *r = &p.regions[region]
    cdef const uint64_t *elements = s.on_stack if r.flags & ON_STACK else s.in_buffer
    cdef uint64_t found
    cdef int word, count = 0, excluded = e[r.not_at]
    if r.at >= 0:
        return belongs(p, s, e, r, e[r.at])
    if r.flags & OPEN:
        for word in range(s.n_words):
            found = elements[word] & s.open[word] & ~bit(excluded, word)
            count += (found != 0) + ((found & (found - 1)) != 0)
        return count
    count = s.top + 1 if r.flags & ON_STACK else s.end - s.front
    if excluded >= 0 and (s.flags[excluded] & r.flags) == r.flags:
        count -= 1
    return count


cdef inline bint holds(
    const Program *p, const State *s, const Gold *g, const int32_t *e, const Asked *c
) noexcept nogil:
    cdef int x, y, word
    if c.kind == EMPTY:
        return size(p, s, e, c.region) == 0
    if c.kind == SINGLE:
        return size(p, s, e, c.region) <= 1
    x = e[c.first]
    if x < 0:
        return False
    if c.kind == PENDING:
        for word in range(s.n_words):
            if g.arcs[word * g.n_arcs + 2 * x] & s.in_buffer[word]:
                return True
        return False
    if c.kind == COMPLETE:
        for word in range(s.n_words):
            if g.arcs[word * g.n_arcs + 2 * x] & s.open[word]:
                return False
        return True
    y = e[c.second]
    if y < 0:
        return False
    if c.kind == BEFORE:
        return x < y
    if c.kind == SHORT:
        return abs(x - y) <= p.longest_arc
    if c.kind == GOLD:
        return y > 0 and g.heads[y] == x
    if c.kind == GOLD_BEFORE:
        return g.order[x] < g.order[y]
    return g.components[x] == g.components[y]


cdef inline uint64_t facts(const Program *p, const State *s, int32_t *e) noexcept nogil:
    # What the preconditions ask about a configuration, as far as it matters, and the elements at the places that they
    # name.
    cdef uint64_t found = elements(p, s, e)
    cdef int i, places = p.n_stack + p.n_buffer
    if p.possible != NULL and p.possible[found] >> SETTLED:
        return found
    for i in range(p.n_conditions - p.n_gold):
        found |= (<uint64_t> holds(p, s, NULL, e, &p.conditions[i])) << (4 * places + i)
    return found


cdef inline uint64_t gold_facts(const Program *p, const State *s, const Gold *g, const int32_t *e) noexcept nogil:
    # Everything about a configuration and a gold tree that rows ask which say when they are correct.
    cdef uint64_t found = 0
    cdef int i, places = p.n_stack + p.n_buffer
    for i in range(p.n_conditions - p.n_gold, p.n_conditions):
        found |= (<uint64_t> holds(p, s, g, e, &p.conditions[i])) << (4 * places + i)
    return found


cdef inline bint true(const Formula *f, uint64_t known) noexcept nogil:
    cdef int i
    cdef bint found = ((known & f.all) == f.all) & ((known & f.none) == 0)
    for i in range(f.n_clauses):
        found &= (known & f.clauses[i].some | ~known & f.clauses[i].lacking) != 0
    return found


cdef inline uint32_t rows_by_facts(const Program *p, uint64_t known) noexcept nogil:
    cdef uint32_t found = 0
    cdef int row
    if true(&p.final, known):
        return FINAL
    for row in range(p.n_rows):
        found |= (<uint32_t> true(&p.rows[row].when, known)) << row
    return found


cdef inline uint32_t next_rows(const Program *p, uint64_t known) noexcept nogil:
    # The possible rows, or FINAL.
    return p.possible[known] & ~(<uint32_t> 1 << SETTLED) if p.possible != NULL else rows_by_facts(p, known)


# Steps


cdef inline void link(State *s, int head, int dependent) noexcept nogil:
    # Put a dependent among those on its side of the head, the outermost first.
    cdef bint is_left = dependent < head
    cdef int32_t *first = &s.left[head] if is_left else &s.right[head]
    cdef int other = first[0], outer = -1
    while other >= 0 and (other < dependent if is_left else other > dependent):
        outer = other
        other = s.inner[other]
    s.inner[dependent] = other
    if outer < 0:
        first[0] = dependent
    else:
        s.inner[outer] = dependent


cdef inline void unlink(State *s, int head, int dependent) noexcept nogil:
    cdef int32_t *first = &s.left[head] if dependent < head else &s.right[head]
    cdef int other = first[0]
    if other == dependent:
        first[0] = s.inner[dependent]
        return
    while s.inner[other] != dependent:
        other = s.inner[other]
    s.inner[other] = s.inner[dependent]


cdef inline void count_dependent(State *s, int head, int dependent, int change) noexcept nogil:
    # Valencies and label sets; a set is the sum of its members' hashes, so that the order does not matter.
    cdef uint64_t members = mixed(s.lanes[DEPREL][dependent]) * <uint64_t> change
    if dependent < head:
        s.n_left[head] += change
        s.lanes[LEFT_VALENCY][head] = number(s.n_left[head])
        s.lanes[LEFT_LABELS][head] += members
    else:
        s.n_right[head] += change
        s.lanes[RIGHT_VALENCY][head] = number(s.n_right[head])
        s.lanes[RIGHT_LABELS][head] += members


cdef inline void track(State *s, int head, int dependent, uint64_t label_hash) noexcept nogil:
    # Keep what features read, for an arc that is about to be added.
    if not s.flags[dependent] & OPEN:
        unlink(s, s.heads[dependent], dependent)
        count_dependent(s, s.heads[dependent], dependent, -1)
    s.lanes[DEPREL][dependent] = label_hash
    link(s, head, dependent)
    count_dependent(s, head, dependent, 1)


cdef inline void put_back(State *s, int x, bint behind) noexcept nogil:
    # Put an element in front of the buffer, or behind its front.
    s.front -= 1
    s.buffer[s.front] = s.buffer[s.front + 1]
    s.buffer[s.front + behind] = x
    s.flags[x] ^= IN_BUFFER
    flip(s.in_buffer, x, 1)


cdef inline void take(
    const Program *p, State *s, const int32_t *e, int row, int label, uint64_t label_hash
) noexcept nogil:
    # Go on to the next configuration. No processor can foresee which row comes next; so what a row does not do is done
    # to nothing, or 0 times, rather than asked for.
    cdef const Row *r = &p.rows[row]
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
        put_back(s, x, r.back == BACK_BEHIND)
