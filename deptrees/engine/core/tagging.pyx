# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# cython: binding=False, auto_pickle=False
"""The compiled part of the tagger, and of the tokenizer: what a word looks like, features, learning and tagging.

It shares tables of weights with the parser, and nothing else.
"""

from libc.math cimport ldexpf
from libc.stdint cimport int16_t, int32_t, int64_t, uint32_t, uint64_t, uint8_t, uintptr_t
from libc.stdlib cimport realloc
from libc.string cimport memcmp, memcpy, memset

import numpy as np

include "arrays.pxi"
include "bits.pxi"
include "model/hashing.pxi"
include "model/quantized.pxi"
include "model/quantizing.pxi"
include "model/weight_tables.pxi"

cdef enum:
    MAX_TAGGER_FEATURES = 96
    MAX_TAGGER_PARTS = 3

LIMITS = {"features": MAX_TAGGER_FEATURES, "parts": MAX_TAGGER_PARTS}

cdef enum:  # what features look at: of a word
    LONGEST_AFFIX = 8
    FORM = 0
    LOWER = 1
    SUFFIX = 2
    PREFIX = SUFFIX + LONGEST_AFFIX
    SHAPE = PREFIX + LONGEST_AFFIX
    KNOWN  # in the first column, followed by the other columns, and then by the tags given in each of them

AFFIXES = [f"{affix}{length}" for affix in ("suffix", "prefix") for length in range(1, LONGEST_AFFIX + 1)]
ATTRIBUTES = ("form", "lower", *AFFIXES, "shape")


# What a word looks like


cdef inline uint64_t with_character(uint64_t hashed, Py_UCS4 character) noexcept nogil:
    """The hash of a text with one more character (FNV-1a, by code points)."""
    return (hashed ^ <uint32_t> character) * <uint64_t> 0x100000001B3


cdef uint64_t hash_of(str text, Py_ssize_t start, Py_ssize_t stop) noexcept:
    """The hash of a part of a text."""
    cdef uint64_t hashed = <uint64_t> 0xCBF29CE484222325
    cdef Py_UCS4 character
    for character in text[start:stop]:
        hashed = with_character(hashed, character)
    return mix(hashed)


cdef Py_UCS4 kind_of(Py_UCS4 character) noexcept:
    """What a character is in a shape: a letter, large or small or without such forms, a digit, or itself."""
    if character.isupper() or character.istitle():
        return u"X"
    if character.islower():
        return u"x"
    if character.isdigit():
        return u"0"
    return u"a" if character.isalpha() else character


cdef uint64_t shape_of(str text) noexcept:
    """The hash of a word's shape: the kinds of its characters, runs of one kind told once or, if longer, twice."""
    cdef uint64_t hashed = <uint64_t> 0xCBF29CE484222325
    cdef Py_UCS4 character, kind, last = 0, before = 0
    for character in text:
        kind = kind_of(character)
        if kind != last or kind != before:
            hashed = with_character(hashed, kind)
        before, last = last, kind
    return mix(hashed)


def look_at(list forms, known):
    """What features look at, but for the tags: a row of hashes for each form, the last of them given, one a column."""
    cdef int n_columns = known.shape[1]
    found = np.empty((len(forms), KNOWN + n_columns), np.uint64)
    cdef uint64_t *hashes = <uint64_t *> address(found, np.uint64, 2)
    cdef const uint64_t *known_hashes = <const uint64_t *> address(known, np.uint64, 2)
    cdef str form, lower
    cdef Py_ssize_t i, n, length
    for i, form in enumerate(forms):
        lower = form.lower()
        n = len(lower)
        hashes[FORM] = hash_of(form, 0, len(form))
        hashes[LOWER] = hash_of(lower, 0, n)
        for length in range(1, LONGEST_AFFIX + 1):
            hashes[SUFFIX + length - 1] = hash_of(lower, max(n - length, 0), n)
            hashes[PREFIX + length - 1] = hash_of(lower, 0, min(length, n))
        hashes[SHAPE] = shape_of(form)
        memcpy(hashes + KNOWN, known_hashes + i * n_columns, n_columns * sizeof(uint64_t))
        hashes += KNOWN + n_columns
    return found


