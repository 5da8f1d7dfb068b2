# cython: language_level=3, boundscheck=False, initializedcheck=False, cdivision=True
"""Learning from the transitions of a derivation, one by one (Goldberg & Nivre 2013, algorithm 3)."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from deptrees.engine.core.chance cimport chance
from deptrees.engine.core.desk cimport Data, Desk, Machine, go, open_sentence
from deptrees.engine.core.machine cimport FINAL, ELEMENTS, Program, Row, facts, mixed, next_rows
from deptrees.engine.core.oracles cimport gold_label, gold_rows
from deptrees.engine.core.scoring cimport Weights, best_class, best_label, look_and_score
from deptrees.engine.core.weights cimport learn

from deptrees.engine.core.oracles import ORACLES

__all__ = ["train"]


def train(
    Weights w, Machine machine, Data data, const int64_t[::1] order, str oracle, double exploration, int64_t seed
):
    """Learn from sentences in an order: one epoch.

    Returns:
        The number of transitions, and of those that the model got wrong.
    """
    cdef Desk desk = Desk(machine, data, True, w.width)
    cdef int which = ORACLES[oracle]
    cdef int64_t steps = 0, errors = 0, number
    cdef uint64_t random = mixed(<uint64_t> seed)
    with nogil:
        for number in range(order.shape[0]):
            open_sentence(desk, order[number], True)
            while learn_step(desk, w, which, exploration, &random, &errors):
                steps += 1
    return steps, errors


cdef void learn_label(Desk desk, Weights w, const int32_t *e, int row) noexcept nogil:
    """Learn the label of the arc that a row adds, if it is a gold arc; the features are those on the desk."""
    cdef const Row *r = &desk.machine.program.rows[row]
    cdef int label = gold_label(desk, e, row), predicted
    if w.n_labels and label >= 0 and desk.gold.heads[e[r.dependent]] == e[r.head]:
        predicted = best_label(desk, w, desk.features, row)
        if predicted != label:
            learn(&w.tables[1], desk.label_rows, desk.machine.features.n_templates, label, predicted, <float> w.time)


cdef int learn_step(
    Desk desk, Weights w, int oracle, double exploration, uint64_t *random, int64_t *errors
) except -1 nogil:
    """Learn from one configuration and go on; 0 if it is final."""
    cdef const Program *p = &desk.machine.program
    cdef int32_t e[ELEMENTS]
    cdef uint64_t known
    cdef uint32_t possible, gold
    cdef int predicted, target = -1, row, label, c, n = desk.machine.features.n_templates
    cdef bint explores
    known = facts(p, &desk.state, e)
    possible = next_rows(p, known)
    if possible == FINAL:
        return 0
    gold = <uint32_t> gold_rows(desk, e, known, possible, oracle)
    look_and_score(desk, w, &desk.state, desk.features)
    w.time += 1
    predicted = best_class(w, desk.scores, possible)
    for c in range(w.class_rows.shape[0]):
        if gold >> w.class_rows[c] & 1 and (target < 0 or desk.scores[c] > desk.scores[target]):
            label = gold_label(desk, e, w.class_rows[c])
            if w.class_labels[c] < 0 or label < 0 or label == w.class_labels[c]:
                target = c
    row = w.class_rows[predicted]
    label = gold_label(desk, e, row)
    if not (gold >> row & 1 and (w.class_labels[predicted] < 0 or label < 0 or label == w.class_labels[predicted])):
        learn(&w.tables[0], desk.rows, n, target, predicted, <float> w.time)
        errors[0] += 1
    row = w.class_rows[target]
    learn_label(desk, w, e, row)
    explores = chance(random, exploration)
    if explores:
        row = w.class_rows[predicted]
        label = w.class_labels[predicted] if w.n_labels == 0 else best_label(desk, w, desk.features, row)
    else:
        label = gold_label(desk, e, row)
    go(desk, e, row, label, gold)
    return 1
