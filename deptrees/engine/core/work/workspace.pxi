# What one thread works with: a compiled system, the numbers of a treebank, and the state of one sentence.

cdef enum:
    MOST_GOLD_WORDS = 1 << 15  # whose sets of gold arcs take 256 MiB


cdef const int64_t *sentence_numbers(array, int64_t n_sentences) except? NULL:
    """The address of the numbers of some sentences, each of which there must be."""
    if len(array) and (array.min() < 0 or array.max() >= n_sentences):
        raise IndexError(f"there are {n_sentences} sentences: not from {array.min()} to {array.max()}")
    return <const int64_t *> address(array, np.int64)


cdef class CompiledSystem:
    """A system and a set of feature templates, ready to run.

    Args:
        numbers: the system, a `deptrees.engine.code.system.SystemCode`.
        templates: a `deptrees.engine.code.features.FeatureCode`.
        make_replay: makes, of the number of a sentence, a `deptrees.engine.code.replayed_costs.CostReplay`, for costs
            that the engine cannot compute.
    """

    cdef SystemCode code
    cdef Features features
    cdef Exits exits[2]
    cdef bint has_losses  # whether losses are computed here
    cdef bint pushes_with_head, arcs_on_stack, single_root, has_root
    cdef uint64_t row_hashes[MAX_ROWS]
    cdef object make_replay

    def __init__(self, numbers, templates, make_replay):
        cdef int i
        write_system(&self.code, numbers)
        write_features(&self.features, templates)
        self.has_losses = numbers.has_losses
        if numbers.exits is not None:
            for i, ways in enumerate(numbers.exits):
                self.exits[i] = [ways.to_front, ways.to_below, ways.alone]
        self.pushes_with_head, self.arcs_on_stack = numbers.pushes_with_head, numbers.arcs_on_stack
        self.single_root, self.has_root = numbers.has_single_root, numbers.root != "none"
        for i, row_hash in enumerate(numbers.row_hashes):
            self.row_hashes[i] = row_hash
        self.make_replay = make_replay
        tabulate(&self.code)

    def __dealloc__(self):
        free(self.code.possible)


cdef class ParserData:
    """The numbers of a treebank that a system needs.

    Args:
        offsets: where sentences begin.
        heads: gold heads, -1 where not known.
        labels: gold labels as classes of the model, -1 where not known.
        label_hashes: the hash of each class.
        columns: for each column that templates read: the numbers of words, and the hash of each number.
        projective: whether each tree is projective; ``None`` if no gold tree will be asked for, nor is one checked then.
        find_ranks: for tables that ask for it, makes the projective order and components of each position, ROOT included.

    Raises:
        ValueError: a number is out of range, heads form a cycle, or a tree is not projective that is said to be.
    """

    cdef const int64_t *offsets
    cdef const int32_t *heads
    cdef const int32_t *labels
    cdef const uint64_t *label_hashes
    cdef const uint8_t *projective  # NULL if no gold tree will be asked for
    cdef int32_t *order  # the projective order of all sentences, and their components; NULL if they are not asked for
    cdef int32_t *components
    cdef const int32_t *ids[MAX_COLUMNS]
    cdef const uint64_t *hashes[MAX_COLUMNS]
    cdef int n_columns
    cdef int64_t longest, n_sentences, n_words
    cdef object kept

    def __init__(self, offsets, heads, labels, label_hashes, columns, projective, find_ranks=None):
        self.n_words, self.n_sentences = len(heads), len(offsets) - 1
        self.longest = longest_sentence(offsets, self.n_words)
        self.offsets = <const int64_t *> address(offsets, np.int64)
        self.heads = <const int32_t *> address(heads, np.int32)
        self.labels = <const int32_t *> address(labels, np.int32)
        self.label_hashes = <const uint64_t *> address(label_hashes, np.uint64)
        check_length(labels, "labels", self.n_words)
        check_numbers(labels, "labels", -1, len(label_hashes))
        if projective is not None:
            self.projective = <const uint8_t *> address(projective, np.bool_)
            check_length(projective, "sentences that are projective or not", self.n_sentences)
            self._check_heads()
        self.n_columns = len(columns)
        for i, (of_words, of_ids) in enumerate(columns):
            check_length(of_words, "words", self.n_words)
            check_numbers(of_words, "numbers of words", 0, len(of_ids))
            self.ids[i] = <const int32_t *> address(of_words, np.int32)
            self.hashes[i] = <const uint64_t *> address(of_ids, np.uint64)
        ranks = None if find_ranks is None else find_ranks()
        if ranks is not None:
            self.order = <int32_t *> address(ranks, np.int32, 2)
            self.components = self.order + <int64_t> ranks.shape[1]
        self.kept = (offsets, heads, labels, label_hashes, columns, projective, ranks)

    cdef int _check_heads(self) except -1:
        """Raise an error unless the heads of each sentence are those of a tree, a projective one if that is said.

        Oracles rely on it: from heads that are not projective, a search for the gold tree may never come to an end.
        """
        cdef list kept = []
        cdef int32_t *room = <int32_t *> room_for(kept, 4 * 4 * (self.longest + 2))
        cdef const int32_t *heads
        cdef int64_t i, words
        for i in range(self.n_sentences):
            heads, words = self.heads + self.offsets[i] - 1, self.offsets[i + 1] - self.offsets[i]
            if not are_heads_of_a_tree(heads, words, room):
                raise ValueError(f"the heads of sentence {i} are not those of a tree: one is not in it, or in a cycle")
            if self.projective[i] and not are_projective(heads, words, room):
                raise ValueError(f"sentence {i} is said to be projective, and is not: make the columns of its tree anew")


