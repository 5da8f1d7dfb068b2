# cython: language_level=3, boundscheck=False, initializedcheck=False, cdivision=True
"""The compiled core of the engine: derivations, oracles, features, learning and decoding over flat arrays.

Nothing here is for users: `deptrees.engine` is. What a row does and when is in ``machine.pxd``, exact losses are in
``losses.pxd``, features in ``features.pxd`` and weights in ``weights.pxd``; these are inlined here.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from deptrees.engine.features cimport MAX_COLUMNS, MAX_TEMPLATES, Features, look
from deptrees.engine.losses cimport Exits, Losses, allocate_losses, fill_losses, loss
from deptrees.engine.machine cimport (
    FACT_BITS, FINAL, LOSS_BITS, MAX_PLACES, MAX_ROWS, PUSH, REGION_BITS, Formula, Gold, Program, State, conflicts,
    conflicts_behind, copy_state, elements, facts, gold_facts, losses_in, lost_by, lowest_bit, mixed, next_rows,
    rows_by_facts, rows_without, start, state_size, take, true, without_loss,
)
from deptrees.engine.weights cimport Table, learn, score

import numpy as np

__all__ = ["Data", "Derivation", "Machine", "Steps", "Weights", "parse", "train"]

cdef enum:  # oracles
    STATIC, PREFER_SHIFT, NONDETERMINISTIC, DYNAMIC

ORACLES = {"static": STATIC, "static_prefer_shift": PREFER_SHIFT, "nondeterministic": NONDETERMINISTIC, "dynamic": DYNAMIC}


cdef uint32_t *table(int bits) except NULL:
    """Room for a table."""
    cdef uint32_t *made = <uint32_t *> calloc(1 << bits, 4)
    if made == NULL:
        raise MemoryError
    return made


cdef class Machine:
    """A system's program and a set of feature templates, ready to run.

    Args:
        program: a `deptrees.engine.program.Program`.
        features: a `deptrees.engine.program.FeatureCode`.
        follow: makes, of the number of a sentence, a function from the rows taken to the costs of the next ones; asked
            where the engine cannot compute them.
    """

    cdef Program program
    cdef Features features
    cdef Exits exits[2]
    cdef bint tabular
    cdef bint pushes_with_head
    cdef bint single_root
    cdef bint has_root
    cdef uint64_t row_hashes[MAX_ROWS]
    cdef uint64_t nothing, root, missing
    cdef object follow

    def __init__(self, program, features, follow):
        cdef Program *p = &self.program
        cdef Features *f = &self.features
        cdef int i, j
        memset(p, 0, sizeof(Program))
        memset(f, 0, sizeof(Features))
        p.n_stack, p.n_buffer = program.n_stack, program.n_buffer
        p.n_conditions, p.n_gold = len(program.conditions), program.n_gold
        for i, (kind, first, second, region) in enumerate(program.conditions):
            p.conditions[i].kind, p.conditions[i].first = kind, first
            p.conditions[i].second, p.conditions[i].region = second, region
        p.n_regions = len(program.regions)
        for i, (flags, but, only, near) in enumerate(program.regions):
            p.regions[i].flags, p.regions[i].not_at = flags, but
            p.regions[i].at, p.regions[i].near = only, near
        for i, regions in enumerate(program.regions_by_flags):
            p.regions_by_flags[i] = regions
        p.n_specials = len(program.specials)
        for i, (place, excluded, required, near) in enumerate(program.specials):
            p.specials[i].place, p.specials[i].excluded = place, excluded
            p.specials[i].required, p.specials[i].near = required, near
        p.n_losing = len(program.losing)
        for i, place in enumerate(program.losing):
            p.losing[i] = place
        p.n_losses = len(program.losses)
        for i, (is_head, place, region, among) in enumerate(program.losses):
            p.losses[i].is_head, p.losses[i].place = is_head, place
            p.losses[i].region, p.losses[i].among = region, among
            p.n_among += among >= 0
        p.n_rows = len(program.rows)
        for i, row in enumerate(program.rows):
            self._formula(&p.rows[i].when, row.when)
            self._formula(&p.rows[i].correct, row.correct)
            p.rows[i].losses, p.rows[i].head, p.rows[i].dependent = row.losses, row.head, row.dependent
            p.rows[i].n_effects = len(row.effects)
            for j, (kind, first, second) in enumerate(row.effects):
                p.rows[i].effects[j].kind = kind
                p.rows[i].effects[j].first, p.rows[i].effects[j].second = first, second
            p.rows[i].takes_off = kind != PUSH
            p.prefer_shift[i] = program.prefer_shift[i]
            self.row_hashes[i] = program.row_hashes[i]
        p.shift = program.shift
        self._formula(&p.final, program.final)
        p.root_first, p.root_last = program.root == "first", program.root == "last"
        self.has_root = program.root != "none"
        p.last_word_conflicts = program.last_word_conflicts
        p.rows_tell, p.canonical = program.rows_tell, program.canonical
        p.longest_arc = program.longest_arc
        self.tabular = program.exits is not None
        if self.tabular:
            for i, ways in enumerate(program.exits):
                self.exits[i].to_front, self.exits[i].to_below = ways.to_front, ways.to_below
                self.exits[i].alone = ways.alone
        self.pushes_with_head = program.pushes_with_head
        self.single_root = program.has_single_root
        self.nothing, self.root, self.missing = features.nothing, features.root, features.missing
        f.nothing = features.nothing
        f.n_nodes = len(features.nodes)
        for i, (kind, origin) in enumerate(features.nodes):
            f.nodes[i].kind, f.nodes[i].origin = kind, origin
        f.n_values = len(features.values)
        for i, (kind, lane, node, other) in enumerate(features.values):
            f.values[i].kind, f.values[i].lane = kind, lane
            f.values[i].node, f.values[i].other = node, other
        f.n_templates = len(features.templates)
        j = 0
        for i, (seed, parts) in enumerate(features.templates):
            f.seeds[i] = seed
            for part in parts:
                f.parts[j] = part
                j += 1
            f.parts_end[i] = j
        self.follow = follow
        self._tabulate()

    cdef int _tabulate(self) except -1:
        """Make the tables that are not too large."""
        cdef Program *p = &self.program
        cdef int64_t i
        cdef int place, places = p.n_stack + p.n_buffer, bits = 4 * places + p.n_conditions - p.n_gold
        if bits <= FACT_BITS:
            p.possible = table(bits)
            for i in range(1 << bits):
                p.possible[i] = rows_by_facts(p, i)
        if p.n_regions <= REGION_BITS:
            p.lost_heads = table(REGION_BITS + 4)
            p.lost_children = table(REGION_BITS + 4)
            for place in range(places):
                for i in range(1 << REGION_BITS):
                    p.lost_heads[place << REGION_BITS | i] = losses_in(p, place, True, i)
                    p.lost_children[place << REGION_BITS | i] = losses_in(p, place, False, i)
        if p.n_losses <= LOSS_BITS:
            p.lossless = table(LOSS_BITS)
            for i in range(1 << LOSS_BITS):
                p.lossless[i] = rows_without(p, i)
        return 0

    def __dealloc__(self):
        free(self.program.possible)
        free(self.program.lost_heads)
        free(self.program.lost_children)
        free(self.program.lossless)

    cdef void _formula(self, Formula *to, formula) except *:
        cdef int i
        to.all, to.none, to.n_clauses = formula.all, formula.none, len(formula.clauses)
        for i, (some, lacking) in enumerate(formula.clauses):
            to.clauses[i].some, to.clauses[i].lacking = some, lacking


cdef class Data:
    """The numbers of a treebank that a machine needs.

    Args:
        offsets: where sentences begin.
        heads: gold heads, -1 where not known.
        labels: gold labels as classes of the model, -1 where not known.
        label_hashes: the hash of each class.
        columns: for each column that templates read: the numbers of words, and the hash of each number.
        projective: whether each tree is projective.
        ranks: for tables that ask for it, the projective order and components of each position, ROOT included.
    """

    cdef const int64_t[::1] offsets
    cdef const int32_t[::1] heads
    cdef const int32_t[::1] labels
    cdef const uint64_t[::1] label_hashes
    cdef const uint8_t[::1] projective
    cdef const int32_t[:, ::1] ranks
    cdef const int32_t *ids[MAX_COLUMNS]
    cdef const uint64_t *hashes[MAX_COLUMNS]
    cdef bint has_ranks
    cdef int n_columns
    cdef int64_t longest
    cdef object kept

    def __init__(self, offsets, heads, labels, label_hashes, columns, projective, ranks=None):
        cdef const int32_t[::1] ids
        cdef const uint64_t[::1] hashes
        self.offsets, self.heads, self.labels, self.label_hashes = offsets, heads, labels, label_hashes
        self.projective = projective.view(np.uint8)
        self.has_ranks = ranks is not None
        if self.has_ranks:
            self.ranks = ranks
        self.n_columns = len(columns)
        self.kept = columns
        for i, (of_words, of_ids) in enumerate(columns):
            ids, hashes = of_words, of_ids
            self.ids[i] = &ids[0] if len(ids) else NULL
            self.hashes[i] = &hashes[0] if len(hashes) else NULL
        self.longest = np.diff(offsets).max(initial=0)


cdef class Desk:
    """What one thread works on: the state of one sentence, its gold tree, and room for intermediate results."""

    cdef Machine machine
    cdef Data data
    cdef State state
    cdef State other
    cdef Gold gold
    cdef Losses losses
    cdef uint64_t *columns[MAX_COLUMNS]
    cdef uint64_t features[MAX_TEMPLATES]
    cdef uint32_t rows[MAX_TEMPLATES]
    cdef uint32_t label_rows[MAX_TEMPLATES]
    cdef uint32_t live[MAX_TEMPLATES + 1]
    cdef float *scores
    cdef float *label_scores
    cdef char *memory
    cdef int32_t *path  # the rows taken, where the functional layer tells costs; otherwise NULL
    cdef int length
    cdef int64_t sentence
    cdef int followed  # how many of them the function that tells costs knows; -1: there is no such function yet
    cdef object costs_of

    def __cinit__(self, Machine machine, Data data, bint tracked, int width=0):
        cdef int64_t n = data.longest
        cdef size_t state = state_size(n)
        cdef size_t column = 8 * (n + 2)
        cdef size_t gold = 4 * 8 * (n + 4)
        cdef int i
        self.machine, self.data = machine, data
        self.memory = <char *> calloc(2 * state + data.n_columns * column + gold + 64, 1)
        self.scores = <float *> malloc(8 * (width + 4))
        if self.memory == NULL or self.scores == NULL:
            raise MemoryError
        if not machine.tabular:
            # A word is pushed once, and once more for each that it changes places with.
            self.path = <int32_t *> malloc(4 * (4 * n + n * n + 16))
            if self.path == NULL:
                raise MemoryError
        self.label_scores = self.scores + width + 4
        for i in range(data.n_columns):
            self.columns[i] = <uint64_t *> (self.memory + i * column) + 1
        cdef char *place = self.memory + data.n_columns * column
        self.gold.heads = <int32_t *> place + 1
        self.gold.first = self.gold.heads + n + 4
        self.gold.dependents = self.gold.first + n + 4
        self.gold.ancestor = self.gold.dependents + n + 2
        place += gold
        self.state.memory = place
        self.other.memory = place + (state + 7) // 8 * 8
        self.state.tracked = self.other.tracked = tracked

    def __dealloc__(self):
        free(self.memory)
        free(self.path)
        free(self.scores)
        free(self.losses.memory)


cdef int open_sentence(Desk desk, int64_t sentence, bint with_gold) except -1 nogil:
    """Start a sentence."""
    cdef int64_t at = desk.data.offsets[sentence]
    cdef int n = desk.data.offsets[sentence + 1] - at
    cdef int i, c, head, word, least
    cdef Gold *g = &desk.gold
    desk.sentence = sentence
    desk.length = 0
    for c in range(desk.data.n_columns):
        desk.columns[c][-1] = desk.machine.nothing
        desk.columns[c][0] = desk.machine.root
        for i in range(n):
            desk.columns[c][i + 1] = desk.data.hashes[c][desk.data.ids[c][at + i]]
    start(&desk.machine.program, &desk.state, n, desk.machine.nothing, desk.machine.root, desk.machine.missing)
    if not with_gold:
        return 0
    g.projective = desk.data.projective[sentence]
    g.annotated = True
    g.heads[-1] = g.heads[0] = -1
    for i in range(-1, n + 3):
        g.first[i] = 0
    for i in range(n):
        head = desk.data.heads[at + i]
        g.heads[i + 1] = head
        if head >= 0:
            g.first[head + 2] += 1
        else:
            g.annotated = False
    for i in range(2, n + 3):
        g.first[i] += g.first[i - 1]
    for word in range(1, n + 1):
        head = g.heads[word]
        if head >= 0:
            g.dependents[g.first[head + 1]] = word
            g.first[head + 1] += 1
    if desk.data.has_ranks:
        g.order = <int32_t *> &desk.data.ranks[0, at + sentence]
        g.components = <int32_t *> &desk.data.ranks[1, at + sentence]
    if desk.machine.program.last_word_conflicts:
        least = n + 2
        word = n
        while word >= 0:
            if word < least:
                for i in range(word + 1, least):
                    g.ancestor[i] = word
                least = word + 1
            word = g.heads[word] if word > 0 else -1
        for i in range(least):
            g.ancestor[i] = -1
    desk.losses.ready = False
    desk.followed = -1
    return 0


cdef void advance(Desk desk, State *s, int row, int label) noexcept nogil:
    """Take a row in a state."""
    cdef uint64_t label_hash = desk.machine.missing if label < 0 else desk.data.label_hashes[label]
    take(&desk.machine.program, s, row, label, label_hash)
    if s.tracked:
        s.history[3] = s.history[2]
        s.history[2] = s.history[1]
        s.history[1] = s.history[0]
        s.history[0] = mixed(desk.machine.row_hashes[row])
        if label >= 0:
            s.history[0] += mixed(label_hash)


cdef void go(Desk desk, int row, int label) noexcept nogil:
    """Take a row in the desk's own state, and remember it."""
    advance(desk, &desk.state, row, label)
    if desk.path != NULL:
        desk.path[desk.length] = row
    desk.length += 1


