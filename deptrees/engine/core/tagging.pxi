# The tagger: what a word looks like, features, learning and tagging over flat arrays.

cdef enum:
    MAX_TAGGER_FEATURES = 64
    MAX_TAGGER_PARTS = 3

TAGGER_LIMITS = {"features": MAX_TAGGER_FEATURES, "parts": MAX_TAGGER_PARTS}

cdef enum:  # what features look at: of a word
    LONGEST_AFFIX = 4
    FORM = 0
    LOWER = 1
    SUFFIX = 2
    PREFIX = SUFFIX + LONGEST_AFFIX
    SHAPE = PREFIX + LONGEST_AFFIX
    KNOWN
    TAG  # the one that it has been given

ATTRIBUTES = (
    "form",
    "lower",
    *[f"suffix{length}" for length in range(1, LONGEST_AFFIX + 1)],
    *[f"prefix{length}" for length in range(1, LONGEST_AFFIX + 1)],
    "shape",
    "known",
    "tag",
)


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
    """What features look at, but for the tag: a row of hashes for each form, the last of them given."""
    found = np.empty((len(forms), TAG), np.uint64)
    cdef uint64_t *hashes = <uint64_t *> address(found, np.uint64, 2)
    cdef const uint64_t *known_hashes = <const uint64_t *> address(known, np.uint64)
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
        hashes[KNOWN] = known_hashes[i]
        hashes += TAG
    return found


cdef class TaggerData:
    """Sentences to learn from or to tag.

    Args:
        offsets: where each sentence begins, and where the last one ends.
        types: for each word the number of its form.
        attributes: for each form what ``look_at`` says.
        fixed: for each form its tag in the dictionary, -1 if it is not in it.
    """

    cdef const int64_t *offsets
    cdef const int32_t *types
    cdef const uint64_t *attributes
    cdef const int32_t *fixed
    cdef object kept

    def __init__(self, offsets, types, attributes, fixed):
        self.kept = (offsets, types, attributes, fixed)
        self.offsets = <const int64_t *> address(offsets, np.int64)
        self.types = <const int32_t *> address(types, np.int32)
        self.attributes = <const uint64_t *> address(attributes, np.uint64, 2)
        self.fixed = <const int32_t *> address(fixed, np.int32)


cdef class TaggerPerceptron:
    """An averaged perceptron that tags words from left to right (Collins 2002).

    Args:
        features: for each its parts, as pairs of the number of an attribute and an offset.
        weights: rows of a power of two in number, as wide as a multiple of 4.
        n_tags: the number of tags.
        learning: whether to keep what averages need.
    """

    cdef int parts[MAX_TAGGER_FEATURES][MAX_TAGGER_PARTS][2]
    cdef int n_parts[MAX_TAGGER_FEATURES]
    cdef int n_features
    cdef int n_tags
    cdef WeightTable table
    cdef readonly object weights
    cdef readonly object changes
    cdef object used
    cdef public int64_t time

    def __init__(self, features, weights, int n_tags, bint learning):
        cdef int i, j
        self.n_features, self.n_tags = len(features), n_tags
        for i, parts in enumerate(features):
            self.n_parts[i] = len(parts)
            for j, (attribute, offset) in enumerate(parts):
                self.parts[i][j][0], self.parts[i][j][1] = attribute, offset
        self.weights, self.time = weights, 0
        self.changes, self.used = open_table(&self.table, weights, learning)

    def look_again(self):
        """Find out which rows have weights, after something else has written to the array."""
        self.used[:] = used_rows(self.weights)

    def learn(self, TaggerData data, order, gold):
        """Learn from sentences in an order.

        Returns:
            The number of words for which the model was asked, and of those that it got wrong.
        """
        predicted, scored = np.empty(len(gold), np.int32), np.empty(self.table.width, np.float32)
        cdef int32_t *tags = <int32_t *> address(predicted, np.int32)
        cdef float *scores = <float *> address(scored, np.float32)
        cdef const int64_t *sentences = <const int64_t *> address(order, np.int64)
        cdef const int32_t *gold_tags = <const int32_t *> address(gold, np.int32)
        cdef uint32_t rows[MAX_TAGGER_FEATURES]
        cdef int64_t asked = 0, wrong = 0, number, start, stop, word, count = len(order)
        with nogil:
            for number in range(count):
                start, stop = data.offsets[sentences[number]], data.offsets[sentences[number] + 1]
                for word in range(start, stop):
                    tags[word] = tag_of(self, data, start, stop, word, tags, rows, scores)
                    if gold_tags[word] < 0 or data.fixed[data.types[word]] >= 0:
                        continue
                    asked += 1
                    self.time += 1
                    if tags[word] != gold_tags[word]:
                        wrong += 1
                        update(&self.table, rows, self.n_features, gold_tags[word], tags[word], <float> self.time)
        return asked, wrong

    def averages(self):
        """The average of the weights so far: those to tag with."""
        return self.weights - self.changes / np.float32(self.time + 1)

    def tag(self, TaggerData data, int64_t first, int64_t last, tags):
        """Tag the sentences from one number to another, and write down the numbers of the tags."""
        scored = np.empty(self.table.width, np.float32)
        cdef float *scores = <float *> address(scored, np.float32)
        cdef int32_t *found = <int32_t *> address(tags, np.int32)
        cdef uint32_t rows[MAX_TAGGER_FEATURES]
        cdef int64_t sentence, start, stop, word
        with nogil:
            for sentence in range(first, last):
                start, stop = data.offsets[sentence], data.offsets[sentence + 1]
                for word in range(start, stop):
                    found[word] = tag_of(self, data, start, stop, word, found, rows, scores)


cdef int tag_of(
    TaggerPerceptron p, TaggerData data, int64_t start, int64_t stop, int64_t word, const int32_t *tags, uint32_t *rows,
    float *scores,
) noexcept nogil:
    """The tag in the dictionary, or else the one with the highest score."""
    cdef uint64_t features[MAX_TAGGER_FEATURES]
    cdef uint32_t live[MAX_TAGGER_FEATURES]
    cdef int i, best = data.fixed[data.types[word]]
    if best >= 0:
        return best
    for i in range(p.n_features):
        features[i] = feature(p, i, data, start, stop, word, tags)
    score_rows(&p.table, features, p.n_features, 0, rows, live, scores)
    best = 0
    for i in range(1, p.n_tags):
        if scores[i] > scores[best]:
            best = i
    return best


cdef inline uint64_t feature(
    TaggerPerceptron p, int number, TaggerData data, int64_t start, int64_t stop, int64_t word, const int32_t *tags
) noexcept nogil:
    """The hash of a feature's number and of what its parts look at; beyond the sentence there is 0."""
    cdef uint64_t hashed = mix(number + 1), value
    cdef int64_t at
    cdef int i
    for i in range(p.n_parts[number]):
        at = word + p.parts[number][i][1]
        if at < start or at >= stop:
            value = 0
        elif p.parts[number][i][0] == TAG:
            value = mix(tags[at] + 1)
        else:
            value = data.attributes[data.types[at] * <int64_t> TAG + p.parts[number][i][0]]
        hashed = mix(31 * hashed + value)  # not symmetric: the value may be made as the number is
    return hashed
