# What holds in every way to build all target arcs, in C: see deptrees.transition.losses.swaps.precedences.


cdef inline void attach_before(Numbered *p, int32_t word, Set others) noexcept nogil:
    if others & ~p.first[word]:
        p.first[word] |= others
        p.is_changed = True


cdef bint close_first(Numbered *p) noexcept nogil:
    """Let words be attached after those before the ones before them; whether none is before itself."""
    cdef int32_t word, middle
    for middle in range(1, p.count):
        if p.first[middle]:
            for word in range(1, p.count):
                if has(p.first[word], middle):
                    p.first[word] |= p.first[middle]
    for word in range(1, p.count):
        if has(p.first[word], word):
            return False
    return True


cdef void move_away(Numbered *p, int32_t word, int32_t head, Set present) noexcept nogil:
    """Rule 5: let a word change places with a head while dependents of it are there."""
    cdef Set side = p.before[word] if has(p.before[word], head) else ~p.before[word] & ~one(word)
    cdef Set parted = p.dependents[head] & side & ~p.crosses[word] & present
    cdef int32_t other
    for other in range(1, p.count):
        if has(parted, other):
            attach_before(p, other, one(word))


cdef Set not_before(const Numbered *p, int32_t word) noexcept nogil:
    """A word, and those that are attached after it."""
    cdef Set found = one(word)
    cdef int32_t other
    for other in range(1, p.count):
        if has(p.first[other], word):
            found |= one(other)
    return found


cdef void change_places(Numbered *p, int32_t word, int32_t other, Set present) noexcept nogil:
    """Two words change places while others are there."""
    cdef int32_t left = min(word, other), right = max(word, other), number
    present &= p.everything
    for number in range(p.n_swaps):
        if p.swaps[number].left == left and p.swaps[number].right == right:
            if present & ~p.swaps[number].present:
                p.swaps[number].present |= present
                p.is_changed = True
            return
    if present and p.n_swaps < MOST_SWAPS:
        p.swaps[p.n_swaps].left = left
        p.swaps[p.n_swaps].right = right
        p.swaps[p.n_swaps].present = present
        p.n_swaps += 1
        p.is_changed = True


cdef inline bint could_pass(const Numbered *p, int32_t word, int32_t one, int32_t other) noexcept nogil:
    """Whether a word may change places with another one that is on the same side of it as a third."""
    return has(p.crosses[word], other) and has(p.before[word], one) == has(p.before[word], other)


cdef void pass_on(Numbered *p, int32_t word, int32_t passed, Set present) noexcept nogil:
    """Rule 7: a word that passes another passes its head, too, and those of its dependents that are there."""
    cdef int32_t other = p.head[passed]
    if other > 0 and has(p.first[word], passed) and could_pass(p, word, passed, other):
        change_places(p, word, other, not_before(p, passed))
    for other in range(1, p.count):
        if has(p.dependents[passed] & p.first[word] & present, other) and could_pass(p, word, passed, other):
            change_places(p, word, other, not_before(p, other))


cdef bint follow_swaps(Numbered *p) noexcept nogil:
    """Rules 3 to 5, 7 and 8, for each pair of words that have to change places; whether all can."""
    cdef int32_t number, other, word, left, right
    cdef Swapped some, before
    cdef Set gone
    for number in range(p.n_swaps):
        some = p.swaps[number]
        left, right = some.left, some.right
        if not has(p.crosses[left], right):
            return False
        gone = words_between(p.before, left, right) & ~p.crosses[left] & ~p.crosses[right]
        for word in range(1, p.count):
            if has(some.present, word):
                attach_before(p, word, gone)
        attach_before(p, left, p.parting[left] & one(right))
        attach_before(p, right, p.parting[right] & one(left))
        move_away(p, left, right, some.present)
        move_away(p, right, left, some.present)
        pass_on(p, left, right, some.present)
        pass_on(p, right, left, some.present)
        for other in range(p.n_swaps):
            before = p.swaps[other]
            if before.right == left and has(before.present, right) and has(some.present, before.left):
                change_places(p, before.left, right, before.present & some.present)
    return True


cdef void find_blocking(Numbered *p, int32_t word, int32_t head) noexcept nogil:
    """Rules 2 and 4, for each word that stands between a word and its head."""
    cdef Set others = words_between(p.before, word, head)
    cdef int32_t other
    attach_before(p, word, others & ~p.crosses[word] & ~p.crosses[head])
    for other in range(1, p.count):
        if has(others, other) and has(p.first[other], word):
            if not has(p.crosses[head], other):
                change_places(p, other, word, not_before(p, word))
            elif not has(p.crosses[word], other):
                change_places(p, other, head, not_before(p, word))