cdef class Workspace:
    """What one thread works on: the state of one sentence, its gold tree, and room for intermediate results."""

    cdef CompiledSystem system
    cdef ParserData data
    cdef State state
    cdef State other  # room for another one, to try rows in
    cdef Standing at  # where the first one stands
    cdef int choice  # which class greedy parsing has chosen there; -1 if it still has to
    cdef Gold gold
    cdef uint64_t *arcs  # room for the sets of gold arcs; NULL until a gold tree is asked for
    cdef const uint64_t *label_hashes
    cdef TabularLosses tabular_losses
    cdef ArcStandardLosses arc_standard_losses
    cdef uint64_t *columns[MAX_COLUMNS]
    cdef uint64_t features[MAX_TEMPLATES]
    cdef const char *rows[MAX_TEMPLATES]  # quantized rows of the features, those that have been asked for last
    cdef uint32_t weight_rows[2][MAX_TEMPLATES]  # while learning: the rows of the features in the two tables of weights
    cdef uint32_t live[MAX_TEMPLATES + 1]  # and those of them that are not all zeros, of the table looked at last
    cdef int n_live
    cdef float *scores[2]  # by each table
    cdef list kept
    cdef int64_t sentence
    cdef bint rows_tell  # lost arcs and conflicts tell what rows cost
    cdef bint nothing_lost  # so far the gold tree can be built, and that suffices to tell the rows of cost 0
    cdef int32_t *path  # the rows taken, where the functional layer replays them to find costs
    cdef int path_room
    cdef int length  # how many rows have been taken
    cdef int64_t most_rows  # more than any derivation of the sentence can need
    cdef int until_signals  # how many steps to go until signals are looked for
    cdef int most_exact_words  # of sentences of more words, learning takes estimates for losses
    cdef object replay  # what tells them
    cdef int replayed  # how many of the rows it has taken; -1: there is none yet

    def __cinit__(self, CompiledSystem system, ParserData data, bint tracked, int width=0):
        cdef int64_t n = data.longest
        cdef size_t state = (state_size(n) + 7) // 8 * 8, column = 8 * (n + 2)
        cdef size_t gold = (4 * 3 * (n + 4) + 7) // 8 * 8
        cdef int i
        self.system, self.data, self.label_hashes, self.kept = system, data, data.label_hashes, []
        self.most_exact_words = n
        cdef char *place = <char *> room_for(self.kept, 2 * state + data.n_columns * column + gold)
        for i in range(data.n_columns):
            self.columns[i] = <uint64_t *> (place + i * column) + 1
        place += data.n_columns * column
        self.gold.heads = <int32_t *> place + 1
        self.gold.labels = self.gold.heads + n + 4
        self.gold.ancestor = self.gold.labels + n + 4
        place += gold
        self.state.memory, self.other.memory = place, place + state
        self.state.tracked = self.other.tracked = tracked
        self.scores[0] = <float *> room_for(self.kept, 8 * (width + 4))
        self.scores[1] = self.scores[0] + width + 4

    def __dealloc__(self):
        free(self.arcs)
        free(self.path)
        free(self.tabular_losses.memory)
        free(self.arc_standard_losses.memory)
        free_futures(&self.arc_standard_losses)