cdef int count_costs(Desk desk, const int32_t *e, uint32_t possible, int32_t *costs, bint relative) except -1 nogil:
    """What each possible row costs; unless ``relative``, up to a number that is the same for all.

    Where lost arcs do not tell, costs are differences of losses.
    """
    cdef const Program *p = &desk.machine.program
    cdef State *s = &desk.state
    cdef const Gold *g = &desk.gold
    cdef int row, now
    if p.rows_tell and g.projective:
        now = conflicts(s, g) if p.last_word_conflicts else 0
        for row in range(p.n_rows):
            if possible >> row & 1:
                costs[row] = lost_by(p, s, g, e, row)
                if p.last_word_conflicts:
                    costs[row] += conflicts_behind(p, s, g, row) - now
        return 0
    if not desk.machine.tabular:
        with gil:
            if desk.followed < 0:
                desk.costs_of = desk.machine.follow(desk.sentence)
                desk.followed = 0
            for row, cost in enumerate(desk.costs_of([desk.path[i] for i in range(desk.followed, desk.length)])):
                costs[row] = cost
            desk.followed = desk.length
        return 0
    if not desk.losses.ready:
        if desk.losses.size < s.n + 2 and not allocate_losses(&desk.losses, s.n):
            with gil:
                raise MemoryError
        fill_losses(&desk.losses, p, desk.machine.exits, desk.machine.pushes_with_head, desk.machine.single_root, s.n, g)
    now = loss(&desk.losses, p, desk.machine.exits, desk.machine.single_root, s, g) if relative else 0
    for row in range(p.n_rows):
        if possible >> row & 1:
            desk.other.tracked = s.tracked
            copy_state(&desk.other, s)
            take(p, &desk.other, row, -1, 0)
            costs[row] = loss(&desk.losses, p, desk.machine.exits, desk.machine.single_root, &desk.other, g) - now
    return 0


