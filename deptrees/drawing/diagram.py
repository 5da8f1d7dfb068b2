"""Arc diagrams as plain data: what the graphical formats draw."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Literal

import attrs

from deptrees.messages import of_type

__all__ = ["BELOW", "MEANINGS", "Arc", "ArcDiagram", "ArcKind", "MultiwordToken"]

ArcKind = Literal["plain", "new", "wrong", "missed", "enhanced", "matched"]
"""What an arc is: nothing special, the one added last, one that is not gold, a gold one that is not there, one that is
in the graph of enhanced dependencies alone, or one that a request asked for."""

BELOW: tuple[ArcKind, ...] = ("missed", "enhanced")
"""The kinds of arcs that are drawn below the words."""

MEANINGS: dict[ArcKind, str] = {
    "new": "new arc",
    "wrong": "not a gold arc",
    "missed": "gold arc that is missing",
    "enhanced": "arc of the graph alone",
    "matched": "arc of the match",
}
"""What legends say of the kinds of arcs."""


@attrs.frozen
class Arc:
    """An arrow from a head to a dependent.

    Args:
        head: the position of the head, 0 for ROOT.
        dependent: the position of the dependent, from 1.
        label: what is written on it, if anything.
        kind: what it is. Missed and enhanced arcs are drawn below the words, all others above them.
    """

    head: int
    dependent: int
    label: str | None = None
    kind: ArcKind = "plain"


@attrs.frozen
class MultiwordToken:
    """Words that are written as one, such as French *du* for *de le*: the first and last position, and the form."""

    first: int
    last: int
    form: str


@attrs.frozen
class ArcDiagram:
    """Words and the arcs between them.

    Args:
        words: the words.
        arcs: the arcs, at most one to each word above the words; a word without one has no head.
        tags: the tag below each word, if given; ``None`` for a word that has none.
        multiword_tokens: what is written as one, shown below the words.
        name: what the sentence is called, if anything.
        direction: where the text runs to, ``"ltr"`` or ``"rtl"``; what its letters say if it is not given.
        marked: the positions of words that stand out in SVG.

    Raises:
        ValueError: an arc begins or ends where there is no word, or there are not as many tags as words.

    >>> ArcDiagram(["Birds", "sing"], [Arc(2, 1, "nsubj"), Arc(0, 2, "root")]).direction
    'ltr'
    >>> ArcDiagram(["שלום", "!"], []).direction
    'rtl'
    >>> ArcDiagram(["Birds", "sing"], [Arc(3, 1)])
    Traceback (most recent call last):
    ValueError: Arc(head=3, dependent=1, label=None, kind='plain') is no arc between 2 words
    """

    words: tuple[str, ...] = attrs.field(converter=tuple[str, ...])
    arcs: tuple[Arc, ...] = attrs.field(converter=tuple[Arc, ...])
    tags: Sequence[str | None] | None = None
    multiword_tokens: tuple[MultiwordToken, ...] = attrs.field(default=(), converter=tuple[MultiwordToken, ...])
    name: str | None = None
    direction: Literal["ltr", "rtl"] = attrs.field()
    marked: frozenset[int] = frozenset()

    @direction.default
    def _direction_of_letters(self) -> Literal["ltr", "rtl"]:
        kinds = Counter(map(unicodedata.bidirectional, "".join(self.words)))
        return "rtl" if kinds["R"] + kinds["AL"] > kinds["L"] else "ltr"

    def __attrs_post_init__(self) -> None:
        n = len(self.words)
        for arc in self.arcs:
            of_type("arcs", arc, Arc, "a list of Arc")
            if not (0 <= arc.head <= n and 0 < arc.dependent <= n and arc.head != arc.dependent):
                raise ValueError(f"{arc} is no arc between {n} words")
        if self.tags is not None and len(self.tags) != n:
            raise ValueError(f"there are {len(self.tags)} tags for {n} words")