cdef int open_sentence(Workspace work, int64_t sentence, bint with_gold) except -1 nogil:
    """Start a sentence."""
    cdef int64_t at = work.data.offsets[sentence]
    cdef int n = work.data.offsets[sentence + 1] - at, i, c
    cdef const ReservedHashes *reserved = &work.system.features.reserved
    work.sentence, work.length, work.most_rows = sentence, 0, most_rows(&work.system.code, n)
    for c in range(work.data.n_columns):
        work.columns[c][NOTHING], work.columns[c][0] = reserved.nothing, reserved.root
        for i in range(n):
            work.columns[c][i + 1] = work.data.hashes[c][work.data.ids[c][at + i]]
    start_state(&work.system.code, &work.state, n, reserved)
    if with_gold:
        open_gold(work, at, n)


cdef int open_gold(Workspace work, int64_t at, int n) except -1 nogil:
    """Write down the gold tree of a sentence whose first word is at this place in the data."""
    cdef int head, word, roots = 0, longest_arc = work.system.code.longest_arc
    cdef Gold *g = &work.gold
    if work.data.projective == NULL:
        raise ValueError(f"sentence {work.sentence} has no gold tree: the data were made without gold trees")
    make_room_for_gold(work, n)
    g.projective = work.data.projective[work.sentence]
    g.annotated = True
    g.empty_is_meant = work.system.code.empty_is_meant
    g.heads[NOTHING] = g.heads[0] = g.labels[NOTHING] = g.labels[0] = -1
    g.arcs = work.arcs + 2
    g.n_arcs = 2 * (n + 2)
    memset(work.arcs, 0, 8 * <size_t> blocks_for(n) * g.n_arcs)
    for word in range(1, n + 1):
        head = work.data.heads[at + word - 1]
        if longest_arc >= 0 and abs(head - word) > longest_arc:
            head = -1
        g.heads[word] = head
        g.labels[word] = work.data.labels[at + word - 1]
        roots += head == 0
        if head >= 0:
            g.arcs[(word >> 6) * g.n_arcs + 2 * head] |= <uint64_t> 1 << (word & 63)
            g.arcs[(head >> 6) * g.n_arcs + 2 * word + 1] = <uint64_t> 1 << (head & 63)
        else:
            g.annotated = False
            if g.empty_is_meant:  # then such a word has an arc from itself, so that rows can lose it
                g.arcs[(word >> 6) * g.n_arcs + 2 * word + 1] = <uint64_t> 1 << (word & 63)
    if work.data.order != NULL:  # where there are positions for ROOT, too
        g.order = work.data.order + at + work.sentence
        g.components = work.data.components + at + work.sentence
    if work.system.code.last_word_conflicts:
        find_ancestors(g, n)
    work.tabular_losses.ready = work.arc_standard_losses.ready = False
    work.replayed = -1
    work.rows_tell = work.system.code.rows_tell and g.projective
    work.nothing_lost = (
        work.system.has_losses and g.projective and g.annotated and (roots == 1 or not work.system.single_root)
    )


cdef int make_room_for_gold(Workspace work, int n) except -1 nogil:
    """Room for the sets of gold arcs, which takes memory by the square of the words."""
    cdef size_t most = min(work.data.longest, <int64_t> MOST_GOLD_WORDS)
    if n > MOST_GOLD_WORDS:
        raise TooLarge(
            f"sentence {work.sentence} has {n:,} words: the engine follows gold trees of up to {MOST_GOLD_WORDS:,}"
        )
    if work.arcs == NULL:
        work.arcs = <uint64_t *> calloc((most + 2) * 2 * blocks_for(most), 8)
        if work.arcs == NULL:
            raise MemoryError(f"not enough memory for the gold tree of a sentence of {most:,} words")


