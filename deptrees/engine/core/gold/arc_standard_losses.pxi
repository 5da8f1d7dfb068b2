# Exact losses of arc-standard, whose arcs are between the two topmost elements of the stack, by dynamic programming:
# deptrees.transition.losses.arc_standard, where the method is explained, in C.

ctypedef struct ArcStandardLosses:
    int root, end, size
    int bottom  # where in the stack its lowest element is, apart from a ROOT that is taken as absent
    bint has_single_root
    bint ready
    int first  # where the front of the buffer was when the tables were filled
    int32_t *unsettled  # which words were on the stack or in the buffer then: the tables tell of these only
    int32_t *wrong  # [head, dependent]
    int32_t *wrong_of  # [dependent, head]: transposed
    int32_t *half  # [head, other end]: the cost of all words between them, at one side of the head, under it
    int32_t *half_of  # [other end, head]: transposed
    int32_t *incomplete  # [head, dependent]
    int32_t *as_top
    int32_t *leaving
    int32_t *memory
    # For each number of elements, from the bottom of the stack up, what can come above them, and the last of them.
    int levels
    int32_t *elements
    int32_t **futures  # [top, front]; made when there are that many elements for the first time


cdef inline void free_futures(ArcStandardLosses *t) noexcept nogil:
    cdef int level
    for level in range(t.size):
        free(t.futures[level])
    free(t.futures)
    t.size = 0


cdef inline int allocate_arc_standard(ArcStandardLosses *t, int n) except -1 nogil:
    """Make room for a sentence."""
    cdef size_t size = n + 3
    t.memory = <int32_t *> resized(t.memory, 4 * (5 * size * size + 4 * size))
    free_futures(t)
    t.futures = <int32_t **> calloc(size, sizeof(int32_t *))
    if t.futures == NULL:
        raise MemoryError
    t.size = size
    t.wrong = t.memory
    t.wrong_of = t.wrong + size * size
    t.half = t.wrong_of + size * size
    t.half_of = t.half + size * size
    t.incomplete = t.half_of + size * size
    t.as_top = t.incomplete + size * size
    t.leaving = t.as_top + size
    t.elements = t.leaving + size
    t.unsettled = t.elements + size


cdef inline int least_sum(const int32_t *first, const int32_t *second, int start, int stop) noexcept nogil:
    cdef int i, best = NEVER
    for i in range(start, stop):
        best = min(best, first[i] + second[i])
    return best


cdef inline void set_half(ArcStandardLosses *t, int head, int other, int cost) noexcept nogil:
    t.half[head * t.size + other] = t.half_of[other * t.size + head] = cost


cdef int eisner(ArcStandardLosses *t, int start, int stop) except -1 nogil:
    """deptrees.trees.eisner, for some positions."""
    cdef int width, left, right, meeting, best, size = t.size
    for left in range(start, stop):
        set_half(t, left, left, 0)
    for width in range(1, stop - start):
        if size > MANY_WORDS:
            answer_signals()
        for left in range(start, stop - width):
            right = left + width
            meeting = least_sum(t.half + left * size, t.half + right * size + 1, left, right)
            t.incomplete[left * size + right] = min(meeting + t.wrong[left * size + right], <int> NEVER)
            t.incomplete[right * size + left] = min(meeting + t.wrong[right * size + left], <int> NEVER)
            best = least_sum(t.incomplete + left * size, t.half_of + right * size, left + 1, right + 1)
            set_half(t, left, right, best)
            best = least_sum(t.incomplete + right * size, t.half_of + left * size, left, right)
            set_half(t, right, left, best)


cdef int extend_futures(ArcStandardLosses *t, int32_t *future, int element) except -1 nogil:
    """From the costs if the next arc is one with the element below to those if it may be one with the buffer.

    Only what comes after that element can stand above it.
    """
    cdef int size = t.size, top, front, with_right_half
    cdef int32_t *row
    for top in range(t.end - 1, element, -1):
        if size > MANY_WORDS:
            answer_signals()
        if not t.unsettled[top]:
            continue
        row = future + top * size
        for front in range(t.end - 1, max(top, t.first - 1), -1):
            with_right_half = least_sum(t.half + front * size, row + 1, front, t.end)
            t.leaving[front] = min(
                t.wrong[top * size + front] + with_right_half, t.wrong_of[top * size + front] + t.as_top[front]
            )
            row[front] = min(row[front], least_sum(t.half_of + front * size, t.leaving, front, t.end))
        if top >= t.first:
            t.as_top[top] = row[top + 1]