cdef int64_t free_rows(Desk desk, const int32_t *e, uint32_t possible) except -1 nogil:
    """The rows of cost 0."""
    cdef const Program *p = &desk.machine.program
    cdef const Gold *g = &desk.gold
    cdef int32_t costs[MAX_ROWS]
    cdef int row, least = 1 << 30, now = 0
    cdef uint32_t found = 0, lossless
    if p.rows_tell and g.projective:
        if p.last_word_conflicts:
            now = conflicts(&desk.state, g)
        if now == 0:
            lossless = without_loss(p, &desk.state, g, e, possible)
            if not p.last_word_conflicts:
                return lossless
            for row in range(p.n_rows):
                if lossless >> row & 1 and not conflicts_behind(p, &desk.state, g, row):
                    found |= (<uint32_t> 1) << row
            return found
    count_costs(desk, e, possible, costs, False)
    for row in range(p.n_rows):
        if possible >> row & 1 and costs[row] < least:
            least = costs[row]
            found = 0
        if possible >> row & 1 and costs[row] == least:
            found |= (<uint32_t> 1) << row
    return found


cdef int64_t gold_rows(Desk desk, const int32_t *e, uint64_t known, uint32_t possible, int oracle) except -1 nogil:
    """The rows that an oracle names."""
    cdef const Program *p = &desk.machine.program
    cdef const Gold *g = &desk.gold
    cdef uint32_t correct = 0
    cdef int i, row = 0
    if p.canonical and oracle == NONDETERMINISTIC:
        oracle = DYNAMIC
    if oracle == DYNAMIC or not (g.annotated or p.rows_tell and not p.last_word_conflicts):
        correct = free_rows(desk, e, possible)
        if oracle == DYNAMIC or oracle == NONDETERMINISTIC:
            return correct
        for row in range(p.n_rows):
            if correct >> row & 1:
                break
        if oracle == PREFER_SHIFT and p.rows[row].dependent < 0 and correct >> p.shift & 1:
            row = p.shift
        return (<int64_t> 1) << row
    if p.n_losses:
        correct = without_loss(p, &desk.state, g, e, possible)
    else:
        known |= gold_facts(p, &desk.state, g, e)
        for row in range(p.n_rows):
            if possible >> row & 1 and true(&p.rows[row].correct, known):
                correct |= (<uint32_t> 1) << row
    if oracle == NONDETERMINISTIC:
        return correct
    for i in range(p.n_rows):
        row = p.prefer_shift[i] if oracle == PREFER_SHIFT else i
        if correct >> row & 1:
            return (<int64_t> 1) << row
    for i in range(p.n_rows):  # off the path to the gold tree: the last that is possible
        if possible >> i & 1:
            row = i
    return (<int64_t> 1) << row


