"""Values in error messages: shown as they are, and cut short if they are long."""

from __future__ import annotations

from reprlib import Repr

__all__ = ["quoted"]

_MOST = 100


class _Short(Repr):
    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxlong = self.maxother = _MOST

    def repr_int(self, value: int, level: int) -> str:
        # Python refuses to write integers of thousands of digits.
        return (
            super().repr_int(value, level) if value.bit_length() < _MOST else f"a number of {value.bit_length()} bits"
        )


_short = _Short()


def quoted(value: object) -> str:
    """A value as messages show it: its ``repr``, without the middle if that has more than a hundred characters.

    >>> quoted("nsubj"), len(quoted("long" * 1_000_000))
    ("'nsubj'", 100)
    """
    return _short.repr(value)
