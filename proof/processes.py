"""Work in as many processes as there are processors."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

__all__ = ["in_processes"]

_Given = TypeVar("_Given")
_Found = TypeVar("_Found")


def in_processes(function: Callable[[_Given], _Found], given: Iterable[_Given]) -> Iterator[_Found]:
    """What a function answers of each thing, in their order.

    >>> [*in_processes(abs, [3, -4])]
    [3, 4]
    """
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(function, given)
