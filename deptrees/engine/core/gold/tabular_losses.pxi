# Exact losses by dynamic programming over the exits of a table: deptrees.transition.losses.tabular, where the method is
# explained, in C.
#
# Positions are 0 to n + 1, of which the last is the end of the buffer. All matrices are square, and stored as the inner
# loops read them.

cdef enum:
    NEVER = 1 << 24  # more than any loss, and few enough to be added up

ctypedef struct Exits:  # how words leave the stack: with an arc from the front, from the element below, or without one
    bint to_front
    bint to_below
    bint alone

ctypedef struct TabularLosses:
    int end, size
    bint ready
    int32_t *wrong  # [head, dependent]: what each arc costs
    int32_t *to_front  # [dependent, head]: what a word costs that is pushed and leaves with an arc from the front
    int32_t *otherwise  # [dependent, element below]: what it costs if it leaves otherwise
    int32_t *between  # [k, j]: the least cost of the words between them, from when k is on top until j is in front
    int32_t *between_at  # [j, k]: transposed
    int32_t *at_bottom  # [front]: the least cost of all words in the buffer when the stack is at its bottom
    # For the stack from the bottom up to each element: the element, whether it has a head, and the least cost of all
    # words on that stack and in the buffer, for each front of the buffer.
    int levels
    int32_t *elements
    int32_t *attached
    int32_t *futures  # [level, front]
    int32_t *memory


cdef inline int allocate_tabular(TabularLosses *t, int n) except -1 nogil:
    """Make room for a sentence."""
    cdef size_t size = n + 2
    t.memory = <int32_t *> resized(t.memory, 4 * (6 * size * size + 3 * size))
    t.size = size
    t.wrong = t.memory
    t.to_front = t.wrong + size * size
    t.otherwise = t.to_front + size * size
    t.between = t.otherwise + size * size
    t.between_at = t.between + size * size
    t.futures = t.between_at + size * size
    t.at_bottom = t.futures + size * size
    t.elements = t.at_bottom + size
    t.attached = t.elements + size


cdef inline int is_known(const Gold *g, int word) noexcept nogil:
    return 1 if word > 0 and g.heads[word] >= 0 else 0


cdef inline bint is_wrong(const Gold *g, int word, int head) noexcept nogil:
    """Whether this is not the gold head of a word, where -1 stands for none."""
    return word > 0 and g.heads[word] != head and (g.heads[word] >= 0 or g.empty_is_meant)


cdef inline int settled_cost(const State *s, const Gold *g) noexcept nogil:
    """The wrong heads of the words that are neither on the stack nor in the buffer."""
    cdef int word, errors = 0
    for word in range(1, s.n + 1):
        if not s.flags[word] & (ON_STACK | IN_BUFFER) and is_wrong(g, word, s.heads[word]):
            errors += 1
    return errors


cdef inline int fill_tabular(
    TabularLosses *t, const SystemCode *code, const Exits *exits, bint pushes_with_head, bint single, const Gold *g,
    int n,
) except -1 nogil:
    """The tables of one gold tree."""
    cdef bint to_front = exits[0].to_front or (pushes_with_head and exits[1].to_front)
    cdef bint to_below = exits[0].to_below or (pushes_with_head and exits[1].to_below)
    cdef bint root_last = code.root_last and not single
    if t.size < n + 2:
        allocate_tabular(t, n)
    t.end = n + 1
    t.levels = 0
    fill_costs_of_arcs(t, g, code.longest_arc, root_last)
    fill_costs_of_leaving(t, g, to_front, to_below, exits[0].alone)
    fill_between(t)
    fill_at_bottom(t, exits[0].to_front or (to_front and code.root_first), root_last, single)
    t.ready = True


cdef inline void fill_costs_of_arcs(TabularLosses *t, const Gold *g, int longest_arc, bint root_last) noexcept nogil:
    cdef int size = t.size, end = t.end, head, word, cost
    for head in range(end + 1):
        for word in range(end):
            cost = is_wrong(g, word, head)
            if longest_arc >= 0 and abs(head - word) > longest_arc:
                cost = NEVER
            t.wrong[head * size + word] = cost
    for word in range(end):
        t.wrong[end * size + word] = t.wrong[word] if root_last else NEVER


