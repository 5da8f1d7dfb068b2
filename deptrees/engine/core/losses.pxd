# Exact losses by dynamic programming, in C and with the same names as in Python: the LossTable of
# deptrees.transition.losses.tabular, and the _LeastCosts of deptrees.transition.systems.arc_standard.
#
# All matrices are square, and stored in the way in which the inner loops read them.

from libc.stdint cimport int32_t
from libc.stdlib cimport abs, calloc, free, malloc

from deptrees.engine.core.machine cimport ATTACHED, IN_BUFFER, ON_STACK, Gold, Program, State

cdef enum:
    NEVER = 1 << 24  # more than any loss, and few enough to be added up

ctypedef struct Exits:
    bint to_front
    bint to_below
    bint alone

ctypedef struct LossTable:
    int end
    int size
    bint ready
    int32_t *wrong  # [head, dependent]
    int32_t *to_front  # [dependent, head]: transposed
    int32_t *otherwise  # [dependent, element below]: transposed
    int32_t *between  # [k, j]
    int32_t *between_at  # [j, k]: transposed
    int32_t *leaving
    int32_t *at_bottom
    # For the stack from the bottom up to each element: the element, whether it has a head, and the future.
    int levels
    int32_t *elements
    int32_t *attached
    int32_t *futures
    int32_t *memory


cdef inline bint allocate_table(LossTable *t, int n) noexcept nogil:
    # Make room for a sentence; whether there was enough memory.
    cdef size_t size = n + 2
    free(t.memory)
    t.memory = <int32_t *> malloc(4 * (6 * size * size + 5 * size))
    if t.memory == NULL:
        return False
    t.size = size
    t.wrong = t.memory
    t.to_front = t.wrong + size * size
    t.otherwise = t.to_front + size * size
    t.between = t.otherwise + size * size
    t.between_at = t.between + size * size
    t.futures = t.between_at + size * size
    t.leaving = t.futures + size * size
    t.at_bottom = t.leaving + size
    t.elements = t.at_bottom + size
    t.attached = t.elements + size
    return True


cdef inline int known(const Gold *g, int word) noexcept nogil:
    return 1 if word > 0 and g.heads[word] >= 0 else 0


cdef inline int settled_cost(const State *s, const Gold *g) noexcept nogil:
    # The wrong heads of the words that are neither on the stack nor in the buffer.
    cdef int word, errors = 0
    for word in range(1, s.n + 1):
        if not s.flags[word] & (ON_STACK | IN_BUFFER) and known(g, word) and g.heads[word] != s.heads[word]:
            errors += 1
    return errors


cdef inline void fill_table(
    LossTable *t, const Program *p, const Exits *exits, bint pushes_with_head, bint single, int n, const Gold *g
) noexcept nogil:
    # The tables of one gold tree.
    cdef int size = t.size, end = n + 1, head, word, top, front, last, best, cost
    cdef bint to_front = exits[0].to_front or (pushes_with_head and exits[1].to_front)
    cdef bint to_below = exits[0].to_below or (pushes_with_head and exits[1].to_below)
    t.end = end
    t.levels = 0
    for head in range(end + 1):
        for word in range(end):
            cost = 1 if known(g, word) and g.heads[word] != head else 0
            if p.longest_arc >= 0 and abs(head - word) > p.longest_arc:
                cost = NEVER
            t.wrong[head * size + word] = cost
    for word in range(end):
        t.wrong[end * size + word] = t.wrong[word] if p.root_last and not single else NEVER
        for head in range(end + 1):
            t.to_front[word * size + head] = t.wrong[head * size + word] if to_front else NEVER
            cost = t.wrong[head * size + word] if to_below and head < end else NEVER
            if exits[0].alone and known(g, word) < cost:
                cost = known(g, word)
            t.otherwise[word * size + head] = cost
    # At [k, j] the least cost of all words between k and j, when k is on the stack and j comes to the front.
    for head in range(size * size):
        t.between[head] = t.between_at[head] = NEVER
    for top in range(end - 1, 0, -1):
        t.between[top * size + top + 1] = t.between_at[(top + 1) * size + top] = 0
        for front in range(top + 2, end + 1):
            best = NEVER
            for last in range(top + 1, front):
                cost = min(t.to_front[last * size + front], t.otherwise[last * size + top])
                cost += t.between[top * size + last] + t.between_at[front * size + last]
                best = min(best, cost)
            t.between[top * size + front] = t.between_at[front * size + top] = best
    for front in range(end + 1):
        t.at_bottom[front] = 0 if front == end else NEVER
    for front in range(end - 1, 0, -1):
        best = t.at_bottom[front] if not single else NEVER
        for last in range(front + 1, end + 1):
            cost = t.to_front[front * size + last]
            if not single:
                cost = min(cost, t.otherwise[front * size + (end if p.root_last else 0)])
            elif last == end:
                cost = min(cost, t.wrong[front])
            best = min(best, t.between[front * size + last] + cost + t.at_bottom[last])
        t.at_bottom[front] = min(best, <int> NEVER)
    t.ready = True


