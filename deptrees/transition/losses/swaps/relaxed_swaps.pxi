# Whether all target arcs could be built if nothing ever stood in the way, in C: see
# deptrees.transition.losses.swaps.relaxed_swaps.


cdef inline Set above(const Numbered *p, int32_t word) noexcept nogil:
    """The words that stand above another on the stack and have not gone."""
    if not has(p.stack, word):
        return 0
    return p.stack & ~(p.before[word] | one(word) | p.attached | p.passed | p.passed_by[word])


cdef inline bint is_anything_between(const Numbered *p, int32_t left, int32_t right) noexcept nogil:
    cdef Set gone = p.attached | p.passed_by[left] | p.has_passed[right]
    return (p.before[right] & ~(p.before[left] | one(left) | gone)) != 0


cdef inline bint can_come_to_front(const Numbered *p, int32_t word) noexcept nogil:
    return has(~p.stack | p.passed, word)


cdef inline bint can_come_to_top(const Numbered *p, int32_t word) noexcept nogil:
    """Whether a word can be s0 in arc-standard."""
    cdef Set after = ~(p.before[word] | one(word))
    if above(p, word):
        return False
    if not p.stack & after or can_come_to_front(p, word):
        return True
    return ((p.dependents[word] | p.everything & ~p.waiting & ~<Set> 1 & after) & p.attached) != 0


cdef bint can_be_attached(const Numbered *p, bint is_hybrid, int32_t word) noexcept nogil:
    """Whether a complete word can get its target head, or any head if it is free."""
    cdef int32_t head = p.head[word]
    cdef Set others = above(p, word)
    cdef bint is_left_arc
    if head == ANY:
        return not others or (not is_hybrid and not others & (others - 1))
    is_left_arc = has(p.before[head], word)
    if is_anything_between(p, word if is_left_arc else head, head if is_left_arc else word):
        return False
    if not is_hybrid:
        return can_come_to_top(p, head if is_left_arc else word)
    return (not is_left_arc or can_come_to_front(p, head)) and not others & ~one(head)


cdef bint can_pass(const Numbered *p, bint is_hybrid, Pass some) noexcept nogil:
    """Whether the word on the right can pass the one on the left."""
    if is_anything_between(p, some.left, some.right):
        return False
    if not is_hybrid or not has(p.stack, some.right):
        return can_come_to_top(p, some.right)
    return can_come_to_front(p, some.right) and not above(p, some.left) & ~one(some.right)


cdef void attach_all(Numbered *p, bint is_hybrid) noexcept nogil:
    """Attach what can be."""
    cdef Set before = ~p.attached
    cdef int32_t place, word
    while before != p.attached:
        before = p.attached
        for place in range(p.sequence.count):
            word = p.sequence.words[place]
            if word and not has(p.attached, word) and not p.first[word] & ~p.attached:
                if can_be_attached(p, is_hybrid, word):
                    p.attached |= one(word)


cdef bint can_be_built_if_relaxed(Numbered *p, bint is_hybrid) noexcept nogil:
    """Whether all target arcs could be built if nothing that has happened ever stood in the way."""
    cdef int32_t left, right, i, j, n_passes = 0, n_left
    cdef Pass some
    p.attached = p.passed = 0
    for i in range(p.sequence.count):
        right = p.sequence.words[i]
        p.passed_by[right] = p.has_passed[right] = 0
        for j in range(i):
            left = p.sequence.words[j]
            if has(p.crosses[left], right):
                p.passes[n_passes].left = left
                p.passes[n_passes].right = right
                n_passes += 1
    attach_all(p, is_hybrid)
    while p.waiting & ~p.attached:
        n_left = 0
        for i in range(n_passes):
            some = p.passes[i]
            if can_pass(p, is_hybrid, some):
                p.passed |= one(some.left)
                p.passed_by[some.left] |= one(some.right)
                p.has_passed[some.right] |= one(some.left)
            else:
                p.passes[n_left] = some
                n_left += 1
        if n_left == n_passes:
            return False
        n_passes = n_left
        attach_all(p, is_hybrid)
    return True
