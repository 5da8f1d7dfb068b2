"""Threads that end when what waits for them does."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from more_itertools import consume

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

__all__ = ["end_if_asked", "pool_of", "share_out"]

_SENTENCES_AT_ONCE = 2_000  # with few, much of the time there are not enough of them left for lock step
_PORTIONS_OF_A_THREAD = 8  # so that all threads end at about the same time

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


def share_out(work: Callable[[int, int], None], count: int, threads: int) -> None:
    """Work on sentences, a portion at a time, from a first one to the one after the last."""
    fewest = 1 if threads == 1 else min(count, _PORTIONS_OF_A_THREAD * threads)
    n = max(1, fewest, -(-count // _SENTENCES_AT_ONCE))
    bounds = [count * portion // n for portion in range(n + 1)]
    if threads == 1:  # this one can do it: another one would have to be waited for after each portion
        consume(map(work, bounds, bounds[1:]))
        return
    with pool_of(threads) as pool:
        consume(pool.map(work, bounds, bounds[1:]))


def end_if_asked() -> None:
    """Raise ``KeyboardInterrupt`` in a thread whose work has been given up; long work asks now and then."""
    is_over: threading.Event | None = getattr(_of_thread, "is_over", None)
    if is_over is not None and is_over.is_set():
        raise KeyboardInterrupt