cdef class Derivation:
    """The states of one sentence, one at a time: the engine, for looking at."""

    cdef Desk desk
    cdef int32_t e[MAX_PLACES + 1]
    cdef uint64_t known

    def __init__(self, Machine machine, Data data, int64_t sentence):
        self.desk = Desk(machine, data, True)
        open_sentence(self.desk, sentence, True)

    @property
    def stack(self):
        return tuple([self.desk.state.stack[i] for i in range(self.desk.state.top + 1)])

    @property
    def buffer(self):
        return tuple([self.desk.state.buffer[i] for i in range(self.desk.state.front, self.desk.state.end)])

    @property
    def heads(self):
        return tuple([self.desk.state.heads[i] for i in range(1, self.desk.state.n + 1)])

    @property
    def labels(self):
        return tuple([self.desk.state.labels[i] for i in range(1, self.desk.state.n + 1)])

    cdef uint32_t _next(self) noexcept:
        elements(&self.desk.machine.program, &self.desk.state, self.e)
        self.known = facts(&self.desk.machine.program, &self.desk.state, self.e)
        return next_rows(&self.desk.machine.program, self.known)

    @property
    def is_final(self):
        return self._next() == FINAL

    def possible(self):
        """The possible rows, as bits; none if the configuration is final."""
        return self._next() & ~FINAL

    def take(self, int row, int label):
        """Take a row."""
        go(self.desk, row, label)

    def costs(self):
        """The cost of each possible row."""
        cdef int32_t costs[MAX_ROWS]
        cdef uint32_t possible = self.possible()
        count_costs(self.desk, self.e, possible, costs, True)
        return {row: costs[row] for row in range(self.desk.machine.program.n_rows) if possible >> row & 1}

    def gold(self, str oracle):
        """The rows that an oracle names, as bits."""
        cdef uint32_t possible = self.possible()
        return gold_rows(self.desk, self.e, self.known, possible, ORACLES[oracle])

    def features(self):
        """The features, as hashes."""
        look(&self.desk.machine.features, &self.desk.state, self.desk.columns, self.desk.features)
        return [self.desk.features[i] for i in range(self.desk.machine.features.n_templates)]


