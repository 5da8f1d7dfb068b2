"""Values in error messages, shortened if they are long, and errors for what is too large or of a wrong type."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from reprlib import Repr
from typing import TYPE_CHECKING, Any, SupportsIndex

from more_itertools import take

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["TooLarge", "counted", "listed", "of_type", "quoted", "whole_number", "whole_numbers", "written"]

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


def whole_number(name: str, value: SupportsIndex, least: int, most: int | None = None) -> int:
    """A value that is called ``name``, if it is a whole number in a range, of any size without ``most``.

    Raises:
        TypeError: it is not a whole number.
        ValueError: it is out of range.

    >>> whole_number("beam", 2.5, 1, 64)
    Traceback (most recent call last):
    TypeError: beam is a whole number, not 2.5
    >>> whole_number("seed", -1, 0)
    Traceback (most recent call last):
    ValueError: seed is a whole number, 0 or more, not -1
    """
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {quoted(value)}") from None
    if number < least or (most is not None and number > most):
        numbers = f"{least} or more" if most is None else f"from {least} to {most}"
        raise ValueError(f"{name} is a whole number, {numbers}, not {number}")
    return number


def whole_numbers(name: str, value: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """An array of a value that is called ``name``, or a ``TypeError`` if it is not one of whole numbers.

    >>> whole_numbers("heads", [2, 0]).tolist()
    [2, 0]
    >>> whole_numbers("heads", [2.5])
    Traceback (most recent call last):
    TypeError: heads are whole numbers, not [2.5]
    """
    import numpy as np

    try:
        found = np.asarray(value)
    except ValueError:  # of lists of several lengths
        found = np.array([None])
    if found.size and found.dtype.kind not in "biu":
        raise TypeError(f"{name} are whole numbers, not {quoted(value)}")
    return np.ascontiguousarray(found, np.int64)
