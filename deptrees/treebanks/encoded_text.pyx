# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# cython: binding=False, auto_pickle=False
"""Sentences in CoNLL-U, compiled: from their bytes to columns of numbers, and to bytes with other columns.

Only what has to do with arrays imports numpy, which takes longer than reading a small treebank.

What is taken for a valid sentence here is one to `deptrees.treebanks.conllu.SentenceText.tree`, too. All else is left
to that, so that only there is said what is wrong with it.
"""

from unicodedata import is_normalized

from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_FromStringAndSize
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memchr, memcmp, memcpy, memset

__all__ = ["EncodedText"]

cdef enum:  # the columns of a row, in their order; there is a vocabulary for some
    ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC, N_COLUMNS

cdef enum:
    SHORTEST_ROW = 2 * N_COLUMNS  # in bytes
    FEWEST_SLOTS = 256
    TOLD_APART = 8
    AS_IT_WAS = -2  # in place of the number of a text
    MOST_DIGITS = 9
    CHANGING = 0xCC  # the first byte of U+0300, the first character that is combined with one before it

_MOST_BYTES = (1 << 32) - 1
_LARGE = 1 << 22

# The columns are those of deptrees.trees.token, as a test checks: what is compiled imports nothing of the library.
PLACES = {name: place for place, name in enumerate("id form lemma upos xpos feats head deprel deps misc".split())}


include "vocabulary.pxi"


cdef int64_t number_in(const char *text, int64_t length) noexcept nogil:
    """The number that a text says, without zeros in front of it; -1 if it says none."""
    cdef int64_t found = 0, i
    if length < 1 or length > MOST_DIGITS or (text[0] == c"0" and length > 1):
        return -1
    for i in range(length):
        if not c"0" <= text[i] <= c"9":
            return -1
        found = 10 * found + text[i] - c"0"
    return found


cdef inline bint may_change(const uint8_t *text, int64_t length) noexcept nogil:
    """Whether a text has other characters than the first of Unicode, which are in its normalization form C already."""
    cdef int64_t i
    cdef uint8_t greatest = 0
    for i in range(length):
        greatest = max(greatest, text[i])
    return greatest >= CHANGING


cdef bint is_utf_8(const uint8_t *text, int64_t length) noexcept nogil:
    """Whether bytes are UTF-8: see table 3-7 of the Unicode standard."""
    cdef const uint8_t *end = text + length
    cdef uint64_t eight
    cdef uint8_t least, most
    cdef int more, i
    while text < end:
        if end - text >= 8:
            memcpy(&eight, text, 8)
            if not eight & <uint64_t> 0x8080808080808080:
                text += 8
                continue
        if text[0] < 0x80:
            text += 1
            continue
        if not 0xC2 <= text[0] <= 0xF4:
            return False
        more = 1 + (text[0] >= 0xE0) + (text[0] >= 0xF0)
        least, most = 0x80, 0xBF
        if text[0] == 0xE0:
            least = 0xA0
        elif text[0] == 0xED:
            most = 0x9F
        elif text[0] == 0xF0:
            least = 0x90
        elif text[0] == 0xF4:
            most = 0x8F
        if end - text <= more or not least <= text[1] <= most:
            return False
        for i in range(2, more + 1):
            if text[i] & 0xC0 != 0x80:
                return False
        text += more + 1
    return True


include "hashes.pxi"
include "heads.pxi"


ctypedef struct Replacement:  # other values of a column
    int column
    const int32_t *numbers
    const char *texts  # one after the other, and where each begins: of the number -1, of 0, and so on
    const int64_t *starts


cdef inline char *append(char *written, const char *text, int64_t length) noexcept nogil:
    memcpy(written, text, length)
    return written + length


cdef inline int64_t end_of(const uint32_t *starts, int column) noexcept nogil:
    """Where a column of a word ends, whose columns start there."""
    return starts[(column + 1) % N_COLUMNS] - 1


cdef void *address(array) except NULL:
    """Where the numbers of an array are."""
    return <void *> <uintptr_t> array.__array_interface__["data"][0]


cdef class Column:
    """A column in numbers, one for each word, and the texts that they stand for."""

    cdef bytearray numbers
    cdef Vocabulary known

    def __dealloc__(self):
        free(self.known.texts)
        free(self.known.slots)