# Models


def rows_used(weights):
    """Which rows are not all zeros, as the bits of numbers of 64 bits."""
    bits = np.packbits(weights.any(axis=1), bitorder="little")
    return np.concatenate([bits, np.zeros((8 - len(bits) % 8) % 8, np.uint8)]).view("<u8").astype(np.uint64)


cdef class Weights:
    """Perceptron weights for rows and labels.

    Args:
        rows: for each class of the first table its row.
        labels: for each class of the first table its label, -1 if it has none or the second table tells.
        first: the weights of the first table: rows of a power of two in number, as wide as a multiple of 4.
        second: the weights of the second table, for ``n_labels`` labels; not used if there are none.
        n_labels: how many labels the second table tells apart; 0 if the first one tells.
        learning: whether to keep what averages need.
    """

    cdef Table tables[2]
    cdef readonly object arrays
    cdef readonly object changes
    cdef object used
    cdef const int32_t[::1] class_rows
    cdef const int32_t[::1] class_labels
    cdef int n_labels
    cdef public int64_t time

    def __init__(self, rows, labels, first, second, int n_labels, bint learning):
        cdef float[:, ::1] weights, changes
        cdef uint64_t[::1] used
        self.class_rows, self.class_labels, self.n_labels = rows, labels, n_labels
        self.arrays = (first, second)
        self.changes = (np.zeros_like(first), np.zeros_like(second)) if learning else (None, None)
        self.used = (rows_used(first), rows_used(second))
        self.time = 0
        for i in range(2):
            weights = self.arrays[i]
            self.tables[i].width = weights.shape[1]
            self.tables[i].shift = 64 - (int(weights.shape[0]).bit_length() - 1)
            self.tables[i].weights = &weights[0, 0]
            used = self.used[i]
            self.tables[i].used = &used[0]
            self.tables[i].changes = NULL
            if learning:
                changes = self.changes[i]
                self.tables[i].changes = &changes[0, 0]

    @property
    def width(self):
        """The number of classes that are scored at most at once."""
        return max(self.tables[0].width, self.tables[1].width)


cdef inline uint64_t drawn(uint64_t *random) noexcept nogil:
    """The next random number (SplitMix64)."""
    random[0] += <uint64_t> 0x9E3779B97F4A7C15
    return mixed(random[0])


cdef inline bint chance(uint64_t *random, double p) noexcept nogil:
    return p > 0 and (drawn(random) >> 11) * (1.0 / 9007199254740992.0) < p


cdef int draw_row(uint64_t *random, uint32_t rows) noexcept nogil:
    """One of some rows; random numbers are drawn only where there is a choice."""
    cdef uint32_t rest = rows & (rows - 1)
    cdef int count = 1
    if rest:
        while rest:
            rest &= rest - 1
            count += 1
        for count in range(<int> (drawn(random) % <uint64_t> count)):
            rows &= rows - 1
    return lowest_bit(rows)


cdef int best_class(Weights w, const float *scores, uint32_t rows) noexcept nogil:
    """The class with the highest score among those of some rows."""
    cdef int c, best = -1
    for c in range(w.class_rows.shape[0]):
        if rows >> w.class_rows[c] & 1 and (best < 0 or scores[c] > scores[best]):
            best = c
    return best


