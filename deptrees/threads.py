"""Threads that end when what waits for them does."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

__all__ = ["end_if_asked", "pool_of"]

_of_thread = threading.local()


@contextmanager
def pool_of(threads: int) -> Iterator[ThreadPoolExecutor]:
    """Some threads, whose work is given up if an exception such as that of Ctrl-C ends the block.

    >>> with pool_of(2) as pool:
    ...     list(pool.map(abs, [-1, 2]))
    [1, 2]
    """
    from concurrent.futures import ThreadPoolExecutor  # imported here because most have one thread

    is_over = threading.Event()

    def begin() -> None:
        _of_thread.is_over = is_over

    with ThreadPoolExecutor(threads, initializer=begin) as pool:
        try:
            yield pool
        except BaseException:
            is_over.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def end_if_asked() -> None:
    """Raise ``KeyboardInterrupt`` in a thread whose work has been given up; long work asks now and then."""
    is_over: threading.Event | None = getattr(_of_thread, "is_over", None)
    if is_over is not None and is_over.is_set():
        raise KeyboardInterrupt
