"""Values in error messages: shown as they are, and shortened if they are long; and the error for what is too large."""

from __future__ import annotations

from collections.abc import Iterable
from reprlib import Repr
from typing import Any

from more_itertools import take

__all__ = ["TooLarge", "counted", "listed", "of_type", "quoted", "written"]

_MOST, _MOST_OF_OTHERS, _MOST_LISTED = 100, 500, 5


class TooLarge(ValueError):
    """Something is larger than the library can take; the message states the limit."""


class _Short(Repr):
    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxlong = _MOST
        self.maxother = _MOST_OF_OTHERS

    def repr_int(self, value: int, level: int) -> str:
        bits = value.bit_length()  # Python refuses to write integers of thousands of digits
        return super().repr_int(value, level) if bits < _MOST else f"a number of {bits} bits"


_short = _Short()


def quoted(value: object) -> str:
    """A value as messages show it: its ``repr``, without the middle if that is long.

    Texts and numbers are limited to a hundred characters, and trees, configurations and anything else to five hundred.

    >>> quoted("nsubj"), len(quoted("long" * 1_000_000)), quoted(7), quoted(1 << 200)
    ("'nsubj'", 100, '7', 'a number of 201 bits')
    """
    return _short.repr(value)


def counted(number: int, thing: str) -> str:
    """So many things.

    >>> counted(1, "tree"), counted(2000, "tree")
    ('1 tree', '2,000 trees')
    """
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def listed(parts: Iterable[str]) -> str:
    """A list as messages show it: its first five elements.

    >>> listed(["word 1", "word 2"]), listed("12345"), listed(map(str, range(1, 1000)))
    ('word 1, word 2', '1, 2, 3, 4, 5', '1, 2, 3, 4, 5, ...')
    """
    first = take(_MOST_LISTED + 1, parts)
    return ", ".join([*first[:_MOST_LISTED], "..."] if len(first) > _MOST_LISTED else first)


def written(value: object) -> str:
    """The repr of a value, but the same in every run: functions have their names, and there are no addresses.

    >>> from random import Random
    >>> written(written), written(Random(0)), written(0.5)
    ('written', 'Random(...)', '0.5')
    """
    name = getattr(value, "__qualname__", None)
    text = repr(value) if name is None else str(name)
    return text if " at 0x" not in text else f"{type(value).__name__}(...)"


def of_type(name: str, value: object, kind: Any, what: str) -> None:
    """Raise a ``TypeError`` if a value that is called ``name`` is not of a type, which is ``what`` in words.

    >>> of_type("restart", "no", bool, "True or False")
    Traceback (most recent call last):
    TypeError: restart is True or False, not 'no'
    """
    if not isinstance(value, kind):
        raise TypeError(f"{name} is {what}, not {quoted(value)}")
