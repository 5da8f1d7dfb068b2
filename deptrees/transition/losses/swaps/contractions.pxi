# Whether all target arcs could be built without a stack, in C: see deptrees.transition.losses.swaps.contractions.


cdef inline bint is_complete(const Numbered *p, int32_t word) noexcept nogil:
    return not (p.dependents[word] & p.present)


cdef bint can_go(const Numbered *p, int32_t word) noexcept nogil:
    """Whether no word must pass the head of a complete word."""
    cdef Set others
    if p.head[word] == ANY:
        return True
    others = words_between(p.left_of, word, p.head[word]) & p.present
    return not (others & ~below(word) if has(p.left_of[word], p.head[word]) else others & below(word))


cdef void contract_at_once(Numbered *p) noexcept nogil:
    """Take words out of the order as long as nothing has to be chosen."""
    cdef int32_t place, word
    cdef bint is_changed = True
    p.present = 0
    for place in range(p.order.count):
        word = p.order.words[place]
        p.left_of[word] = p.present
        p.present |= one(word)
    while is_changed:
        is_changed = False
        for place in range(p.order.count):
            word = p.order.words[place]
            if word and has(p.present, word) and is_complete(p, word) and can_go(p, word):
                p.present ^= one(word)
                is_changed = True


cdef Set blocking(const Numbered *p, int32_t word) noexcept nogil:
    """The words that block a word and its head: they can pass neither."""
    cdef int32_t head = p.head[word]
    cdef Set others
    if head == ANY:
        return 0
    others = words_between(p.left_of, word, head) & p.present
    if has(p.left_of[word], head):
        return others & ~below(word) & (below(head) if head else ~<Set> 0)
    return others & below(word) & ~below(head)


cdef bint has_cycle(const Numbered *p) noexcept nogil:
    """Whether words would have to be attached before themselves."""
    cdef Set left = p.present & ~<Set> 1, known
    cdef Set[128] first
    cdef int32_t word
    for word in range(1, p.count):
        if has(left, word):
            first[word] = p.dependents[word] | blocking(p, word)
    while left:
        known = left
        for word in range(1, p.count):
            if has(left, word) and not first[word] & left:
                left ^= one(word)
        if left == known:
            return True
    return False


cdef bint is_seen(const Numbered *p, const Order *order, int32_t n_seen) noexcept nogil:
    cdef int32_t known
    for known in range(n_seen):
        if p.orders[known].count == order.count and not memcmp(p.orders[known].words, order.words, order.count):
            return True
    return False


cdef inline void append(Numbered *p, Order *after, Set words) noexcept nogil:
    """Append those of some words that are there, in their order."""
    cdef int32_t place
    words &= p.present
    for place in range(p.order.count):
        if has(words, p.order.words[place]):
            after.words[after.count] = p.order.words[place]
            after.count += 1


cdef bint is_possible(const Numbered *p, Set others, Set passing, bint is_on_right) noexcept nogil:
    """Whether each word that passes a head is earlier than all that stay on its way; from right to left, later."""
    cdef int32_t other
    for other in range(1, p.count):
        if has(others & ~passing, other):
            if passing & (below(other) & ~p.left_of[other] if is_on_right else p.left_of[other] & ~below(other)):
                return False
    return True


cdef int32_t add_contracted(Numbered *p, int32_t word, int32_t n_seen) noexcept nogil:
    """Add the orders after a contraction, and tell how many there are then; ANY if not all can be tried."""
    cdef int32_t head = p.head[word], place, other, some, n_might = 0
    cdef bint is_on_right = has(p.left_of[word], head)
    cdef Set others = words_between(p.left_of, word, head) & p.present, nearer, passing, left
    cdef Set must = others & (~below(word) if is_on_right else below(word))
    cdef int32_t[MOST_TRIED] might
    cdef Order *after
    if must & (below(head) if is_on_right else ~below(head)):
        return n_seen
    for place in range(p.order.count):
        other = p.order.words[p.order.count - 1 - place if is_on_right else place]
        nearer = ~p.left_of[other] if is_on_right else p.left_of[other]
        if has(others & ~must, other) and must & nearer and (other > head if is_on_right else other < head):
            if n_might == MOST_TRIED:
                return ANY
            might[n_might] = other
            n_might += 1
    for some in range(1 << n_might):
        passing = must
        for place in range(n_might):
            if some >> place & 1:
                passing |= one(might[place])
        if not is_possible(p, others, passing, is_on_right):
            continue
        if n_seen == MOST_ORDERS:
            return ANY
        after = p.orders + n_seen
        after.count = 0
        left = passing if is_on_right else others & ~passing
        append(p, after, left | p.left_of[word] & p.left_of[head])
        after.words[after.count] = head
        after.count += 1
        append(p, after, others & ~left | ~(p.left_of[word] | p.left_of[head] | one(word) | one(head)))
        if not is_seen(p, after, n_seen):
            n_seen += 1
    return n_seen


cdef bint cannot_be_built_without_stack(Numbered *p) noexcept nogil:
    """Whether it is certain that not all target arcs could be built if there were no stack."""
    cdef int32_t n_seen = 1, n_todo = 1, known, word
    cdef int32_t[MOST_ORDERS] todo
    p.orders[0] = p.sequence
    todo[0] = 0
    while n_todo:
        n_todo -= 1
        p.order = p.orders[todo[n_todo]]
        contract_at_once(p)
        if not p.present & p.waiting:
            return False
        if has_cycle(p):
            continue
        for word in range(1, p.count):
            if p.head[word] > 0 and has(p.present, word) and is_complete(p, word):
                known = n_seen
                n_seen = add_contracted(p, word, known)
                if n_seen == ANY:
                    return False
                for known in range(known, n_seen):
                    todo[n_todo] = known
                    n_todo += 1
    return True
