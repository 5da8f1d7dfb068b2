# Learning from whole derivations, as beam search finds them: deptrees.training.GlobalTraining, compiled.

cdef enum:  # when to update
    EARLY, MAX_VIOLATION, MAX_VIOLATION_FROM_ERROR, LATEST, FULL

UPDATES = {
    "early": EARLY, "max_violation": MAX_VIOLATION, "max_violation_from_error": MAX_VIOLATION_FROM_ERROR,
    "latest": LATEST, "full": FULL,
}


cdef class GlobalLearning:
    """Learning with a beam.

    Args:
        weights: what learns.
        system: the system.
        data: the sentences.
        oracle: the name of the oracle.
        options: those of training; its beam, update, restart and time_limit are looked at.
    """

    cdef Workspace work
    cdef Weights weights
    cdef History history
    cdef Beam beam
    cdef Beam apart  # the correct hypotheses, once the beam has lost them
    cdef int update
    cdef bint restart
    cdef int time_limit
    cdef int64_t steps  # of the last search
    cdef bint time_is_up  # whether it came to its limit
    cdef int positive, negative  # the pair to update with
    cdef float violation  # by how much the negative one is ahead
    cdef bint after_error  # whether the beam had lost the correct hypotheses when the pair was found
    cdef int *correct  # the correct hypotheses, when the beam had some last
    cdef int n_correct
    cdef list kept

    def __init__(self, Weights weights, CompiledSystem system, ParserData data, str oracle, options):
        cdef int beam = options.beam
        self.work = Workspace(system, data, True, weights.width)
        self.work.most_exact_words = MOST_EXACT_WORDS
        self.weights, self.history = weights, History()
        self.beam = Beam(self.work, weights, self.history, beam, ORACLES[oracle])
        self.apart = Beam(self.work, weights, self.history, beam, ORACLES[oracle], True)
        self.update, self.restart, self.kept = UPDATES[str(options.update)], options.restart, []
        self.time_limit = options.time_limit or 0
        self.correct = <int *> room_for(self.kept, beam * sizeof(int))

    def learn(self, order, double exploration, int64_t seed):
        """Learn from sentences in an order.

        Args:
            order: the sentences.
            exploration: how often to restart from where the model went wrong.
            seed: determines the exploration.

        Returns:
            The number of steps of all searches, and of searches that found an error.
        """
        cdef const int64_t *sentences = sentence_numbers(order, self.work.data.n_sentences)
        cdef int64_t steps = 0, errors = 0, number, count = len(order)
        cdef uint64_t random = mix(<uint64_t> seed)
        cdef bint wrong, off_path
        with nogil:
            for number in range(count):
                open_sentence(self.work, sentences[number], True)
                off_path = is_lost_off_path(self.work)
                if off_path and not self.work.nothing_lost:  # from the beginning
                    continue
                while True:
                    wrong = self._search()
                    self._learn(wrong)
                    steps += self.steps
                    errors += wrong
                    if wrong and not self.restart or not wrong and not self.time_is_up:
                        break
                    if wrong and happens(&random, exploration) and not off_path:
                        self.work.nothing_lost = False
                        self._go_to(&self.work.state, self.negative)
                    else:
                        self._go_to(&self.work.state, self.positive)
        return steps, errors

    def pair(self, int64_t sentence):
        """The positive and the negative derivation of the first search, as classes; nothing if there is no error."""
        check_range(sentence, sentence + 1, self.work.data.n_sentences)
        open_sentence(self.work, sentence, True)
        if not self._search():
            return None
        return [
            [self.history.made[self.history.path[i]].choice for i in range(self.history.find_path(node))]
            for node in (self.positive, self.negative)
        ]

    cdef int _search(self) except -1 nogil:
        """Search from the workspace's own state on; whether there is an error, and so a pair to update with."""
        cdef int best, correct
        cdef bint lost = False, goes_on
        self.history.n = 0
        self.beam.forget()
        self.apart.forget()
        prepare_losses(self.work)
        best = correct = self.correct[0] = self.history.add(-1, -1, -1, 0, True)
        self.n_correct = 1
        copy_state(self.beam.put(best), &self.work.state)
        self.negative = -1
        self.steps, self.time_is_up = 0, False
        while not (lost and self.update == EARLY or self.time_is_up):
            goes_on = self.beam.extend()
            if not lost and not self._find_correct():
                lost = True
                self._follow_apart()
            if lost:
                goes_on |= self.apart.extend()
            if not goes_on:
                break
            best = self.beam.live[0].node
            correct = self.apart.live[0].node if lost else self.correct[0]
            if best != correct:
                self._consider(correct, best, lost)
            self.steps += 1
            self.time_is_up = self.steps == self.time_limit
        if best == correct:
            self.positive = best
        return best != correct

    cdef bint _find_correct(self) noexcept nogil:
        """Write down the correct hypotheses in the beam, the best first; whether there are some."""
        cdef int i, node, count = 0
        for i in range(self.beam.n_live):
            node = self.beam.live[i].node
            if self.history.made[node].correct:
                self.correct[count] = node
                count += 1
        if count:  # otherwise those of the step before are what goes on apart
            self.n_correct = count
        return count > 0

    cdef int _follow_apart(self) except -1 nogil:
        """Follow the hypotheses that were correct before the last step in a beam of their own."""
        cdef int i
        cdef State *s
        for i in range(self.n_correct):
            s = self.apart.put(self.correct[i])
            copy_state(s, &self.work.state)
            self._go_to(s, self.correct[i])

    cdef void _consider(self, int correct, int best, bint lost) noexcept nogil:
        """Keep this pair to update with if it is better than those of the steps before."""
        cdef float violation = self.history.made[best].score - self.history.made[correct].score
        if self.negative >= 0:
            if self.update == MAX_VIOLATION and violation <= self.violation:
                return
            if self.update == MAX_VIOLATION_FROM_ERROR and self.after_error and violation <= self.violation:
                return
            if self.update == LATEST and violation < 0 <= self.violation:
                return
        self.positive, self.negative, self.violation, self.after_error = correct, best, violation, lost

    cdef int _learn(self, bint wrong) except -1 nogil:
        """Update with the pair if there is one; learn labels that have weights of their own in any case."""
        cdef int common = self.positive, other = self.negative
        self.weights.time += 1
        if not wrong:
            if self.weights.n_labels:
                self._change(self.positive, self.history.made[self.positive].length, 1)
            return 0
        while common != other:  # hypotheses are numbered as they are made
            if common > other:
                common = self.history.made[common].parent
            else:
                other = self.history.made[other].parent
        self._change(self.positive, self.history.made[common].length, 1)
        self._change(self.negative, self.history.made[common].length, -1)

    cdef int _change(self, int node, int common, float by) except -1 nogil:
        """Raise or lower the transitions of a derivation, except those that the pair has in common."""
        cdef State *s = &self.work.other
        cdef Standing *at = &self.work.at
        cdef WeightTable *table = &self.weights.tables[0]
        cdef uint32_t *rows = self.work.weight_rows[0]
        cdef int i, row, length = self.history.find_path(node), n = self.work.system.features.n_templates
        cdef Hypothesis *one
        copy_state(s, &self.work.state)
        for i in range(length):
            one = &self.history.made[self.history.path[i]]
            row = self.weights.class_rows[one.choice]
            look(self.work, s, self.work.features)
            find_elements(&self.work.system.code, s, at.e)
            if i >= common:
                find_rows(table, self.work.features, n, 0, rows)
                change(table, rows, n, one.choice, by, <float> self.weights.time)
            if by > 0:
                learn_label(self.work, self.weights, at, row)
            advance_from(self.work, s, at.e, row, one.label)

    cdef int _go_to(self, State *s, int node) except -1 nogil:
        """Take the transitions of a hypothesis in a state."""
        cdef int i
        cdef Hypothesis *one
        for i in range(self.history.find_path(node)):
            one = &self.history.made[self.history.path[i]]
            find_elements(&self.work.system.code, s, self.work.at.e)
            advance_from(self.work, s, self.work.at.e, self.weights.class_rows[one.choice], one.label)
