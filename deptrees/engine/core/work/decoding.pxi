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

ctypedef struct Slot:  # of a beam: a state, and the hypothesis that has led to it
    State state
    Standing at
    int node  # the hypothesis
    int parent  # what that was before a step
    int uses  # how many candidates are left to continue it
    bint begun  # whether the state is of the sentence that is searched
    Hashes hashes  # of the state, kept of long sentences
    uint64_t *features
    uint64_t key  # for what is cached of the state

ctypedef struct Candidate:
    float score
    Slot *parent  # what it continues
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
    found.head_margins = NULL if margins is None else <float *> address(margins, np.float32, 2)
    found.label_margins = found.head_margins + <int64_t> data.n_words
    found.root_label = root_label
    if beam == 1 and not constrained and scores is None:
        greedy = Greedy(w, system, data, stop - start)
        with nogil:
            greedy.parse(start, stop, &found)
    else:
        work = Workspace(system, data, True, w.width)
        derivations = Beam(work, w, History(), beam, DYNAMIC if constrained else NO_ORACLE, constrained)
        with nogil:
            derivations.parse(start, stop, &found)


cdef class History:
    """The hypotheses of a search: each knows the one that it continues, so that none is ever copied."""

    cdef Hypothesis *made
    cdef int n, room
    cdef int *path  # the hypotheses on the way to one
    cdef int path_room

    def __dealloc__(self):
        free(self.made)
        free(self.path)

    cdef int add(self, int parent, int choice, int label, float score, bint correct) except -1 nogil:
        """Write down a hypothesis; its number."""
        cdef int room = 2 * self.n + 1024, length = self.made[parent].length + 1 if parent >= 0 else 0
        if self.n == self.room:
            self.made, self.room = <Hypothesis *> resized(self.made, room * sizeof(Hypothesis)), room
        self.made[self.n] = [parent, length, choice, label, score, correct]
        self.n += 1
        return self.n - 1

    cdef int find_path(self, int node) except -1 nogil:
        """Write down the path to a hypothesis; its length."""
        cdef int length = self.made[node].length, i
        if length > self.path_room:
            self.path, self.path_room = <int *> resized(self.path, 2 * length * sizeof(int)), 2 * length
        for i in range(length - 1, -1, -1):
            self.path[i] = node
            node = self.made[node].parent
        return length