cdef inline void extend(LossTable *t, int top, int32_t *future, int above) noexcept nogil:
    # From the least costs if the top of the stack leaves at once to those if others may come before.
    cdef int size = t.size, front, later, best, leaving
    for front in range(t.end - 1, above, -1):
        best = future[front]
        for later in range(front + 1, t.end + 1):
            leaving = min(t.to_front[front * size + later], t.otherwise[front * size + top])
            best = min(best, t.between[front * size + later] + leaving + future[later])
        future[front] = min(best, <int> NEVER)


cdef inline int loss(
    LossTable *t, const Program *p, const Exits *exits, bint single, const State *s, const Gold *g
) noexcept nogil:
    # The fewest wrong heads with which parsing can end.
    cdef int size = t.size, bottom = p.root_first, level, top, below, front, cost
    cdef const Exits *ways
    cdef int32_t *future
    cdef const int32_t *rest
    cdef bint has_head
    for level in range(bottom, s.top + 1):
        top = s.stack[level]
        has_head = (s.flags[top] & ATTACHED) != 0
        if level - bottom < t.levels and t.elements[level] == top and t.attached[level] == has_head:
            continue
        t.levels = level - bottom + 1
        t.elements[level] = top
        t.attached[level] = has_head
        below = s.stack[level - 1]
        ways = &exits[has_head]
        future = t.futures + level * size
        rest = t.at_bottom if level == bottom else t.futures + (level - 1) * size
        for front in range(t.end + 1):
            cost = t.wrong[front * size + top] if ways.to_front else NEVER
            if single and below <= 0:
                if front == t.end and (ways.to_below or not p.root_first):
                    cost = t.wrong[top]
            elif ways.to_below and below >= 0:
                cost = min(cost, t.wrong[below * size + top])
            if ways.alone:
                cost = min(cost, known(g, top))
            future[front] = min(rest[front] + cost, <int> NEVER)
        extend(t, top, future, top)
    front = s.buffer[s.front] if s.front < s.end and s.buffer[s.front] > 0 else t.end
    rest = t.at_bottom if s.top < bottom else t.futures + s.top * size
    return rest[front] + settled_cost(s, g)


# Arc-standard: arcs between the two topmost elements of the stack


ctypedef struct LeastCosts:
    int root
    int end
    int size
    int bottom  # where in the stack its lowest element is, apart from a ROOT that is taken as absent
    bint has_single_root
    bint ready
    # The tables tell of what is in play when they are filled: words on the stack, and from this front of the buffer on.
    int first
    int32_t *in_play
    int32_t *wrong  # [head, dependent]
    int32_t *wrong_of  # [dependent, head]: transposed
    int32_t *half  # [head, other end]
    int32_t *half_of  # [other end, head]: transposed
    int32_t *incomplete  # [head, dependent]
    int32_t *as_top
    int32_t *leaving
    int32_t *memory
    # For each number of elements, from the bottom of the stack up, what can come above them, and the last of them.
    int levels
    int32_t *elements
    int32_t **futures  # [top, front]; made when there are that many elements for the first time


cdef inline void free_costs(LeastCosts *t) noexcept nogil:
    cdef int level
    for level in range(t.size):
        free(t.futures[level])
    free(t.futures)
    free(t.memory)


cdef inline bint allocate_costs(LeastCosts *t, int n) noexcept nogil:
    # Make room for a sentence; whether there was enough memory.
    cdef size_t size = n + 3
    free_costs(t)
    t.size = 0
    t.memory = <int32_t *> malloc(4 * (5 * size * size + 4 * size))
    t.futures = <int32_t **> calloc(size, sizeof(int32_t *))
    if t.memory == NULL or t.futures == NULL:
        return False
    t.size = size
    t.wrong = t.memory
    t.wrong_of = t.wrong + size * size
    t.half = t.wrong_of + size * size
    t.half_of = t.half + size * size
    t.incomplete = t.half_of + size * size
    t.as_top = t.incomplete + size * size
    t.leaving = t.as_top + size
    t.elements = t.leaving + size
    t.in_play = t.elements + size
    return True


cdef inline int least_sum(const int32_t *first, const int32_t *second, int start, int stop) noexcept nogil:
    cdef int i, best = NEVER
    for i in range(start, stop):
        best = min(best, first[i] + second[i])
    return best


cdef inline void set_half(LeastCosts *t, int head, int other, int cost) noexcept nogil:
    t.half[head * t.size + other] = t.half_of[other * t.size + head] = cost


