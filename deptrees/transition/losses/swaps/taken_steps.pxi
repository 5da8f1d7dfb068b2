# Steps taken in a configuration, and taken back.


cdef inline void find_earliest(Search *s, int32_t word, int32_t height) noexcept nogil:
    """Of the words below one on the stack, at that height, find the earliest one that it may pass."""
    cdef int32_t below = s.words[word].before
    cdef int32_t earliest = NO_WORD if below == s.end else s.words[below].earliest
    if below != s.end and below and height > s.lowest and below < earliest:
        earliest = below
    s.words[word].earliest = earliest


cdef inline int32_t earliest_on_stack(const Search *s) noexcept nogil:
    """The earliest word on the stack that the front of the buffer may pass once it is shifted."""
    cdef int32_t earliest = NO_WORD if s.top == s.end else s.words[s.top].earliest
    if s.top != s.end and s.top and s.depth > s.lowest and s.top < earliest:
        earliest = s.top
    return earliest


cdef inline void join(Search *s, int32_t left, int32_t right) noexcept nogil:
    s.words[left].after = right
    s.words[right].before = left
    hash_neighbors(s, left, right)


cdef inline void exchange(Search *s, int32_t left, int32_t right) noexcept nogil:
    """Let two neighbors change places."""
    cdef int32_t before = s.words[left].before, after = s.words[right].after
    hash_neighbors(s, before, left)
    hash_neighbors(s, left, right)
    hash_neighbors(s, right, after)
    join(s, before, right)
    join(s, right, left)
    join(s, left, after)


cdef inline void to_stack(Search *s, int32_t word, int32_t height) noexcept nogil:
    s.words[word].on_stack, s.words[word].in_buffer = True, False
    find_earliest(s, word, height)


cdef inline void to_buffer(Search *s, int32_t word) noexcept nogil:
    s.words[word].on_stack, s.words[word].in_buffer = False, True


cdef inline void count_waiting(Search *s, int32_t word, int32_t change) noexcept nogil:
    cdef int32_t head = s.words[word].head
    if head != ANY:
        s.waiting += change
        s.words[head].waiting += change
        hash_in_or_out(s, TARGET_ARC, head, word)


cdef inline void take_out(Search *s, int32_t word) noexcept nogil:
    """Take a word out that has been attached."""
    cdef int32_t before = s.words[word].before, after = s.words[word].after
    hash_neighbors(s, before, word)
    hash_neighbors(s, word, after)
    join(s, before, after)
    s.words[word].on_stack = False
    s.depth -= 1
    count_waiting(s, word, -1)


cdef inline void put_back(Search *s, int32_t word) noexcept nogil:
    cdef int32_t before = s.words[word].before, after = s.words[word].after
    hash_neighbors(s, before, after)
    join(s, before, word)
    join(s, word, after)
    s.words[word].on_stack = True
    s.depth += 1
    count_waiting(s, word, 1)


cdef inline void take(Search *s, Choice *choice) noexcept nogil:
    """Take the next step of a choice."""
    cdef int32_t word = s.top, step = choice.steps[choice.tried]
    choice.tried += 1
    if step == SHIFT:
        hash_front(s)
        s.top = s.front
        s.front = s.words[s.top].after
        hash_front(s)
        to_stack(s, s.top, s.depth)
        s.depth += 1
    elif step == ATTACH_TOP:
        choice.attached = word
        take_out(s, word)
        s.top = s.words[word].before
    elif step == ATTACH_BELOW:
        choice.attached = s.words[word].before
        take_out(s, choice.attached)
        find_earliest(s, word, s.depth - 1)
    elif s.is_hybrid:
        exchange(s, word, s.front)
        to_buffer(s, word)
        s.top = s.words[s.front].before
        s.depth -= 1
    else:
        hash_front(s)
        s.front = s.words[word].before
        hash_front(s)
        exchange(s, s.front, word)
        to_buffer(s, s.front)
        s.depth -= 1
        find_earliest(s, word, s.depth - 1)


cdef inline void take_back(Search *s, const Choice *choice) noexcept nogil:
    """Take back the latest step of a choice."""
    cdef int32_t word, step = choice.steps[choice.tried - 1]
    if step == SHIFT:
        hash_front(s)
        s.front = s.top
        hash_front(s)
        to_buffer(s, s.front)
        s.top = s.words[s.front].before
        s.depth -= 1
    elif step == ATTACH_TOP:
        put_back(s, choice.attached)
        s.top = choice.attached
    elif step == ATTACH_BELOW:
        put_back(s, choice.attached)
        find_earliest(s, s.top, s.depth - 1)
    elif s.is_hybrid:
        s.top = s.words[s.front].after
        exchange(s, s.front, s.top)
        to_stack(s, s.top, s.depth)
        s.depth += 1
    else:
        word = s.front
        hash_front(s)
        s.front = s.words[word].after
        hash_front(s)
        exchange(s, s.top, word)
        to_stack(s, word, s.depth - 1)
        find_earliest(s, s.top, s.depth)
        s.depth += 1
