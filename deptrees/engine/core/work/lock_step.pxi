# Derivations in lock step: many sentences, of which all that are not final go on together.

ctypedef struct Standing:  # where a derivation stands, as the system's rows see it
    int32_t e[ELEMENTS]
    uint64_t known
    uint32_t possible


cdef class Derivations:
    """The states of some sentences. What they are asked has a row for each that is not final; these go on together.

    Args:
        system: the system.
        data: the sentences.
        sentences: the number of the sentence that each of the derivations begins with.
        places: the nodes to look at, a `deptrees.engine.code.features.PlaceCode`.
        with_gold: whether anything is asked about gold trees.
    """

    cdef CompiledSystem system
    cdef ParserData data
    cdef Places places
    cdef bint tracked, with_gold
    cdef list works  # a workspace for each
    cdef Standing *standing
    cdef readonly object going  # the numbers of those that are not final

    def __init__(self, CompiledSystem system, ParserData data, sentences, places, bint with_gold):
        self.system, self.data = system, data
        write_places(&self.places, places)
        self.tracked = system.features.n_templates > 0 or places.is_tracked
        self.with_gold = with_gold
        self.works = []
        self.open(sentences)

    def __dealloc__(self):
        free(self.standing)

    def __len__(self):
        return len(self.works)

    # What changes them

    def open(self, sentences):
        """Begin anew, with a derivation of each of these sentences."""
        cdef int64_t count = len(sentences)
        cdef Standing *standing = <Standing *> realloc(self.standing, (count + 1) * sizeof(Standing))
        if standing == NULL:
            raise MemoryError
        self.standing = standing
        self.works = self.works[:count]
        while len(self.works) < count:
            self.works.append(Workspace(self.system, self.data, self.tracked))
        self.restart(np.arange(count), sentences)

    def restart(self, derivations, sentences):
        """Begin with other sentences in some of the derivations."""
        cdef const int64_t *which = <const int64_t *> address(derivations, np.int64)
        cdef const int64_t *opened = <const int64_t *> address(sentences, np.int64)
        cdef int64_t i
        check_sentences(sentences, self.data.n_sentences)
        for i in range(len(derivations)):
            open_sentence(<Workspace> self.works[which[i]], opened[i], self.with_gold)
            self._look_round(which[i])
        self._find_going()

    def take(self, rows, labels):
        """Take a row, with a label, in each that is not final; nothing is taken if one is not possible.

        Returns:
            The number, among those, of the first in which the row is not possible; -1 if all are.
        """
        cdef const int64_t *which = <const int64_t *> address(self.going, np.int64)
        cdef const int64_t *taken = <const int64_t *> address(rows, np.int64)
        cdef const int32_t *labeled = <const int32_t *> address(labels, np.int32)
        cdef int64_t i, count = len(self.going)
        for i in range(count):
            if not 0 <= taken[i] < self.system.code.n_rows or not self.standing[which[i]].possible >> taken[i] & 1:
                return i
        for i in range(count):
            self._take(which[i], taken[i], labeled[i])
        self._find_going()
        return -1

    def keep(self, derivations):
        """Go on with these only, in this order. One that comes again goes on more than once."""
        cdef const int64_t *kept = <const int64_t *> address(derivations, np.int64)
        cdef int64_t i, count = len(derivations)
        cdef Standing *standing = <Standing *> malloc((count + 1) * sizeof(Standing))
        if standing == NULL:
            raise MemoryError
        for i in range(count):
            standing[i] = self.standing[kept[i]]
        free(self.standing)
        self.standing = standing
        self.works = self._kept(derivations)
        self._find_going()

    cdef list _kept(self, derivations):
        """The workspaces of those that are kept; copies go where derivations of the same sentence have been."""
        cdef Workspace work, copy
        cdef set own = set(derivations.tolist())
        cdef dict spare = {}
        cdef list works = []
        for number, work in enumerate(self.works):
            if number not in own:
                spare.setdefault(work.sentence, []).append(work)
        for number in derivations.tolist():
            work = self.works[number]
            if number in own:
                own.remove(number)
                works.append(work)
            else:
                found = spare.get(work.sentence)
                copy = found.pop() if found else Workspace(self.system, self.data, self.tracked)
                copy_derivation(copy, work, self.with_gold)
                works.append(copy)
        return works

    cdef int _take(self, int64_t number, int row, int label) except -1:
        cdef Workspace work = <Workspace> self.works[number]
        cdef Standing *at = &self.standing[number]
        cdef uint32_t correct = 0
        if work.nothing_lost:
            correct = correct_rows(work, at.e, at.known, at.possible)
        go_on(work, at.e, row, label if self.system.code.rows[row].adds_arc else -1, correct)
        self._look_round(number)
        return 0

    cdef void _look_round(self, int64_t number) noexcept:
        """Find out what is possible now."""
        cdef Workspace work = <Workspace> self.works[number]
        cdef Standing *at = &self.standing[number]
        at.known = find_facts(&self.system.code, &work.state, at.e)
        at.possible = next_rows(&self.system.code, at.known)

    cdef int _find_going(self) except -1:
        cdef int64_t i, count = 0
        going = np.empty(len(self.works), np.int64)
        cdef int64_t *which = <int64_t *> address(going, np.int64)
        for i in range(len(self.works)):
            which[count] = i
            count += self.standing[i].possible != FINAL
        self.going = going[:count]
        return 0

    # What they are asked

    def possible(self):
        """For each row whether it is possible."""
        cdef const int64_t *which = <const int64_t *> address(self.going, np.int64)
        cdef int64_t i
        cdef int n_rows = self.system.code.n_rows
        found = np.empty((len(self.going), n_rows), np.bool_)
        cdef uint8_t *to = <uint8_t *> address(found, np.bool_, 2)
        for i in range(len(found)):
            write_bits(self.standing[which[i]].possible, to + i * n_rows, n_rows)
        return found

    def gold(self, str oracle):
        """For each row whether an oracle names it."""
        cdef const int64_t *which = <const int64_t *> address(self.going, np.int64)
        cdef int64_t i, rows
        cdef int n_rows = self.system.code.n_rows, number = ORACLES[oracle]
        cdef Standing *at
        found = np.empty((len(self.going), n_rows), np.bool_)
        cdef uint8_t *to = <uint8_t *> address(found, np.bool_, 2)
        for i in range(len(found)):
            at = &self.standing[which[i]]
            rows = gold_rows(<Workspace> self.works[which[i]], at.e, at.known, at.possible, number)
            write_bits(<uint32_t> rows, to + i * n_rows, n_rows)
        return found

    def costs(self):
        """What each row costs, -1 where it is not possible."""
        cdef const int64_t *which = <const int64_t *> address(self.going, np.int64)
        cdef int64_t i
        cdef int row, n_rows = self.system.code.n_rows
        cdef Standing *at
        found = np.empty((len(self.going), n_rows), np.int32)
        cdef int32_t *costs = <int32_t *> address(found, np.int32, 2)
        for i in range(len(found)):
            at = &self.standing[which[i]]
            count_costs(<Workspace> self.works[which[i]], at.e, at.known, at.possible, costs, True)
            for row in range(n_rows):
                if not at.possible >> row & 1:
                    costs[row] = -1
            costs += n_rows
        return found

    def dependents(self):
        """The word that each row attaches, -1 for none and where it is not possible."""
        cdef const int64_t *which = <const int64_t *> address(self.going, np.int64)
        cdef int64_t i
        cdef int row, n_rows = self.system.code.n_rows
        cdef Standing *at
        found = np.empty((len(self.going), n_rows), np.int64)
        cdef int64_t *to = <int64_t *> address(found, np.int64, 2)
        for i in range(len(found)):
            at = &self.standing[which[i]]
            for row in range(n_rows):
                to[row] = at.e[self.system.code.rows[row].dependent] if at.possible >> row & 1 else -1
            to += n_rows
        return found

    def positions(self):
        """The positions of the nodes looked at, -1 where there is no word."""
        cdef const int64_t *which = <const int64_t *> address(self.going, np.int64)
        cdef int32_t positions[MAX_NODES]
        cdef int64_t i
        cdef int place, n_places = self.places.n_wanted
        found = np.empty((len(self.going), n_places), np.int64)
        cdef int64_t *to = <int64_t *> address(found, np.int64, 2)
        for i in range(len(found)):
            find_nodes(self.places.nodes, self.places.n_nodes, &(<Workspace> self.works[which[i]]).state, positions)
            for place in range(n_places):
                to[place] = positions[self.places.wanted[place]]
            to += n_places
        return found

    def labels_at(self, positions):
        """The numbers of the labels that the words at some positions have got so far, -1 for none."""
        cdef const int64_t *which = <const int64_t *> address(self.going, np.int64)
        cdef const int64_t *at = <const int64_t *> address(positions, np.int64, 2)
        cdef int64_t i, place, n_places = positions.shape[1]
        cdef const State *s
        found = np.empty((len(self.going), n_places), np.int64)
        cdef int64_t *to = <int64_t *> address(found, np.int64, 2)
        for i in range(len(found)):
            s = &(<Workspace> self.works[which[i]]).state
            for place in range(n_places):
                to[place] = s.labels[at[place]] if 0 < at[place] <= s.n else -1
            to += n_places
            at += n_places
        return found

    def features(self):
        """The features, as hashes."""
        cdef const int64_t *which = <const int64_t *> address(self.going, np.int64)
        cdef int64_t i
        cdef int n_templates = self.system.features.n_templates
        cdef Workspace work
        found = np.empty((len(self.going), n_templates), np.uint64)
        cdef uint64_t *to = <uint64_t *> address(found, np.uint64, 2)
        for i in range(len(found)):
            work = <Workspace> self.works[which[i]]
            extract_features(&self.system.features, &work.state, work.columns, to + i * n_templates)
        return found

    def arcs(self, int root_label):
        """The heads and labels of the words of all derivations, one derivation after the other, -1 for none."""
        cdef int64_t i, at = 0
        cdef const State *s
        words = sum([(<Workspace> work).state.n for work in self.works])
        heads, labels = np.empty((2, words), np.int32)
        cdef int32_t *to_heads = <int32_t *> address(heads, np.int32) - 1
        cdef int32_t *to_labels = <int32_t *> address(labels, np.int32) - 1
        for i in range(len(self.works)):
            s = &(<Workspace> self.works[i]).state
            has_root = self.system.has_root or self.standing[i].possible != FINAL
            write_tree(s, to_heads + at, to_labels + at, has_root, root_label)
            at += s.n
        return heads, labels


cdef int copy_derivation(Workspace to, Workspace of, bint with_gold) except -1:
    """Bring a workspace to where another one is in a derivation."""
    cdef int i
    if to.sentence != of.sentence or to.state.n != of.state.n:
        open_sentence(to, of.sentence, with_gold)
    copy_state(&to.state, &of.state)
    to.nothing_lost = of.nothing_lost
    to.arc_standard_losses.ready = False  # they hold for what comes after another state
    to.length, to.replayed = 0, -1
    if not of.system.has_losses:
        for i in range(of.length):
            remember_row(to, of.path[i])
            to.length += 1
    to.length = of.length
    return 0
