# Writing rows with other values in some columns. Included in encoded_text.pyx.


ctypedef struct Replacement:
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


cdef inline int64_t growth_of_row(
    const uint32_t *starts, const Replacement *replacements, int count, int64_t word
) noexcept nogil:
    """How many bytes more the row of a word has with other columns."""
    cdef const Replacement *new
    cdef const int64_t *bounds
    cdef int64_t found = 0
    cdef int i
    for i in range(count):
        new = &replacements[i]
        bounds = new.starts + new.numbers[word] + 1
        found += bounds[1] - bounds[0] - (end_of(starts, new.column) - starts[new.column])
    return found


cdef inline char *write_row(
    char *written,
    const char *content,
    const char **copied,
    const uint32_t *starts,
    const Replacement *replacements,
    int count,
    int64_t word,
) noexcept nogil:
    """Write down what has not been copied yet, up to the last column of a word that is another one."""
    cdef const Replacement *new
    cdef const int64_t *bounds
    cdef int i
    for i in range(count):
        new = &replacements[i]
        bounds = new.starts + new.numbers[word] + 1
        written = append(written, copied[0], content + starts[new.column] - copied[0])
        written = append(written, new.texts + bounds[0], bounds[1] - bounds[0])
        copied[0] = content + end_of(starts, new.column)
    return written