@cython.final
cdef class Beam:
    """The best derivations of a sentence, as many as there is room for.

    A state passes to the last of the derivations that continue it; only the others get a copy, of a long sentence only
    of what differs.
    """

    cdef Workspace work
    cdef Weights weights
    cdef History history
    cdef int size
    cdef int oracle  # what says which transitions are gold; it is asked as long as a hypothesis is correct
    cdef bint gold_only  # whether no others are followed
    cdef Slot *slots  # twice as many as derivations
    cdef Slot **live  # those that are followed, the best first
    cdef Slot **spare
    cdef int n_live
    cdef ScoreCache cache
    cdef Candidate *candidates
    cdef list kept

    def __cinit__(
        self, Workspace work, Weights weights, History history, int size, int oracle=NO_ORACLE, bint gold_only=False
    ):
        cdef size_t room = (state_size(work.data.longest) + 7) // 8 * 8
        cdef size_t blocks = 3 * hashed_blocks(work.data.longest), n_templates = work.system.features.n_templates
        cdef int i, n = 2 * size
        self.work, self.weights, self.history, self.size, self.kept = work, weights, history, size, []
        self.cache = ScoreCache(work, weights, gold_only)
        self.oracle, self.gold_only = oracle, gold_only
        self.slots = <Slot *> room_for(self.kept, n * sizeof(Slot))
        self.live = <Slot **> room_for(self.kept, n * sizeof(Slot *))
        self.spare = <Slot **> room_for(self.kept, n * sizeof(Slot *))
        self.candidates = <Candidate *> room_for(self.kept, (size + 1) * sizeof(Candidate))
        cdef char *memory = <char *> room_for(self.kept, n * room)
        cdef uint64_t *features = <uint64_t *> room_for(self.kept, 8 * n * n_templates)
        cdef uint64_t *hashes = <uint64_t *> room_for(self.kept, 8 * n * blocks)
        for i in range(n):
            self.slots[i].state.memory = memory + i * room
            self.slots[i].features = features + i * n_templates
            self.slots[i].hashes.elements = hashes + i * blocks

    cdef int parse(self, int64_t start, int64_t stop, const Found *found) except -1 nogil:
        """Parse the sentences from one number to another."""
        cdef int64_t sentence
        for sentence in range(start, stop):
            open_sentence(self.work, sentence, self.gold_only)
            if self.gold_only:
                prepare_losses(self.work)
            self._search()
            self._write(found)
            if found.head_margins != NULL:
                self._retrace(found)

    cdef int _search(self) except -1 nogil:
        """Find the best final states, from the workspace's own state on."""
        self.history.n = 0
        self._begin()
        copy_state(self.put(self.history.add(-1, -1, -1, 0, self.gold_only)), &self.work.state)
        while self.extend():
            pass

    cdef void _write(self, const Found *found) noexcept nogil:
        """Write down the best derivation, or all of them with their scores."""
        cdef Found of_rank = found[0]
        cdef int rank
        for rank in range(1 if found.scores == NULL else self.n_live):
            write_found(self.work, &self.live[rank].state, &of_rank)
            if found.scores != NULL:
                of_rank.scores[self.work.sentence] = self._score_of(self.live[rank])
                of_rank.scores += self.work.data.n_sentences
            of_rank.heads += self.work.data.n_words
            of_rank.labels += self.work.data.n_words

    cdef int _retrace(self, const Found *found) except -1 nogil:
        """Take the way to the best hypothesis again, from the workspace's own state on, to tell its margins."""
        cdef int i
        for i in range(self.history.find_path(self.live[0].node)):
            self._take_again(&self.history.made[self.history.path[i]], found)

    cdef int _take_again(self, const Hypothesis *made, const Found *found) except -1 nogil:
        """Take the last transition of a hypothesis in the workspace's own state, and tell its margins."""
        cdef uint32_t possible
        cdef int row = self.weights.class_rows[made.choice]
        can_go_on(self.work, &self.work.state, &self.work.at, 0)
        possible = <uint32_t> gold_rows(self.work, self.oracle) if self.gold_only else self.work.at.possible
        look_and_score(self.work, self.weights)
        best_label(self.work, self.weights, self.work.features, self.work.at.e, row)  # for the scores of the others
        tell_margins(self.work, self.weights, possible, row, made.label, found)
        advance_from(self.work, &self.work.state, self.work.at.e, row, made.label)

    cdef void forget(self) noexcept nogil:
        """Begin anew: the weights may have changed."""
        self._begin()
        self.cache.forget()

    cdef void _begin(self) noexcept nogil:
        """Begin a search."""
        cdef int i
        self.n_live = 0
        for i in range(2 * self.size):
            self.slots[i].begun = False

    cdef State *put(self, int node) noexcept nogil:
        """Room for the state of one more hypothesis."""
        cdef Slot *slot = &self.slots[self.n_live]
        self.live[self.n_live] = slot
        self.n_live += 1
        slot.node, slot.begun = node, True
        if self.work.state.n >= LONG:
            start_hashes(&slot.hashes, self.work.state.n, mix(node))
        return &slot.state

    cdef int extend(self) except -1 nogil:
        """Go on by one transition; whether there was one to be taken."""
        cdef int n_candidates = self._find_candidates(), n_spare = 0, i
        cdef bint goes_on = False
        cdef Slot *slot
        cdef Candidate *one
        # Which states go on, and how often; the others are free.
        for i in range(2 * self.size):
            self.slots[i].parent, self.slots[i].uses = self.slots[i].node, 0
        for i in range(n_candidates):
            self.candidates[i].parent.uses += 1
        for i in range(2 * self.size):
            if not self.slots[i].uses:
                self.spare[n_spare] = &self.slots[i]
                n_spare += 1
        for i in range(n_candidates):
            one = &self.candidates[i]
            slot = one.parent
            slot.uses -= 1
            if slot.uses:
                n_spare -= 1
                slot = self.spare[n_spare]
                self._copy(slot, one.parent)
            self.live[i] = slot
            slot.node = one.parent.parent
            if one.choice >= 0:
                goes_on = True
                self._take(slot, one)
        self.n_live = n_candidates
        return goes_on

    cdef int _take(self, Slot *slot, const Candidate *one) except -1 nogil:
        """Take the transition of a candidate, in a state that is still its parent's."""
        cdef const Slot *parent = one.parent
        cdef int row = self.weights.class_rows[one.choice], label = self.weights.class_labels[one.choice]
        if self.weights.n_labels:
            label = gold_label(self.work, &parent.at, row) if self.gold_only else -1
            if label < 0:
                label = self.cache.label(parent.key, parent.features, parent.at.e, row)
        slot.node = self.history.add(parent.parent, one.choice, label, one.score, one.correct)
        self._advance(slot, parent.at.e, row, label)

    cdef void _advance(self, Slot *slot, const int32_t *e, int row, int label) noexcept nogil:
        """Take a row in a state, and of long sentences keep the hashes."""
        cdef State *s = &slot.state
        cdef Change change
        if s.n < LONG:
            advance_from(self.work, s, e, row, label)
            return
        find_change(&change, &self.work.system.code, s, e, row)
        count_change(&slot.hashes, &change, s, -1)
        advance_from(self.work, s, e, row, label)
        count_change(&slot.hashes, &change, s, 1)

    cdef void _copy(self, Slot *slot, const Slot *model) noexcept nogil:
        """Make a state like another one."""
        if model.state.n >= LONG and slot.begun:
            copy_difference(&slot.state, &slot.hashes, &model.state, &model.hashes)
            return
        copy_state(&slot.state, &model.state)
        if model.state.n >= LONG:
            copy_hashes(&slot.hashes, &model.hashes)
            slot.begun = True
            self.work.until_signals = 0  # for that takes milliseconds

    cdef int _find_candidates(self) except -1 nogil:
        """Write down the best ways to go on, the best one first, and count them."""
        cdef int i, count = 0
        cdef float least
        for i in range(self.n_live):
            self._look(self.live[i])
        least = self._score()
        for i in range(self.n_live):
            count = self._add_candidates(count, self.live[i], least)
        return count

    cdef int _look(self, Slot *slot) except -1 nogil:
        """Find out which rows are possible in a state, its features, and the key by which its scores are cached."""
        cdef const SystemCode *code = &self.work.system.code
        cdef int i
        if can_go_on(self.work, &slot.state, &slot.at, self.history.made[slot.node].length):
            look(self.work, &slot.state, slot.features)
            slot.key = 1 + slot.at.possible
            for i in range(code.n_rows):
                slot.key += <uint64_t> (slot.at.e[code.rows[i].head] == 0) << (32 + i)
            for i in range(self.work.system.features.n_templates):
                slot.key += slot.features[i]

    cdef float _score(self) noexcept nogil:
        """Score what is possible in all states, and tell what candidates must exceed, for there are enough that do."""
        cdef int i
        cdef Slot *slot
        cdef float total, least = INFINITY
        for i in range(self.n_live):
            if i == 0:
                self._ask(self.live[0])
            if i + 1 < self.n_live:
                self._ask(self.live[i + 1])
            slot = self.live[i]
            total = self._score_of(slot)
            if slot.at.possible != FINAL:
                total += self.cache.highest_at(self._scored(slot))[0]
            least = min(least, total)
        if self.n_live < self.size or self.gold_only:
            return -INFINITY
        return nextafterf(least, -INFINITY)

    cdef float _score_of(self, const Slot *slot) noexcept nogil:
        """The score of a derivation."""
        return self.history.made[slot.node].score

    cdef void _ask(self, const Slot *slot) noexcept nogil:
        """Have memory bring what it takes to score a state."""
        if slot.at.possible != FINAL:
            self.cache.prefetch(slot.key, slot.features)

    cdef size_t _scored(self, const Slot *slot) noexcept nogil:
        """Where the scores of a state are cached."""
        return self.cache.find(slot.key, slot.features, &slot.at)

    cdef int _add_candidates(self, int count, Slot *slot, float least) except -1 nogil:
        """Write down the best ways to go on from a state, too; how many there are now."""
        cdef float total = self._score_of(slot)
        cdef uint32_t gold
        cdef size_t place
        cdef const float *scores
        cdef const float *highest
        cdef int group, c, row, label
        cdef bint correct
        if slot.at.possible == FINAL:
            return self._insert(count, total, slot, -1, False)
        gold = <uint32_t> self._gold(slot)
        place = self._scored(slot)
        scores, highest = self.cache.scores_at(place), self.cache.highest_at(place) + 1
        least = max(least, self._least(count))
        for group in range(self.cache.n_groups):
            if total + highest[group] <= least:  # as in most
                continue
            for c in range(group * GROUP, (group + 1) * GROUP):
                if total + scores[c] <= least:  # as most are: it is asked before anything else
                    continue
                row, label = self.weights.class_rows[c], self.weights.class_labels[c]
                correct = gold >> row & 1 and may_be_gold(self.work, self.weights, &slot.at, c)
                if not self.gold_only or correct and (
                    is_allowed(self.work, self.weights, slot.at.e, row, label)
                    or gold_label(self.work, &slot.at, row) == label
                ):
                    count = self._insert(count, total + scores[c], slot, c, correct)
                    least = max(least, self._least(count))
        return count

    cdef float _least(self, int count) noexcept nogil:
        """The score that a candidate must exceed."""
        return self.candidates[count - 1].score if count == self.size else -INFINITY

    cdef int64_t _gold(self, const Slot *slot) except -1 nogil:
        """The gold rows in a state, none if its hypothesis is not correct."""
        cdef State kept = self.work.state
        cdef int64_t gold
        if self.oracle == NO_ORACLE or not self.history.made[slot.node].correct:
            return 0
        self.work.state, self.work.at = slot.state, slot.at  # which is what oracles look at
        gold = gold_rows(self.work, self.oracle)
        self.work.state = kept
        return gold

    cdef int _insert(self, int count, float total, Slot *parent, int choice, bint correct) noexcept nogil:
        """Put a candidate where it belongs, if it is good enough."""
        cdef Candidate *candidates = self.candidates
        cdef int place = count
        while place > 0 and candidates[place - 1].score < total:
            candidates[place] = candidates[place - 1]
            place -= 1
        if place < self.size:
            candidates[place] = [total, parent, choice, correct]
        return min(count + 1, self.size)