cdef void keep_apart(Numbered *p, int32_t word, Set others) noexcept nogil:
    """Let a word change places with none of some others."""
    cdef Set apart = p.crosses[word] & others
    cdef int32_t other
    if apart:
        p.is_changed = True
        p.crosses[word] ^= apart
        for other in range(1, p.count):
            if has(apart, other):
                p.crosses[other] &= ~one(word)


cdef void find_apart(Numbered *p, int32_t word) noexcept nogil:
    """Rule 3: keep words apart that could only change places if they were attached before themselves."""
    cdef int32_t other
    for other in range(1, p.count):
        if has(p.parting[word], other) and (has(p.first[other], word) or has(p.parting[other], word)):
            keep_apart(p, word, one(other))


cdef void find_pairs(Numbered *p) noexcept nogil:
    """Find the words that may change places if nothing more is known."""
    cdef Set earlier, words = p.everything & ~<Set> 1
    cdef int32_t word
    p.crosses[0] = 0
    for word in range(1, p.count):
        earlier = below(word)
        p.crosses[word] = words & ~one(word) & ~(p.before[word] ^ earlier)


cdef void attach_at_release(Numbered *p, int32_t word) noexcept nogil:
    """A word of the stack is attached as soon as it is released."""
    cdef int32_t other
    for other in range(1, p.count):
        if other != word and not has(p.attachable, other):
            attach_before(p, other, one(word))
        if has(p.before[word], other):
            keep_apart(p, other, p.first[word] | one(word))


cdef bint release_all(Numbered *p, bint is_hybrid) noexcept nogil:
    """Rule 6, for each word of the stack that has to be released; whether all can be."""
    cdef Set needed = 0
    cdef int32_t place, word, other, head
    for place in range(p.depth if is_hybrid else p.depth - 1):
        word = p.sequence.words[place]
        head = p.head[word]
        needed |= one(word) & p.waiting | p.dependents[word]
        if not needed:
            continue
        if not find_release(p, is_hybrid, word):
            return False
        if not p.passing and (is_hybrid or p.joining == one(0 if head == ANY else head)):
            attach_at_release(p, word)
        elif not p.joining and not p.passing & (p.passing - 1):
            for other in range(1, p.count):
                if has(p.passing, other):
                    change_places(p, word, other, ~p.attachable)
    return True


cdef bint apply_rules(Numbered *p, bint is_hybrid) noexcept nogil:
    """Apply the rules until nothing new follows; whether there may be a way to build all target arcs."""
    cdef int32_t word, head
    while p.is_changed:
        p.is_changed = False
        if not close_first(p):
            return False
        for word in range(1, p.count):
            head = p.head[word]
            if head != ANY:
                p.parting[word] = p.crosses[word] & ~p.crosses[head] & ~one(head) & ~(p.before[word] ^ p.before[head])
        for word in range(1, p.count):
            if p.head[word] != ANY:
                find_blocking(p, word, p.head[word])
        if not follow_swaps(p):
            return False
        for word in range(1, p.count):
            find_apart(p, word)
        if not p.is_changed and not release_all(p, is_hybrid):
            return False
    return True


cdef bint find_precedences(Numbered *p, bint is_hybrid) noexcept nogil:
    """Find who is attached before whom, and who keeps apart; whether there may be a way to build all."""
    cdef int32_t word
    find_pairs(p)
    for word in range(1, p.count):
        p.first[word] = p.dependents[word]
        p.parting[word] = 0
    p.n_swaps = 0
    p.is_changed = True
    return apply_rules(p, is_hybrid)


cdef bint can_change_places(const Numbered *p, Numbered *trial, bint is_hybrid, int32_t word, int32_t other) noexcept nogil:
    """Whether the rules do not tell that two words keep apart, when they change places on trial."""
    trial[0] = p[0]
    change_places(trial, word, other, not_before(p, word) | not_before(p, other))
    return apply_rules(trial, is_hybrid)


cdef bint is_refuted(Numbered *p, Numbered *trial, bint is_hybrid) noexcept nogil:
    """Whether the rules show that not all can be built, if they are also tried on each pair of words."""
    cdef int32_t word, other
    cdef bint is_new = True
    if not find_precedences(p, is_hybrid):
        return True
    while is_new:
        is_new = False
        for word in range(1, p.count):
            for other in range(word + 1, p.count):
                if has(p.crosses[word], other) and not can_change_places(p, trial, is_hybrid, word, other):
                    keep_apart(p, word, one(other))
                    if not apply_rules(p, is_hybrid):
                        return True
                    is_new = True
    return False
