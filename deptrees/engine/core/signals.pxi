# Ctrl-C in the middle of long work.

cdef enum:
    STEPS_BETWEEN_SIGNALS = 1 << 12  # which take a few milliseconds
    MANY_WORDS = 256  # from which on a row of a table takes long enough


cdef int answer_signals() except -1 with gil:
    """Let Ctrl-C end the work, in the first thread by itself, and in others because the first has been ended by it."""
    PyErr_CheckSignals()
    end_if_asked()
