# Beam search, which global training searches with too.

cdef enum:
    NO_ORACLE = -1  # no transition is correct, and none is wrong

ctypedef struct Hypothesis:
    int parent  # the hypothesis that it continues, -1 at the start
    int length  # of how many transitions it is made
    int choice  # which class it took
    int label
    float score
    bint correct  # whether all its transitions are gold

ctypedef struct Candidate:
    float score
    int parent  # which state it continues
    int choice  # with which class; -1: the state is final and stays as it is
    bint correct


def parse(
    Weights w, CompiledSystem system, ParserData data, int64_t start, int64_t stop, heads, labels, scores, margins,
    int root_label, int beam, bint constrained
):
    """Parse the sentences from one number to another, and write down heads and labels.

    Heads and labels have a row for the best tree. With an array for scores they have one for each derivation of the
    beam, the best first, and so have the scores; rows beyond the last derivation stay as they are. If there is an array
    for margins, with a row for heads and one for labels, those of the best derivation are written down, too. If
    constrained, only transitions are taken that cost nothing against the heads and labels that the data have.
    """
    cdef Found found
    cdef Greedy greedy
    cdef Beam derivations
    rows = 1 if scores is None else beam
    check_range(start, stop, data.n_sentences)
    if heads.shape != (rows, data.n_words) or labels.shape != heads.shape:
        raise ValueError(f"the arrays have no room for {rows} derivations of each sentence")
    if scores is not None and scores.shape != (rows, data.n_sentences):
        raise ValueError(f"there is no room for {rows} scores of each sentence")
    if margins is not None and margins.shape != (2, data.n_words):
        raise ValueError("there is no room for two margins of each word")
    found.heads = <int32_t *> address(heads, np.int32, 2)
    found.labels = <int32_t *> address(labels, np.int32, 2)
    found.scores = NULL if scores is None else <float *> address(scores, np.float32, 2)
    found.margins.heads = NULL if margins is None else <float *> address(margins, np.float32, 2)
    found.margins.labels = found.margins.heads + <int64_t> data.n_words
    found.root_label = root_label
    if beam == 1 and not constrained and scores is None:
        greedy = Greedy(w, system, data, stop - start)
        with nogil:
            greedy.parse(start, stop, &found)
    else:
        derivations = open_beam(w, system, data, beam, constrained)
        with nogil:
            derivations.parse(start, stop, &found)


cdef Beam open_beam(Weights w, CompiledSystem system, ParserData data, int size, bint constrained):
    """A beam to parse with; a constrained one follows what costs nothing."""
    cdef Workspace work = Workspace(system, data, True, w.width)
    return Beam(work, w, History(), size, DYNAMIC if constrained else NO_ORACLE, constrained)


cdef class History:
    """The hypotheses of a search: each knows the one that it continues, so that none is ever copied."""

    cdef Hypothesis *made
    cdef int n
    cdef int room

    def __dealloc__(self):
        free(self.made)

    cdef int add(self, int parent, int choice, int label, float score, bint correct) except -1 nogil:
        """Write down a hypothesis; its number."""
        cdef Hypothesis *made
        if self.n == self.room:
            made = <Hypothesis *> realloc(self.made, (2 * self.room + 1024) * sizeof(Hypothesis))
            if made == NULL:
                with gil:
                    raise MemoryError
            self.made, self.room = made, 2 * self.room + 1024
        made = &self.made[self.n]
        made.parent, made.choice, made.label, made.score, made.correct = parent, choice, label, score, correct
        made.length = self.made[parent].length + 1 if parent >= 0 else 0
        self.n += 1
        return self.n - 1


