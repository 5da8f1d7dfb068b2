"""Layouts in rows, for sentences that are too long for one: an arc between two rows goes on as a line of music does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, takewhile
from math import copysign

import attrs
from more_itertools import spy

from deptrees.drawing.diagram import ArcDiagram
from deptrees.drawing.layout import MARGIN, Box, Layout, PlacedArc, facing, left_to_right, moved

__all__ = ["rows"]

_FULL = 3 / 4  # how full a row must be to end where few arcs are cut


@attrs.frozen
class _Row:
    """Words from a position to another, between where arcs from the row before begin and those to the next end."""

    first: int
    last: int
    left: float
    right: float

    @property
    def width(self) -> float:
        return self.right - self.left

    def has(self, position: int) -> bool:
        return self.first <= position <= self.last

    def piece(self, placed: PlacedArc) -> tuple[float, float]:
        """The ends of what is in it of an arc."""
        start, end = (min(max(x, self.left), self.right) for x in (placed.start, placed.end))
        return start, end

    def length(self, placed: PlacedArc) -> float:
        start, end = self.piece(placed)
        return abs(end - start)


def rows(diagram: ArcDiagram, width: float) -> list[Layout]:
    """The places of all that is in a diagram, in rows of at most some width, unless a single word is wider.

    Rows end where few arcs are cut. The label of an arc stands in each row in which there is room for it.

    >>> from deptrees.drawing.diagram import Arc
    >>> arcs = [Arc(2, 1, "det"), Arc(3, 2, "nsubj"), Arc(0, 3, "root"), Arc(5, 4, "amod"), Arc(3, 5, "obj")]
    >>> diagram = ArcDiagram(["The", "cat", "likes", "cold", "milk"], arcs)
    >>> [[word.text for word in row.words] for row in rows(diagram, 240)]
    [['The', 'cat', 'likes'], ['cold', 'milk']]
    """
    layout = left_to_right(diagram)
    if layout.width <= width:
        return [facing(layout, diagram.direction)]
    found = list(_rows(diagram, layout, width - 2 * MARGIN))
    parts = [_layout_of(row, layout, found) for row in found]
    widest = max(part.width for part in parts)
    return [facing(attrs.evolve(part, width=widest), diagram.direction) for part in parts]


def _rows(diagram: ArcDiagram, layout: Layout, width: float) -> Iterator[_Row]:
    """The rows, each as long as it may be, or somewhat shorter if fewer arcs are cut so."""
    inside = {position for token in diagram.multiword_tokens for position in range(token.first, token.last)}
    cut, ends = _cut(diagram), _ends(layout)
    n, first, left = len(layout.words), 1, 0.0
    while first <= n:
        rows_from_here = (_Row(first, last, left, ends[last][0]) for last in range(first, n + 1) if last not in inside)
        shortest, candidates = spy(rows_from_here)
        fitting = [*takewhile(lambda row: row.width <= width, candidates)] or shortest
        full = [row for row in fitting if row.width >= _FULL * width] or fitting[-1:]
        row = fitting[-1] if fitting[-1].last == n else min(reversed(full), key=lambda row: cut[row.last])
        yield row
        first, left = row.last + 1, ends[row.last - 1][1]


def _ends(layout: Layout) -> list[tuple[float, float]]:
    """Where the first and the last arc end at each word, or else the word itself ends; and the end of the layout."""
    xs: dict[int, list[float]] = {}
    for placed in layout.arcs:
        for position, x in _places(placed):
            xs.setdefault(position, []).append(x)
    found = [xs.get(position, [box.left, box.right]) for position, box in enumerate(layout.words, 1)]
    return [*[(min(places), max(places)) for places in found], (layout.width, layout.width)]


def _cut(diagram: ArcDiagram) -> list[int]:
    """How many arcs are cut by the end of a row after each word."""
    change = [0] * (len(diagram.words) + 1)
    for arc in diagram.arcs:
        if arc.head:
            change[min(arc.head, arc.dependent)] += 1
            change[max(arc.head, arc.dependent)] -= 1
    return [*accumulate(change)]


def _places(placed: PlacedArc) -> tuple[tuple[int, float], tuple[int, float]]:
    """The words at the ends of an arc, and where these are; of an arc from ROOT twice the same."""
    arc = placed.arc
    return (arc.head or arc.dependent, placed.start), (arc.dependent, placed.end)


def _layout_of(row: _Row, layout: Layout, found: Sequence[_Row]) -> Layout:
    """What is in one of the rows that were found, as a layout of its own."""
    words = layout.words[row.first - 1 : row.last]
    step = min((abs(placed.crest - placed.base) for placed in layout.arcs), default=0.0)
    pieces = [*_lowered([_piece(placed, row, found) for placed in layout.arcs if _passes(placed, row)], step)]

    def beside(boxes: Sequence[Box]) -> tuple[Box, ...]:
        return tuple([box for box in boxes if words[0].left <= box.x <= words[-1].right])

    tags, tokens = beside(layout.tags), beside(layout.multiword_tokens)
    boxes = [*words, *tags, *tokens, *[placed.label for placed in pieces if placed.label]]
    xs = [x for placed in pieces for x in (placed.start, placed.end)]
    ys = [placed.crest for placed in pieces]
    left, right = min([*xs, *[box.left for box in boxes]]), max([*xs, *[box.right for box in boxes]])
    top, bottom = min([*ys, *[box.top for box in boxes]]), max([*ys, *[box.bottom for box in boxes]])
    width, height = right - left + 2 * MARGIN, bottom - top + 2 * MARGIN
    part = Layout(width, height, words, tags, tokens, tuple(pieces), row.first)
    return moved(part, MARGIN - left, 1, MARGIN - top)


def _passes(placed: PlacedArc, row: _Row) -> bool:
    (one, _), (other, _) = _places(placed)
    return min(one, other) <= row.last and row.first <= max(one, other)


def _piece(placed: PlacedArc, row: _Row, found: Sequence[_Row]) -> PlacedArc:
    """What is in a row of an arc: all of it, or what is between its ends and those of the row."""
    (head, _), (dependent, _) = _places(placed)
    if row.has(head) and row.has(dependent):
        return placed
    start, end = row.piece(placed)
    label = placed.label
    if label and (label.width <= row.length(placed) or row == max(found, key=lambda other: other.length(placed))):
        label = attrs.evolve(label, x=(start + end) / 2)
    else:
        label = None
    starts_here, ends_here = row.has(head), row.has(dependent)
    return attrs.evolve(placed, start=start, end=end, label=label, starts_here=starts_here, ends_here=ends_here)


def _lowered(arcs: Sequence[PlacedArc], step: float) -> Iterator[PlacedArc]:
    """The arcs of a row, without the heights at which this row has none, a step from one to the next."""
    found: dict[float, set[float]] = {}
    for placed in arcs:
        found.setdefault(placed.base, set()).add(abs(placed.crest - placed.base))
    heights = {base: sorted(of_base) for base, of_base in found.items()}
    for placed in arcs:
        height = placed.crest - placed.base
        number = 1 + heights[placed.base].index(abs(height))
        down = copysign(number * step, height) - height
        label = placed.label and attrs.evolve(placed.label, top=placed.label.top + down)
        yield attrs.evolve(placed, crest=placed.crest + down, label=label)