cdef int best_label(Desk desk, Weights w, const uint64_t *features, int row) noexcept nogil:
    """The label with the highest score for the arc of a row; -1 if it adds none."""
    cdef int c, best = 0
    if desk.machine.program.rows[row].head < 0 or w.n_labels == 0:
        return -1
    score(&w.tables[1], features, desk.machine.features.n_templates, desk.machine.row_hashes[row], desk.label_rows,
          desk.live, desk.label_scores)
    for c in range(1, w.n_labels):
        if desk.label_scores[c] > desk.label_scores[best]:
            best = c
    return best


cdef void look_and_score(Desk desk, Weights w, const State *s, uint64_t *features) noexcept nogil:
    """Score the classes of the first table."""
    look(&desk.machine.features, s, desk.columns, features)
    score(&w.tables[0], features, desk.machine.features.n_templates, 0, desk.rows, desk.live, desk.scores)


cdef int gold_label(Desk desk, const int32_t *e, int row) noexcept nogil:
    """The gold label of the word that a row attaches, -1 if it attaches none or the label is not known."""
    cdef int place = desk.machine.program.rows[row].dependent
    if place < 0:
        return -1
    return desk.data.labels[desk.data.offsets[desk.sentence] + e[place] - 1]


def train(Weights w, Machine machine, Data data, const int64_t[::1] order, str oracle, double exploration, int64_t seed):
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


cdef int learn_step(Desk desk, Weights w, int oracle, double exploration, uint64_t *random, int64_t *errors) except -1 nogil:
    """Learn from one configuration and go on; 0 if it is final."""
    cdef const Program *p = &desk.machine.program
    cdef int32_t e[MAX_PLACES + 1]
    cdef uint64_t known
    cdef uint32_t possible, gold
    cdef int predicted, target = -1, row, label, c, n = desk.machine.features.n_templates
    cdef bint explores
    elements(p, &desk.state, e)
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
    if w.n_labels:
        label = gold_label(desk, e, row)
        if label >= 0 and desk.gold.heads[e[p.rows[row].dependent]] == e[p.rows[row].head]:
            c = best_label(desk, w, desk.features, row)
            if c != label:
                learn(&w.tables[1], desk.label_rows, n, label, c, <float> w.time)
    explores = chance(random, exploration)
    if explores:
        row = w.class_rows[predicted]
        label = w.class_labels[predicted] if w.n_labels == 0 else best_label(desk, w, desk.features, row)
    else:
        label = gold_label(desk, e, row)
    go(desk, row, label)
    return 1


# Decoding


def parse(Weights w, Machine machine, Data data, int64_t start, int64_t stop, int32_t[::1] heads, int32_t[::1] labels, int root_label, int beam):
    """Parse the sentences from one number to another, and write down their heads and labels."""
    cdef Desk desk = Desk(machine, data, True, w.width)
    cdef Beam derivations = Beam(desk, beam, w.width) if beam > 1 else None
    cdef const State *s
    cdef int64_t sentence, at
    cdef int word
    with nogil:
        for sentence in range(start, stop):
            open_sentence(desk, sentence, False)
            if beam > 1:
                s = derivations.best(w)
            else:
                while parse_step(desk, w):
                    pass
                s = &desk.state
            at = data.offsets[sentence] - 1
            for word in range(1, s.n + 1):
                heads[at + word] = s.heads[word]
                labels[at + word] = s.labels[word]
                if s.heads[word] < 0 and not machine.has_root:
                    heads[at + word] = 0
                    labels[at + word] = root_label


cdef int64_t rows_to_try(Desk desk, const State *s) except -1 nogil:
    """The possible rows; none if the configuration is final."""
    cdef int32_t e[MAX_PLACES + 1]
    cdef uint32_t possible
    elements(&desk.machine.program, s, e)
    possible = next_rows(&desk.machine.program, facts(&desk.machine.program, s, e))
    if possible == 0:
        with gil:
            raise ValueError(f"no transition is possible, but parsing is not at its end, in sentence {desk.sentence}")
    return 0 if possible == FINAL else possible


cdef int parse_step(Desk desk, Weights w) except -1 nogil:
    """Take the best transition; 0 if there is none to be taken."""
    cdef uint32_t possible = <uint32_t> rows_to_try(desk, &desk.state)
    cdef int best, row
    if not possible:
        return 0
    look_and_score(desk, w, &desk.state, desk.features)
    best = best_class(w, desk.scores, possible)
    row = w.class_rows[best]
    advance(desk, &desk.state, row, w.class_labels[best] if w.n_labels == 0 else best_label(desk, w, desk.features, row))
    return 1


cdef enum:
    REMEMBERED = 1 << 10
    NOT_ASKED = -2

ctypedef struct Candidate:
    float score
    int parent  # which state it continues
    int choice  # with which class; -1: the state is final and stays as it is


