# The state of parsing as arrays, and the interpreter of a table's rows. Everything here is inlined where it is used.

from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport abs
from libc.string cimport memcpy, memset

cdef enum:  # the limits that deptrees.engine.program keeps
    MAX_ROWS = 30
    MAX_PLACES = 12
    MAX_CONDITIONS = 40
    MAX_REGIONS = 32
    MAX_LOSSES = 32
    MAX_CLAUSES = 8
    MAX_EFFECTS = 4

cdef enum:  # what is looked up in tables where it does not take more bits than this
    FACT_BITS = 16
    REGION_BITS = 8
    LOSS_BITS = 12
    FLAG_BITS = 6

cdef enum:
    FINAL = 1 << 30  # no row: the configuration is final

cdef enum:  # what is known of an element; the first four are also the facts of the place that it stands at
    EXISTS = 1
    WORD = 2
    ATTACHED = 4
    OPEN = 8  # a word without a head
    ON_STACK = 16
    IN_BUFFER = 32
    MARK = 1 << FLAG_BITS  # from here on one for each place that regions name: it stands there

cdef enum:  # conditions that are more than a place's facts
    EMPTY, SINGLE, BEFORE, SHORT, GOLD, PENDING, COMPLETE, GOLD_BEFORE, SAME_COMPONENT

cdef enum:  # effects
    ARC, PUSH, DROP, BACK, BACK_BEHIND

cdef enum:  # what changes in a state's lanes, which feature templates read
    DEPREL, LEFT_VALENCY, RIGHT_VALENCY, LEFT_LABELS, RIGHT_LABELS, N_LANES

cdef enum:
    HISTORY = 4
    NOWHERE = -2  # stands for a place that is not asked for

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

ctypedef struct Special:  # a place that regions name
    int place
    uint32_t near  # an element does not belong to these regions, as bits, if it is too far away from there

ctypedef struct Lost:  # gold arcs that a row may lose
    bint is_head
    int place
    int region
    int among

ctypedef struct Effect:
    int kind
    int first
    int second

ctypedef struct Row:
    Formula when
    Formula correct
    uint32_t losses
    int n_effects
    Effect effects[MAX_EFFECTS]
    int head  # the places of the arc that it adds, or -1
    int dependent
    bint pushes
    bint takes_off

ctypedef struct Program:
    int n_stack  # how many places of the stack are looked at, and of the buffer
    int n_buffer
    int n_conditions
    int n_gold  # how many of the conditions, the last ones, are about the gold tree
    Asked conditions[MAX_CONDITIONS]
    int n_regions
    Region regions[MAX_REGIONS]
    uint32_t *regions_by_flags  # to which regions an element belongs, if nothing need be near it
    int n_specials
    Special specials[MAX_PLACES]
    int n_losses
    Lost losses[MAX_LOSSES]
    int n_among  # how many of them ask where the word itself is
    int n_losing
    int losing[MAX_PLACES]  # the places whose words lose arcs
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
    # Tables: for facts the possible rows, for the regions of a place's head or dependents the losses, for losses the
    # rows that have none of them. NULL where they would be too large.
    uint32_t *possible
    uint32_t *lost_heads
    uint32_t *lost_children
    uint32_t *lossless

ctypedef struct State:
    int n
    int top  # where in the stack its top is
    int front  # where in the buffer its front is
    int end  # where in the buffer its end is
    int open_on_stack
    int open_in_buffer
    int lowest_open  # the lowest word on the stack that has no head, -1 if there is none
    bint tracked  # whether dependents and lanes are kept, for features to read
    int32_t *stack
    int32_t *buffer
    # From here on one entry for each element from -1 (nothing) over 0 (ROOT) to n.
    uint16_t *flags
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
    int32_t *first  # where in `dependents` those of an element begin
    int32_t *dependents
    int32_t *order
    int32_t *components
    int32_t *ancestor  # for each front of the buffer, the last word's first ancestor before it; -1 if there is none
    bint projective
    bint annotated


cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define DEPTREES_LOWEST_BIT(bits) __builtin_ctz(bits)
    #else
    static int DEPTREES_LOWEST_BIT(unsigned bits) { int i = 0; while (!(bits >> i & 1)) i++; return i; }
    #endif
    """
    int lowest_bit "DEPTREES_LOWEST_BIT"(uint32_t bits) noexcept nogil


cdef inline uint64_t mixed(uint64_t value) noexcept nogil:
    value = (value ^ (value >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    value = (value ^ (value >> 27)) * <uint64_t> 0x94D049BB133111EB
    return value ^ (value >> 31)


cdef inline uint64_t number(int value) noexcept nogil:
    # The hash of a number that is a feature's value.
    return mixed(<uint64_t> value + <uint64_t> 0x9E3779B9)


# States


cdef inline size_t state_size(int n) noexcept nogil:
    return (<size_t> (n + 2)) * (8 * N_LANES + 4 * 7 + 2) + 4 * (2 * n + 4 + 2 * MAX_PLACES)


cdef inline void lay_out(State *s, int n) noexcept nogil:
    # Where in a state's memory the parts of a sentence with n words are.
    cdef char *memory = s.memory
    cdef int lane
    s.n = n
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
    s.flags = <uint16_t *> memory + 1


cdef inline void mark(const Program *p, State *s) noexcept nogil:
    # Mark the elements at the places that regions name, or take the marks away.
    cdef int i, place
    for i in range(p.n_specials):
        place = p.specials[i].place
        s.flags[s.stack[s.top - place] if place < p.n_stack else s.buffer[s.front + place - p.n_stack]] ^= MARK << i


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
    s.end = n
    s.flags[-1] = 0
    s.flags[0] = EXISTS | ATTACHED
    if p.root_first:
        s.top = 0
        s.stack[0] = 0
        s.flags[0] |= ON_STACK
    elif p.root_last:
        s.buffer[n] = 0
        s.end = n + 1
        s.flags[0] |= IN_BUFFER
    for i in range(MAX_PLACES):
        s.buffer[s.end + i] = -1
    s.open_on_stack = 0
    s.open_in_buffer = n
    s.lowest_open = -1
    memset(s.heads - 1, 255, 4 * (n + 2))
    memset(s.labels - 1, 255, 4 * (n + 2))
    for i in range(HISTORY):
        s.history[i] = nothing
    mark(p, s)
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


cdef inline void elements(const Program *p, const State *s, int32_t *e) noexcept nogil:
    # The elements at the places that the program knows.
    cdef int i
    for i in range(p.n_stack):
        e[i] = s.stack[s.top - i]
    for i in range(p.n_buffer):
        e[p.n_stack + i] = s.buffer[s.front + i]
    e[p.n_stack + p.n_buffer] = NOWHERE


cdef inline uint32_t regions_of(const Program *p, const State *s, const int32_t *e, int x) noexcept nogil:
    # The regions that an element belongs to, as bits.
    cdef uint32_t found = p.regions_by_flags[s.flags[x]]
    cdef int i
    if p.longest_arc >= 0:
        for i in range(p.n_specials):
            if abs(x - e[p.specials[i].place]) > p.longest_arc:
                found &= ~p.specials[i].near
    return found


cdef inline int size(const Program *p, const State *s, const int32_t *e, int region) noexcept nogil:
    # The number of elements in a region of the stack or of the buffer.
    cdef const Region *r = &p.regions[region]
    cdef int count, excluded
    if r.at >= 0:
        return e[r.at] >= 0 and regions_of(p, s, e, e[r.at]) >> region & 1
    if r.flags & ON_STACK:
        count = s.open_on_stack if r.flags & OPEN else s.top + 1
    else:
        count = s.open_in_buffer if r.flags & OPEN else s.end - s.front
    excluded = e[r.not_at]
    if excluded >= 0 and (s.flags[excluded] & r.flags) == r.flags:
        count -= 1
    return count


cdef inline bint holds(
    const Program *p, const State *s, const Gold *g, const int32_t *e, const Asked *c
) noexcept nogil:
    cdef int x, y, j
    if c.kind == EMPTY:
        return size(p, s, e, c.region) == 0
    if c.kind == SINGLE:
        return size(p, s, e, c.region) <= 1
    x = e[c.first]
    if x < 0:
        return False
    if c.kind == PENDING:
        for j in range(g.first[x], g.first[x + 1]):
            if s.flags[g.dependents[j]] & IN_BUFFER:
                return True
        return False
    if c.kind == COMPLETE:
        for j in range(g.first[x], g.first[x + 1]):
            if s.flags[g.dependents[j]] & OPEN:
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


cdef inline uint64_t facts(const Program *p, const State *s, const int32_t *e) noexcept nogil:
    # Everything about a configuration that the preconditions ask.
    cdef uint64_t found = 0
    cdef int i, places = p.n_stack + p.n_buffer
    for i in range(places):
        found |= (<uint64_t> (s.flags[e[i]] & 15)) << 4 * i
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
    return p.possible[known] if p.possible != NULL else rows_by_facts(p, known)


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


cdef inline void attach(State *s, int head, int dependent, int label, uint64_t label_hash) noexcept nogil:
    # Add an arc, instead of the one that the dependent has if it has one.
    if s.flags[dependent] & OPEN:
        s.flags[dependent] ^= OPEN | ATTACHED
        s.open_on_stack -= (s.flags[dependent] & ON_STACK) != 0
        s.open_in_buffer -= (s.flags[dependent] & IN_BUFFER) != 0
    elif s.tracked:
        unlink(s, s.heads[dependent], dependent)
        count_dependent(s, s.heads[dependent], dependent, -1)
    s.heads[dependent] = head
    s.labels[dependent] = label
    if s.tracked:
        s.lanes[DEPREL][dependent] = label_hash
        link(s, head, dependent)
        count_dependent(s, head, dependent, 1)


cdef inline void take_off(State *s, int x) noexcept nogil:
    # Remove an element of the stack, which is never far below the top.
    cdef int i = s.top
    while s.stack[i] != x:
        i -= 1
    while i < s.top:
        s.stack[i] = s.stack[i + 1]
        i += 1
    s.top -= 1
    s.flags[x] &= ~ON_STACK
    s.open_on_stack -= (s.flags[x] & OPEN) != 0


cdef inline void put_back(State *s, int x) noexcept nogil:
    s.front -= 1
    s.flags[x] |= IN_BUFFER
    s.open_in_buffer += (s.flags[x] & OPEN) != 0


cdef inline void take(const Program *p, State *s, int row, int label, uint64_t label_hash) noexcept nogil:
    # Go on to the next configuration.
    cdef int32_t e[MAX_PLACES + 1]
    cdef const Row *r = &p.rows[row]
    cdef const Effect *effect
    cdef int i, x
    elements(p, s, e)
    mark(p, s)
    for i in range(r.n_effects):
        effect = &r.effects[i]
        x = e[effect.first]
        if effect.kind == ARC:
            attach(s, x, e[effect.second], label, label_hash)
        elif effect.kind == PUSH:
            s.front += 1
            s.top += 1
            s.stack[s.top] = x
            s.flags[x] ^= ON_STACK | IN_BUFFER
            if s.flags[x] & OPEN:
                s.open_on_stack += 1
                s.open_in_buffer -= 1
        else:
            take_off(s, x)
            if effect.kind == BACK:
                put_back(s, x)
                s.buffer[s.front] = x
            elif effect.kind == BACK_BEHIND:
                put_back(s, x)
                s.buffer[s.front] = s.buffer[s.front + 1]
                s.buffer[s.front + 1] = x
    mark(p, s)
    if p.last_word_conflicts:
        # Only the top comes and goes: if the lowest open word is gone, so are all above it.
        if s.lowest_open >= 0 and (s.flags[s.lowest_open] & (ON_STACK | OPEN)) != (ON_STACK | OPEN):
            s.lowest_open = -1
        x = s.stack[s.top]
        if s.lowest_open < 0 and s.flags[x] & OPEN:
            s.lowest_open = x


# Gold arcs that rows lose


cdef inline uint32_t losses_in(const Program *p, int place, bint is_head, uint32_t regions) noexcept nogil:
    # The losses that there are when the head, or dependents, of the word at a place are in these regions.
    cdef uint32_t found = 0
    cdef int i
    for i in range(p.n_losses):
        if p.losses[i].place == place and p.losses[i].is_head == is_head:
            found |= (regions >> p.losses[i].region & 1) << i
    return found


cdef inline uint32_t losses_not_among(const Program *p, int place, uint32_t regions) noexcept nogil:
    # The losses that there are not when the word at a place is in these regions.
    cdef uint32_t found = 0
    cdef int i
    for i in range(p.n_losses):
        if p.losses[i].place == place and p.losses[i].among >= 0:
            found |= (~regions >> p.losses[i].among & 1) << i
    return found


cdef inline uint32_t rows_without(const Program *p, uint32_t losses) noexcept nogil:
    cdef uint32_t found = 0
    cdef int row
    for row in range(p.n_rows):
        found |= (<uint32_t> ((p.rows[row].losses & losses) == 0)) << row
    return found


cdef inline uint32_t without_loss(
    const Program *p, const State *s, const Gold *g, const int32_t *e, uint32_t rows
) noexcept nogil:
    # Those of the rows that lose no gold arc.
    cdef uint32_t real = 0, heads, children
    cdef int i, j, place, x
    for i in range(p.n_losing):
        place = p.losing[i]
        x = e[place]
        heads = regions_of(p, s, e, g.heads[x]) if g.heads[x] >= 0 else 0
        children = 0
        for j in range(g.first[x], g.first[x + 1]):
            children |= regions_of(p, s, e, g.dependents[j])
        if p.lost_heads != NULL:
            real |= p.lost_heads[place << REGION_BITS | heads] | p.lost_children[place << REGION_BITS | children]
        else:
            real |= losses_in(p, place, True, heads) | losses_in(p, place, False, children)
        if p.n_among:
            real &= ~losses_not_among(p, place, regions_of(p, s, e, x))
    return rows & (p.lossless[real] if p.lossless != NULL else rows_without(p, real))


cdef inline int lost_by(const Program *p, const State *s, const Gold *g, const int32_t *e, int row) noexcept nogil:
    # How many gold arcs a row loses.
    cdef const Lost *of
    cdef int which, x, j, count = 0
    for which in range(p.n_losses):
        of = &p.losses[which]
        x = e[of.place]
        if not p.rows[row].losses >> which & 1:
            continue
        if of.is_head:
            if g.heads[x] >= 0 and (of.among < 0 or regions_of(p, s, e, x) >> of.among & 1):
                count += regions_of(p, s, e, g.heads[x]) >> of.region & 1
        else:
            for j in range(g.first[x], g.first[x + 1]):
                count += regions_of(p, s, e, g.dependents[j]) >> of.region & 1
    return count


# Conflicts (Aufrant & Wisniewski 2017, appendix A.5.1): see deptrees.transition.arc_eager


cdef inline int conflicts(const State *s, const Gold *g) noexcept nogil:
    cdef int front = s.buffer[s.front] if s.front < s.end else s.n + 1
    cdef int ancestor = g.ancestor[front]
    return ancestor >= 0 and s.flags[ancestor] & ON_STACK and 0 <= s.lowest_open <= ancestor


cdef inline int conflicts_behind(const Program *p, const State *s, const Gold *g, int row) noexcept nogil:
    # The conflicts in the configuration that a row leads to, without going there.
    cdef const Row *r = &p.rows[row]
    cdef int top = s.stack[s.top], front = s.buffer[s.front] if s.front < s.end else s.n + 1
    cdef int lowest = s.lowest_open, ancestor
    if r.takes_off:
        ancestor = g.ancestor[front]
        if ancestor < 0 or ancestor == top or lowest == top:
            return 0
        return s.flags[ancestor] & ON_STACK and 0 <= lowest <= ancestor
    ancestor = g.ancestor[front + 1]
    if lowest < 0 and r.dependent < 0:
        lowest = front
    if ancestor < 0 or lowest < 0:
        return 0
    return (ancestor == front or s.flags[ancestor] & ON_STACK) and lowest <= ancestor
