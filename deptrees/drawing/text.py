"""Trees drawn with arrows, one word to a line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

__all__ = ["draw"]

# A cell of the drawing has lines to some of its four sides, and these choose its character.
_UP, _DOWN, _LEFT, _RIGHT, _ARROWHEAD = 1, 2, 4, 8, 16
_CHARACTERS = {
    0: " ",
    _UP | _DOWN: "│",
    _LEFT | _RIGHT: "─",
    _DOWN | _RIGHT: "┌",
    _UP | _RIGHT: "└",
    _UP | _DOWN | _RIGHT: "├",
    _UP | _DOWN | _LEFT | _RIGHT: "┼",
    _ARROWHEAD: "►",
}
_ASCII = str.maketrans("│─┌└├┼►", "|-.'++>")
_WIDTH = 3  # characters to a column of arcs: corner, line, line or arrowhead

_Arc = tuple[int, int]


def draw(
    heads: Sequence[int | None],
    forms: Sequence[str],
    labels: Sequence[str | None] | None = None,
    *,
    ascii: bool = False,  # noqa: A002  the everyday word for it
) -> str:
    """Draw a tree: ROOT on top, then one word to a line, each arc an arrow from the head to the dependent.

    Args:
        heads: the head of each word, ``None`` for a word that has none.
        forms: the words.
        labels: if given, written in a column of their own after the words.
        ascii: draw with ``.'-|+>`` in place of box characters.

    >>> print(draw([2, 0, 1], ["What", "matters", "most"]))
    ┌──────── 0 ROOT
    │  ┌──┌─► 1 What
    └──┼─►└── 2 matters
       └────► 3 most
    """
    lines = _arrows(len(heads) + 1, [(head, word) for word, head in enumerate(heads, 1) if head is not None])
    if ascii:
        lines = [line.translate(_ASCII) for line in lines]
    words = ["ROOT", *forms]
    digits = len(str(len(heads)))
    rows = [
        f"{line}{position:>{digits}} {word}" for position, (line, word) in enumerate(zip(lines, words, strict=True))
    ]
    if labels is not None:
        width = max(map(_columns, words))
        gaps = [" " * (width - _columns(word) + 2) for word in words]
        rows = [row + gap + (label or "") for row, gap, label in zip(rows, gaps, [None, *labels], strict=True)]
    return "\n".join(row.rstrip() for row in rows)


def _columns(word: str) -> int:
    """How many columns a terminal gives the word: wide characters take two, combining ones none."""
    from wcwidth import wcswidth  # imported here because only labels need it

    return max(wcswidth(word), 0)


def _arrows(rows: int, arcs: Sequence[_Arc]) -> list[str]:
    """The arcs as lines of characters, one line a row."""
    levels = _levels(arcs)
    columns = 1 + max(levels.values(), default=-1)
    start = {arc: (columns - 1 - level) * _WIDTH for arc, level in levels.items()}
    cells = [[0] * (columns * _WIDTH) for _ in range(rows)]
    for arc in arcs:
        top, bottom = sorted(arc)
        for row in range(top, bottom + 1):
            cells[row][start[arc]] |= (_DOWN if row < bottom else 0) | (_UP if row > top else 0)
    for row in range(rows):
        corners = {start[arc]: arc for arc in arcs if row in arc}
        for corner, end in pairwise([*sorted(corners), columns * _WIDTH]):
            cells[row][corner] |= _RIGHT
            for column in range(corner + 1, end):
                cells[row][column] |= _LEFT | _RIGHT
            if corners[corner][1] == row:
                cells[row][end - 1] = _ARROWHEAD
    return ["".join(_CHARACTERS[cell] for cell in line) + " " * bool(line) for line in cells]


def _levels(arcs: Sequence[_Arc]) -> dict[_Arc, int]:
    """For each arc the column it is drawn in, counted from the words outwards: an arc goes around what it spans."""
    levels: dict[_Arc, int] = {}
    for arc in sorted(arcs, key=lambda arc: (abs(arc[0] - arc[1]), -min(arc))):
        top, bottom = sorted(arc)
        meeting = [other for other in levels if min(other) <= bottom and max(other) >= top and not _share(arc, other)]
        spanned = [other for other in meeting if top <= min(other) and max(other) <= bottom]
        level = 1 + max((levels[other] for other in spanned), default=-1)
        while level in {levels[other] for other in meeting}:
            level += 1
        levels[arc] = level
    return levels


def _share(arc: _Arc, other: _Arc) -> bool:
    """Whether two arcs leave one head to opposite sides: they can be drawn as one line with a branch."""
    return arc[0] == other[0] and (arc[1] < arc[0]) != (other[1] < other[0])
