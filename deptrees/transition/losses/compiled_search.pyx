# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# cython: binding=False, auto_pickle=False
"""The search for a way to build target arcs where words swap, in C: see deptrees.transition.losses.swap_search.

It takes the same steps in the same order, but on one configuration, which each step changes, and which is changed back
when all that comes after the step has been tried. Stack and buffer are one linked list: after a word of the stack comes
the one above it, after the topmost one the front of the buffer. What is known about a configuration is found by a hash
of 128 bits, to which each pair of neighbours, the front of the buffer and each target arc that is left contribute.
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcmp

__all__ = ["CompiledSearch"]

cdef enum:
    ANY = -1  # the target head of a word that may get any head
    NO_WORD = 0x7FFFFFFF  # later than all words
    FEWEST_SLOTS = 1024
    SHORTEST_WAY = 64
    BETWEEN_SIGNALS = 1 << 16
    LONG = 20_000  # an effort for which more is tried in the beginning

cdef enum:  # steps
    SHIFT, SWAP, ATTACH_TOP, ATTACH_BELOW, N_STEPS

cdef enum:  # what contributes to a hash
    NEIGHBOURS, FRONT, TARGET_ARC

ctypedef struct Word:
    int32_t before  # the element to the left of it
    int32_t after
    int32_t earliest  # of the words below it on the stack that it may pass
    int32_t head  # its target head
    int32_t waiting  # how many words wait to become its dependents
    int32_t first  # of the words that are to become its dependents
    int32_t next  # of those with the same target head
    bint on_stack
    bint in_buffer
    int32_t number  # among the words that are left

ctypedef struct Key:
    uint64_t first
    uint64_t second  # its lowest bit is the answer

ctypedef struct Choice:
    int32_t[N_STEPS] steps
    int32_t count
    int32_t tried
    int32_t attached  # the word that the step which is being tried attaches

ctypedef struct Search:
    bint is_hybrid
    bint has_single_root
    uint64_t eager  # the words that pass others before more is shifted, by their numbers modulo 64
    Word *words
    int32_t end  # the number that stands before the lowest element of the stack, and after the last one of the buffer
    int32_t top
    int32_t front
    int32_t depth  # of the stack
    int32_t lowest  # from which element of the stack on words can be passed
    int32_t waiting  # how many words wait for their target head
    Key key
    Choice *way
    int64_t room_for_way
    Key *known
    int64_t n_known
    int64_t n_slots  # a power of two; half of them are used at most

include "numbered.pxi"
include "contractions.pxi"
include "releases.pxi"
include "precedences.pxi"
include "relaxed_swaps.pxi"
include "swap_steps.pxi"
include "subtrees.pxi"


# Hashes


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


cdef inline void hash_neighbours(Search *s, int32_t left, int32_t right) noexcept nogil:
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


cdef bint has_room_to_know(Search *s) noexcept nogil:
    """Make room for one more configuration; whether there was enough memory."""
    cdef int64_t n_slots = s.n_slots * 2 if s.n_slots else FEWEST_SLOTS, slot
    cdef Key *known
    if 2 * s.n_known < s.n_slots:
        return True
    known = <Key *> calloc(n_slots, sizeof(Key))
    if known == NULL:
        return False
    for slot in range(s.n_slots):
        if not is_empty(s.known + slot):
            find(known, n_slots, s.known[slot])[0] = s.known[slot]
    free(s.known)
    s.known, s.n_slots = known, n_slots
    return True


# Steps, and how they are taken back


cdef inline void find_earliest(Search *s, int32_t word, int32_t height) noexcept nogil:
    """Of the words below one on the stack, at that height, find the earliest one that it may pass."""
    cdef int32_t below = s.words[word].before
    cdef int32_t earliest = NO_WORD if below == s.end else s.words[below].earliest
    if below != s.end and below and height > s.lowest and below < earliest:
        earliest = below
    s.words[word].earliest = earliest


cdef inline int32_t earliest_on_stack(const Search *s) noexcept nogil:
    """The earliest word on the stack that the front of the buffer may pass once it is shifted."""
    cdef int32_t earliest = NO_WORD if s.top == s.end else s.words[s.top].earliest
    if s.top != s.end and s.top and s.depth > s.lowest and s.top < earliest:
        earliest = s.top
    return earliest


cdef inline void join(Search *s, int32_t left, int32_t right) noexcept nogil:
    s.words[left].after = right
    s.words[right].before = left
    hash_neighbours(s, left, right)


cdef inline void exchange(Search *s, int32_t left, int32_t right) noexcept nogil:
    """Let two neighbours change places."""
    cdef int32_t before = s.words[left].before, after = s.words[right].after
    hash_neighbours(s, before, left)
    hash_neighbours(s, left, right)
    hash_neighbours(s, right, after)
    join(s, before, right)
    join(s, right, left)
    join(s, left, after)


cdef inline void to_stack(Search *s, int32_t word, int32_t height) noexcept nogil:
    s.words[word].on_stack, s.words[word].in_buffer = True, False
    find_earliest(s, word, height)


cdef inline void to_buffer(Search *s, int32_t word) noexcept nogil:
    s.words[word].on_stack, s.words[word].in_buffer = False, True


cdef inline void count_waiting(Search *s, int32_t word, int32_t change) noexcept nogil:
    cdef int32_t head = s.words[word].head
    if head != ANY:
        s.waiting += change
        s.words[head].waiting += change
        hash_in_or_out(s, TARGET_ARC, head, word)


cdef inline void take_out(Search *s, int32_t word) noexcept nogil:
    """Take a word out that has been attached."""
    cdef int32_t before = s.words[word].before, after = s.words[word].after
    hash_neighbours(s, before, word)
    hash_neighbours(s, word, after)
    join(s, before, after)
    s.words[word].on_stack = False
    s.depth -= 1
    count_waiting(s, word, -1)


cdef inline void put_back(Search *s, int32_t word) noexcept nogil:
    cdef int32_t before = s.words[word].before, after = s.words[word].after
    hash_neighbours(s, before, after)
    join(s, before, word)
    join(s, word, after)
    s.words[word].on_stack = True
    s.depth += 1
    count_waiting(s, word, 1)


cdef inline void take(Search *s, Choice *choice) noexcept nogil:
    """Take the next step of a choice."""
    cdef int32_t word = s.top, step = choice.steps[choice.tried]
    choice.tried += 1
    if step == SHIFT:
        hash_front(s)
        s.top = s.front
        s.front = s.words[s.top].after
        hash_front(s)
        to_stack(s, s.top, s.depth)
        s.depth += 1
    elif step == ATTACH_TOP:
        choice.attached = word
        take_out(s, word)
        s.top = s.words[word].before
    elif step == ATTACH_BELOW:
        choice.attached = s.words[word].before
        take_out(s, choice.attached)
        find_earliest(s, word, s.depth - 1)
    elif s.is_hybrid:
        exchange(s, word, s.front)
        to_buffer(s, word)
        s.top = s.words[s.front].before
        s.depth -= 1
    else:
        hash_front(s)
        s.front = s.words[word].before
        hash_front(s)
        exchange(s, s.front, word)
        to_buffer(s, s.front)
        s.depth -= 1
        find_earliest(s, word, s.depth - 1)


cdef inline void take_back(Search *s, int32_t step, int32_t attached) noexcept nogil:
    cdef int32_t word
    if step == SHIFT:
        hash_front(s)
        s.front = s.top
        hash_front(s)
        to_buffer(s, s.front)
        s.top = s.words[s.front].before
        s.depth -= 1
    elif step == ATTACH_TOP:
        put_back(s, attached)
        s.top = attached
    elif step == ATTACH_BELOW:
        put_back(s, attached)
        find_earliest(s, s.top, s.depth - 1)
    elif s.is_hybrid:
        s.top = s.words[s.front].after
        exchange(s, s.front, s.top)
        to_stack(s, s.top, s.depth)
        s.depth += 1
    else:
        word = s.front
        hash_front(s)
        s.front = s.words[word].after
        hash_front(s)
        exchange(s, s.top, word)
        to_stack(s, word, s.depth - 1)
        find_earliest(s, s.top, s.depth)
        s.depth += 1


# The search


cdef bint is_dead_end(const Search *s, Numbered *p) noexcept nogil:
    """Whether a necessary condition tells that not all target arcs can be built."""
    if not can_be_numbered(s, p):
        return False
    if cannot_be_built_without_stack(p) or not find_precedences(p, s.is_hybrid):
        return True
    return not can_be_built_if_relaxed(p, s.is_hybrid)


cdef inline Choice *choice_at(Search *s, int64_t length) noexcept nogil:
    """The choice after so many steps; NULL if there is not enough memory."""
    cdef int64_t room = max(2 * s.room_for_way, <int64_t> SHORTEST_WAY)
    cdef Choice *way
    if length == s.room_for_way:
        way = <Choice *> realloc(s.way, room * sizeof(Choice))
        if way == NULL:
            return NULL
        s.way, s.room_for_way = way, room
    return s.way + length


cdef class CompiledSearch:
    """See deptrees.transition.losses.swap_search.ReadableSearch."""

    cdef Search search
    cdef Numbered numbered
    cdef Numbered trial
    cdef readonly int64_t looked_at
    cost = 1

    def __cinit__(self, *, bint is_hybrid, bint has_single_root):
        self.search.is_hybrid = is_hybrid
        self.search.has_single_root = has_single_root

    def __dealloc__(self):
        free(self.search.words)
        free(self.search.way)
        free(self.search.known)

    def __len__(self):
        return self.search.n_known

    def contracted(self, tuple stack, tuple buffer, targets):
        self.begin(stack, buffer, targets.heads)
        cdef Search *s = &self.search
        cdef int32_t first = first_of_tail(s), word = s.front
        cdef list rest = []
        while word != first:
            rest.append(word)
            word = s.words[word].after
        word = contract_tail(s, first)
        while word != s.end:
            rest.append(word)
            word = s.words[word].after
        return tuple(rest)

    def can_be_built(self, tuple stack, tuple buffer, targets, int64_t effort, *, uint64_t eager=0):
        self.looked_at = 0
        self.search.eager = eager
        self.begin(stack, buffer, targets.heads)
        cdef int answer = self.answer(effort)
        return None if answer < 0 else bool(answer)

    cdef int make_room_for_words(self, int32_t last) except -1:
        cdef Word *words
        if self.search.words != NULL and last < self.search.end:
            return 0
        words = <Word *> realloc(self.search.words, (last + 2) * sizeof(Word))
        if words == NULL:
            raise MemoryError
        self.search.words, self.search.end = words, last + 1

    cdef int begin(self, tuple stack, tuple buffer, dict heads) except -1:
        """Make the configuration, in which words wait for their target heads."""
        self.make_room_for_words(max(max(stack, default=0), max(buffer, default=0)))
        self.place(stack, buffer)
        self.wait_for(heads)

    cdef int place(self, tuple stack, tuple buffer) except -1:
        """Make the configuration, without target arcs."""
        cdef Search *s = &self.search
        cdef int32_t before = s.end, word
        s.key.first = s.key.second = 0
        s.waiting = s.depth = 0
        s.lowest = 0 if s.is_hybrid else 2 if stack[:1] == (0,) else 1
        s.top = s.end
        s.front = buffer[0] if buffer else s.end
        hash_front(s)
        for word in range(s.end + 1):
            s.words[word].head = s.words[word].first = ANY
            s.words[word].waiting = 0
            s.words[word].on_stack = s.words[word].in_buffer = False
        for word in stack + buffer:
            join(s, before, word)
            before = word
        join(s, before, s.end)
        for word in stack:
            to_stack(s, word, s.depth)
            s.top = word
            s.depth += 1
        for word in buffer:
            to_buffer(s, word)

    cdef int wait_for(self, dict heads) except -1:
        """Let the words of the configuration wait for their target heads."""
        cdef Search *s = &self.search
        cdef int32_t word, head
        for word, head in heads.items():
            if word < s.end and (s.words[word].on_stack or s.words[word].in_buffer):
                if head >= s.end:
                    raise ValueError("a target head must be on the stack or in the buffer")
                s.words[word].head = head
                s.words[word].next = s.words[head].first
                s.words[head].first = word
                count_waiting(s, word, 1)

    cdef int answer(self, int64_t effort) except -2:
        """1 if all can be built, 0 if not, -1 if more than so many configurations would have to be looked at."""
        cdef Search *s = &self.search
        cdef int64_t length = 0  # of the way, with the choice that is being looked at
        cdef Choice *choice
        cdef int known = self.is_known()
        if known < 0 and effort >= LONG and can_be_numbered(s, &self.numbered):
            if is_refuted(&self.numbered, &self.trial, s.is_hybrid):
                self.remember(False)
                return 0
        while known != 1:
            if known < 0:
                if self.looked_at == effort:
                    return -1
                self.looked_at += 1
                if not self.looked_at % BETWEEN_SIGNALS:
                    PyErr_CheckSignals()
                choice = choice_at(s, length)
                if choice == NULL:
                    raise MemoryError
                find_steps(s, choice)
                if choice.count > 1 and is_dead_end(s, &self.numbered):
                    choice.count = 0
                length += 1
            elif not length:
                return 0
            else:
                choice = s.way + length - 1
                take_back(s, choice.steps[choice.tried - 1], choice.attached)
            while choice.tried == choice.count:
                self.remember(False)
                length -= 1
                if not length:
                    return 0
                choice = s.way + length - 1
                take_back(s, choice.steps[choice.tried - 1], choice.attached)
            take(s, choice)
            known = self.is_known()
        while length:  # all can be built from each configuration on the way
            length -= 1
            choice = s.way + length
            take_back(s, choice.steps[choice.tried - 1], choice.attached)
            self.remember(True)
        return 1

    cdef int is_known(self) noexcept:
        """1 if all can be built, 0 if not, -1 if it is not known."""
        cdef Key *slot
        if not self.search.waiting:
            return 1
        if not self.search.n_slots:
            return -1
        slot = find(self.search.known, self.search.n_slots, self.search.key)
        return -1 if is_empty(slot) else slot.second & 1

    cdef int remember(self, bint can_be_built) except -1:
        """Remember whether all can be built from the configuration."""
        cdef Search *s = &self.search
        cdef Key *slot
        if not has_room_to_know(s):
            raise MemoryError
        slot = find(s.known, s.n_slots, s.key)
        s.n_known += is_empty(slot)
        slot.first = s.key.first
        slot.second = (s.key.second | 1) ^ (not can_be_built)
