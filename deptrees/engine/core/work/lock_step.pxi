# Derivations in lock step: many sentences, of which all that are not final go on together.

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
    cdef list live  # those of them that are not final
    cdef readonly object going  # their numbers

    def __init__(self, CompiledSystem system, ParserData data, sentences, places, bint with_gold):
        self.system, self.data, self.with_gold, self.works = system, data, with_gold, []
        write_places(&self.places, places)
        self.tracked = system.features.n_templates > 0 or places.is_tracked
        self.open(sentences)

    def __len__(self):
        return len(self.works)

    # What changes them

    def open(self, sentences):
        """Begin anew, with a derivation of each of these sentences."""
        self.works = self.works[:len(sentences)]
        while len(self.works) < len(sentences):
            self.works.append(Workspace(self.system, self.data, self.tracked))
        self.restart(np.arange(len(sentences)), sentences)

    def restart(self, derivations, sentences):
        """Begin with other sentences in some of the derivations."""
        cdef const int64_t *which = <const int64_t *> address(derivations, np.int64)
        cdef const int64_t *opened = sentence_numbers(sentences, self.data.n_sentences)
        cdef int64_t i
        for i in range(len(derivations)):
            open_sentence(<Workspace> self.works[which[i]], opened[i], self.with_gold)
            self._find_standing(<Workspace> self.works[which[i]])
        self._find_going()

    def take(self, rows, labels):
        """Take a row, with a label, in each that is not final; nothing is taken if one is not possible.

        Returns:
            The number, among those, of the first in which the row is not possible; -1 if all are.
        """
        cdef const int64_t *taken = <const int64_t *> address(rows, np.int64)
        cdef const int32_t *labeled = <const int32_t *> address(labels, np.int32)
        cdef int64_t i
        cdef int row
        cdef uint32_t correct
        cdef Workspace work
        for i, work in enumerate(self.live):
            if not 0 <= taken[i] < self.system.code.n_rows or not work.at.possible >> taken[i] & 1:
                return i
        for i, work in enumerate(self.live):
            row = taken[i]
            correct = correct_rows(work) if work.nothing_lost else 0
            go_on(work, row, labeled[i] if self.system.code.rows[row].adds_arc else -1, correct)
            self._find_standing(work)
        self._find_going()
        return -1

    def keep(self, derivations):
        """Go on with these only, in this order. One that comes again goes on more than once.

        Copies go where derivations of the same sentence have been.
        """
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
        self.works = works
        self._find_going()

    cdef int _find_standing(self, Workspace work) except -1:
        find_next(work, &work.state, &work.at, work.length)

    cdef int _find_going(self) except -1:
        cdef Workspace work
        cdef int64_t i, count = 0
        going, self.live = np.empty(len(self.works), np.int64), []
        cdef int64_t *numbers = <int64_t *> address(going, np.int64)
        for i, work in enumerate(self.works):
            if work.at.possible != FINAL:
                numbers[count] = i
                count += 1
                self.live.append(work)
        self.going = going[:count]

    # What they are asked

    def possible(self):
        """For each row whether it is possible."""
        cdef int n_rows = self.system.code.n_rows
        cdef Workspace work
        found = np.empty((len(self.live), n_rows), np.bool_)
        cdef uint8_t *to = <uint8_t *> address(found, np.bool_, 2)
        for work in self.live:
            write_bits(work.at.possible, to, n_rows)
            to += n_rows
        return found

    def gold(self, str oracle):
        """For each row whether an oracle names it."""
        cdef int n_rows = self.system.code.n_rows, number = ORACLES[oracle]
        cdef Workspace work
        found = np.empty((len(self.live), n_rows), np.bool_)
        cdef uint8_t *to = <uint8_t *> address(found, np.bool_, 2)
        for work in self.live:
            write_bits(<uint32_t> gold_rows(work, number), to, n_rows)
            to += n_rows
        return found

    def costs(self):
        """What each row costs, -1 where it is not possible."""
        cdef int row, n_rows = self.system.code.n_rows
        cdef Workspace work
        found = np.empty((len(self.live), n_rows), np.int32)
        cdef int32_t *costs = <int32_t *> address(found, np.int32, 2)
        for work in self.live:
            count_costs(work, costs, True)
            for row in range(n_rows):
                if not work.at.possible >> row & 1:
                    costs[row] = -1
            costs += n_rows
        return found

    def dependents(self):
        """The word that each row attaches, -1 for none and where it is not possible."""
        cdef int row, n_rows = self.system.code.n_rows
        cdef Workspace work
        found = np.empty((len(self.live), n_rows), np.int64)
        cdef int64_t *to = <int64_t *> address(found, np.int64, 2)
        for work in self.live:
            for row in range(n_rows):
                to[row] = work.at.e[self.system.code.rows[row].dependent] if work.at.possible >> row & 1 else -1
            to += n_rows
        return found

    def heads(self):
        """The head of the arc that each row would add."""
        cdef int row, n_rows = self.system.code.n_rows
        cdef Workspace work
        found = np.empty((len(self.live), n_rows), np.int64)
        cdef int64_t *to = <int64_t *> address(found, np.int64, 2)
        for work in self.live:
            for row in range(n_rows):
                to[row] = work.at.e[self.system.code.rows[row].head]
            to += n_rows
        return found

    def positions(self):
        """The positions of the nodes looked at, -1 where there is no word."""
        cdef int32_t positions[MAX_NODES]
        cdef int place, n_places = self.places.n_wanted
        cdef Workspace work
        found = np.empty((len(self.live), n_places), np.int64)
        cdef int64_t *to = <int64_t *> address(found, np.int64, 2)
        for work in self.live:
            find_nodes(self.places.nodes, self.places.n_nodes, &work.state, positions)
            for place in range(n_places):
                to[place] = positions[self.places.wanted[place]]
            to += n_places
        return found

    def labels_at(self, positions):
        """The numbers of the labels that the words at some positions have got so far, -1 for none."""
        cdef const int64_t *at = <const int64_t *> address(positions, np.int64, 2)
        cdef int64_t place, n_places = positions.shape[1]
        cdef Workspace work
        found = np.empty((len(self.live), n_places), np.int64)
        cdef int64_t *to = <int64_t *> address(found, np.int64, 2)
        for work in self.live:
            for place in range(n_places):
                to[place] = work.state.labels[at[place]] if 0 < at[place] <= work.state.n else -1
            to += n_places
            at += n_places
        return found

    def features(self):
        """The features, as hashes."""
        cdef int n_templates = self.system.features.n_templates
        cdef Workspace work
        found = np.empty((len(self.live), n_templates), np.uint64)
        cdef uint64_t *to = <uint64_t *> address(found, np.uint64, 2)
        for work in self.live:
            look(work, &work.state, to)
            to += n_templates
        return found

    def arcs(self, int root_label):
        """The heads and labels of the words of all derivations, one derivation after the other, -1 for none."""
        cdef Workspace work
        heads, labels = np.empty((2, sum([(<Workspace> work).state.n for work in self.works])), np.int32)
        cdef int32_t *to_heads = <int32_t *> address(heads, np.int32) - 1
        cdef int32_t *to_labels = <int32_t *> address(labels, np.int32) - 1
        for work in self.works:
            has_root = self.system.has_root or work.at.possible != FINAL
            write_tree(&work.state, to_heads, to_labels, has_root, root_label)
            to_heads += work.state.n
            to_labels += work.state.n
        return heads, labels


cdef int copy_derivation(Workspace to, Workspace of, bint with_gold) except -1:
    """Bring a workspace to where another one is in a derivation."""
    cdef int i
    if to.sentence != of.sentence or to.state.n != of.state.n:
        open_sentence(to, of.sentence, with_gold)
    copy_state(&to.state, &of.state)
    to.at, to.nothing_lost = of.at, of.nothing_lost
    to.arc_standard_losses.ready = False  # they hold for what comes after another state
    to.length, to.replayed = 0, -1
    if not of.system.has_losses:
        for i in range(of.length):
            remember_row(to, of.path[i])
            to.length += 1
    to.length = of.length
