# Arrays of numpy, as the addresses of their numbers, and memory.
#
# Cython's typed memoryviews check more, and make compiling the core take half as long again.

cdef void *address(array, kind, int dimensions=1) except? NULL:
    """Where the numbers of an array are, which must be of this kind and lie side by side; the array has to be kept."""
    if array.dtype != kind or array.ndim != dimensions or not array.flags.c_contiguous:
        found = f"{array.dtype}, {array.ndim} dimensions"
        raise TypeError(f"expected an array of {np.dtype(kind)}, {dimensions} dimensions, in C order: not {found}")
    return <void *> <uintptr_t> array.__array_interface__["data"][0]


cdef void *room_for(list kept, size_t size) except? NULL:
    """Memory of so many bytes, all 0, for as long as the list is kept."""
    memory = np.zeros(size, np.uint8)
    kept.append(memory)
    return address(memory, np.uint8)


cdef inline void *resized(void *memory, size_t size) except NULL nogil:
    """Memory with more bytes than before, and with what was in it."""
    memory = realloc(memory, size)
    if memory == NULL:
        with gil:
            raise MemoryError
    return memory


cdef int check_numbers(array, str name, int64_t least, int64_t end) except -1:
    """Raise an error unless all numbers of 32 bits are at least the one number, and less than the other."""
    cdef const int32_t *numbers = <const int32_t *> address(array, np.int32, array.ndim)
    cdef int64_t i, count = array.size
    cdef bint wrong = False
    for i in range(count):  # to the end, so that many are looked at at once
        wrong |= (numbers[i] < least) | (numbers[i] >= end)
    if wrong:
        raise ValueError(f"{name} are from {array.min()} to {array.max()}, and should be from {least} to {end - 1}")


cdef int check_length(array, str name, int64_t length) except -1:
    if len(array) != length:
        raise ValueError(f"there are {len(array)} {name}, and should be {length}")


cdef int64_t longest_sentence(offsets, int64_t words) except -1:
    """The length of the longest sentence; raises an error unless offsets rise from 0 to the number of words."""
    lengths = np.diff(offsets)
    if len(offsets) == 0 or offsets[0] != 0 or offsets[len(offsets) - 1] != words or lengths.min(initial=0) < 0:
        raise ValueError(f"offsets of sentences should rise from 0 to the number of words, which is {words}")
    return lengths.max(initial=0)


cdef int check_range(int64_t start, int64_t stop, int64_t n_sentences) except -1:
    if not 0 <= start <= stop <= n_sentences:
        raise IndexError(f"there are {n_sentences} sentences: not from {start} to {stop}")