cdef inline void fill_costs_of_leaving(
    TabularLosses *t, const Gold *g, bint to_front, bint to_below, bint alone
) noexcept nogil:
    cdef int size = t.size, head, word, cost
    for word in range(t.end):
        for head in range(t.end + 1):
            t.to_front[word * size + head] = t.wrong[head * size + word] if to_front else NEVER
            cost = t.wrong[head * size + word] if to_below and head < t.end else NEVER
            if alone and is_known(g, word) < cost:
                cost = is_known(g, word)
            t.otherwise[word * size + head] = cost


cdef int fill_between(TabularLosses *t) except -1 nogil:
    cdef int size = t.size, top, front, last, best, cost, i
    for i in range(size * size):
        t.between[i] = t.between_at[i] = NEVER
    for top in range(t.end - 1, 0, -1):
        if size > MANY_WORDS:
            answer_signals()
        t.between[top * size + top + 1] = t.between_at[(top + 1) * size + top] = 0
        for front in range(top + 2, t.end + 1):
            best = NEVER
            for last in range(top + 1, front):  # the last of the words that stand right above the top and leave
                cost = min(t.to_front[last * size + front], t.otherwise[last * size + top])
                cost += t.between[top * size + last] + t.between_at[front * size + last]
                best = min(best, cost)
            t.between[top * size + front] = t.between_at[front * size + top] = best


cdef inline void fill_at_bottom(TabularLosses *t, bint to_front, bint root_last, bint single) noexcept nogil:
    cdef int size = t.size, end = t.end, front, last, best, cost
    for front in range(end + 1):
        t.at_bottom[front] = 0 if front == end else NEVER
    for front in range(end - 1, 0, -1):
        best = t.at_bottom[front] if not single else NEVER
        for last in range(front + 1, end + 1):
            cost = t.to_front[front * size + last] if to_front else NEVER
            if not single:
                cost = min(cost, t.otherwise[front * size + (end if root_last else 0)])
            elif last == end:
                cost = min(cost, t.wrong[front])
            best = min(best, t.between[front * size + last] + cost + t.at_bottom[last])
        t.at_bottom[front] = min(best, <int> NEVER)


cdef inline void extend_future(TabularLosses *t, int top, int32_t *future) noexcept nogil:
    """From the least costs if the top of the stack leaves at once to those if others may come before."""
    cdef int size = t.size, front, later, best, leaving
    for front in range(t.end - 1, top, -1):
        best = future[front]
        for later in range(front + 1, t.end + 1):
            leaving = min(t.to_front[front * size + later], t.otherwise[front * size + top])
            best = min(best, t.between[front * size + later] + leaving + future[later])
        future[front] = min(best, <int> NEVER)


cdef inline int tabular_loss(
    TabularLosses *t, const SystemCode *code, const Exits *exits, bint single, const State *s, const Gold *g
) noexcept nogil:
    """The fewest wrong heads with which parsing can end."""
    cdef int bottom = code.root_first, level, top, front
    cdef bint has_head
    cdef const int32_t *future
    for level in range(bottom, s.top + 1):
        top = s.stack[level]
        has_head = (s.flags[top] & ATTACHED) != 0
        if level - bottom < t.levels and t.elements[level] == top and t.attached[level] == has_head:
            continue
        t.levels = level - bottom + 1
        t.elements[level] = top
        t.attached[level] = has_head
        fill_level(t, &exits[has_head], bottom, single, s, g, level)
    front = s.buffer[s.front] if s.front < s.end and s.buffer[s.front] > 0 else t.end
    future = t.at_bottom if s.top < bottom else t.futures + s.top * t.size
    return future[front] + settled_cost(s, g)


cdef inline void fill_level(
    TabularLosses *t, const Exits *ways, int bottom, bint single, const State *s, const Gold *g, int level
) noexcept nogil:
    """The least costs for one more element of the stack, from those for the elements below it."""
    cdef int size = t.size, top = s.stack[level], below = s.stack[level - 1], front, cost
    cdef int32_t *future = t.futures + level * size
    cdef const int32_t *rest = t.at_bottom if level == bottom else t.futures + (level - 1) * size
    for front in range(t.end + 1):
        cost = t.wrong[front * size + top] if ways.to_front else NEVER
        if single and below <= 0:
            if front == t.end and (ways.to_below or bottom == 0):
                cost = t.wrong[top]
        elif ways.to_below and below >= 0:
            cost = min(cost, t.wrong[below * size + top])
        if ways.alone:
            cost = min(cost, is_known(g, top))
        future[front] = min(rest[front] + cost, <int> NEVER)
    extend_future(t, top, future)
