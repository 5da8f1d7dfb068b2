# What has the highest score.

cdef int best_class(Weights w, const float *scores, uint32_t rows) noexcept nogil:
    """The class with the highest score among those of some rows."""
    cdef int c, best = -1
    for c in range(w.n_classes):
        if rows >> w.class_rows[c] & 1 and (best < 0 or scores[c] > scores[best]):
            best = c
    return best


cdef int best_label(Workspace work, Weights w, const uint64_t *features, int row) noexcept nogil:
    """The label with the highest score for the arc of a row; -1 if it adds none."""
    cdef int c, best = 0
    if not work.system.code.rows[row].adds_arc or w.n_labels == 0:
        return -1
    score_rows(&w.tables[1], features, work.system.features.n_templates, work.system.row_hashes[row],
               work.label_weight_rows, work.live, work.label_scores)
    for c in range(1, w.n_labels):
        if work.label_scores[c] > work.label_scores[best]:
            best = c
    return best


cdef float label_margin(Workspace work, Weights w, int row, int label) noexcept nogil:
    """By how much the label of a row's arc is ahead of the best other one, in a configuration that has been scored."""
    cdef float own = 0, best = -INFINITY
    cdef int c
    if w.n_labels:
        for c in range(w.n_labels):
            if c != label:
                best = max(best, work.label_scores[c])
        return work.label_scores[label] - best
    for c in range(w.n_classes):
        if w.class_rows[c] == row and w.class_labels[c] != label:
            best = max(best, work.scores[c])
        elif w.class_rows[c] == row:
            own = work.scores[c]
    return own - best


cdef void look_and_score(Workspace work, Weights w, const State *s, uint64_t *features) noexcept nogil:
    """Score the classes of the first table."""
    extract_features(&work.system.features, s, work.columns, features)
    score_rows(&w.tables[0], features, work.system.features.n_templates, 0, work.weight_rows, work.live, work.scores)