cdef class TaggerData:
    """Sentences to learn from or to tag, and the tags that they have been given so far.

    Args:
        offsets: where each sentence begins, and where the last one ends.
        types: for each word the number of its form.
        attributes: for each form what ``look_at`` says.
        fixed: for each column and form its tag in the dictionary, -1 if it is not in it.
    """

    cdef const int64_t *offsets
    cdef const int32_t *types
    cdef const uint64_t *attributes
    cdef const int32_t *fixed
    cdef uint64_t *tags  # for each column and word the hash of its tag
    cdef int64_t n_attributes, n_forms, n_words, n_sentences
    cdef object kept

    def __init__(self, offsets, types, attributes, fixed):
        tags = np.zeros((len(fixed), len(types)), np.uint64)
        self.kept = (offsets, types, attributes, fixed, tags)
        self.offsets = <const int64_t *> address(offsets, np.int64)
        self.types = <const int32_t *> address(types, np.int32)
        self.attributes = <const uint64_t *> address(attributes, np.uint64, 2)
        self.fixed = <const int32_t *> address(fixed, np.int32, 2)
        self.tags = <uint64_t *> address(tags, np.uint64, 2)
        self.n_forms, self.n_attributes, self.n_words = len(attributes), attributes.shape[1], len(types)
        self.n_sentences = len(offsets) - 1
        longest_sentence(offsets, self.n_words)
        check_numbers(types, "numbers of forms", 0, self.n_forms)
        if fixed.shape[1] != self.n_forms:
            raise ValueError(f"the dictionary has {fixed.shape[1]} forms, and should have {self.n_forms}")


ctypedef struct Room:  # for what one thread finds out about a word
    float *scores  # of all values
    int32_t *values  # those with the highest scores
    uint32_t rows[MAX_TAGGER_FEATURES]  # of weights, which are kept if it learns


