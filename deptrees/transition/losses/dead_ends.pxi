# The necessary conditions that a search asks about, in C: see deptrees.transition.losses.contractions,
# deptrees.transition.losses.precedences and deptrees.transition.losses.relaxed_swaps, which have the proofs.
#
# The words that are left are numbered anew by their order in the sentence, ROOT as 0, so that sets of them are the bits
# of a number. Where they are more than it has bits nothing is asked, and no configuration is a dead end.

cdef extern from *:
    """
    #ifdef __SIZEOF_INT128__
    typedef unsigned __int128 Set;
    #else
    typedef unsigned long long Set;
    #endif
    enum { MOST_WORDS = 8 * sizeof(Set) };
    """
    ctypedef unsigned long long Set
    enum:
        MOST_WORDS

cdef enum:
    MOST_ORDERS = 50  # that are looked at: deptrees.transition.losses.contractions
    MOST_TRIED = 6  # of the words that might pass a head

ctypedef struct Order:
    int32_t count
    uint8_t[128] words

ctypedef struct Pass:
    uint8_t left
    uint8_t right

ctypedef struct Numbered:
    # A configuration with its words numbered anew.
    int32_t count
    int32_t[128] head  # of each word, or ANY
    Set[128] dependents
    Set[128] before  # those to the left of a word
    Set everything
    Set waiting
    Set stack
    Order sequence
    # What holds in every way to build all: deptrees.transition.losses.precedences
    Set[128] crosses  # with which words a word may still change places
    Set[128] first  # which are attached before a word
    Set[128] parting  # which would part a word from its head
    bint is_changed
    # What is relaxed
    Set attached
    Set passed
    Set[128] passed_by  # those that have passed a word
    Set[128] has_passed  # those that a word has passed
    Pass[8192] passes
    # What is done without a stack
    Order[MOST_ORDERS] orders
    Order order
    Set[128] left_of
    Set present


cdef inline Set one(int32_t word) noexcept nogil:
    return (<Set> 1) << word


cdef inline Set below(int32_t word) noexcept nogil:
    """All words earlier than one, and ROOT."""
    return one(word) - 1


cdef inline bint has(Set words, int32_t word) noexcept nogil:
    return <bint> (words >> word & 1)


cdef bint can_be_numbered(const Search *s, Numbered *p) noexcept nogil:
    """Number the words of a configuration; whether there are not too many."""
    cdef int32_t word, other
    p.count = 1
    for word in range(1, s.end):
        if s.words[word].on_stack or s.words[word].in_buffer:
            if p.count == MOST_WORDS:
                return False
            s.words[word].number = p.count
            p.count += 1
    s.words[0].number = 0
    p.everything = p.waiting = p.stack = 0
    p.sequence.count = 0
    for word in range(p.count):
        p.dependents[word] = 0
        p.head[word] = ANY
    word = s.words[s.end].after
    while word != s.end:
        other = s.words[word].number
        p.before[other] = p.everything
        p.everything |= one(other)
        p.sequence.words[p.sequence.count] = other
        p.sequence.count += 1
        if s.words[word].on_stack:
            p.stack |= one(other)
        if s.words[word].head != ANY:
            p.head[other] = s.words[s.words[word].head].number
            p.dependents[p.head[other]] |= one(other)
            p.waiting |= one(other)
        word = s.words[word].after
    return True


# Without a stack


cdef inline bint is_complete(const Numbered *p, int32_t word) noexcept nogil:
    return not (p.dependents[word] & p.present)


cdef inline Set between(const Numbered *p, int32_t word, int32_t head, bint *is_on_right) noexcept nogil:
    """The words between a word and its head, and whether it stands on the right of it."""
    is_on_right[0] = has(p.left_of[word], head)
    if is_on_right[0]:
        word, head = head, word
    return p.left_of[head] & ~p.left_of[word] & ~one(word) & p.present


