# A transition system in numbers: the structs that hold what deptrees.engine.code.system makes of a table.

cdef enum:  # limits
    MAX_ROWS = 30
    MAX_PLACES = 12
    MAX_CONDITIONS = 40
    MAX_REGIONS = 32
    MAX_LOSSES = 32
    MAX_CLAUSES = 8

LIMITS = {
    "rows": MAX_ROWS, "places": MAX_PLACES, "conditions": MAX_CONDITIONS,
    "regions": MAX_REGIONS, "losses": MAX_LOSSES, "clauses": MAX_CLAUSES,
}

cdef enum:  # what is known of an element; the first four are also the facts of the place that it stands at
    EXISTS = 1
    WORD = 2
    ATTACHED = 4
    OPEN = 8  # a word without a head
    ON_STACK = 16
    IN_BUFFER = 32
    OTHERS = 64  # in the number of a set: without the top of the stack, or the front of the buffer
    N_SETS = 2 * OTHERS >> 3
    PLACE_BITS = 4  # how many facts there are of each place
    PLACE_FACTS = 15

FLAGS = {"exists": EXISTS, "word": WORD, "attached": ATTACHED, "unattached": OPEN, "σ": ON_STACK, "β": IN_BUFFER}
FACTS_PER_PLACE = PLACE_BITS

cdef enum:  # conditions that are more than a place's facts
    EMPTY, SINGLE, BEFORE, SHORT, GOLD, PENDING, COMPLETE, GOLD_BEFORE, PASSED, SAME_COMPONENT

CONDITIONS = {
    "empty": EMPTY, "single": SINGLE, "before": BEFORE, "short": SHORT, "gold": GOLD, "pending": PENDING,
    "complete": COMPLETE, "gold before": GOLD_BEFORE, "passed": PASSED, "same component": SAME_COMPONENT,
}

cdef enum:  # where an element goes that is taken off the stack: away, to the front of the buffer, or right after it
    AWAY, BACK, BACK_AFTER

DESTINATIONS = {"drop": AWAY, "back": BACK, "back after": BACK_AFTER}

ctypedef struct Clause:  # one of these facts holds, or one of those does not
    uint64_t some, lacking

ctypedef struct Formula:  # a conjunction
    uint64_t all, none
    int n_clauses
    Clause clauses[MAX_CLAUSES]

ctypedef struct ConditionCode:  # a condition, whose bit comes after those of the places
    int kind
    int first, second  # the places that it asks about
    int region

ctypedef struct RegionCode:  # the elements that have these flags, and in which places they may stand
    uint8_t flags
    int8_t not_at, at

ctypedef struct LostArcs:  # gold arcs that rows may lose
    uint8_t is_head, place
    uint8_t set  # the number of the set that the other ends are in
    RegionCode region  # and what else is asked of them
    Formula when
    uint32_t rows  # those that lose them, as bits

ctypedef struct RowCode:
    Formula when, correct
    bint adds_arc
    int head, dependent  # the places of the arc that it adds, or that of nothing
    uint32_t takes_off  # 1 or 0: whether it takes an element off the stack
    int depth  # how far below the top that is
    int back  # and where it goes
    uint32_t pushes  # 1 or 0: whether the front of the buffer is pushed

ctypedef struct SystemCode:
    int n_stack, n_buffer  # how many places of the stack are looked at, and of the buffer
    int n_conditions
    int n_gold  # how many of the conditions, the last ones, are about the gold tree
    ConditionCode conditions[MAX_CONDITIONS]
    RegionCode regions[MAX_REGIONS]
    int n_losses
    int n_wide  # of how many of them, the first ones, nothing is asked but a set
    LostArcs losses[MAX_LOSSES]
    int n_rows
    RowCode rows[MAX_ROWS]
    int prefer_shift[MAX_ROWS]  # the order of the rows when Shift goes before all that adds no arc
    int shift  # which row is Shift
    Formula final
    bint root_first, root_last
    bint last_word_conflicts
    bint rows_tell  # whether lost arcs tell what is correct
    bint canonical  # whether rows tell one correct transition only
    bint has_losses_only  # whether nothing but lost arcs and the facts of places is asked to tell what is correct
    int longest_arc  # -1: there is no limit
    bint empty_is_meant  # whether words without a gold head are to stay without one
    uint32_t *possible  # a table: for facts the possible rows; NULL where it would be too large


cdef int write_system(SystemCode *code, numbers) except -1:
    """Copy a deptrees.engine.code.system.SystemCode."""
    cdef int i
    memset(code, 0, sizeof(SystemCode))
    code.n_stack, code.n_buffer = numbers.n_stack, numbers.n_buffer
    code.n_conditions, code.n_gold = len(numbers.conditions), numbers.n_gold
    for i, (kind, first, second, region) in enumerate(numbers.conditions):
        code.conditions[i] = [kind, first, second, region]
    for i, (flags, but, only) in enumerate(numbers.regions):
        code.regions[i] = [flags, but, only]
    write_losses(code, numbers)
    code.n_rows = len(numbers.rows)
    for i, row in enumerate(numbers.rows):
        write_row(&code.rows[i], row, code.n_stack + code.n_buffer + 1)
        code.prefer_shift[i] = numbers.prefer_shift[i]
    code.shift = numbers.shift
    write_formula(&code.final, numbers.final)
    code.root_first, code.root_last = numbers.root == "first", numbers.root == "last"
    code.last_word_conflicts = numbers.last_word_conflicts
    code.rows_tell, code.canonical = numbers.rows_tell, numbers.canonical
    code.has_losses_only = numbers.has_losses_only
    code.longest_arc, code.empty_is_meant = numbers.longest_arc, numbers.empty_is_meant


cdef int write_losses(SystemCode *code, numbers) except -1:
    cdef int i
    cdef LostArcs *loss
    code.n_losses = len(numbers.losses)
    for i, (lost, rows) in enumerate(numbers.rows_by_loss):
        is_head, place, region, when = lost
        flags, but, _ = numbers.regions[region]
        loss = &code.losses[i]
        loss.is_head, loss.place, loss.rows, loss.region = is_head, place, rows, code.regions[<int> region]
        write_formula(&loss.when, when)
        loss.set = (flags | (OTHERS if but < code.n_stack + code.n_buffer else 0)) >> 3
        code.n_wide += not numbers.is_narrow(lost)


cdef int write_row(RowCode *code, row, int nothing) except -1:
    """A row that adds no arc adds it at the place of nothing."""
    write_formula(&code.when, row.when)
    write_formula(&code.correct, row.correct)
    code.adds_arc = row.arc is not None
    code.head, code.dependent = row.arc or (nothing, nothing)
    code.takes_off, code.depth, code.back = row.off is not None, row.off or 0, row.back
    code.pushes = row.pushes


cdef int write_formula(Formula *code, formula) except -1:
    cdef int i
    code.all, code.none, code.n_clauses = formula.all, formula.none, len(formula.clauses)
    for i, (some, lacking) in enumerate(formula.clauses):
        code.clauses[i] = [some, lacking]