cdef class TaggerPerceptron:
    """An averaged perceptron with a margin that fills in one column from left to right (Collins 2002).

    A tag has one or more values, each with a score of its own: a part of speech is one, a bundle of morphological
    features has one of Case, one of Number, and so on. The tag with the highest sum is chosen.

    Args:
        column: the number of the column. Those before it are filled in.
        features: for each its parts, as pairs of the number of an attribute and an offset. After the attributes of
            forms come, for each column, what is known of a form, and after these the tags given to words.
        weights: a sparse array, of which the rows are a power of two in number and as wide as a multiple of 4: a weight
            for each value, from which to learn on or with which to tag.
        bounds: where the values begin that exclude each other, and where the last ones end.
        tags: for each tag its values.
        margin: by how much the score of a right value must be higher than that of any other to need no change.
        learning: whether to learn, and so to keep what averages need. Otherwise the weights are quantized.
    """

    cdef int parts[MAX_TAGGER_FEATURES][MAX_TAGGER_PARTS][2]
    cdef int n_parts[MAX_TAGGER_FEATURES]
    cdef int n_features, n_tags, column
    cdef int n_choices  # the number of values of a tag
    cdef const int32_t *bounds
    cdef const int32_t *tags
    cdef uint64_t *hashes  # of each tag
    cdef bint learning  # which of the following tables there is
    cdef WeightTable table
    cdef QuantizedTable quantized
    cdef readonly object weights, changes
    cdef object used, kept
    cdef public int64_t time
    cdef float margin

    def __init__(self, int column, features, weights, bounds, tags, float margin, bint learning):
        cdef int i, j
        cdef int64_t tag
        self.n_features, self.column, self.n_choices, self.n_tags = len(features), column, len(bounds) - 1, len(tags)
        for i, parts in enumerate(features):
            self.n_parts[i] = len(parts)
            for j, (attribute, offset) in enumerate(parts):
                self.parts[i][j][0], self.parts[i][j][1] = attribute, offset
        hashes = np.empty(len(tags), np.uint64)
        self.bounds = <const int32_t *> address(bounds, np.int32)
        self.tags = <const int32_t *> address(tags, np.int32, 2)
        self.hashes = <uint64_t *> address(hashes, np.uint64)
        for tag in range(self.n_tags):
            self.hashes[tag] = hash_of_values(self.tags + tag * self.n_choices, self.n_choices)
        self.learning, self.time, self.margin = learning, 0, margin
        if learning:
            self.weights = numbers = weights.dense()
            self.changes, self.used = open_table(&self.table, numbers, True)
        else:
            numbers = quantize_table(&self.quantized, weights, as_bytes=False)
        self.kept = (bounds, tags, hashes, numbers)

    @property
    def width(self):
        """The number of scores that are written at once."""
        return self.table.width if self.learning else places_in_row(&self.quantized)

    def invalidate(self):
        """Find out which rows have weights, or have had, after something else has written to the arrays."""
        self.used[:] = used_rows(self.weights) | used_rows(self.changes)

    def learn(self, TaggerData data, int64_t sentence, gold):
        """Learn from a sentence, and tag it.

        Args:
            data: sentences.
            sentence: the number of one of them.
            gold: for each word of all of them the number of its tag, -1 if it is not known.

        Returns:
            The number of words for which the model was asked, and of those that it got wrong.
        """
        check_range(sentence, sentence + 1, data.n_sentences)
        check_length(gold, "gold tags", data.n_words)
        check_numbers(gold[data.offsets[sentence]:data.offsets[sentence + 1]], "gold tags", -1, self.n_tags)
        cdef Room room
        cdef list kept = self._make(&room)
        cdef const int32_t *gold_tags = <const int32_t *> address(gold, np.int32)
        cdef const int32_t *right
        cdef const int32_t *chosen
        cdef int64_t asked = 0, wrong = 0, word, start = data.offsets[sentence], stop = data.offsets[sentence + 1]
        cdef int32_t tag
        cdef int i, rival
        with nogil:
            for word in range(start, stop):
                if not fill_in(self, data, start, stop, word, &tag, &room) or gold_tags[word] < 0:
                    continue
                asked += 1
                self.time += 1
                right = self.tags + gold_tags[word] * <int64_t> self.n_choices
                chosen = self.tags + tag * <int64_t> self.n_choices
                wrong += tag != gold_tags[word]
                for i in range(self.n_choices):
                    rival = chosen[i]
                    if rival == right[i]:
                        rival = best_other(room.scores, self.bounds[i], self.bounds[i + 1], right[i])
                        if rival < 0 or room.scores[right[i]] - room.scores[rival] >= self.margin:
                            continue
                    update(&self.table, room.rows, self.n_features, right[i], rival, <float> self.time)
        return asked, wrong

    def averages(self):
        """The averages of the weights so far, those to tag with: the numbers of the rows that have some, and these rows."""
        rows = rows_in_use(self.used, len(self.weights))
        return rows, self.weights[rows] - self.changes[rows] / np.float32(self.time + 1)

    def tag(self, TaggerData data, int64_t first, int64_t last, found):
        """Tag the sentences from one number to another, and write down the numbers of the tags of their words."""
        check_range(first, last, data.n_sentences)
        check_length(found, "tags", data.n_words)
        cdef Room room
        cdef list kept = self._make(&room)
        cdef int32_t *tags = <int32_t *> address(found, np.int32)
        cdef int64_t sentence, start, stop, word
        with nogil:
            for sentence in range(first, last):
                start, stop = data.offsets[sentence], data.offsets[sentence + 1]
                for word in range(start, stop):
                    fill_in(self, data, start, stop, word, tags + word, &room)

    cdef list _make(self, Room *room):
        """Make room, and return what has to be kept."""
        cdef list kept = []
        room.scores = <float *> room_for(kept, 4 * self.width)
        room.values = <int32_t *> room_for(kept, 4 * self.n_choices)
        return kept