cdef class Beam:
    """The best derivations of a sentence, as many as there is room for.

    A state passes to the last of the derivations that continue it; only the others get a copy. Derivations often differ
    in what no feature sees any more, so scores are remembered, by the sum of all features.
    """

    cdef Desk desk
    cdef int size
    cdef State *states
    cdef int *live
    cdef int *spare
    cdef int *uses
    cdef float *totals
    cdef uint64_t *features
    cdef Candidate *candidates
    cdef uint64_t *sums  # of the features of each state
    cdef uint64_t *known  # whose scores and labels are remembered
    cdef float *known_scores
    cdef int32_t *known_labels
    cdef int width
    cdef char *memory

    def __cinit__(self, Desk desk, int size, int width):
        cdef size_t room = (state_size(desk.data.longest) + 7) // 8 * 8
        cdef int i
        self.desk, self.size = desk, size
        self.memory = <char *> malloc(2 * size * room)
        self.states = <State *> calloc(2 * size, sizeof(State))
        self.live = <int *> malloc(2 * size * sizeof(int))
        self.spare = <int *> malloc(2 * size * sizeof(int))
        self.uses = <int *> malloc(2 * size * sizeof(int))
        self.totals = <float *> malloc(2 * size * sizeof(float))
        self.features = <uint64_t *> malloc(8 * 2 * size * (desk.machine.features.n_templates + 1))
        self.candidates = <Candidate *> malloc((size + 1) * sizeof(Candidate))
        self.width = width
        self.sums = <uint64_t *> malloc(8 * 2 * size)
        self.known = <uint64_t *> calloc(REMEMBERED, 8)
        self.known_scores = <float *> malloc(4 * REMEMBERED * width)
        self.known_labels = <int32_t *> malloc(4 * REMEMBERED * MAX_ROWS)
        if not (self.memory and self.states and self.live and self.spare and self.uses and self.totals and self.features
                and self.candidates and self.sums and self.known and self.known_scores and self.known_labels):
            raise MemoryError
        for i in range(2 * size):
            self.states[i].memory = self.memory + i * room

    def __dealloc__(self):
        free(self.memory)
        free(self.states)
        free(self.live)
        free(self.spare)
        free(self.uses)
        free(self.totals)
        free(self.features)
        free(self.candidates)
        free(self.sums)
        free(self.known)
        free(self.known_scores)
        free(self.known_labels)

    cdef const State *best(self, Weights w) except NULL nogil:
        """The best final state, from the desk's own state on."""
        cdef int n_live = 1, n_candidates, n_spare, i, slot, row
        cdef bint done = False
        cdef Candidate *one
        copy_state(&self.states[0], &self.desk.state)
        self.live[0] = 0
        self.totals[0] = 0
        while not done:
            n_candidates = self._candidates(w, n_live)
            # Which states go on, and how often; the others are free.
            for slot in range(2 * self.size):
                self.uses[slot] = 0
            for i in range(n_candidates):
                self.uses[self.candidates[i].parent] += 1
            n_spare = 0
            for slot in range(2 * self.size):
                if not self.uses[slot]:
                    self.spare[n_spare] = slot
                    n_spare += 1
            done = True
            for i in range(n_candidates):
                one = &self.candidates[i]
                slot = one.parent
                self.uses[slot] -= 1
                if self.uses[slot]:
                    n_spare -= 1
                    slot = self.spare[n_spare]
                    copy_state(&self.states[slot], &self.states[one.parent])
                self.live[i] = slot
                self.totals[slot] = one.score
                if one.choice >= 0:
                    done = False
                    row = w.class_rows[one.choice]
                    advance(self.desk, &self.states[slot], row, w.class_labels[one.choice] if w.n_labels == 0 else
                            self._label(w, one.parent, row))
            n_live = n_candidates
        return &self.states[self.live[0]]

    cdef uint64_t *_features(self, int slot) noexcept nogil:
        return self.features + slot * self.desk.machine.features.n_templates

    cdef int _candidates(self, Weights w, int n_live) except -1 nogil:
        """Write down the best ways to go on, the best one first, and count them."""
        cdef int i, c, slot, count = 0
        cdef uint32_t possible
        cdef const float *scores
        for i in range(n_live):
            slot = self.live[i]
            possible = <uint32_t> rows_to_try(self.desk, &self.states[slot])
            if not possible:
                count = self._insert(count, self.totals[slot], slot, -1)
                continue
            scores = self._scores(w, slot)
            for c in range(w.class_rows.shape[0]):
                if possible >> w.class_rows[c] & 1:
                    count = self._insert(count, self.totals[slot] + scores[c], slot, c)
        return count

    cdef const float *_scores(self, Weights w, int slot) noexcept nogil:
        """The scores of all classes in a state."""
        cdef uint64_t *features = self._features(slot)
        cdef int i, n = self.desk.machine.features.n_templates
        cdef uint64_t total = 1
        cdef size_t place
        look(&self.desk.machine.features, &self.states[slot], self.desk.columns, features)
        for i in range(n):
            total += features[i]
        place = total % <uint64_t> REMEMBERED
        self.sums[slot] = total
        if self.known[place] != total:
            self.known[place] = total
            score(&w.tables[0], features, n, 0, self.desk.rows, self.desk.live, self.known_scores + place * self.width)
            for i in range(MAX_ROWS):
                self.known_labels[place * MAX_ROWS + i] = NOT_ASKED
        return self.known_scores + place * self.width

    cdef int _label(self, Weights w, int slot, int row) noexcept nogil:
        """The best label for the arc of a row in a state that has been scored."""
        cdef uint64_t total = self.sums[slot]
        cdef int32_t *label = &self.known_labels[(total % <uint64_t> REMEMBERED) * MAX_ROWS + row]
        if self.known[total % <uint64_t> REMEMBERED] != total:
            return best_label(self.desk, w, self._features(slot), row)
        if label[0] == NOT_ASKED:
            label[0] = best_label(self.desk, w, self._features(slot), row)
        return label[0]

    cdef int _insert(self, int count, float total, int parent, int choice) noexcept nogil:
        """Put a candidate where it belongs, if it is good enough."""
        cdef int place = count
        while place > 0 and self.candidates[place - 1].score < total:
            self.candidates[place] = self.candidates[place - 1]
            place -= 1
        if place < self.size:
            self.candidates[place].score = total
            self.candidates[place].parent = parent
            self.candidates[place].choice = choice
        return min(count + 1, self.size)


