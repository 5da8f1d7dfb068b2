# Feature templates, and what they see of a state. See deptrees.features for the language.

cdef enum:  # limits
    MAX_NODES = 64
    MAX_COLUMNS = 32
    MAX_VALUES = 160
    MAX_PARTS = 1024
    SHORT_TEMPLATES = 4  # the number of parts from which on templates are put together one by one

FEATURE_LIMITS = {
    "nodes": MAX_NODES, "columns": MAX_COLUMNS, "values": MAX_VALUES,
    "templates": MAX_TEMPLATES, "parts": MAX_PARTS, "steps back": HISTORY,
}

cdef enum:  # how to get to a node: a place, or a relation of a node before it
    STACK_NODE, BUFFER_NODE, HEAD_NODE, LEFT_NODE, RIGHT_NODE, LEFT2_NODE, RIGHT2_NODE, BEYOND_NODE

NODES = {
    "s": STACK_NODE, "b": BUFFER_NODE, "head": HEAD_NODE, "left": LEFT_NODE, "right": RIGHT_NODE,
    "left2": LEFT2_NODE, "right2": RIGHT2_NODE, "beyond": BEYOND_NODE,
}

cdef enum:  # values: what a column or a lane holds for a node, how far it is to another node, a transition taken
    COLUMN, LANE, DISTANCE, TAKEN

VALUES = {"column": COLUMN, "distance": DISTANCE, "taken": TAKEN}

ctypedef void (*Look)(
    const Features *, const State *, uint64_t **, uint64_t *, const QuantizedTable *, const char **
) noexcept nogil

ctypedef struct Node:
    int kind
    int origin  # how far from top or front, or a node

ctypedef struct Value:
    int kind
    int which  # column or lane, or how many transitions ago
    int node, other

ctypedef struct Features:
    Look look  # what finds the features of a state and, if there is a table, asks memory for their rows
    int n_nodes
    Node nodes[MAX_NODES]
    int n_values
    Value values[MAX_VALUES]
    int n_templates
    # Templates by how many parts they have, so that what they put together takes loops of a known length
    int of_length[SHORT_TEMPLATES]  # how many have one part, two, and so on
    int numbers[MAX_TEMPLATES]
    uint64_t seeds[MAX_TEMPLATES]
    int lengths[MAX_TEMPLATES]
    int parts[MAX_PARTS]
    int longest_distance
    ReservedHashes reserved

ctypedef struct Places:  # nodes that are looked at by themselves
    int n_nodes
    Node nodes[MAX_NODES]
    int n_wanted
    int wanted[MAX_NODES]  # which of them; the others lead there


cdef inline int find_beyond(const State *s, int position) noexcept nogil:
    """The head of an element or, if it has none, the next one of the stack or the buffer; -1 for none."""
    cdef int i
    if position < 0 or s.heads[position] >= 0:
        return s.heads[position]
    for i in range(s.top + 1):  # from the bottom: a node of LR-spines may be there twice, and its place as a root counts
        if s.stack[i] == position:
            return s.stack[i - 1] if i else -1
    for i in range(s.end - 1, s.front - 1, -1):
        if s.buffer[i] == position:
            return s.buffer[i + 1] if i + 1 < s.end else -1
    return -1


cdef inline void find_nodes(const Node *nodes, int n_nodes, const State *s, int32_t *positions) noexcept nogil:
    """The positions of nodes, -1 where there is none."""
    cdef int i, position
    cdef const Node *node
    for i in range(n_nodes):
        node = &nodes[i]
        if node.kind == STACK_NODE:
            position = s.stack[s.top - node.origin] if node.origin <= s.top else -1
        elif node.kind == BUFFER_NODE:
            position = s.buffer[s.front + node.origin] if node.origin < s.end - s.front else -1
        else:
            position = positions[node.origin]
            if node.kind == HEAD_NODE:
                position = s.heads[position]
            elif node.kind == LEFT_NODE:
                position = s.left[position]
            elif node.kind == RIGHT_NODE:
                position = s.right[position]
            elif node.kind == LEFT2_NODE:
                position = s.inner[s.left[position]]
            elif node.kind == RIGHT2_NODE:
                position = s.inner[s.right[position]]
            else:
                position = find_beyond(s, position)
        positions[i] = position


cdef inline uint64_t distance_value(const Features *f, int node, int other) noexcept nogil:
    """The hash of how far it is from one node to another."""
    if node < 0 or other < 0:
        return f.reserved.nothing
    return number_hash(max(-f.longest_distance, min(f.longest_distance, other - node)))


cdef inline uint64_t combined(uint64_t hashed, uint64_t value) noexcept nogil:
    """The hash of a template's first parts together with that of the next one."""
    hashed = (hashed ^ value) * <uint64_t> 0x9E3779B97F4A7C15
    return hashed ^ (hashed >> 29)


cdef inline const int *combine(
    const Features *f, const uint64_t *values, const int *parts, int start, int count, int length, uint64_t *features
) noexcept nogil:
    """Put the values of some templates of one length together, and tell where the parts of the next ones are."""
    cdef int i, j
    cdef uint64_t hashed
    for i in range(start, start + count):
        hashed = f.seeds[i]
        for j in range(length):
            hashed = combined(hashed, values[parts[j]])
        features[f.numbers[i]] = hashed
        parts += length
    return parts


cdef inline void put_together(const Features *f, const uint64_t *values, uint64_t *features) noexcept nogil:
    """The features of all templates, from the values of their parts."""
    cdef const int *parts = <const int *> f.parts
    cdef int i = f.of_length[1] + f.of_length[2] + f.of_length[3]
    parts = combine(f, values, parts, 0, f.of_length[1], 1, features)
    parts = combine(f, values, parts, f.of_length[1], f.of_length[2], 2, features)
    parts = combine(f, values, parts, i - f.of_length[3], f.of_length[3], 3, features)
    while i < f.n_templates:
        parts = combine(f, values, parts, i, 1, f.lengths[i], features)
        i += 1


cdef inline void note(
    uint64_t *features, int number, uint64_t feature, const QuantizedTable *t, const char **rows
) noexcept nogil:
    """Write down a feature and, if there is a table, ask for its row: memory brings it while the next one is found."""
    features[number] = feature
    if t != NULL:
        rows[number] = quantized_row(t, feature, 0)


cdef void interpret_features(
    const Features *f, const State *s, uint64_t **columns, uint64_t *features, const QuantizedTable *t,
    const char **rows
) noexcept nogil:
    """The features of a state, each a hash of 64 bits, whatever the templates are; of a table rows are fetched."""
    cdef int32_t positions[MAX_NODES]
    cdef uint64_t values[MAX_VALUES]
    cdef int i
    cdef const Value *value
    find_nodes(f.nodes, f.n_nodes, s, positions)
    for i in range(f.n_values):
        value = &f.values[i]
        if value.kind == COLUMN:
            values[i] = columns[value.which][positions[value.node]]
        elif value.kind == LANE:
            values[i] = s.lanes[value.which][positions[value.node]]
        elif value.kind == TAKEN:
            values[i] = s.history[value.which]
        else:
            values[i] = distance_value(f, positions[value.node], positions[value.other])
    put_together(f, values, features)
    if t != NULL:
        for i in range(f.n_templates):
            rows[i] = quantized_row(t, features[i], 0)
