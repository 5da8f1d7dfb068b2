"""Memory that the process does not need."""

from __future__ import annotations

import ctypes
import sys

__all__ = ["give_memory_back"]


def give_memory_back() -> None:
    """Give free memory back to the operating system: the allocator of glibc keeps more of it from update to update.

    No two updates have the same sizes, so that what one of them has left is often too small for the next one.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)
