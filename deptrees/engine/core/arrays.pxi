# Arrays of numpy, as the addresses of their numbers.
#
# Cython's typed memoryviews check more, and make compiling the core take half as long again.

cdef void *address(array, kind, int dimensions=1) except? NULL:
    """Where the numbers of an array are, which must be of this kind and lie side by side.

    Who keeps the address keeps the array.
    """
    if array.dtype != kind or array.ndim != dimensions or not array.flags.c_contiguous:
        found = f"{array.dtype}, {array.ndim} dimensions"
        raise TypeError(f"expected an array of {np.dtype(kind)}, {dimensions} dimensions, in C order: not {found}")
    return <void *> <uintptr_t> array.__array_interface__["data"][0]
