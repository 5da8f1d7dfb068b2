# Learning from the transitions of a derivation, one by one: deptrees.training.LocalTraining, compiled.

cdef enum:  # what to do after an update
    GO_ON, LEAVE, STAY

ON_ERROR = {"go_on": GO_ON, "early": LEAVE, "aggressive": STAY}

cdef enum:
    ATTEMPTS = 100  # how often to update in the same configuration
    MOST_EXACT_WORDS = 1000  # exact losses take time by the third power of the words, here half a second

LONGEST_EXACT = MOST_EXACT_WORDS


def learn(
    Weights w, CompiledSystem system, ParserData data, order, str oracle, options, double exploration, int64_t seed
):
    """Learn from sentences in an order; returns the number of predictions, and of those that were wrong."""
    cdef Workspace work = Workspace(system, data, True, w.width)
    cdef int which = ORACLES[oracle], after = ON_ERROR[options.on_error]
    cdef const int64_t *sentences = sentence_numbers(order, data.n_sentences)
    cdef int64_t predictions = 0, errors = 0, number, count = len(order)
    cdef uint64_t random = mix(<uint64_t> seed)
    work.most_exact_words = MOST_EXACT_WORDS
    with nogil:
        for number in range(count):
            open_sentence(work, sentences[number], True)
            while learn_step(work, w, which, after, exploration, &random, &predictions, &errors):
                pass
    return predictions, errors


cdef void learn_label(Workspace work, Weights w, const Standing *at, int row) noexcept nogil:
    """Learn the label of the arc that a row adds, if it is a gold arc; the features are those in the workspace."""
    cdef const RowCode *r = &work.system.code.rows[row]
    cdef int label = gold_label(work, at, row), predicted, n = work.system.features.n_templates
    if w.n_labels and label >= 0 and work.gold.heads[at.e[r.dependent]] == at.e[r.head]:
        predicted = best_label(work, w, work.features, at.e, row)
        if predicted != label:
            update(&w.tables[1], work.weight_rows[1], n, label, predicted, <float> w.time)


cdef inline bint may_be_gold(Workspace work, Weights w, const Standing *at, int choice) noexcept nogil:
    """Whether a class says nothing of a label, or nothing else than the gold tree."""
    cdef int label = w.class_labels[choice], gold
    if label < 0:
        return True
    gold = gold_label(work, at, w.class_rows[choice])
    return gold < 0 or gold == label


cdef int best_gold_class(Workspace work, Weights w, uint32_t gold) noexcept nogil:
    """The class with the highest score among those of gold rows that do not say another label than the gold one."""
    cdef const float *scores = work.scores[0]
    cdef int c, best = -1
    for c in range(w.n_classes):
        if gold >> w.class_rows[c] & 1 and (best < 0 or scores[c] > scores[best]) and may_be_gold(work, w, &work.at, c):
            best = c
    return best


cdef inline bint is_lost_off_path(Workspace work) noexcept nogil:
    """Whether nothing tells, off the path to the gold tree of a long sentence, what is best."""
    return work.state.n > work.most_exact_words and work.system.has_losses and not work.system.code.n_losses


cdef int learn_step(
    Workspace work, Weights w, int oracle, int on_error, double exploration, uint64_t *random,
    int64_t *predictions, int64_t *errors
) except -1 nogil:
    """Learn from one configuration and go on; 0 if it is final, or if the sentence is left."""
    cdef uint32_t gold, certain  # what may be gold, and what certainly is
    cdef int predicted, target, row, label, attempt, is_free
    cdef bint explores
    find_next(work, &work.state, &work.at, work.length)
    if work.at.possible == FINAL:
        return 0
    if must_replay(work, oracle):
        gold, certain = work.at.possible, 0
    else:
        gold = certain = <uint32_t> gold_rows(work, oracle)
    if not gold:  # the oracle has led elsewhere than to the gold tree, or it would take too long to tell
        return 0
    for attempt in range(ATTEMPTS if on_error == STAY else 1):
        look_and_score(work, w)
        w.time += 1
        predictions[0] += 1
        predicted, target = best_class(w, work.scores[0], work.at.possible), best_gold_class(work, w, gold)
        while not certain >> w.class_rows[target] & 1:
            row = w.class_rows[target]
            is_free = 1 if gold == 1u << row else replayed_is_free(work, row)  # of all rows, one is free
            if is_free == TOO_LONG:  # learning goes on with the next sentence
                return 0
            if is_free:
                certain |= 1u << row
            else:
                gold &= ~(1u << row)
                target = best_gold_class(work, w, gold)
                if target < 0:  # rows are left, but no classes with their gold labels
                    return 0
        explores = happens(random, exploration) and not is_lost_off_path(work)
        if predicted == target:
            break
        update(&w.tables[0], work.weight_rows[0], work.system.features.n_templates, target, predicted, <float> w.time)
        errors[0] += 1
        if explores or on_error == LEAVE:
            break
    learn_label(work, w, &work.at, w.class_rows[target])
    if on_error == LEAVE and predicted != target:
        return 0
    row, label = w.class_rows[predicted if explores else target], w.class_labels[predicted if explores else target]
    if w.n_labels:
        label = -1 if explores else gold_label(work, &work.at, row)
        if label < 0:
            label = best_label(work, w, work.features, work.at.e, row)
    go_on(work, row, label, certain)
    return 1