cdef bint fill_in(
    TaggerPerceptron p, TaggerData data, int64_t start, int64_t stop, int64_t word, int32_t *tag, Room *room
) noexcept nogil:
    """Choose a tag, that in the dictionary or else that with the highest score; whether scores were asked for."""
    cdef uint64_t features[MAX_TAGGER_FEATURES]
    cdef int i, fixed = data.fixed[p.column * data.n_forms + data.types[word]]
    if fixed >= 0:
        tag[0] = fixed
    else:
        for i in range(p.n_features):
            features[i] = feature(p, i, data, start, stop, word)
        score_tags(p, features, room)
        tag[0] = best_tag(p, room.scores, room.values)
    data.tags[p.column * data.n_words + word] = p.hashes[tag[0]]
    return fixed < 0


cdef inline void score_tags(TaggerPerceptron p, const uint64_t *features, Room *room) noexcept nogil:
    """The scores of all values; the numbers of the rows are kept if it learns."""
    cdef uint32_t live[MAX_TAGGER_FEATURES]
    cdef const char *places[MAX_TAGGER_FEATURES]
    if p.learning:
        score_rows(&p.table, features, p.n_features, 0, room.rows, live, room.scores)
    else:
        fetch_quantized(&p.quantized, features, p.n_features, 0, places)
        add_quantized(&p.quantized, places, p.n_features, room.scores)


cdef int best_tag(TaggerPerceptron p, const float *scores, int32_t *values) noexcept nogil:
    """The tag with the highest score.

    The best values, each by itself, are nearly always those of a tag. Only where they are not, sums are compared.
    """
    cdef int i, j, best = 0
    cdef float score, highest = 0
    cdef uint64_t hashed
    cdef size_t size = p.n_choices * sizeof(int32_t)
    for i in range(p.n_choices):
        values[i] = p.bounds[i]
        for j in range(p.bounds[i] + 1, p.bounds[i + 1]):
            if scores[j] > scores[values[i]]:
                values[i] = j
    hashed = hash_of_values(values, p.n_choices)
    for j in range(p.n_tags):
        if p.hashes[j] == hashed and memcmp(values, p.tags + j * <int64_t> p.n_choices, size) == 0:
            return j
    for j in range(p.n_tags):
        score = 0
        for i in range(p.n_choices):
            score += scores[p.tags[j * <int64_t> p.n_choices + i]]
        if j == 0 or score > highest:
            best, highest = j, score
    return best


cdef int best_other(const float *scores, int first, int last, int value) noexcept nogil:
    """The value with the highest score from one number to another, without one of them; -1 if there is no other."""
    cdef int i, best = -1
    for i in range(first, last):
        if i != value and (best < 0 or scores[i] > scores[best]):
            best = i
    return best


cdef uint64_t hash_of_values(const int32_t *values, int n) noexcept nogil:
    """The hash of a tag."""
    cdef uint64_t hashed = 0
    cdef int i
    for i in range(n):
        hashed = mix(31 * hashed + values[i] + 1)
    return hashed


cdef inline uint64_t feature(
    TaggerPerceptron p, int number, TaggerData data, int64_t start, int64_t stop, int64_t word
) noexcept nogil:
    """The hash of a feature's number and of what its parts look at; beyond the sentence there is 0."""
    cdef uint64_t hashed = mix(number + 1), value
    cdef int64_t at
    cdef int i, attribute
    for i in range(p.n_parts[number]):
        attribute, at = p.parts[number][i][0], word + p.parts[number][i][1]
        if at < start or at >= stop:
            value = 0
        elif attribute >= data.n_attributes:
            value = data.tags[(attribute - data.n_attributes) * data.n_words + at]
        else:
            value = data.attributes[data.types[at] * data.n_attributes + attribute]
        hashed = mix(31 * hashed + value)  # not symmetric: the value may be made as the number is
    return hashed
