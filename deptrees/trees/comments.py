"""The comments of sentences, as CoNLL-U has them."""

from __future__ import annotations

from collections.abc import Iterable

from deptrees.messages import quoted

__all__ = ["comment_lines", "comment_value"]


def comment_lines(lines: Iterable[str]) -> tuple[str, ...]:
    """Comments as they are kept; a TypeError if they are one text, a ValueError if one is no comment of one line."""
    if isinstance(lines, str):
        raise TypeError(f"comments is {quoted(lines)}: give a list of lines")
    lines = tuple(lines)
    for line in lines:
        if not isinstance(line, str) or not line.startswith("#") or "\n" in line or "\r" in line:
            raise ValueError(f"not a comment of one line that begins with #: {quoted(line)}")
    return lines


def comment_value(comments: Iterable[str], key: str) -> str | None:
    """The value of the first comment ``# key = value``.

    >>> comment_value(["# newdoc", "# sent_id = a-1"], "sent_id")
    'a-1'
    """
    entries = (line[1:].partition("=") for line in comments)
    return next((value.strip() for name, equals, value in entries if equals and name.strip() == key), None)