# Steps of derivations


cdef class Steps:
    """The steps of derivations, written into arrays as many at a time as these hold.

    Args:
        machine: the machine.
        data: the sentences.
        order: which of them, in which order.
        oracle: the name of the oracle.
        exploration: how often to go on with a prediction, or, without a model, with any possible transition.
        seed: determines random choices, for each sentence on its own.
        weights: a model to explore with, or ``None``.
        with_features: whether features are asked for.
    """

    cdef Desk desk
    cdef Weights weights
    cdef const int64_t[::1] order
    cdef int64_t next
    cdef int oracle
    cdef double exploration
    cdef uint64_t seed
    cdef uint64_t random
    cdef bint with_features

    def __init__(self, Machine machine, Data data, order, str oracle, double exploration, int64_t seed, weights, bint with_features):
        self.weights = weights
        self.desk = Desk(machine, data, with_features or weights is not None, 0 if weights is None else weights.width)
        self.order, self.next, self.oracle = order, 0, ORACLES[oracle]
        self.exploration, self.seed, self.with_features = exploration, mixed(<uint64_t> seed), with_features
        self.desk.sentence = -1

    def fill(self, uint32_t[::1] possible, uint32_t[::1] gold, int32_t[::1] taken, int32_t[::1] labels, int32_t[::1] sentence, int32_t[::1] step, uint64_t[:, ::1] features):
        """Write down the next steps.

        Returns:
            How many they are: less than the arrays hold only at the end.
        """
        cdef int64_t count = 0, room = taken.shape[0]
        cdef int i
        with nogil:
            while count < room:
                if self.desk.sentence < 0:
                    if self.next == self.order.shape[0]:
                        break
                    open_sentence(self.desk, self.order[self.next], True)
                    self.random = self.seed ^ mixed(<uint64_t> self.order[self.next])
                    self.next += 1
                sentence[count] = <int32_t> self.desk.sentence
                step[count] = self.desk.length
                if not self._step(&possible[count], &gold[count], &taken[count], &labels[count]):
                    self.desk.sentence = -1
                    continue
                if self.with_features:
                    for i in range(self.desk.machine.features.n_templates):
                        features[count, i] = self.desk.features[i]
                count += 1
        return count

    cdef int _step(self, uint32_t *possible, uint32_t *gold, int32_t *taken, int32_t *label) except -1 nogil:
        """Write down one step and go on; 0 if there is none."""
        cdef const Program *p = &self.desk.machine.program
        cdef int32_t e[MAX_PLACES + 1]
        cdef uint64_t known
        elements(p, &self.desk.state, e)
        known = facts(p, &self.desk.state, e)
        possible[0] = next_rows(p, known)
        if possible[0] == FINAL:
            return 0
        gold[0] = <uint32_t> gold_rows(self.desk, e, known, possible[0], self.oracle)
        if self.with_features:
            look(&self.desk.machine.features, &self.desk.state, self.desk.columns, self.desk.features)
        if not chance(&self.random, self.exploration):
            taken[0] = draw_row(&self.random, gold[0])
        elif self.weights is None:
            taken[0] = draw_row(&self.random, possible[0])
        else:
            look_and_score(self.desk, self.weights, &self.desk.state, self.desk.features)
            taken[0] = self.weights.class_rows[best_class(self.weights, self.desk.scores, possible[0])]
        label[0] = gold_label(self.desk, e, taken[0])
        go(self.desk, taken[0], label[0])
        return 1
