# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# cython: binding=False, auto_pickle=False
"""The search for a way to build target arcs where words swap, in C: see deptrees.transition.losses.swaps.search.

It takes the same steps in the same order, but on one configuration, which each step changes, and which is changed back
when all that comes after the step has been tried. Stack and buffer are one linked list: after a word of the stack comes
the one above it, after the topmost one the front of the buffer. What is known about a configuration is found by a hash
of 128 bits, to which each pair of neighbors, the front of the buffer and each target arc that is left contribute.
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
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

include "known.pxi"
include "taken_steps.pxi"
include "numbered.pxi"
include "contractions.pxi"
include "releases.pxi"
include "precedences.pxi"
include "relaxed_swaps.pxi"
include "steps.pxi"
include "subtrees.pxi"


cdef bint is_dead_end(const Search *s, Numbered *p) noexcept nogil:
    """Whether a necessary condition tells that not all target arcs can be built."""
    if not can_be_numbered(s, p):
        return False
    if cannot_be_built_without_stack(p) or not find_precedences(p, s.is_hybrid):
        return True
    return not can_be_built_if_relaxed(p, s.is_hybrid)


cdef inline Choice *choice_at(Search *s, int64_t length) except NULL:
    """The choice after so many steps."""
    cdef int64_t room = max(2 * s.room_for_way, <int64_t> SHORTEST_WAY)
    cdef Choice *way
    if length == s.room_for_way:
        way = <Choice *> realloc(s.way, room * sizeof(Choice))
        if way == NULL:
            raise MemoryError
        s.way, s.room_for_way = way, room
    return s.way + length


cdef class CompiledSearch:
    """See deptrees.transition.losses.swaps.search.ReadableSearch."""

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
        cdef int32_t top = s.words[s.front].before, word
        cdef list rest = []
        contract_tail(s, first_of_tail(s))
        word = s.words[top].after
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
                find_steps(s, choice)
                if choice.count > 1 and is_dead_end(s, &self.numbered):
                    choice.count = 0
                length += 1
            elif not length:
                return 0
            else:
                choice = s.way + length - 1
                take_back(s, choice)
            while choice.tried == choice.count:
                self.remember(False)
                length -= 1
                if not length:
                    return 0
                choice = s.way + length - 1
                take_back(s, choice)
            take(s, choice)
            known = self.is_known()
        while length:  # all can be built from each configuration on the way
            length -= 1
            choice = s.way + length
            take_back(s, choice)
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
        make_room_to_know(s)
        slot = find(s.known, s.n_slots, s.key)
        s.n_known += is_empty(slot)
        slot.first = s.key.first
        slot.second = (s.key.second | 1) ^ (not can_be_built)
