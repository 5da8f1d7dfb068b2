# Learning from the transitions of a derivation, one by one (Goldberg & Nivre 2013, algorithm 3).

def learn(Weights w, CompiledSystem system, ParserData data, order, str oracle, double exploration, int64_t seed):
    """Learn from sentences in an order: one epoch.

    Returns:
        The number of transitions, and of those that the model got wrong.
    """
    cdef Workspace work = Workspace(system, data, True, w.width)
    cdef int which = ORACLES[oracle]
    cdef const int64_t *sentences = <const int64_t *> address(order, np.int64)
    cdef int64_t steps = 0, errors = 0, number, count = len(order)
    cdef uint64_t random = mix(<uint64_t> seed)
    with nogil:
        for number in range(count):
            open_sentence(work, sentences[number], True)
            while learn_step(work, w, which, exploration, &random, &errors):
                steps += 1
    return steps, errors


cdef void learn_label(Workspace work, Weights w, const int32_t *e, int row) noexcept nogil:
    """Learn the label of the arc that a row adds, if it is a gold arc; the features are those in the workspace."""
    cdef const RowCode *r = &work.system.code.rows[row]
    cdef int label = gold_label(work, e, row), predicted
    if w.n_labels and label >= 0 and work.gold.heads[e[r.dependent]] == e[r.head]:
        predicted = best_label(work, w, work.features, row)
        if predicted != label:
            update(&w.tables[1], work.label_weight_rows, work.system.features.n_templates, label, predicted,
                   <float> w.time)


cdef int learn_step(
    Workspace work, Weights w, int oracle, double exploration, uint64_t *random, int64_t *errors
) except -1 nogil:
    """Learn from one configuration and go on; 0 if it is final."""
    cdef const SystemCode *code = &work.system.code
    cdef int32_t e[ELEMENTS]
    cdef uint64_t known
    cdef uint32_t possible, gold
    cdef int predicted, target = -1, row, label, c, n = work.system.features.n_templates
    cdef bint explores
    known = find_facts(code, &work.state, e)
    possible = next_rows(code, known)
    if possible == FINAL:
        return 0
    gold = <uint32_t> gold_rows(work, e, known, possible, oracle)
    if not gold:  # the oracle has led elsewhere than to the gold tree
        return 0
    look_and_score(work, w, &work.state, work.features)
    w.time += 1
    predicted = best_class(w, work.scores, possible)
    for c in range(w.n_classes):
        if gold >> w.class_rows[c] & 1 and (target < 0 or work.scores[c] > work.scores[target]):
            label = gold_label(work, e, w.class_rows[c])
            if w.class_labels[c] < 0 or label < 0 or label == w.class_labels[c]:
                target = c
    row = w.class_rows[predicted]
    label = gold_label(work, e, row)
    if not (gold >> row & 1 and (w.class_labels[predicted] < 0 or label < 0 or label == w.class_labels[predicted])):
        update(&w.tables[0], work.weight_rows, n, target, predicted, <float> w.time)
        errors[0] += 1
    row = w.class_rows[target]
    learn_label(work, w, e, row)
    explores = happens(random, exploration)
    if explores:
        row = w.class_rows[predicted]
        label = w.class_labels[predicted] if w.n_labels == 0 else best_label(work, w, work.features, row)
    else:
        label = gold_label(work, e, row)
    go_on(work, e, row, label, gold)
    return 1