cdef void find_ancestors(Gold *g, int n) noexcept nogil:
    """For each front of the buffer the last word's first ancestor before it."""
    cdef int i, word = n, least = n + 2
    while word >= 0:
        if word < least:
            for i in range(word + 1, least):
                g.ancestor[i] = word
            least = word + 1
        word = g.heads[word] if word > 0 else -1
    for i in range(least):
        g.ancestor[i] = -1


cdef int64_t most_rows(const SystemCode *code, int64_t n) noexcept nogil:
    """More rows than any derivation of a sentence needs.

    Each element is pushed and taken off once, and once more for each pair of words that is swapped; and each row may
    add an arc to each word without moving anything.
    """
    cdef int64_t moves = 2 * (n + 1)
    cdef int row
    for row in range(code.n_rows):
        if code.rows[row].back != AWAY:
            return moves + (code.n_rows + n) * (n + 1)
    return moves + code.n_rows * (n + 1)


cdef inline int find_next(Workspace work, const State *s, Standing *at, int length) except -1 nogil:
    """Find out where a state stands after so many rows; signals are answered now and then."""
    find_standing(&work.system.code, s, at)
    work.until_signals -= 1
    if work.until_signals < 0:
        work.until_signals = STEPS_BETWEEN_SIGNALS
        answer_signals()
    if length > work.most_rows:
        raise_stuck(work, s, b"parsing does not come to an end: a transition has no effect, or others undo it")


cdef int can_go_on(Workspace work, const State *s, Standing *at, int length) except -1 nogil:
    """Whether parsing can go on from a state after so many rows, and where it stands: it cannot if it is final."""
    find_next(work, s, at, length)
    if at.possible == 0:
        raise_stuck(work, s, b"no transition is possible, but parsing is not at its end")
    return at.possible != FINAL


cdef int raise_stuck(Workspace work, const State *s, bytes fault) except -1 with gil:
    """Raise an error that shows where a system that is at fault has led."""
    stack = quoted(tuple([s.stack[i] for i in range(s.top + 1)]))
    buffer = quoted(tuple([s.buffer[i] for i in range(s.front, s.end)]))
    arcs = listed([f"{s.heads[word]} → {word}" for word in range(1, s.n + 1) if s.heads[word] >= 0])
    raise ValueError(
        f"{fault.decode()}, in sentence {work.sentence}: σ = {stack}, β = {buffer}, A = ({arcs}); "
        "check_system may tell what is wrong with the system"
    )


cdef inline void advance_from(Workspace work, State *s, const int32_t *e, int row, int label) noexcept nogil:
    """Take a row in a state with these elements at the places that the rows name."""
    cdef uint64_t label_hash = 0
    if s.tracked:
        label_hash = work.system.features.reserved.missing if label < 0 else work.label_hashes[label]
    take_row(&work.system.code, s, e, row, label, label_hash)
    if s.tracked:
        s.history[3], s.history[2], s.history[1] = s.history[2], s.history[1], s.history[0]
        s.history[0] = mix(work.system.row_hashes[row])
        if label >= 0:
            s.history[0] += mix(label_hash)


cdef inline int go_on(Workspace work, int row, int label, uint32_t correct) except -1 nogil:
    """Take a row in the workspace's own state, and remember it, and whether it is known to be correct."""
    work.nothing_lost &= correct >> row & 1
    advance_from(work, &work.state, work.at.e, row, label)
    if not work.system.has_losses:
        remember_row(work, row)
    work.length += 1


cdef int remember_row(Workspace work, int row) except -1 nogil:
    """Write down a row for the functional layer to replay."""
    cdef int room = 2 * work.length + 1024
    if work.length == work.path_room:
        work.path, work.path_room = <int32_t *> resized(work.path, 4 * <size_t> room), room
    work.path[work.length] = row
