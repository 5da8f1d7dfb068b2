# Heads: those of words 1 to n, at their positions, -1 where there is none. For what is asked of them see
# deptrees.trees.heads, where the same is told in Python. Room is for n + 2 numbers.

cdef bint are_heads_of_a_tree(const int32_t *heads, int n, int32_t *reached_from) noexcept nogil:
    """Whether every head is in the sentence, and the arcs form no cycle."""
    cdef int word, ancestor
    for word in range(1, n + 1):
        if heads[word] > n or heads[word] == word:
            return False
        reached_from[word] = 0
    for word in range(1, n + 1):
        ancestor = word
        while ancestor > 0 and not reached_from[ancestor]:
            reached_from[ancestor] = word
            ancestor = heads[ancestor]
        if ancestor > 0 and reached_from[ancestor] == word:
            return False
    return True


cdef bint are_projective(const int32_t *heads, int n, int32_t *room) noexcept nogil:
    """Whether the heads of a tree are projective, or can be made so where there are none; takes four times the room."""
    return have_no_crossing_arcs(heads, n, room) and (are_all_known(heads, n) or leave_room_for_heads(heads, n, room))


cdef bint are_all_known(const int32_t *heads, int n) noexcept nogil:
    cdef int word
    cdef int32_t least = 0
    for word in range(1, n + 1):
        least = min(least, heads[word])
    return least >= 0


cdef bint have_no_crossing_arcs(const int32_t *heads, int n, int32_t *room) noexcept nogil:
    """Whether no arc ends within another and begins outside; takes four times the room."""
    cdef int32_t *ending = room  # the arcs that end at each position: one of them, and from each the next
    cdef int32_t *beginning = ending + n + 2  # those that begin there, the longest first
    cdef int32_t *next_ending = beginning + n + 2
    cdef int32_t *next_beginning = next_ending + n + 2
    cdef int32_t *enclosing = ending  # the right ends of the arcs around the innermost open one
    cdef int word, position, left, right, depth = 0, innermost = n + 1
    memset(ending, 0, 2 * (n + 2) * sizeof(int32_t))
    for word in range(1, n + 1):
        if heads[word] >= 0:
            right = max(word, heads[word])
            next_ending[word] = ending[right]
            ending[right] = word
    for right in range(1, n + 1):  # the ends rise, so that the last that is put in front is the longest
        word = ending[right]
        while word:
            left = min(word, heads[word])
            next_beginning[word] = beginning[left]
            beginning[left] = word
            word = next_ending[word]
    for position in range(n + 1):
        while innermost <= position:
            depth -= 1
            innermost = enclosing[depth]
        word = beginning[position]
        while word:
            right = max(word, heads[word])
            if right > innermost:
                return False
            enclosing[depth] = innermost
            depth += 1
            innermost = right
            word = next_beginning[word]
    return True


cdef bint leave_room_for_heads(const int32_t *heads, int n, int32_t *topmost) noexcept nogil:
    """Whether no word without a head stands below an arc between its own descendants; no arcs may cross."""
    cdef int word, last, above, top
    for word in range(1, n + 1):
        topmost[word] = -1
    topmost[0] = 0
    for word in range(1, n + 1):
        top = word
        while topmost[top] < 0 and heads[top] >= 0:
            top = heads[top]
        top = topmost[top] if topmost[top] >= 0 else top
        last = word
        while topmost[last] < 0:
            topmost[last] = top
            last = heads[last] if heads[last] >= 0 else 0
    for word in range(1, n + 1):
        if heads[word] >= 0:
            above = topmost[heads[word]]
            if min(word, heads[word]) < above < max(word, heads[word]) and heads[above] < 0:
                return False
    return True
