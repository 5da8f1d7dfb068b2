# What decoding finds: trees, and how clear the choices were.

ctypedef struct Margins:
    float *heads
    float *labels

ctypedef struct Found:  # of all sentences
    int32_t *heads
    int32_t *labels
    float *scores  # of the derivations of a beam, NULL if only the best one is written down
    Margins margins  # NULL if nobody asks for them
    int root_label  # of words that a system without ROOT leaves without a head


cdef void write_tree(
    const State *s, int32_t *heads, int32_t *labels, bint has_root, int root_label
) noexcept nogil:
    """Write down the tree of a final state, the first word at 1."""
    cdef int word
    for word in range(1, s.n + 1):
        heads[word] = s.heads[word]
        labels[word] = s.labels[word]
        if s.heads[word] < 0 and not has_root:
            heads[word] = 0
            labels[word] = root_label


cdef void write_found(Workspace work, const State *s, const Found *found) noexcept nogil:
    """Write down the tree of a final state where its sentence is."""
    cdef int64_t at = work.data.offsets[work.sentence] - 1
    write_tree(s, found.heads + at, found.labels + at, work.system.has_root, found.root_label)


cdef void tell_margins(
    Workspace work, Weights w, uint32_t possible, int row, int label, const Found *found
) noexcept nogil:
    """Write down how clear a choice is, in a configuration that has been scored.

    How far the row is ahead of the best other one counts for each word that one of the possible rows attaches: of all
    such choices the least clear one is kept. How far the label is ahead of the best other one counts for the word that
    is attached.
    """
    cdef const SystemCode *code = &work.system.code
    cdef int32_t e[ELEMENTS]
    cdef uint32_t others = possible & ~(<uint32_t> 1 << row)
    cdef int64_t at = work.data.offsets[work.sentence] - 1
    cdef float margin
    cdef float *kept
    cdef int number
    find_elements(code, &work.state, e)
    if others:
        margin = work.scores[best_class(w, work.scores, <uint32_t> 1 << row)]
        margin -= work.scores[best_class(w, work.scores, others)]
        for number in range(code.n_rows):
            if possible >> number & 1 and code.rows[number].adds_arc:
                kept = &found.margins.heads[at + e[code.rows[number].dependent]]
                kept[0] = min(kept[0], margin)
    if label >= 0:
        found.margins.labels[at + e[code.rows[row].dependent]] = label_margin(work, w, row, label)
