"""Trees drawn with arrows, one word to a line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from deptrees.messages import TooLarge, counted, quoted
from deptrees.printable import printable, terminal_width

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
_ACROSS = bytes(lines | _LEFT | _RIGHT for lines in range(256))  # what a line across makes of each cell
_ASCII = str.maketrans("│─┌└├┼►", "|-.'++>")
_WIDTH = 3  # characters to a column of arcs: corner, line, line or arrowhead
_LARGEST = 20_000_000  # characters that the arcs may take: a column more for each arc around others takes n lines

_Arc = tuple[int, int]

_TAKEN, _BRANCH = 1, 2  # a row of a column in which there is an arc, or the head of one


def draw(
    heads: Sequence[int | None],
    forms: Sequence[str],
    labels: Sequence[str | None] | None = None,
    *,
    ids: Sequence[str] | None = None,
    ascii: bool = False,  # noqa: A002  the everyday word for it
) -> str:
    """Draw a tree: ROOT on top, then one word to a line, each arc an arrow from the head to the dependent.

    A head of ``None`` is none. Labels, if given, are in a column of their own after the words. Before the words are
    their ids or, by default, their positions. In ``ascii``, ``.'-|+>`` stand in place of box characters.

    Raises:
        ValueError: a head is none of the words, or the arcs would take more than 20 million characters. The time is
            linear in how many they take.

    >>> print(draw([2, 0, 1], ["What", "matters", "most"]))
    ┌──────── 0 ROOT
    │  ┌──┌─► 1 What
    └──┼─►└── 2 matters
       └────► 3 most
    """
    wrong = [head for head in heads if head is not None and not 0 <= head <= len(heads)]
    if wrong:
        raise ValueError(f"heads has {quoted(wrong[0])}, and there are {counted(len(heads), 'word')}")
    lines = _arrows(len(heads) + 1, [(head, word) for word, head in enumerate(heads, 1) if head is not None])
    if ascii:
        lines = [line.translate(_ASCII) for line in lines]
    words = ["ROOT", *map(printable, forms)]
    numbers = ["0", *(ids or map(str, range(1, len(heads) + 1)))]
    digits = max(map(len, numbers))
    rows = [f"{line}{id_:>{digits}} {word}" for line, id_, word in zip(lines, numbers, words, strict=True)]
    if labels is not None:
        width = max(map(terminal_width, words))
        gaps = [" " * (width - terminal_width(word) + 2) for word in words]
        rows = [row + gap + printable(label or "") for row, gap, label in zip(rows, gaps, [None, *labels], strict=True)]
    return "\n".join(row.rstrip() for row in rows)


def _arrows(rows: int, arcs: Sequence[_Arc]) -> list[str]:
    """The arcs as lines of characters, one line a row."""
    levels = _levels(rows, arcs)
    width = _WIDTH * (1 + max(levels.values(), default=-1))
    corners: list[dict[int, _Arc]] = [{} for _ in range(rows)]  # of the arcs that end in a row, where they begin
    cells = bytearray(rows * width)
    for arc in arcs:
        start = width - _WIDTH * (1 + levels[arc])
        top, bottom = sorted(arc)
        corners[top][start] = corners[bottom][start] = arc
        cells[top * width + start] |= _DOWN
        cells[bottom * width + start] |= _UP
        cells[(top + 1) * width + start : bottom * width + start : width] = bytes([_UP | _DOWN]) * (bottom - top - 1)
    lines = []
    for row in range(rows):
        line = cells[row * width : (row + 1) * width]
        for corner, end in pairwise([*sorted(corners[row]), width]):
            line[corner] |= _RIGHT
            line[corner + 1 : end] = line[corner + 1 : end].translate(_ACROSS)
            if corners[row][corner][1] == row:
                line[end - 1] = _ARROWHEAD
        lines.append(line.decode("latin-1").translate(_CHARACTERS) + " " * bool(line))
    return lines


def _levels(rows: int, arcs: Sequence[_Arc]) -> dict[_Arc, int]:
    """For each arc the column it is drawn in, counted from the words outwards: an arc goes around what it spans."""
    levels: dict[_Arc, int] = {}
    arc_of = {arc[1]: arc for arc in arcs}
    taken: list[bytearray] = []  # the rows of each column in which there is an arc
    for arc in sorted(arcs, key=lambda arc: (abs(arc[0] - arc[1]), -min(arc))):
        top, bottom = sorted(arc)
        inside = (arc_of.get(word, arc) for word in range(top, bottom + 1))
        level = 1 + max((levels.get(other, -1) for other in inside if top <= other[0] <= bottom), default=-1)
        while level < len(taken) and not _fits(arc, taken[level]):
            level += 1
        if level == len(taken):
            if (level + 1) * _WIDTH * rows > _LARGEST:
                fault = f"a drawing of these {rows - 1} words has more than {_LARGEST:,} characters"
                raise TooLarge(f"{fault}: draw fewer")
            taken.append(bytearray(rows))
        levels[arc] = level
        taken[level][top : bottom + 1] = bytes([_TAKEN]) * (bottom + 1 - top)
        taken[level][arc[0]] = _BRANCH
    return levels


def _fits(arc: _Arc, taken: bytearray) -> bool:
    """Whether an arc meets no others in a column, but for one that leaves its head to the opposite side: a branch."""
    head, dependent = arc
    after_head = (head + 1, dependent + 1) if head < dependent else (dependent, head)
    return taken[head] != _TAKEN and taken.count(0, *after_head) == abs(head - dependent)
