# Feature templates as they come from Python.

cdef int write_nodes(Node *nodes, numbered) except -1:
    """Copy the nodes of a code."""
    cdef int i
    for i, (kind, origin) in enumerate(numbered):
        nodes[i] = [NODES[kind], origin]
    return len(numbered)


cdef int write_places(Places *code, places) except -1:
    """Copy a deptrees.engine.code.features.PlaceCode."""
    cdef int i
    code.n_nodes, code.n_wanted = write_nodes(code.nodes, places.nodes), len(places.wanted)
    for i, node in enumerate(places.wanted):
        code.wanted[i] = node


cdef int write_features(Features *code, templates) except -1:
    """Copy a deptrees.engine.code.features.FeatureCode."""
    cdef int i, j = 0
    memset(code, 0, sizeof(Features))
    code.look = look_with(templates.digest)
    code.reserved = [templates.nothing, templates.root, templates.missing]
    code.longest_distance = templates.longest_distance
    code.n_nodes = write_nodes(code.nodes, templates.nodes)
    code.n_values = len(templates.values)
    for i, (kind, which, node, other) in enumerate(templates.values):
        code.values[i] = [VALUES.get(kind, LANE), LANES.get(kind, which), node, other]
    code.n_templates = len(templates.templates)
    ordered = sorted(enumerate(templates.templates), key=lambda template: len(template[1][1]))
    for i, (number, (seed, parts)) in enumerate(ordered):
        code.numbers[i], code.seeds[i], code.lengths[i] = number, seed, len(parts)
        if code.lengths[i] < SHORT_TEMPLATES:
            code.of_length[code.lengths[i]] += 1
        for part in parts:
            code.parts[j] = part
            j += 1
