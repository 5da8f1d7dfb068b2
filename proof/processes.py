"""Work in as many processes as there are processors, and trials in a process that they may end."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from typing import TypeVar

__all__ = ["answers", "in_processes"]

_Given = TypeVar("_Given")
_Found = TypeVar("_Found")

_PROCESSES = get_context("fork" if hasattr(os, "fork") else None)


def in_processes(function: Callable[[_Given], _Found], given: Iterable[_Given]) -> Iterator[_Found]:
    """What a function answers of each thing, in their order.

    >>> [*in_processes(abs, [3, -4])]
    [3, 4]
    """
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(function, given)


def answers(trials: Callable[[int], Iterator[str]], end: int, patience: float) -> Iterator[str]:
    """What is wrong in each of so many trials; nothing, if all is well.

    A process of its own makes them, from a number on. If a trial ends it, or takes longer than so many seconds, another
    process goes on with the next one.

    >>> [*answers(lambda first: ("odd" if number % 2 else "" for number in range(first, 3)), 3, patience=60)]
    ['', 'odd', '']
    """
    count = 0
    while count < end:
        here, there = Pipe(duplex=False)
        process = _PROCESSES.Process(target=_send, args=(trials, count, there))
        process.start()
        there.close()
        try:
            with suppress(EOFError):
                while here.poll(patience):
                    answer = here.recv()
                    count += 1
                    yield answer
        finally:
            process.kill()
            process.join()
        if count < end:
            count += 1
            yield f"the process ended, or went on for {patience:.0f} s"


def _send(trials: Callable[[int], Iterator[str]], first: int, there: Connection) -> None:
    for answer in trials(first):
        there.send(answer)
