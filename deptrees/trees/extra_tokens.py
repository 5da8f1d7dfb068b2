"""Multiword tokens and empty nodes: their places according to their ids."""

from __future__ import annotations

import re

from deptrees.messages import quoted
from deptrees.trees.heads import TreeError
from deptrees.trees.token import Token

__all__ = ["EXTRA_ID", "check_extra_tokens", "multiword_span", "words_before"]

_NUMBER = r"[1-9][0-9]{0,8}"
EXTRA_ID = re.compile(rf"(?P<first>{_NUMBER})-(?P<last>{_NUMBER})|(?P<after>0|{_NUMBER})\.{_NUMBER}")
"""The id of a multiword token, such as ``3-4``, or of an empty node, such as ``8.1``."""


def check_extra_tokens(extra_tokens: tuple[tuple[int, Token], ...], n: int) -> None:
    """Raise a TreeError unless each is at the place of its id among n words; a TypeError if one is no such pair."""
    latest = 0
    for pair in extra_tokens:
        if not isinstance(pair, tuple) or len(pair) != 2 or not isinstance(pair[1], Token):
            raise TypeError(f"{quoted(pair)} is in extra_tokens: give pairs of the number of words before and a Token")
        before, token = pair
        place = _place(token, n)
        if type(before) is not int or before != place:
            raise _error(token, f"stands after {quoted(before)} words, and its id says after {place}")
        if before < latest:
            raise _error(token, "comes too late: extra tokens stand in the order of the words")
        if token.head is not None and (type(token.head) is not int or not 0 <= token.head <= n):
            raise _error(token, f"has the head {quoted(token.head)}, which is not one of 0 to {n}")
        latest = before


def words_before(id_: str) -> int:
    """How many words come before a multiword token or an empty node with this id; a ValueError if it is of neither.

    >>> words_before("3-4"), words_before("8.1")
    (2, 8)
    """
    match = EXTRA_ID.fullmatch(id_)
    if match is None:
        raise ValueError(f"{quoted(id_)} is neither like 3-4 (a multiword token) nor like 8.1 (an empty node)")
    return int(match["after"]) if match["after"] else int(match["first"]) - 1


def multiword_span(token: Token) -> range | None:
    """The positions of the words of a multiword token; ``None`` for an empty node.

    >>> multiword_span(Token("du", id="3-4")), multiword_span(Token("sings", id="8.1"))
    (range(3, 5), None)
    """
    match = EXTRA_ID.fullmatch(str(token.id))
    return range(int(match["first"]), int(match["last"]) + 1) if match and match["first"] else None


def _place(token: Token, n: int) -> int:
    """How many words stand before a token of a sentence of n words according to its id."""
    match = EXTRA_ID.fullmatch(token.id) if isinstance(token.id, str) else None
    if match is None:
        raise _error(token, "has an id that is neither like 3-4 (a multiword token) nor like 8.1 (an empty node)")
    first, last, after = match.group("first", "last", "after")
    if int(after or first) <= int(after or last) <= n:
        return words_before(match[0])
    raise _error(token, f"names no words of the sentence, which are 1 to {n}")


def _error(token: Token, fault: str) -> TreeError:
    return TreeError(token.id if isinstance(token.id, str) else 0, f"the extra token {quoted(token.id)} {fault}")
