# What has the highest score. Rows of weights are asked of memory first, and added up then: in between, other sentences
# can be worked on.

cdef void look(Workspace work, const State *s, uint64_t *features) noexcept nogil:
    """Find the features of a state."""
    work.system.features.look(&work.system.features, s, work.columns, features, NULL, NULL)


cdef inline void ask_for_rows(
    Workspace work, Weights w, int table, const uint64_t *features, uint64_t salt
) noexcept nogil:
    """Find the rows of features in a table, and have memory bring them."""
    cdef int n = work.system.features.n_templates
    if w.learning:
        work.n_live = fetch_rows(&w.tables[table], features, n, salt, work.weight_rows[table], work.live)
    else:
        fetch_quantized(&w.quantized[table], features, n, salt, work.rows)


cdef inline void add_up_rows(Workspace work, Weights w, int table, float *scores) noexcept nogil:
    """The sum of the rows that have been asked for last."""
    if w.learning:
        add_rows(&w.tables[table], work.live, work.n_live, scores)
    else:
        add_quantized(&w.quantized[table], work.rows, work.system.features.n_templates, scores)


cdef inline void keep_higher(float score, int number, float *highest, int *best) noexcept nogil:
    """Keep what has the highest score: without a branch, for no processor can foresee what that is."""
    best[0] = number if score > highest[0] else best[0]
    highest[0] = score if score > highest[0] else highest[0]


cdef inline bint is_allowed(Workspace work, Weights w, const int32_t *e, int row, int label) noexcept nogil:
    """Whether the arc of a row may have a label: some are those of arcs from ROOT only, others of arcs from words."""
    return label < 0 or w.allowed[e[work.system.code.rows[row].head] == 0][label]


cdef void rule_out_labels(Workspace work, Weights w, const int32_t *e, float *scores) noexcept nogil:
    """Give the classes with labels that the arcs of their rows may not have the score -inf."""
    cdef int c
    for c in range(w.n_classes):
        if not is_allowed(work, w, e, w.class_rows[c], w.class_labels[c]):
            scores[c] = -INFINITY


cdef int best_class(Weights w, const float *scores, uint32_t rows) noexcept nogil:
    """The class with the highest score among those of some rows; -1 if they have none."""
    cdef float *handicaps = [INFINITY, 0]  # of what is not possible, and of what is
    cdef float highest = -INFINITY
    cdef int c, best = -1
    for c in range(w.n_classes):
        keep_higher(scores[c] - handicaps[rows >> w.class_rows[c] & 1], c, &highest, &best)
    return best


cdef int first_highest(const float *scores, int n) noexcept nogil:
    """The place of the highest score, of the first one if there are several: of four parts at a time."""
    cdef float *highest = [-INFINITY, -INFINITY, -INFINITY, -INFINITY]
    cdef int *best = [0, 0, 0, 0]
    cdef int i, part, length = n // 4
    for i in range(length):
        for part in range(4):
            keep_higher(scores[part * length + i], i, &highest[part], &best[part])
    for part in range(1, 4):
        keep_higher(highest[part], part * length + best[part], highest, best)
    for i in range(4 * length, n):
        keep_higher(scores[i], i, highest, best)
    return best[0]


cdef inline bint asks_label(Workspace work, Weights w, int row) noexcept nogil:
    """Whether a row adds an arc whose label has weights of its own."""
    return w.n_labels and work.system.code.rows[row].adds_arc


cdef inline void ask_for_labels(Workspace work, Weights w, const uint64_t *features, int row) noexcept nogil:
    ask_for_rows(work, w, 1, features, work.system.row_hashes[row])


cdef int highest_label(Workspace work, Weights w, const int32_t *e, int row) noexcept nogil:
    """The label with the highest score that the arc of a row may have, once its rows have been asked for."""
    cdef int best, label
    add_up_rows(work, w, 1, work.scores[1])
    best = first_highest(work.scores[1], w.n_labels)
    if is_allowed(work, w, e, row, best):
        return best
    for label in range(w.n_labels):
        if not is_allowed(work, w, e, row, label):
            work.scores[1][label] = -INFINITY
    return first_highest(work.scores[1], w.n_labels)


cdef int best_label(
    Workspace work, Weights w, const uint64_t *features, const int32_t *e, int row
) noexcept nogil:
    """The label with the highest score for the arc of a row; -1 if it adds none."""
    if not asks_label(work, w, row):
        return -1
    ask_for_labels(work, w, features, row)
    return highest_label(work, w, e, row)


cdef float label_margin(Workspace work, Weights w, int row, int label) noexcept nogil:
    """By how much the label of a row's arc is ahead of the best other one, in a configuration that has been scored."""
    cdef float own = 0, best = -INFINITY
    cdef int c
    if w.n_labels:
        for c in range(w.n_labels):
            if c != label and is_allowed(work, w, work.at.e, row, c):
                best = max(best, work.scores[1][c])
        return work.scores[1][label] - best
    for c in range(w.n_classes):
        if w.class_rows[c] == row and w.class_labels[c] != label:
            best = max(best, work.scores[0][c])
        elif w.class_rows[c] == row:
            own = work.scores[0][c]
    return own - best


cdef void look_and_ask(Workspace work, Weights w) noexcept nogil:
    """Find the features of the workspace's own state, and ask for their rows in the first table."""
    cdef const Features *f = &work.system.features
    if w.learning:
        look(work, &work.state, work.features)
        ask_for_rows(work, w, 0, work.features, 0)
    else:
        f.look(f, &work.state, work.columns, work.features, &w.quantized[0], work.rows)


cdef void look_and_score(Workspace work, Weights w) noexcept nogil:
    """Score the classes of the first table in the workspace's own state."""
    look_and_ask(work, w)
    add_up_rows(work, w, 0, work.scores[0])
