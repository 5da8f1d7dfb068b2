# The numbers of texts, as deptrees.treebanks.hashes has them: BLAKE2b (RFC 7693) with a digest of 8 bytes and no key.

cdef enum:
    BLOCK = 128  # in bytes
    ROUNDS = 12
    DIGEST = 8  # in bytes

cdef uint64_t[8] BEGIN = [
    0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1,
    0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179,
]
cdef uint8_t[10][16] ORDERS = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
]


cdef uint64_t digest(const char *text, int64_t length) noexcept nogil:
    """The digest of a text, as a number whose first byte is the least."""
    cdef uint64_t[8] state
    cdef uint64_t[16] block
    cdef int64_t done = 0, size
    memcpy(state, BEGIN, sizeof(state))
    state[0] ^= 0x01010000 ^ DIGEST
    while True:
        size = min(length - done, BLOCK)
        memset(block, 0, BLOCK)
        memcpy(block, text + done, size)
        done += size
        compress(state, block, done, done == length)
        if done == length:
            return state[0]


cdef void compress(uint64_t *state, const uint64_t *block, uint64_t done, bint last) noexcept nogil:
    """Take a block into the state (section 3.2); ``done`` counts the bytes up to its end."""
    cdef uint64_t[16] v
    cdef const uint8_t *order
    cdef int i
    memcpy(v, state, 64)
    memcpy(&v[8], BEGIN, 64)
    v[12] ^= done
    if last:
        v[14] = ~v[14]
    for i in range(ROUNDS):
        order = ORDERS[i % 10]
        mix_in(v, 0, 4, 8, 12, block[order[0]], block[order[1]])
        mix_in(v, 1, 5, 9, 13, block[order[2]], block[order[3]])
        mix_in(v, 2, 6, 10, 14, block[order[4]], block[order[5]])
        mix_in(v, 3, 7, 11, 15, block[order[6]], block[order[7]])
        mix_in(v, 0, 5, 10, 15, block[order[8]], block[order[9]])
        mix_in(v, 1, 6, 11, 12, block[order[10]], block[order[11]])
        mix_in(v, 2, 7, 8, 13, block[order[12]], block[order[13]])
        mix_in(v, 3, 4, 9, 14, block[order[14]], block[order[15]])
    for i in range(8):
        state[i] ^= v[i] ^ v[i + 8]


cdef inline void mix_in(uint64_t *v, int a, int b, int c, int d, uint64_t x, uint64_t y) noexcept nogil:
    """Mix two words of a block into four of the state (section 3.1)."""
    v[a] += v[b] + x
    v[d] = rotated(v[d] ^ v[a], 32)
    v[c] += v[d]
    v[b] = rotated(v[b] ^ v[c], 24)
    v[a] += v[b] + y
    v[d] = rotated(v[d] ^ v[a], 16)
    v[c] += v[d]
    v[b] = rotated(v[b] ^ v[c], 63)


cdef inline uint64_t rotated(uint64_t word, int n) noexcept nogil:
    """A word with its bits rotated to the right."""
    return word >> n | word << (64 - n)
