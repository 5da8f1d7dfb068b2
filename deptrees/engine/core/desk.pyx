# cython: language_level=3, boundscheck=False, initializedcheck=False, cdivision=True
"""What one thread works with: a machine, a treebank's numbers, and the state of one sentence.

What a row does and when is in ``machine.pxd``, exact losses are in ``losses.pxd``, features in ``features.pxd`` and
weights in ``weights.pxd``; these are inlined wherever they are used.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from deptrees.engine.core.features cimport Features
from deptrees.engine.core.losses cimport free_costs
from deptrees.engine.core.machine cimport (
    FACT_BITS, OTHERS, SETTLED, Formula, Gold, Program, rows_by_facts, start, state_size, words,
)

import numpy as np

__all__ = ["Data", "Machine"]


cdef class Machine:
    """A system's program and a set of feature templates, ready to run.

    Args:
        program: a `deptrees.engine.program.Program`.
        features: a `deptrees.engine.feature_code.FeatureCode`.
        follow: makes, of the number of a sentence, a function from the rows taken to the costs of the next ones; asked
            where the engine cannot compute them.
    """

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
        for i, (flags, but, only, near) in enumerate(program.regions):
            p.regions[i].flags, p.regions[i].not_at = flags, but
            p.regions[i].at, p.regions[i].near = only, near
        p.n_losses = len(program.losses)
        for i, (loss, rows) in enumerate(program.rows_by_loss):
            is_head, place, region, among = loss
            p.losses[i].is_head, p.losses[i].place, p.losses[i].rows = is_head, place, rows
            p.losses[i].region, p.losses[i].among = p.regions[<int> region], among
            flags, but, _, _ = program.regions[region]
            p.losses[i].set = (flags | (OTHERS if but < p.n_stack + p.n_buffer else 0)) >> 3
            p.n_wide += not program.is_narrow(loss)
        p.n_rows = len(program.rows)
        for i, row in enumerate(program.rows):
            self._formula(&p.rows[i].when, row.when)
            self._formula(&p.rows[i].correct, row.correct)
            p.rows[i].adds_arc = row.arc is not None
            nothing = p.n_stack + p.n_buffer + 1
            p.rows[i].head, p.rows[i].dependent = row.arc or (nothing, nothing)
            p.rows[i].takes_off, p.rows[i].depth, p.rows[i].back = row.off is not None, row.off or 0, row.back
            p.rows[i].pushes = row.pushes
            p.prefer_shift[i] = program.prefer_shift[i]
            self.row_hashes[i] = program.row_hashes[i]
        p.shift = program.shift
        self._formula(&p.final, program.final)
        p.root_first, p.root_last = program.root == "first", program.root == "last"
        self.has_root = program.root != "none"
        p.last_word_conflicts = program.last_word_conflicts
        p.rows_tell, p.canonical = program.rows_tell, program.canonical
        p.longest_arc = program.longest_arc
        self.tabular = program.has_losses
        if program.exits is not None:
            for i, ways in enumerate(program.exits):
                self.exits[i].to_front, self.exits[i].to_below = ways.to_front, ways.to_below
                self.exits[i].alone = ways.alone
        self.pushes_with_head = program.pushes_with_head
        self.arcs_on_stack = program.arcs_on_stack
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
        """Make the table of possible rows if it is not too large."""
        cdef Program *p = &self.program
        cdef int64_t i
        cdef int places = 4 * (p.n_stack + p.n_buffer), bits = places + p.n_conditions - p.n_gold
        cdef uint32_t *rows
        if bits > FACT_BITS:
            return 0
        rows = <uint32_t *> calloc(1 << bits, 4)
        if rows == NULL:
            raise MemoryError
        for i in range(1 << bits):
            rows[i] = rows_by_facts(p, i)
        if p.n_losses:  # otherwise conditions may be asked when it comes to what is correct
            for i in range(1 << places):
                rows[i] |= <uint32_t> all_alike(rows + i, 1 << places, 1 << (bits - places)) << SETTLED
        p.possible = rows
        return 0

    def __dealloc__(self):
        free(self.program.possible)

    cdef void _formula(self, Formula *to, formula) except *:
        cdef int i
        to.all, to.none, to.n_clauses = formula.all, formula.none, len(formula.clauses)
        for i, (some, lacking) in enumerate(formula.clauses):
            to.clauses[i].some, to.clauses[i].lacking = some, lacking


cdef bint all_alike(const uint32_t *numbers, int64_t apart, int64_t count) noexcept:
    """Whether some numbers, which lie so far apart, are one and the same."""
    cdef int64_t i
    for i in range(1, count):
        if numbers[i * apart] != numbers[0]:
            return False
    return True


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

    def __cinit__(self, Machine machine, Data data, bint tracked, int width=0):
        cdef int64_t n = data.longest
        cdef size_t state = state_size(n)
        cdef size_t column = 8 * (n + 2)
        cdef size_t gold = (4 * 3 * (n + 4) + 7) // 8 * 8
        cdef size_t arcs = 8 * <size_t> (n + 2) * 2 * words(n)
        cdef int i
        self.machine, self.data = machine, data
        self.label_hashes = &data.label_hashes[0] if len(data.label_hashes) else NULL
        self.memory = <char *> calloc(2 * state + data.n_columns * column + arcs + gold + 64, 1)
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
        self.arcs = <uint64_t *> place
        place += arcs
        self.gold.heads = <int32_t *> place + 1
        self.gold.labels = self.gold.heads + n + 4
        self.gold.ancestor = self.gold.labels + n + 4
        place += gold
        self.state.memory = place
        self.other.memory = place + (state + 7) // 8 * 8
        self.state.tracked = self.other.tracked = tracked

    def __dealloc__(self):
        free(self.memory)
        free(self.path)
        free(self.scores)
        free(self.losses.memory)
        free_costs(&self.least_costs)


cdef int open_sentence(Desk desk, int64_t sentence, bint with_gold) except -1 nogil:
    """Start a sentence."""
    cdef int64_t at = desk.data.offsets[sentence]
    cdef int n = desk.data.offsets[sentence + 1] - at
    cdef int i, c, head, word, least, roots = 0, n_words = words(n)
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
    g.heads[-1] = g.heads[0] = g.labels[-1] = g.labels[0] = -1
    g.arcs = desk.arcs + 2
    g.n_arcs = 2 * (n + 2)
    memset(desk.arcs, 0, 8 * <size_t> n_words * g.n_arcs)
    for word in range(1, n + 1):
        head = desk.data.heads[at + word - 1]
        g.heads[word] = head
        g.labels[word] = desk.data.labels[at + word - 1]
        roots += head == 0
        if head >= 0:
            g.arcs[(word >> 6) * g.n_arcs + 2 * head] |= <uint64_t> 1 << (word & 63)
            g.arcs[(head >> 6) * g.n_arcs + 2 * word + 1] = <uint64_t> 1 << (head & 63)
        else:
            g.annotated = False
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
    desk.losses.ready = desk.least_costs.ready = False
    desk.followed = -1
    desk.nothing_lost = (
        desk.machine.tabular and g.projective and g.annotated and desk.machine.program.longest_arc < 0
        and (roots == 1 or not desk.machine.single_root)
    )
    return 0
