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


cdef int32_t add_contracted(Numbered *p, int32_t word, int32_t n_seen) noexcept nogil:
    """Add the orders after a contraction, and tell how many there are then; ANY if not all can be tried."""
    cdef int32_t head = p.head[word], place, other, step, n_might = 0, some, latest, way, rest, n_between = 0
    cdef bint is_on_right, must, is_right_of_head, is_possible, any_must = False
    cdef uint8_t[128] kept, line
    cdef int8_t[128] chosen  # -1: stays, -2: must pass, otherwise which of those it is that might
    cdef int32_t n_kept = 0, start, end, at_word = 0, at_head = 0
    cdef Order *after
    for place in range(p.order.count):
        other = p.order.words[place]
        if has(p.present, other):
            if other == word:
                at_word = n_kept
            elif other == head:
                at_head = n_kept
            kept[n_kept] = other
            n_kept += 1
    is_on_right = at_head < at_word
    step = -1 if is_on_right else 1
    place = at_word + step
    while place != at_head:
        other = kept[place]
        must = other > word if is_on_right else other < word
        line[n_between] = other
        if must:
            if (other < head) if is_on_right else (other > head):
                return n_seen
            any_must = True
            chosen[n_between] = -2
        elif any_must and ((other > head) if is_on_right else (other < head)):
            chosen[n_between] = n_might
            n_might += 1
        else:
            chosen[n_between] = -1
        n_between += 1
        place += step
    if n_might > MOST_TRIED:
        return ANY
    for some in range(1 << n_might):
        latest, is_possible = -1, True
        for way in range(n_between):
            other = MOST_WORDS - line[way] if is_on_right else line[way]
            if chosen[way] == -2 or (chosen[way] >= 0 and some >> chosen[way] & 1):
                latest = max(latest, other)
            elif other < latest:
                is_possible = False
                break
        if not is_possible:
            continue
        if n_seen == MOST_ORDERS:
            return ANY
        after = p.orders + n_seen
        after.count = n_kept - 1
        start, end = min(at_word, at_head), max(at_word, at_head)
        rest = start
        for place in range(start):
            after.words[place] = kept[place]
        # From the left: those that pass a head on the left of them, or stay on the left of it; the head; the others.
        for is_right_of_head in (False, True):
            if is_right_of_head:
                after.words[rest] = head
                rest += 1
            for place in range(start + 1, end):
                way = at_word - 1 - place if is_on_right else place - at_word - 1
                must = chosen[way] == -2 or (chosen[way] >= 0 and some >> chosen[way] & 1)
                if must == (is_on_right != is_right_of_head):
                    after.words[rest] = kept[place]
                    rest += 1
        for place in range(end + 1, n_kept):
            after.words[place - 1] = kept[place]
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
