# Heads: those of words 1 to n, at their positions, -1 where there is none.

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