cdef inline void eisner(LeastCosts *t, int start, int stop) noexcept nogil:
    # deptrees.trees.eisner, for some positions.
    cdef int width, left, right, meeting, best, size = t.size
    for left in range(start, stop):
        set_half(t, left, left, 0)
    for width in range(1, stop - start):
        for left in range(start, stop - width):
            right = left + width
            meeting = least_sum(t.half + left * size, t.half + right * size + 1, left, right)
            t.incomplete[left * size + right] = min(meeting + t.wrong[left * size + right], <int> NEVER)
            t.incomplete[right * size + left] = min(meeting + t.wrong[right * size + left], <int> NEVER)
            best = least_sum(t.incomplete + left * size, t.half_of + right * size, left + 1, right + 1)
            set_half(t, left, right, best)
            best = least_sum(t.incomplete + right * size, t.half_of + left * size, left, right)
            set_half(t, right, left, best)


cdef inline void extend_futures(LeastCosts *t, int32_t *future, int element) noexcept nogil:
    # From the costs if the next arc is one with the element below to those if it may be one with the buffer. Only what
    # comes behind that element can stand above it.
    cdef int size = t.size, top, front, with_right_half
    cdef int32_t *row
    for top in range(t.end - 1, element, -1):
        if not t.in_play[top]:
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


cdef inline int32_t *room_for(LeastCosts *t, int level) noexcept nogil:
    if t.futures[level] == NULL:
        t.futures[level] = <int32_t *> malloc(4 * <size_t> t.size * t.size)
    return t.futures[level]


cdef inline int32_t *future_above(LeastCosts *t, const int32_t *stack, int level) noexcept nogil:
    # At [h, j] the least cost of all words in play when h stands on the lowest elements of a stack, as many as `level`
    # says, and j is in front; NULL if there is not enough memory.
    cdef int size = t.size, known = 0, element, top, front
    cdef int32_t *future
    cdef const int32_t *rest
    while known < min(t.levels, level) and t.elements[known + 1] == stack[known]:
        known += 1
    while known < level:
        rest = t.futures[known]
        element = stack[known]
        known += 1
        future = room_for(t, known)
        if future == NULL:
            return NULL
        for top in range(element + 1, t.end):
            if not t.in_play[top]:
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


cdef inline int position(const LeastCosts *t, int element) noexcept nogil:
    return element if element > 0 else t.root


cdef inline int front_of(const LeastCosts *t, const State *s) noexcept nogil:
    # The position in front of the buffer.
    if s.front == s.end or (s.buffer[s.front] == 0 and t.has_single_root):
        return t.end
    return position(t, s.buffer[s.front])


cdef inline bint fill_costs(LeastCosts *t, const Program *p, bint single, const State *s, const Gold *g) noexcept nogil:
    # The tables of one gold tree, for a configuration and what comes behind it; whether there was enough memory.
    cdef int size = t.size, n = s.n, head, word, cost, level
    cdef int32_t *bottom
    t.has_single_root = single
    t.root = n + 1 if p.root_last and not single else 0
    t.end = n + 2 if p.root_last and not single else n + 1
    t.bottom = single and p.root_first
    t.first = front_of(t, s)
    for word in range(t.end):
        t.in_play[word] = word >= t.first
    for level in range(s.top + 1):
        t.in_play[position(t, s.stack[level])] = True
    for head in range(n + 2):
        for word in range(n + 2):
            cost = NEVER
            if 1 <= word <= n and (1 <= head <= n or head == t.root):
                cost = known(g, word) and g.heads[word] != (0 if head == t.root else head)
            t.wrong[head * size + word] = t.wrong_of[word * size + head] = cost
    eisner(t, t.first, t.end)
    bottom = room_for(t, 0)
    if bottom == NULL:
        return False
    for head in range(t.end):
        for word in range(t.end):
            bottom[head * size + word] = NEVER
        # Parsing ends with the word on top of the bottom alone.
        bottom[head * size + t.end] = t.wrong[head] if single else 0 if head == t.root else NEVER
    extend_futures(t, bottom, -1)
    t.levels = 0
    t.ready = True
    return True


cdef inline int least_cost(LeastCosts *t, const State *s, const Gold *g) noexcept nogil:
    # The fewest wrong heads with which parsing can end, -1 if there is not enough memory.
    cdef int front = front_of(t, s), top = s.top, word, best = NEVER
    cdef const int32_t *future
    if t.has_single_root and s.stack[top] == 0:
        top -= 1
    if top >= t.bottom:
        future = future_above(t, s.stack + t.bottom, top - t.bottom)
        if future == NULL:
            return -1
        return future[position(t, s.stack[top]) * t.size + front] + settled_cost(s, g)
    # The first tree that is shifted: its root, with all that stands before it.
    for word in range(front, t.end):
        best = min(best, t.half[word * t.size + front] + t.futures[0][word * t.size + word + 1])
    return (best if front < t.end else 0) + settled_cost(s, g)
