"""Text that a terminal, a browser or an XML parser shows as it is, whatever characters are in it."""

from __future__ import annotations

import re

__all__ = ["escaped", "isolated", "printable", "terminal_width"]

_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
"""Control characters, line ends, what turns the direction of writing, halves of characters, and what is none."""

_IN_WORDS = r"[^\s,()|]"
_RIGHT_TO_LEFT = re.compile(
    rf"(?<!{_IN_WORDS}){_IN_WORDS}*"
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
    f"{_IN_WORDS}*"
)
"""A word with letters of a script that is written from right to left, such as Hebrew, Syriac and Arabic."""

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


def isolated(text: str) -> str:
    r"""The escaped text, in which words that are written from right to left stay where they stand among the others.

    Without this, a browser would turn the words of a stack around, and the ends of arcs.

    >>> isolated("\u05d0\u05d1 -> go") == "\u2068\u05d0\u05d1\u2069 -&gt; go"
    True
    """
    return _RIGHT_TO_LEFT.sub("\u2068\\g<0>\u2069", escaped(text))


def terminal_width(text: str) -> int:
    """How many columns a terminal gives a text: wide characters take two, combining ones none.

    >>> terminal_width("naïve"), terminal_width("狗")
    (5, 2)
    """
    from wcwidth import wcswidth  # imported here because only text needs it

    return max(wcswidth(text), 0)