@cython.final
cdef class Beam:
    """The best derivations of a sentence, as many as there is room for.

    A state passes to the last of the derivations that continue it; only the others get a copy, of a long sentence only
    of what differs.

    Args:
        work: the workspace with the sentence.
        weights: the model.
        history: where hypotheses are written down.
        size: how many derivations are followed.
        oracle: what says which transitions are gold; it is asked as long as a hypothesis is correct.
        gold_only: whether no others are followed.
    """

    cdef Workspace work
    cdef Weights weights
    cdef History history
    cdef int oracle
    cdef bint gold_only
    cdef int size
    cdef int n_live
    cdef int *live  # the states that are followed, the best first
    cdef int *nodes  # of each state its hypothesis
    cdef int *parents  # what that was before a step
    cdef int *spare
    cdef int *uses
    cdef uint32_t *possible  # of each state, the rows that can be taken
    cdef int *begun  # of each state whether it is of the sentence that is searched
    cdef Hashes *hashes  # of each state, kept of long sentences
    cdef uint64_t *blocks
    cdef State *states
    cdef uint64_t *features
    cdef uint64_t *keys  # of each state, for what is cached of it
    cdef ScoreCache cache
    cdef Candidate *candidates
    cdef char *memory

    def __cinit__(
        self, Workspace work, Weights weights, History history, int size, int oracle=NO_ORACLE, bint gold_only=False
    ):
        cdef size_t room = (state_size(work.data.longest) + 7) // 8 * 8
        cdef size_t blocks = 3 * hashed_blocks(work.data.longest)
        cdef int i, states = 2 * size
        self.work, self.weights, self.history, self.size = work, weights, history, size
        self.cache = ScoreCache(work, weights)
        self.oracle, self.gold_only = oracle, gold_only
        self.memory = <char *> malloc(states * room)
        self.states = <State *> calloc(states, sizeof(State))
        self.live = <int *> calloc(6 * states, sizeof(int))
        self.features = <uint64_t *> malloc(8 * states * (work.system.features.n_templates + 2))
        self.candidates = <Candidate *> malloc((size + 1) * sizeof(Candidate))
        self.possible = <uint32_t *> malloc(4 * states)
        self.hashes = <Hashes *> calloc(states, sizeof(Hashes))
        self.blocks = <uint64_t *> malloc(8 * states * blocks)
        if not (self.memory and self.states and self.live and self.features and self.candidates
                and self.possible and self.hashes and self.blocks):
            raise MemoryError
        self.spare, self.uses = self.live + states, self.live + 2 * states
        self.nodes, self.parents, self.begun = self.live + 3 * states, self.live + 4 * states, self.live + 5 * states
        self.keys = self.features + states * (work.system.features.n_templates + 1)
        for i in range(states):
            self.states[i].memory = self.memory + i * room
            self.hashes[i].elements = self.blocks + i * blocks

    def __dealloc__(self):
        free(self.memory)
        free(self.states)
        free(self.live)
        free(self.features)
        free(self.candidates)
        free(self.possible)
        free(self.hashes)
        free(self.blocks)

    cdef int open(self, int64_t sentence) except -1 nogil:
        """Start a sentence."""
        open_sentence(self.work, sentence, self.gold_only)
        if self.gold_only:
            prepare_losses(self.work)
        return 0

    cdef int parse(self, int64_t start, int64_t stop, const Found *found) except -1 nogil:
        """Parse the sentences from one number to another."""
        cdef int64_t sentence
        for sentence in range(start, stop):
            self.open(sentence)
            self.search()
            self._write(found)
            if found.margins.heads != NULL:
                self.retrace(self.nodes[self.live[0]], found)
        return 0

    cdef void _write(self, const Found *found) noexcept nogil:
        """Write down the best derivation, or all of them with their scores."""
        cdef Found of_rank = found[0]
        cdef int rank, slot
        for rank in range(1 if found.scores == NULL else self.n_live):
            slot = self.live[rank]
            write_found(self.work, &self.states[slot], &of_rank)
            if found.scores != NULL:
                of_rank.scores[self.work.sentence] = self.history.made[self.nodes[slot]].score
                of_rank.scores += self.work.data.n_sentences
            of_rank.heads += self.work.data.n_words
            of_rank.labels += self.work.data.n_words

    cdef int search(self) except -1 nogil:
        """Find the best final states, from the workspace's own state on."""
        self.history.n = 0
        self._begin()
        copy_state(self.put(self.history.add(-1, -1, -1, 0, self.gold_only)), &self.work.state)
        while self.extend():
            pass
        return 0

    cdef int retrace(self, int node, const Found *found) except -1 nogil:
        """Take the way to a hypothesis again, from the workspace's own state on, to tell its margins."""
        cdef const Hypothesis *made = self.history.made
        cdef int i, n = made[node].length
        cdef int *way = <int *> malloc((n + 1) * sizeof(int))
        if way == NULL:
            with gil:
                raise MemoryError
        for i in range(n - 1, -1, -1):
            way[i] = node
            node = made[node].parent
        try:
            for i in range(n):
                self._take_again(&made[way[i]], found)
        finally:
            free(way)
        return 0

    cdef int _take_again(self, const Hypothesis *made, const Found *found) except -1 nogil:
        """Take the last transition of a hypothesis in the workspace's own state, and tell its margins."""
        cdef int32_t e[ELEMENTS]
        cdef uint32_t possible = <uint32_t> rows_to_try(self.work, &self.work.state, e)
        cdef int row = self.weights.class_rows[made.choice]
        if self.gold_only:
            possible = <uint32_t> gold_rows(
                self.work, e, find_facts(&self.work.system.code, &self.work.state, e), possible, self.oracle
            )
        look_and_score(self.work, self.weights, &self.work.state, self.work.features)
        best_label(self.work, self.weights, self.work.features, row)  # for the scores of the others
        tell_margins(self.work, self.weights, possible, row, made.label, found)
        advance_from(self.work, &self.work.state, e, row, made.label)
        return 0

    cdef void forget(self) noexcept nogil:
        """Begin anew: the weights may have changed."""
        self._begin()
        self.cache.forget()

    cdef void _begin(self) noexcept nogil:
        """Begin a search."""
        self.n_live = 0
        memset(self.begun, 0, 2 * self.size * sizeof(int))

    cdef State *put(self, int node) noexcept nogil:
        """Room for the state of one more hypothesis."""
        cdef int slot = self.n_live
        self.live[slot] = slot
        self.nodes[slot] = node
        self.begun[slot] = True
        if self.work.state.n >= LONG:
            start_hashes(&self.hashes[slot], self.work.state.n, mix(node))
        self.n_live += 1
        return &self.states[slot]

    cdef int extend(self) except -1 nogil:
        """Go on by one transition; whether there was one to be taken."""
        cdef int n_candidates = self._candidates(), n_spare = 0, i, slot
        cdef bint goes_on = False
        cdef Candidate *one
        # Which states go on, and how often; the others are free.
        for slot in range(2 * self.size):
            self.parents[slot] = self.nodes[slot]
            self.uses[slot] = 0
        for i in range(n_candidates):
            self.uses[self.candidates[i].parent] += 1
        for slot in range(2 * self.size):
            if not self.uses[slot]:
                self.spare[n_spare] = slot
                n_spare += 1
        for i in range(n_candidates):
            one = &self.candidates[i]
            slot = one.parent
            self.uses[slot] -= 1
            if self.uses[slot]:
                n_spare -= 1
                slot = self.spare[n_spare]
                self._copy(slot, one.parent)
            self.live[i] = slot
            self.nodes[slot] = self.parents[one.parent]
            if one.choice >= 0:
                goes_on = True
                self._take(slot, one)
        self.n_live = n_candidates
        return goes_on

    cdef int _take(self, int slot, const Candidate *one) except -1 nogil:
        """Take the transition of a candidate, in a state that is still its parent's."""
        cdef int row = self.weights.class_rows[one.choice], label = self.weights.class_labels[one.choice]
        if self.weights.n_labels:
            label = self._gold_label(slot, row) if self.gold_only else -1
            if label < 0:
                label = self.cache.label(self.keys[one.parent], self._features(one.parent), row)
        self.nodes[slot] = self.history.add(self.parents[one.parent], one.choice, label, one.score, one.correct)
        self._go(slot, row, label)
        return 0

    cdef void _go(self, int slot, int row, int label) noexcept nogil:
        """Take a row in a state, and of long sentences keep the hashes."""
        cdef State *s = &self.states[slot]
        cdef const SystemCode *code = &self.work.system.code
        cdef int32_t e[ELEMENTS]
        cdef Change change
        find_elements(code, s, e)
        if s.n < LONG:
            advance_from(self.work, s, e, row, label)
            return
        find_change(&change, code, s, e, row)
        count_change(&self.hashes[slot], &change, s, -1)
        advance_from(self.work, s, e, row, label)
        count_change(&self.hashes[slot], &change, s, 1)

    cdef void _copy(self, int slot, int model) noexcept nogil:
        """Make a state like another one."""
        if self.states[model].n < LONG:
            copy_state(&self.states[slot], &self.states[model])
        elif self.begun[slot]:
            copy_difference(&self.states[slot], &self.hashes[slot], &self.states[model], &self.hashes[model])
        else:
            copy_state(&self.states[slot], &self.states[model])
            copy_hashes(&self.hashes[slot], &self.hashes[model])
            self.begun[slot] = True

    cdef int _candidates(self) except -1 nogil:
        """Write down the best ways to go on, the best one first, and count them."""
        cdef int i, count = 0
        cdef float least
        for i in range(self.n_live):
            self._look(self.live[i])
        least = self._score()
        for i in range(self.n_live):
            count = self._add_candidates(count, self.live[i], least)
        return count

    cdef int _look(self, int slot) except -1 nogil:
        """Find out which rows are possible in a state, its features, and the key by which its scores are cached."""
        cdef int32_t e[ELEMENTS]
        cdef uint64_t *features = self._features(slot)
        cdef uint64_t key
        cdef int i
        self.possible[slot] = <uint32_t> rows_to_try(self.work, &self.states[slot], e)
        if self.possible[slot]:
            extract_features(&self.work.system.features, &self.states[slot], self.work.columns, features)
            key = 1 + self.possible[slot]
            for i in range(self.work.system.features.n_templates):
                key += features[i]
            self.keys[slot] = key
        return 0

    cdef float _score(self) noexcept nogil:
        """Score what is possible in all states, and tell what candidates must exceed, for there are enough that do."""
        cdef int i, slot
        cdef float total, least = INFINITY
        for i in range(self.n_live):
            if i == 0:
                self._ask(self.live[0])
            if i + 1 < self.n_live:
                self._ask(self.live[i + 1])
            slot = self.live[i]
            total = self.history.made[self.nodes[slot]].score
            if self.possible[slot]:
                total += self.cache.highest_at(self._scored(slot))
            least = min(least, total)
        if self.n_live < self.size or self.gold_only:
            return -INFINITY
        return nextafterf(least, -INFINITY)

    cdef void _ask(self, int slot) noexcept nogil:
        """Have memory bring what it takes to score a state."""
        if self.possible[slot]:
            self.cache.prefetch(self.keys[slot], self._features(slot))

    cdef size_t _scored(self, int slot) noexcept nogil:
        """Where the scores of a state are cached."""
        return self.cache.find(self.keys[slot], self._features(slot), self.possible[slot])

    cdef int _add_candidates(self, int count, int slot, float least) except -1 nogil:
        """Write down the best ways to go on from a state, too; how many there are now."""
        cdef float total = self.history.made[self.nodes[slot]].score
        cdef uint32_t gold
        cdef size_t place
        cdef const float *scores
        cdef const float *highest
        cdef int group, c
        cdef bint correct
        if not self.possible[slot]:
            return self._insert(count, total, slot, -1, False)
        gold = <uint32_t> self._gold(slot, self.possible[slot])
        place = self._scored(slot)
        scores, highest = self.cache.scores_at(place), self.cache.highest_of_groups(place)
        least = max(least, self._least(count))
        for group in range(self.cache.n_groups):
            if total + highest[group] <= least:  # as in most
                continue
            for c in range(group * GROUP, (group + 1) * GROUP):
                if total + scores[c] <= least:  # as most are: it is asked before anything else
                    continue
                correct = gold >> self.weights.class_rows[c] & 1 and self._agrees(slot, c)
                if correct or not self.gold_only:
                    count = self._insert(count, total + scores[c], slot, c, correct)
                    least = max(least, self._least(count))
        return count

    cdef float _least(self, int count) noexcept nogil:
        """The score that a candidate must exceed."""
        return self.candidates[count - 1].score if count == self.size else -INFINITY

    cdef int64_t _gold(self, int slot, uint32_t possible) except -1 nogil:
        """The gold rows in a state, none if its hypothesis is not correct."""
        cdef State kept = self.work.state
        cdef int32_t e[ELEMENTS]
        cdef int64_t gold
        cdef uint64_t known
        if self.oracle == NO_ORACLE or not self.history.made[self.nodes[slot]].correct:
            return 0
        self.work.state = self.states[slot]  # which is what oracles look at
        known = find_facts(&self.work.system.code, &self.work.state, e)
        gold = gold_rows(self.work, e, known, possible, self.oracle)
        self.work.state = kept
        return gold

    cdef int _gold_label(self, int slot, int row) noexcept nogil:
        cdef int32_t e[ELEMENTS]
        find_elements(&self.work.system.code, &self.states[slot], e)
        return gold_label(self.work, e, row)

    cdef bint _agrees(self, int slot, int choice) noexcept nogil:
        """Whether a class says nothing of a label, or nothing else than the gold tree."""
        cdef int label = self.weights.class_labels[choice], gold
        if label < 0:
            return True
        gold = self._gold_label(slot, self.weights.class_rows[choice])
        return gold < 0 or gold == label

    cdef uint64_t *_features(self, int slot) noexcept nogil:
        return self.features + slot * self.work.system.features.n_templates

    cdef int _insert(self, int count, float total, int parent, int choice, bint correct) noexcept nogil:
        """Put a candidate where it belongs, if it is good enough."""
        cdef int place = count
        while place > 0 and self.candidates[place - 1].score < total:
            self.candidates[place] = self.candidates[place - 1]
            place -= 1
        if place < self.size:
            self.candidates[place].score, self.candidates[place].correct = total, correct
            self.candidates[place].parent, self.candidates[place].choice = parent, choice
        return min(count + 1, self.size)
