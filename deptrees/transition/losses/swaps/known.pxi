# What is known about configurations, by their hashes.


cdef inline uint64_t mix(uint64_t value) noexcept nogil:
    """The last step of SplitMix64."""
    value = (value ^ (value >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    value = (value ^ (value >> 27)) * <uint64_t> 0x94D049BB133111EB
    return value ^ (value >> 31)


cdef inline void hash_in_or_out(Search *s, uint64_t what, uint64_t one, uint64_t other) noexcept nogil:
    cdef uint64_t value = (what << 62 | one << 31 | other) + <uint64_t> 0x9E3779B97F4A7C15
    s.key.first ^= mix(value)
    s.key.second ^= mix(~value)


cdef inline void hash_front(Search *s) noexcept nogil:
    hash_in_or_out(s, FRONT, s.front, 0)


cdef inline void hash_neighbors(Search *s, int32_t left, int32_t right) noexcept nogil:
    hash_in_or_out(s, NEIGHBOURS, left, right)


cdef inline Key *find(Key *known, int64_t n_slots, Key key) noexcept nogil:
    """Where a key is, or where it is to be."""
    cdef uint64_t slot = key.first & (n_slots - 1)
    while (known[slot].first or known[slot].second) and not (
        known[slot].first == key.first and known[slot].second | 1 == key.second | 1
    ):
        slot = (slot + 1) & (n_slots - 1)
    return known + slot


cdef inline bint is_empty(const Key *slot) noexcept nogil:
    return not (slot.first or slot.second)


cdef int make_room_to_know(Search *s) except -1:
    """Make room for one more configuration."""
    cdef int64_t n_slots = s.n_slots * 2 if s.n_slots else FEWEST_SLOTS, slot
    cdef Key *known
    if 2 * s.n_known < s.n_slots:
        return 0
    known = <Key *> calloc(n_slots, sizeof(Key))
    if known == NULL:
        raise MemoryError
    for slot in range(s.n_slots):
        if not is_empty(s.known + slot):
            find(known, n_slots, s.known[slot])[0] = s.known[slot]
    free(s.known)
    s.known, s.n_slots = known, n_slots
