"""Text that a terminal, a browser or an XML parser shows as it is, whatever characters are in it."""

from __future__ import annotations

import re

__all__ = ["escaped", "printable", "terminal_width"]

_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
"""Control characters, line ends, what turns the direction of writing, halves of characters, and what is none."""

_MARKUP = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"})


def printable(text: str) -> str:
    r"""The text, with an escape sequence in place of each character that would control the terminal.

    >>> printable("a\x1b[31mred\x07 naïve word")
    'a\\x1b[31mred\\x07 naïve word'
    """
    return _UNSAFE.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def escaped(text: str) -> str:
    """The printable text for the inside of an HTML or XML element, or of a quoted attribute.

    >>> escaped("<script>alert('x')</script>")
    '&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt;'
    """
    return printable(text).translate(_MARKUP)


def terminal_width(text: str) -> int:
    """How many columns a terminal gives a text: wide characters take two, combining ones none.

    >>> terminal_width("naïve"), terminal_width("狗")
    (5, 2)
    """
    from wcwidth import wcswidth  # imported here because only text needs it

    return max(wcswidth(text), 0)
