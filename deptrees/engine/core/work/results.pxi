# What decoding finds: trees, and how clear the choices were.

ctypedef struct Found:  # of all sentences
    int32_t *heads
    int32_t *labels
    float *scores  # of the derivations of a beam, NULL if only the best one is written down
    float *head_margins  # NULL if nobody asks for them, nor for those of labels
    float *label_margins
    int root_label  # of words that a system without ROOT leaves without a head


cdef void write_tree(const State *s, int32_t *heads, int32_t *labels, bint has_root, int root_label) noexcept nogil:
    """Write down the tree of a final state, the first word at 1."""
    cdef int word
    for word in range(1, s.n + 1):
        heads[word], labels[word] = s.heads[word], s.labels[word]
        if s.heads[word] < 0 and not has_root:
            heads[word], labels[word] = 0, root_label


cdef void write_found(Workspace work, const State *s, const Found *found) noexcept nogil:
    """Write down the tree of a final state where its sentence is."""
    cdef int64_t at = work.data.offsets[work.sentence] - 1
    write_tree(s, found.heads + at, found.labels + at, work.system.has_root, found.root_label)


cdef void tell_margins(
    Workspace work, Weights w, uint32_t possible, int row, int label, const Found *found
) noexcept nogil:
    """Write down how clear a choice is, where the workspace's own state has been scored.

    How far the row is ahead of the best other one counts for each word that one of the possible rows attaches: of all
    such choices the least clear one is kept. How far the label is ahead of the best other one counts for the word that
    is attached.
    """
    cdef const SystemCode *code = &work.system.code
    cdef uint32_t others = possible & ~(1u << row)
    cdef int64_t at = work.data.offsets[work.sentence] - 1
    cdef float margin
    cdef float *kept
    cdef int number
    rule_out_labels(work, w, work.at.e, work.scores[0])
    if others:
        margin = work.scores[0][best_class(w, work.scores[0], 1u << row)]
        margin -= work.scores[0][best_class(w, work.scores[0], others)]
        for number in range(code.n_rows):
            if possible >> number & 1 and code.rows[number].adds_arc:
                kept = &found.head_margins[at + work.at.e[code.rows[number].dependent]]
                kept[0] = min(kept[0], margin)
    if label >= 0:
        found.label_margins[at + work.at.e[code.rows[row].dependent]] = label_margin(work, w, row, label)
