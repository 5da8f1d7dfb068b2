# A configuration with its words numbered anew, for the necessary conditions that a search asks about.
#
# The words that are left are numbered by their order in the sentence, ROOT as 0, so that sets of them are the bits of a
# number. Where they are more than it has bits nothing is asked, and no configuration is a dead end.

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
    MOST_ORDERS = 50  # that are looked at: deptrees.transition.losses.swaps.contractions
    MOST_TRIED = 6  # of the words that might pass a head
    MOST_SWAPS = 256  # that are known: deptrees.transition.losses.swaps.precedences

ctypedef struct Order:
    int32_t count
    uint8_t[128] words

ctypedef struct Pass:
    uint8_t left
    uint8_t right

ctypedef struct Swapped:
    # Words that have to change places, while others are there.
    uint8_t left
    uint8_t right
    Set present

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
    int32_t depth  # of the stack
    # What holds in every way to build all: deptrees.transition.losses.swaps.precedences
    Set[128] crosses  # with which words a word may still change places
    Set[128] first  # which are attached before a word
    Set[128] parting  # which would part a word from its head
    Swapped[256] swaps
    int32_t n_swaps
    bint is_changed
    # How a word of the stack can be released: deptrees.transition.losses.swaps.releases
    Set attachable
    Set joining
    Set passing
    # What is relaxed: deptrees.transition.losses.swaps.relaxed_swaps
    Set attached
    Set passed
    Set[128] passed_by  # those that have passed a word
    Set[128] has_passed  # those that a word has passed
    Pass[8192] passes
    # What is done without a stack: deptrees.transition.losses.swaps.contractions
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


cdef inline Set words_between(const Set *before, int32_t word, int32_t other) noexcept nogil:
    """The words between two others, given those before each."""
    if has(before[word], other):
        word, other = other, word
    return before[other] & ~before[word] & ~one(word)


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
    p.everything = p.waiting = p.stack = p.sequence.count = p.depth = 0
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
            p.depth += 1
        if s.words[word].head != ANY:
            p.head[other] = s.words[s.words[word].head].number
            p.dependents[p.head[other]] |= one(other)
            p.waiting |= one(other)
        word = s.words[word].after
    return True