cdef class EncodedText:
    """Sentences in CoNLL-U: their bytes, and what they say in numbers, as `deptrees.treebanks.columns.Columns` has it.

    There can be 4 GiB, more are a ValueError. Lines end in a line feed.
    """

    cdef readonly bytes text
    cdef const char *content
    cdef int64_t size
    cdef int64_t at  # what comes before has been read
    cdef int64_t n_words, n_sentences
    cdef dict arrays, columns
    cdef int64_t *ends  # of sentences
    cdef int64_t *lines  # where those of each sentence begin and end
    cdef uint32_t *starts  # of the columns of each word; in place of its id stands where the next row begins
    cdef int32_t *heads
    cdef uint8_t *have_no_crossing
    cdef int64_t *empty_nodes  # where the rows of empty nodes begin and end
    cdef int64_t n_empty_nodes
    cdef readonly bint has_deps  # whether there are empty nodes, or DEPS in a row
    # Of the sentence that is being read
    cdef int n  # its words so far
    cdef bint begun  # whether there has been a row, of a word or another token
    cdef int64_t furthest  # the last of the words that extra tokens name, or their heads
    cdef int32_t *scratch  # for what is worked out about its heads
    cdef int64_t room  # for how many words that is

    def __init__(self, bytes text not None):
        if len(text) >= _MOST_BYTES:
            raise ValueError("more than 4 GiB at once: put an empty line after each sentence")
        self._point_to(text if text.endswith(b"\n") else text + b"\n")
        words = self.size // SHORTEST_ROW + 1
        self.arrays, self.columns = {}, {}
        self.ends = <int64_t *> self._allocate("offsets", (words + 1) * sizeof(int64_t)) + 1
        (self.ends - 1)[0] = 0
        self.lines = <int64_t *> self._allocate("lines", 2 * words * sizeof(int64_t))
        self.starts = <uint32_t *> self._allocate("starts", N_COLUMNS * words * sizeof(uint32_t))
        self.heads = <int32_t *> self._allocate("head", words * sizeof(int32_t))
        self.have_no_crossing = <uint8_t *> self._allocate("projective", words)

    def __dealloc__(self):
        free(self.scratch)
        free(self.empty_nodes)

    def __len__(self):
        return self.n_sentences

    cdef char *_allocate(self, str name, int64_t size) except NULL:
        if size < _LARGE:
            self.arrays[name] = PyByteArray_FromStringAndSize(NULL, size)
            return PyByteArray_AS_STRING(self.arrays[name])
        from numpy import empty  # which asks for large pages: to get small ones one by one takes as long as reading

        self.arrays[name] = empty(size, "uint8")
        return <char *> address(self.arrays[name])

    cdef _point_to(self, bytes text):
        self.text, self.content, self.size = text, PyBytes_AS_STRING(text), len(text)

    def read(self):
        """Read on, up to what is no valid sentence: where its lines begin and end; ``None`` if all has been read."""
        cdef int64_t start
        cdef bint valid = True
        with nogil:
            while valid and self.at < self.size:
                start = self.at
                if self.content[start] == c"\n":
                    self.at += 1
                else:
                    valid = self._read_sentence()
        if valid:
            return None
        stop, self.at = self.at, start
        return start, stop

    def replace(self, int64_t start, int64_t stop, bytes lines not None):
        """Put other lines, as many or less, in the place of those that are no valid sentence."""
        if start != self.at or len(lines) > stop - start:
            raise ValueError("only what comes next can be replaced, and not by more")
        self._point_to(self.text[:start] + lines + self.text[stop:])

    cdef bint _read_sentence(self) except -1 nogil:
        """Read the lines up to the next one that is empty; whether they are a valid sentence."""
        cdef int32_t *heads = self.heads + self.n_words - 1
        cdef int64_t start = self.at, end, n_empty_nodes = self.n_empty_nodes
        cdef bint valid = True
        self.n, self.begun, self.furthest = 0, False, 0
        while self.at < self.size and self.content[self.at] != c"\n":
            end = <const char *> memchr(self.content + self.at, c"\n", self.size - self.at) - self.content
            if valid and self.content[self.at] == c"#":
                valid = not self.begun
            elif valid:
                self.begun = True
                valid = self._read_row(self.at, end)
            self.at = end + 1
        if self.n + 2 > self.room:
            self.room = max(256, 2 * <int64_t> self.n)
            self.scratch = <int32_t *> enlarged(self.scratch, 4 * self.room * sizeof(int32_t))
        valid = valid and 0 < self.n and self.furthest <= self.n
        valid = valid and are_heads_of_a_tree(heads, self.n, self.scratch)
        valid = valid and is_utf_8(<const uint8_t *> self.content + start, self.at - start)
        if valid:
            self.lines[2 * self.n_sentences], self.lines[2 * self.n_sentences + 1] = start, self.at
            self.n_words += self.n
            self.ends[self.n_sentences] = self.n_words
            self.have_no_crossing[self.n_sentences] = are_projective(heads, self.n, self.scratch)
            self.n_sentences += 1
        else:
            self.n_empty_nodes = n_empty_nodes
        return valid

    cdef bint _read_row(self, int64_t start, int64_t end) except -1 nogil:
        """Read the row of a word or an extra token; whether it is valid so far."""
        cdef uint32_t *starts = self.starts + (self.n_words + self.n) * N_COLUMNS
        cdef int64_t head
        cdef const char *tab
        cdef int column
        starts[ID] = start
        for column in range(1, N_COLUMNS):
            tab = <const char *> memchr(self.content + starts[column - 1], c"\t", end - starts[column - 1])
            if tab == NULL or tab == self.content + starts[column - 1]:
                return False
            starts[column] = tab - self.content + 1
        if starts[MISC] == end or memchr(self.content + starts[MISC], c"\t", end - starts[MISC]) != NULL:
            return False
        head = number_in(self.content + starts[HEAD], starts[DEPREL] - 1 - starts[HEAD])
        if head < 0 and not (starts[DEPREL] - 1 - starts[HEAD] == 1 and self.content[starts[HEAD]] == c"_"):
            return False
        self.has_deps |= starts[MISC] - 1 - starts[DEPS] != 1 or self.content[starts[DEPS]] != c"_"
        if number_in(self.content + start, starts[FORM] - 1 - start) != self.n + 1:
            self.furthest = max(self.furthest, head)
            return self._stands_at_its_place(start, starts[FORM] - 1 - start, end + 1)
        starts[ID] = end + 1
        self.heads[self.n_words + self.n] = head
        self.n += 1
        return True

    cdef bint _stands_at_its_place(self, int64_t start, int64_t length, int64_t end) except -1 nogil:
        """Whether the id of a row is that of a multiword token or an empty node that can stand here."""
        cdef const char *text = self.content + start
        cdef const char *mark = <const char *> memchr(text, c"-", length)
        cdef int64_t first, last
        if mark == NULL:
            mark = <const char *> memchr(text, c".", length)
        if mark == NULL:
            return False
        first, last = number_in(text, mark - text), number_in(mark + 1, text + length - mark - 1)
        if mark[0] == c".":
            self._remember_empty_node(start, end)
            return first == self.n and last > 0
        self.furthest = max(self.furthest, last)
        return first == self.n + 1 and first <= last

    cdef int _remember_empty_node(self, int64_t start, int64_t end) except -1 nogil:
        """Keep where the row of an empty node begins and ends."""
        cdef int64_t n = self.n_empty_nodes
        if not n & (n - 1):  # there is room for as many as the next power of two
            self.empty_nodes = <int64_t *> enlarged(self.empty_nodes, 2 * max(1, 2 * n) * sizeof(int64_t))
        self.empty_nodes[2 * n], self.empty_nodes[2 * n + 1] = start, end
        self.n_empty_nodes += 1
        self.has_deps = True
        return 0

    @property
    def offsets(self):
        """Where each sentence begins, and where the last one ends."""
        return self._array("offsets", "int64", self.n_sentences + 1)

    @property
    def projective(self):
        """For each sentence whether its tree is projective."""
        return self._array("projective", "bool", self.n_sentences)

    def numbers(self, str column):
        """The heads, -1 where there is none, or the numbers of the texts of another column; -1 for no label."""
        if column == "head":
            return self._array(column, "int32", self.n_words)
        from numpy import frombuffer

        return frombuffer(self._column(column).numbers, "int32")

    cdef _array(self, str name, str kind, int64_t size):
        from numpy import frombuffer

        return frombuffer(self.arrays[name], kind)[:size]

    def texts(self, str column):
        """The texts of a column, each once, by their numbers."""
        cdef const Vocabulary *known = &self._column(column).known
        cdef int i
        cdef const Text *text = known.texts
        return tuple([PyUnicode_DecodeUTF8(self.content + text[i].start, text[i].length, NULL) for i in range(known.size)])

    def hashes(self, str column):
        """The hashes of the texts of a column, by their numbers; see `deptrees.treebanks.hashes`."""
        from numpy import empty

        cdef const Vocabulary *known = &self._column(column).known
        cdef int i
        found = empty(known.size, "uint64")
        cdef uint64_t *hashes = <uint64_t *> address(found)
        with nogil:
            for i in range(known.size):
                hashes[i] = digest(self.content + known.texts[i].start, known.texts[i].length)
        return found

    def is_canonical(self, str column):
        """Whether all texts of a column are as `deptrees.trees.token.canonical` has them."""
        cdef const Vocabulary *known = &self._column(column).known
        cdef const Text *text = known.texts
        cdef const char *content = self.content
        cdef int i
        found = [
            content[text[i].start:text[i].start + text[i].length]
            for i in range(known.size)
            if may_change(<const uint8_t *> content + text[i].start, text[i].length)
        ]
        return is_normalized("NFC", b"\n".join(found).decode())

    cdef Column _column(self, str name):
        """A column in numbers. It is found when it is first asked for: who parses asks for few."""
        if name not in self.columns:  # another thread may find it meanwhile, and finds the same
            self.columns.setdefault(name, self._found_column(PLACES[name]))
        return self.columns[name]

    cdef Column _found_column(self, int place):
        cdef Column found = Column()
        cdef Vocabulary *known = &found.known
        cdef const uint32_t *starts = self.starts
        cdef int32_t *numbers
        cdef int64_t length, word
        self._check_that_all_is_read()
        found.numbers = PyByteArray_FromStringAndSize(NULL, self.n_words * sizeof(int32_t))
        numbers = <int32_t *> PyByteArray_AS_STRING(found.numbers)
        with nogil:
            for word in range(self.n_words):
                length = end_of(starts, place) - starts[place]
                if place == DEPREL and length == 1 and self.content[starts[place]] == c"_":
                    numbers[word] = -1
                else:
                    numbers[word] = number_of(known, self.content, starts[place], length)
                starts += N_COLUMNS
        return found

    cdef _check_that_all_is_read(self):
        if self.at < self.size:
            raise ValueError("not all has been read")

    def sentences(self):
        """For each sentence its lines, and the heads and the labels of its words."""
        cdef const int32_t *heads = self.heads
        cdef const int32_t *labels = <const int32_t *> PyByteArray_AS_STRING(self._column("deprel").numbers)
        cdef const int64_t *lines = self.lines
        cdef int64_t sentence, start, stop, word
        cdef tuple names = (None, *self.texts("deprel"))
        found = []
        for sentence in range(self.n_sentences):
            start, stop = (self.ends + sentence - 1)[0], self.ends[sentence]
            found.append((
                self.text[lines[2 * sentence]:lines[2 * sentence + 1]],
                tuple([None if heads[word] < 0 else heads[word] for word in range(start, stop)]),
                tuple([names[labels[word] + 1] for word in range(start, stop)]),
            ))
        return found

    def with_columns(self, columns):
        """The bytes of the sentences with other columns; all but line ends between sentences is as it was.

        A column is its name, a number for each word, and the texts of these numbers; -1 is for none, and -2 for what is
        there. If DEPS of the first word of a sentence is replaced, the sentence is without its empty nodes.
        """
        import numpy as np

        cdef Replacement replacements[N_COLUMNS]
        cdef int i, count = len(columns)
        cdef bytes found
        cdef char *written
        cdef const int64_t *lines = self.lines
        cdef int64_t sentence, row = 0
        kept = []
        self._check_that_all_is_read()
        if len({name for name, _, _ in columns}) < count:
            raise ValueError("a column is there twice")
        for i, (name, numbers, texts) in enumerate(sorted(columns, key=lambda column: PLACES[column[0]])):
            if len(numbers) != self.n_words or numbers.dtype != np.int32 or not numbers.flags.c_contiguous:
                raise TypeError(f"expected {self.n_words} numbers of 32 bits for {name}")
            if numbers.min(initial=-1) < AS_IT_WAS or numbers.max(initial=-1) >= len(texts):
                raise ValueError(f"there is a number without a text in {name}")
            encoded = [b"_", *[text.encode() for text in texts]]
            joined, starts = b"".join(encoded), np.cumsum([0, *map(len, encoded)], dtype=np.int64)
            kept.append((numbers, joined, starts))
            replacements[i].column, replacements[i].numbers = PLACES[name], <const int32_t *> address(numbers)
            replacements[i].texts, replacements[i].starts = joined, <const int64_t *> address(starts)
        found = PyBytes_FromStringAndSize(NULL, self._size_with(replacements, count))
        written = PyBytes_AS_STRING(found)
        with nogil:
            for sentence in range(self.n_sentences):
                written = self._write(written, sentence, &row, replacements, count)
        return found

    cdef int64_t _size_with(self, const Replacement *replacements, int count) noexcept nogil:
        """How many bytes the sentences have with other columns."""
        cdef const Replacement *new
        cdef const int64_t *bounds
        cdef const uint32_t *starts = self.starts
        cdef int64_t found = 0, row = 0, sentence, word
        cdef int i
        for sentence in range(self.n_sentences):
            found += self.lines[2 * sentence + 1] - self.lines[2 * sentence] + 1
            while self._next_empty_node(row) < self.lines[2 * sentence + 1]:
                if self._leaves_out_empty_nodes(sentence, replacements, count):
                    found -= self.empty_nodes[2 * row + 1] - self.empty_nodes[2 * row]
                row += 1
        for word in range(self.n_words):
            for i in range(count):
                new = &replacements[i]
                if new.numbers[word] != AS_IT_WAS:
                    bounds = new.starts + new.numbers[word] + 1
                    found += bounds[1] - bounds[0] - (end_of(starts, new.column) - starts[new.column])
            starts += N_COLUMNS
        return found

    cdef char *_write(
        self, char *written, int64_t sentence, int64_t *row, const Replacement *replacements, int count
    ) noexcept nogil:
        """Write down a sentence with other columns, and an empty line; `row` is the first empty node from there on."""
        cdef const Replacement *new
        cdef const int64_t *bounds
        cdef const uint32_t *starts
        cdef int64_t copied = self.lines[2 * sentence], end = self.lines[2 * sentence + 1], word
        cdef int i
        if self._next_empty_node(row[0]) < end and not self._leaves_out_empty_nodes(sentence, replacements, count):
            while self._next_empty_node(row[0]) < end:
                row[0] += 1
        for word in range((self.ends + sentence - 1)[0], self.ends[sentence]):
            starts = self.starts + word * N_COLUMNS
            for i in range(count):
                new = &replacements[i]
                if new.numbers[word] != AS_IT_WAS:
                    bounds = new.starts + new.numbers[word] + 1
                    written = self._copy(written, copied, starts[new.column], row)
                    written = append(written, new.texts + bounds[0], bounds[1] - bounds[0])
                    copied = end_of(starts, new.column)
        written = self._copy(written, copied, end, row)
        return append(written, b"\n", 1)

    cdef inline char *_copy(self, char *written, int64_t start, int64_t end, int64_t *row) noexcept nogil:
        """Write down a part of the text, but for the empty nodes in it, of which `row` is the first."""
        while self._next_empty_node(row[0]) < end:
            written = append(written, self.content + start, self.empty_nodes[2 * row[0]] - start)
            start = self.empty_nodes[2 * row[0] + 1]
            row[0] += 1
        return append(written, self.content + start, end - start)

    cdef inline int64_t _next_empty_node(self, int64_t row) noexcept nogil:
        """Where the row of an empty node begins; after the last one, the end of the text."""
        return self.empty_nodes[2 * row] if row < self.n_empty_nodes else self.size

    cdef bint _leaves_out_empty_nodes(self, int64_t sentence, const Replacement *replacements, int count) noexcept nogil:
        """Whether a sentence is written without its empty nodes: if DEPS of its first word is replaced."""
        cdef int i
        for i in range(count):
            if replacements[i].column == DEPS:
                return replacements[i].numbers[(self.ends + sentence - 1)[0]] != AS_IT_WAS
        return False
