"""Trees in short: the words, and their heads in one string."""

from __future__ import annotations

from collections.abc import Sequence

from deptrees.messages import quoted
from deptrees.trees.heads import TreeError
from deptrees.trees.token import Token
from deptrees.trees.tree import DependencyTree

__all__ = ["from_shorthand"]


def from_shorthand(words: Sequence[str], heads: str) -> DependencyTree:
    """The tree of words and their heads, which are separated by blanks or commas.

    Each head has its label after a colon, if any; ``_`` is no head.

    Raises:
        TreeError: there are not as many heads as words, one is not a number, or they do not form a tree.

    >>> from_shorthand("I saw a dog".split(), "2 0 4 2").heads
    (2, 0, 4, 2)
    >>> from_shorthand(["Birds", "sing"], "2:nsubj _")
    DependencyTree([(2, 'Birds', 'nsubj'), (None, 'sing')])
    """
    written = heads.replace(",", " ").split()
    if len(written) != len(words):
        first = min(len(written), len(words)) + 1
        raise TreeError(first, f"there are {len(written)} heads for {len(words)} words: give one for each")
    tokens = []
    for position, (form, text) in enumerate(zip(words, written, strict=True), 1):
        head, _, label = text.partition(":")
        if head != "_" and not head.isdecimal():
            needed = "give its position, 0 for ROOT or _ for none"
            raise TreeError(position, f"the head of word {position} is {quoted(head)}: {needed}")
        tokens.append(Token(form, None if head == "_" else int(head), label or None))
    return DependencyTree(tokens)
