# Which steps are tried, in C: see deptrees.transition.losses.swaps.steps.


cdef inline bint is_safe(const Search *s, int32_t word, int32_t head) noexcept nogil:
    return (s.words[word].head == head or s.words[word].head == ANY) and not s.words[word].waiting


cdef inline bint is_isolated(const Search *s, int32_t word) noexcept nogil:
    return s.words[word].head == ANY and not s.words[word].waiting


cdef inline bint has_reason_to_pass(const Search *s, int32_t word, int32_t passed) noexcept nogil:
    cdef bint has_arc_below = False
    cdef int32_t other = s.words[word].first
    while other != ANY:
        if s.words[other].in_buffer:
            return False
        has_arc_below |= s.words[other].on_stack and other != passed
        other = s.words[other].next
    other = s.words[word].head
    return has_arc_below or (other != ANY and s.words[other].on_stack and other != passed)


cdef inline bint only(Choice *choice, int32_t step) noexcept nogil:
    choice.steps[0] = step
    choice.count = 1
    return True


cdef inline void add(Choice *choice, int32_t step) noexcept nogil:
    choice.steps[choice.count] = step
    choice.count += 1


cdef inline bint find_arcs(const Search *s, Choice *choice) noexcept nogil:
    """Find the arcs that can be tried; whether nothing else needs to be."""
    cdef int32_t top = s.top, below, front = s.front
    if top == s.end:
        return False
    below = s.words[top].before
    if s.is_hybrid:
        if ((front or below == s.end or not s.has_single_root) and is_safe(s, top, front)) or (
            below != s.end and is_safe(s, top, below)
        ):
            if s.words[top].earliest >= top:
                return only(choice, ATTACH_TOP)
            add(choice, ATTACH_TOP)
        return False
    if below == s.end:
        return False
    if below and is_safe(s, below, top):
        if s.words[below].earliest >= below:
            return only(choice, ATTACH_BELOW)
        add(choice, ATTACH_BELOW)
    if top and (below or front == s.end or not s.has_single_root) and is_safe(s, top, below):
        if s.words[top].earliest >= top:
            return only(choice, ATTACH_TOP)
        add(choice, ATTACH_TOP)
    return False


cdef inline void find_steps(Search *s, Choice *choice) noexcept nogil:
    """Find the steps to be tried, in this order."""
    cdef int32_t front = s.front, passing, passed
    cdef bint can_shift, can_swap
    choice.count = choice.tried = 0
    if find_arcs(s, choice):
        return
    if choice.count == 2:  # the one that was found last is tried first
        choice.steps[0], choice.steps[1] = choice.steps[1], choice.steps[0]
    if s.is_hybrid:
        passing, passed = front, s.top
        can_shift = front != 0
    else:
        passing, passed = s.top, s.end if s.top == s.end else s.words[s.top].before
        can_shift = front != s.end and (front or s.depth < 2 or not s.has_single_root)
    if can_shift and front and is_isolated(s, front) and earliest_on_stack(s) >= front:
        only(choice, SHIFT)
        return
    can_swap = passed != s.end and 0 < passed < passing
    if can_swap and (s.eager >> (passing & 63) & 1 or has_reason_to_pass(s, passing, passed)):
        add(choice, SWAP)
        can_swap = False
    if can_shift:
        add(choice, SHIFT)
    if can_swap:
        add(choice, SWAP)
