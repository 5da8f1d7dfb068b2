# How words of the stack can be released, in C: see deptrees.transition.losses.swaps.releases.


cdef Set find_attachable(const Numbered *p, bint is_hybrid, int32_t word, Set frozen) noexcept nogil:
    """The words that can be attached before one is released, while others are frozen."""
    cdef Set blocked = frozen, found = 0
    cdef int32_t other, head
    for other in range(1, p.count):
        head = p.head[other]
        if head != ANY and has(frozen, head) and not (is_hybrid and head == word):
            blocked |= one(other)
    for other in range(1, p.count):
        if not (p.first[other] | one(other)) & blocked:
            found |= one(other)
    return found


cdef Set find_joining(const Numbered *p, bint is_hybrid, int32_t word, Set frozen) noexcept nogil:
    """The words next to which one is attached or, in arc-standard, which are attached to it."""
    cdef Set joining = 0
    cdef int32_t other, head = p.head[word]
    if word and not p.first[word] & ~p.attachable:
        if head == ANY or (is_hybrid and has(p.before[word], head)):
            return p.everything & ~frozen
        joining = one(head) & ~frozen
    if not is_hybrid:
        for other in range(1, p.count):
            head = p.head[other]
            if (head == word or head == ANY) and not p.first[other] & ~p.attachable:
                joining |= one(other) & ~frozen
    return joining


cdef Set find_leaving(const Numbered *p, bint is_hybrid, int32_t word, Set frozen) noexcept nogil:
    """The moving words that can leave; in arc-standard the last word is one of them."""
    cdef Set last = p.joining | p.passing, leaving = 0 if is_hybrid else last, known
    cdef Set attachable = p.attachable if last & (last - 1) else p.attachable & ~last
    cdef int32_t other, head
    cdef bint is_near
    while True:
        known = leaving
        for other in range(p.count - 1, 0, -1):
            if has(frozen | leaving, other):
                continue
            head = p.head[other]
            is_near = head == ANY or has(last | leaving, head) or (is_hybrid and head == word)
            if (is_near and has(attachable, other)) or p.crosses[other] & ~below(other) & (last | leaving):
                leaving |= one(other)
        if leaving == known:
            return leaving


cdef Set find_beyond(const Numbered *p, bint is_hybrid, Set leaving) noexcept nogil:
    """The words that come no nearer, since one before them in the buffer cannot leave."""
    cdef int32_t place, word
    cdef Set beyond
    for place in range(p.depth, p.sequence.count):
        word = p.sequence.words[place]
        if not has(leaving, word):
            beyond = p.everything & ~(p.before[word] | one(word))
            return beyond if is_hybrid and has(p.joining | p.passing, word) else beyond | one(word)
    return 0


cdef bint find_release(Numbered *p, bint is_hybrid, int32_t word) noexcept nogil:
    """Find how a word of the stack can be released; whether it can be."""
    cdef Set frozen = p.before[word] | one(word), above = p.stack & ~frozen, known = 0, leaving
    while frozen != known:
        known = frozen
        p.attachable = find_attachable(p, is_hybrid, word, frozen)
        p.joining = find_joining(p, is_hybrid, word, frozen)
        p.passing = p.crosses[word] & ~below(word) & ~frozen
        leaving = find_leaving(p, is_hybrid, word, frozen)
        if not p.joining | p.passing or above & ~leaving:
            return False
        frozen |= find_beyond(p, is_hybrid, leaving)
    return True