cdef bint can_go(const Numbered *p, int32_t word) noexcept nogil:
    """Whether no word must pass the head of a complete word."""
    cdef bint is_on_right
    cdef Set others
    if p.head[word] == ANY:
        return True
    others = between(p, word, p.head[word], &is_on_right)
    return not (others & ~below(word) if is_on_right else others & below(word))


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
    cdef bint is_on_right
    cdef int32_t head = p.head[word]
    cdef Set others
    if head == ANY:
        return 0
    others = between(p, word, head, &is_on_right)
    if is_on_right:
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


# What holds in every way to build all


cdef inline Set words_between(const Numbered *p, int32_t word, int32_t other) noexcept nogil:
    """The words between two others."""
    if has(p.before[word], other):
        word, other = other, word
    return p.before[other] & ~p.before[word] & ~one(word)


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


cdef void change_places(Numbered *p, int32_t left, int32_t right, int32_t word) noexcept nogil:
    """Let two words change places before a word is attached."""
    attach_before(p, word, words_between(p, left, right) & ~p.crosses[left] & ~p.crosses[right])
    attach_before(p, left, p.parting[left] & one(right))
    attach_before(p, right, p.parting[right] & one(left))


cdef void find_blocking(Numbered *p, int32_t word, int32_t head) noexcept nogil:
    """Rules 2 and 4, for each word that stands between a word and its head."""
    cdef Set others = words_between(p, word, head)
    cdef int32_t other
    attach_before(p, word, others & ~p.crosses[word] & ~p.crosses[head])
    for other in range(1, p.count):
        if has(others, other) and has(p.first[other], word):
            if not has(p.crosses[head], other):
                change_places(p, other, word, word)
            elif not has(p.crosses[word], other):
                change_places(p, other, head, word)


cdef void keep_apart(Numbered *p, int32_t word) noexcept nogil:
    """Rule 3: keep words apart that could only change places if they were attached before themselves."""
    cdef int32_t other
    for other in range(1, p.count):
        if has(p.parting[word], other) and (has(p.first[other], word) or has(p.parting[other], word)):
            p.is_changed = True
            p.crosses[word] &= ~one(other)
            p.crosses[other] &= ~one(word)


cdef void find_pairs(Numbered *p) noexcept nogil:
    """Find the words that may change places if nothing more is known."""
    cdef Set earlier, words = p.everything & ~<Set> 1
    cdef int32_t word
    p.crosses[0] = 0
    for word in range(1, p.count):
        earlier = below(word)
        p.crosses[word] = words & ~one(word) & ~(p.before[word] ^ earlier)


cdef bint find_precedences(Numbered *p) noexcept nogil:
    """Find who is attached before whom, and who keeps apart; whether there may be a way to build all."""
    cdef int32_t word, head
    find_pairs(p)
    for word in range(1, p.count):
        p.first[word] = p.dependents[word]
        p.parting[word] = 0
    p.is_changed = True
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
        for word in range(1, p.count):
            keep_apart(p, word)
    return True


# If nothing ever stands in the way


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


cdef bint attach_all(Numbered *p, bint is_hybrid) noexcept nogil:
    """Attach what can be; whether anything has been."""
    cdef Set known = p.attached, before
    cdef int32_t place, word
    while True:
        before = p.attached
        for place in range(p.sequence.count):
            word = p.sequence.words[place]
            if word and not has(p.attached, word) and not p.first[word] & ~p.attached:
                if can_be_attached(p, is_hybrid, word):
                    p.attached |= one(word)
        if p.attached == before:
            return p.attached != known


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


cdef bint is_dead_end(const Search *s, Numbered *p) noexcept nogil:
    """Whether a necessary condition tells that not all target arcs can be built."""
    if not can_be_numbered(s, p):
        return False
    return cannot_be_built_without_stack(p) or not find_precedences(p) or not can_be_built_if_relaxed(p, s.is_hybrid)
