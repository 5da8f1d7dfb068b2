# Greedy decoding, of several sentences in lock step: memory brings the rows of weights of all of them at the same time.

cdef enum:
    IN_STEP = 4


cdef class Greedy:
    """Parses some sentences greedily; at most so many of them."""

    cdef Weights weights
    cdef list kept
    cdef void *works[IN_STEP]  # those at work first
    cdef int n  # how many these are

    def __init__(self, Weights weights, CompiledSystem system, ParserData data, int64_t most):
        cdef int i
        self.weights = weights
        self.kept = [Workspace(system, data, True, weights.width) for _ in range(min(IN_STEP, most))]
        for i, work in enumerate(self.kept):
            self.works[i] = <void *> work

    cdef int parse(self, int64_t start, int64_t stop, const Found *found) except -1 nogil:
        """Parse the sentences from one number to another."""
        cdef int64_t sentence = min(start + IN_STEP, stop)
        cdef int i
        self.n = sentence - start
        for i in range(self.n):
            open_sentence(<Workspace> self.works[i], start + i, False)
        while self.n:
            i = 0
            while i < self.n:
                if come_to_choice(<Workspace> self.works[i], self.weights):
                    i += 1
                    continue
                write_found(<Workspace> self.works[i], &(<Workspace> self.works[i]).state, found)
                if sentence < stop:
                    open_sentence(<Workspace> self.works[i], sentence, False)
                    sentence += 1
                else:
                    self.n -= 1
                    self.works[i], self.works[self.n] = self.works[self.n], self.works[i]
            for i in range(self.n):
                choose(<Workspace> self.works[i], self.weights)
            for i in range(self.n):
                ask_for_label(<Workspace> self.works[i], self.weights)
            for i in range(self.n):
                take_choice(<Workspace> self.works[i], self.weights, found)


cdef int come_to_choice(Workspace work, Weights w) except -1 nogil:
    """Come to where there is something to choose, and ask for the rows of weights that tell; 0 if there is nothing.

    What is possible alone is taken without looking.
    """
    cdef int row
    while can_go_on(work, &work.state, &work.at, work.length):
        work.length += 1
        row = lowest_bit(work.at.possible)
        if work.at.possible != 1u << row or w.starts[row + 1] != w.starts[row] + 1:
            work.choice = -1
            look_and_ask(work, w)
            return 1
        work.choice = w.starts[row]
        if asks_label(work, w, row):
            look(work, &work.state, work.features)
            return 1
        advance_from(work, &work.state, work.at.e, row, w.class_labels[work.choice])
    return 0


cdef void choose(Workspace work, Weights w) noexcept nogil:
    """Choose a class. Nothing depends on it yet, so that the processor goes on with the next sentence."""
    if work.choice < 0:
        add_up_rows(work, w, 0, work.scores[0])
        work.choice = best_class(w, work.scores[0], work.at.possible)
        if not is_allowed(work, w, work.at.e, w.class_rows[work.choice], w.class_labels[work.choice]):
            rule_out_labels(work, w, work.at.e, work.scores[0])
            work.choice = best_class(w, work.scores[0], work.at.possible)


cdef void ask_for_label(Workspace work, Weights w) noexcept nogil:
    """Ask for the rows of weights that tell the label of an arc, if the class chosen adds one."""
    if asks_label(work, w, w.class_rows[work.choice]):
        ask_for_labels(work, w, work.features, w.class_rows[work.choice])


cdef void take_choice(Workspace work, Weights w, const Found *found) noexcept nogil:
    """Choose the label, and take the transition."""
    cdef int row = w.class_rows[work.choice], label = w.class_labels[work.choice]
    if asks_label(work, w, row):
        label = highest_label(work, w, work.at.e, row)
    if found.head_margins != NULL:
        tell_margins(work, w, work.at.possible, row, label, found)
    advance_from(work, &work.state, work.at.e, row, label)