cdef inline int32_t *future_at(ArcStandardLosses *t, int level) except NULL nogil:
    """Room for what can come above so many elements."""
    if t.futures[level] == NULL:
        t.futures[level] = <int32_t *> resized(NULL, 4 * <size_t> t.size * t.size)
    return t.futures[level]


cdef inline int32_t *future_above(ArcStandardLosses *t, const int32_t *stack, int level) except NULL nogil:
    """At [h, j] the least cost of all unsettled words if h stands on so many elements of a stack and j is in front."""
    cdef int size = t.size, known = 0, element, top, front
    cdef int32_t *future
    cdef const int32_t *rest
    while known < min(t.levels, level) and t.elements[known + 1] == stack[known]:
        known += 1
    while known < level:
        rest = t.futures[known]
        element = stack[known]
        known += 1
        future = future_at(t, known)
        for top in range(element + 1, t.end):
            if not t.unsettled[top]:
                continue
            for front in range(max(top + 1, t.first), t.end + 1):
                future[top * size + front] = min(
                    t.wrong[top * size + element] + rest[top * size + front],
                    t.wrong[element * size + top] + rest[element * size + front],
                )
        extend_futures(t, future, element)
        t.elements[known] = element
        t.levels = known
    return t.futures[level]


cdef inline int position(const ArcStandardLosses *t, int element) noexcept nogil:
    return element if element > 0 else t.root


cdef inline int front_of(const ArcStandardLosses *t, const State *s) noexcept nogil:
    """The position in front of the buffer."""
    if s.front == s.end or (s.buffer[s.front] == 0 and t.has_single_root):
        return t.end
    return position(t, s.buffer[s.front])


cdef inline int fill_arc_standard(
    ArcStandardLosses *t, const SystemCode *code, bint single, const State *s, const Gold *g
) except -1 nogil:
    """The tables of one gold tree, for a configuration and what comes after it."""
    cdef int size, head, word
    cdef int32_t *bottom
    if t.size < s.n + 3:
        allocate_arc_standard(t, s.n)
    size = t.size
    t.has_single_root = single
    t.root = s.n + 1 if code.root_last and not single else 0
    t.end = s.n + 2 if code.root_last and not single else s.n + 1
    t.bottom = single and code.root_first
    find_unsettled(t, s)
    fill_arc_costs(t, s.n, g)
    eisner(t, t.first, t.end)
    bottom = future_at(t, 0)
    for head in range(t.end):
        for word in range(t.end):
            bottom[head * size + word] = NEVER
        # Parsing ends with the word on top of the bottom alone.
        bottom[head * size + t.end] = t.wrong[head] if single else 0 if head == t.root else NEVER
    extend_futures(t, bottom, -1)
    t.levels = 0
    t.ready = True


cdef inline void find_unsettled(ArcStandardLosses *t, const State *s) noexcept nogil:
    cdef int word, level
    t.first = front_of(t, s)
    for word in range(t.end):
        t.unsettled[word] = word >= t.first
    for level in range(s.top + 1):
        t.unsettled[position(t, s.stack[level])] = True


cdef inline void fill_arc_costs(ArcStandardLosses *t, int n, const Gold *g) noexcept nogil:
    cdef int size = t.size, head, word, cost
    for head in range(n + 2):
        for word in range(n + 2):
            cost = NEVER
            if 1 <= word <= n and (1 <= head <= n or head == t.root):
                cost = is_known(g, word) and g.heads[word] != (0 if head == t.root else head)
            t.wrong[head * size + word] = t.wrong_of[word * size + head] = cost


cdef inline int arc_standard_loss(ArcStandardLosses *t, const State *s, const Gold *g) except -1 nogil:
    """The fewest wrong heads with which parsing can end."""
    cdef int front = front_of(t, s), top = s.top, word, best = NEVER
    cdef const int32_t *future
    if t.has_single_root and s.stack[top] == 0:
        top -= 1
    if top >= t.bottom:
        future = future_above(t, s.stack + t.bottom, top - t.bottom)
        return future[position(t, s.stack[top]) * t.size + front] + settled_cost(s, g)
    # The first tree that is shifted: its root, with all that stands before it.
    for word in range(front, t.end):
        best = min(best, t.half[word * t.size + front] + t.futures[0][word * t.size + word + 1])
    return (best if front < t.end else 0) + settled_cost(s, g)
