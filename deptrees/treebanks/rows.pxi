# Writing rows with other values in some columns. Included in encoded_text.pyx.


ctypedef struct Replacement:
    int column
    const int32_t *numbers
    const char *texts  # one after the other, and where each begins: of the number -1, of 0, and so on
    const int64_t *starts


cdef inline char *append(char *written, const char *text, int64_t length) noexcept nogil:
    memcpy(written, text, length)
    return written + length


cdef inline const char *tab_after(const char *tab, const char *end) noexcept nogil:
    return <const char *> memchr(tab + 1, c"\t", end - tab - 1)


cdef char *write_row(
    char *written, const char *row, const char *end, const Replacement *replacements, int count, int64_t word
) noexcept nogil:
    """Write down the row of a word."""
    cdef const char *tab = row - 1  # where the column ends that comes before those to be copied
    cdef const char *copied = row
    cdef const Replacement *new
    cdef int64_t start
    cdef int column = ID - 1, i
    for i in range(count):
        new = &replacements[i]
        while column < new.column - 1:
            tab = tab_after(tab, end)
            column += 1
        written = append(written, copied, tab + 1 - copied)
        start = new.starts[new.numbers[word] + 1]
        written = append(written, new.texts + start, new.starts[new.numbers[word] + 2] - start)
        tab = copied = tab_after(tab, end)
        column += 1
    return append(written, copied, end - copied)


cdef int64_t write(
    char *written, const char *content, int64_t size, const Replacement *replacements, int count
) noexcept nogil:
    """Write down sentences, which are valid, with one empty line after each; how many bytes that are."""
    cdef char *beginning = written
    cdef const char *line = content
    cdef const char *after
    cdef const char *end
    cdef int64_t word = 0
    cdef bint in_sentence = False
    while line < content + size:
        end = <const char *> memchr(line, c"\n", content + size - line) + 1
        if line[0] != c"\n":
            after = line
            while c"0" <= after[0] <= c"9":
                after += 1
            if after[0] == c"\t":  # only the ids of words have nothing but digits
                written = write_row(written, line, end, replacements, count, word)
                word += 1
            else:
                written = append(written, line, end - line)
        elif in_sentence:
            written = append(written, line, 1)
        in_sentence = line[0] != c"\n"
        line = end
    return (append(written, b"\n", 1) if in_sentence else written) - beginning
