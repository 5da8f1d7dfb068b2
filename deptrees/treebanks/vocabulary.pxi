# The texts of a column, without duplicates: a hash table of their numbers. Included in encoded_text.pyx.


ctypedef struct Text:
    int64_t start
    int64_t length
    uint64_t hashed

ctypedef struct Vocabulary:
    Text *texts
    int size
    int32_t *slots  # numbers of texts, -1 where there is none
    int64_t n_slots  # a power of two; half of them are used at most


cdef inline uint64_t mix(uint64_t value) noexcept nogil:
    value *= <uint64_t> 0x9E3779B97F4A7C15
    return value ^ value >> 32


cdef inline uint64_t four_bytes(const char *text) noexcept nogil:
    cdef uint32_t found
    memcpy(&found, text, 4)
    return found


cdef inline uint64_t hash_of(const char *text, int64_t length) noexcept nogil:
    """A hash, which tells texts of the same length apart if they have at most `TOLD_APART` bytes."""
    cdef const uint8_t *byte = <const uint8_t *> text
    cdef uint64_t found = length, part
    cdef int64_t i
    if length < 4:  # the middle one of two bytes is the last
        return mix(byte[0] | <uint64_t> byte[length >> 1] << 8 | <uint64_t> byte[length - 1] << 16)
    if length <= TOLD_APART:
        return mix(four_bytes(text) | four_bytes(text + length - 4) << 32)
    for i in range(0, length, 8):
        memcpy(&part, text + min(i, length - 8), 8)
        found = mix(found ^ part)
    return found


cdef inline int32_t number_of(Vocabulary *v, const char *content, int64_t start, int64_t length) except -1 nogil:
    """The number of a text, a new one if it has none."""
    cdef uint64_t hashed = hash_of(content + start, length)
    cdef const Text *text
    cdef int32_t *slot
    if 2 * v.size >= v.n_slots:
        grow(v)
    slot = slot_of(v, hashed)
    while slot[0] >= 0:
        text = &v.texts[slot[0]]
        if text.hashed == hashed and text.length == length:
            if length <= TOLD_APART or memcmp(content + text.start, content + start, length) == 0:
                return slot[0]
        slot = slot_after(v, slot)
    slot[0] = v.size
    v.texts[v.size].start, v.texts[v.size].length, v.texts[v.size].hashed = start, length, hashed
    v.size += 1
    return slot[0]


cdef inline int32_t *slot_of(const Vocabulary *v, uint64_t hashed) noexcept nogil:
    """Where to begin looking for a text."""
    return v.slots + (hashed & (v.n_slots - 1))


cdef inline int32_t *slot_after(const Vocabulary *v, int32_t *slot) noexcept nogil:
    return slot + 1 if slot + 1 < v.slots + v.n_slots else v.slots


cdef int grow(Vocabulary *v) except -1 nogil:
    """Make room for as many texts again."""
    cdef int64_t n_slots = max(FEWEST_SLOTS, 2 * v.n_slots)
    cdef int32_t *slot
    cdef int number
    v.texts = <Text *> enlarged(v.texts, n_slots // 2 * sizeof(Text))
    v.slots = <int32_t *> enlarged(v.slots, n_slots * sizeof(int32_t))
    v.n_slots = n_slots
    memset(v.slots, 255, n_slots * sizeof(int32_t))
    for number in range(v.size):
        slot = slot_of(v, v.texts[number].hashed)
        while slot[0] >= 0:
            slot = slot_after(v, slot)
        slot[0] = number
    return 0


cdef void *enlarged(void *memory, size_t size) except NULL nogil:
    """Memory of another size, with what is in it."""
    memory = realloc(memory, size)
    if memory == NULL:
        with gil:
            raise MemoryError
    return memory
