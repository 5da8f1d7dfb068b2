# Subtrees at the end of the buffer, contracted into single words: see deptrees.transition.losses.swaps.subtrees.


cdef inline void leave_out(Search *s, int32_t word) noexcept nogil:
    """Take a word out that is contracted into its neighbor. Hashes are of no use here."""
    cdef int32_t before = s.words[word].before, after = s.words[word].after
    s.words[before].after, s.words[after].before = after, before
    if s.words[word].head != ANY:
        s.words[s.words[word].head].waiting -= 1


cdef inline int32_t first_of_tail(const Search *s) noexcept nogil:
    """The first word that, as all after it, is later than all words to the left of it; ROOT or the end if none is."""
    cdef int32_t first = s.front, word = s.words[s.end].after, latest = 0
    while word != s.end and (word or word == s.words[s.end].after):  # ROOT last is in no one's way
        if word < latest and s.words[word].in_buffer:
            first = s.words[word].after
        latest = max(latest, word)
        word = s.words[word].after
    return first


cdef inline void contract_tail(Search *s, int32_t word) noexcept nogil:
    """Contract what is in the tail, from its first word on."""
    cdef int32_t left = s.words[word].before, before, after
    while word and word != s.end:
        after = s.words[word].after
        before = s.words[word].before
        while before != left:
            if s.words[before].head == word and not s.words[before].waiting:
                leave_out(s, before)
            elif is_safe(s, word, before) and (s.words[word].head == before or is_isolated(s, before)):
                leave_out(s, word)
                word = before
            else:
                break
            before = s.words[word].before
        word = after
