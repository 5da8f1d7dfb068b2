"""Where the words, arcs and labels of an arc diagram stand, in pixels."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from operator import attrgetter

import attrs
from more_itertools import partition

from deptrees.drawing.diagram import BELOW, Arc, ArcDiagram
from deptrees.printable import printable

__all__ = [
    "LABEL_SIZE",
    "MARGIN",
    "TAG_SIZE",
    "WORD_SIZE",
    "Box",
    "Layout",
    "PlacedArc",
    "facing",
    "laid_out",
    "left_to_right",
    "moved",
    "text_width",
]

WORD_SIZE, TAG_SIZE, LABEL_SIZE = 16, 11, 12  # of the fonts
MARGIN = 10  # around a layout
_GAP = 14  # between two words, at least
_PORT = 9  # between the ends of two arcs at the same word
_LEVEL = 13  # from the height of an arc to the next, without the labels
_BEFORE_WORDS = 5  # between the ends of arcs and the words
_BESIDE_LABEL = 7  # between a label and the ends of its arc, and between the labels of two arcs from ROOT
_ABOVE_ARC = 3  # between an arc and its label
_LINE = 1.3  # the height of a line of text, by the size of its font


@attrs.frozen
class Box:
    """A text and the place that it takes: its middle, its upper edge, its estimated width, and its height."""

    text: str
    x: float
    top: float
    width: float
    height: float

    @property
    def left(self) -> float:
        """Its left edge."""
        return self.x - self.width / 2

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.x + self.width / 2

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.top + self.height


@attrs.frozen
class PlacedArc:
    """An arc and its place.

    Args:
        start: where it leaves the head, from left to right; that of an arc from ROOT is its end.
        end: where it meets the dependent.
        base: the height of both.
        crest: its own height.
        label: its label, ``None`` if it has none.
        starts_here: whether it leaves the head at ``start``, or comes from another row there.
        ends_here: whether it meets the dependent at ``end``, or goes on in another row there.
    """

    arc: Arc
    start: float
    end: float
    base: float
    crest: float
    label: Box | None
    starts_here: bool = True
    ends_here: bool = True


@attrs.frozen
class Layout:
    """The size of a diagram and where everything in it is, from the word at the first position on.

    There is no box for a word without a tag. A multiword token is as wide as its words.
    """

    width: float
    height: float
    words: tuple[Box, ...]
    tags: tuple[Box, ...]
    multiword_tokens: tuple[Box, ...]
    arcs: tuple[PlacedArc, ...]
    first: int = 1


def text_width(text: str, size: float) -> float:
    """About how wide a text is in a sans-serif font of some size, rather too much than too little.

    >>> text_width("www", 10) > text_width("iii", 10), text_width("狗", 10)
    (True, 10.0)
    """
    return size * sum(map(_ems, text))


@lru_cache(maxsize=4096)
def _ems(character: str) -> float:
    from wcwidth import wcwidth  # imported here because only few drawings need it

    cells = wcwidth(character)
    if unicodedata.category(character) == "Mc":  # a vowel sign that takes room of its own
        return 0.5
    if cells != 1:
        return max(cells, 0) / 2
    if character in "fijlrtI.,:;!|'()[]/ ":
        return 0.42
    if character in "mwMW@%—…" or character > "\u2190":
        return 1.0
    return 0.78 if character.isupper() else 0.64


_End = tuple[Arc, int]  # an arc, and the word at one of its ends
_Ports = dict[_End, float]  # how far from the middle of its word each end is


def laid_out(diagram: ArcDiagram) -> Layout:
    """The places of all that is in a diagram: arcs cross only where they do in the tree, and no label meets another.

    Words stand so far apart that each label fits between the ends of its arc, and arcs are higher than those they
    overlap.

    >>> layout = laid_out(ArcDiagram(["Birds", "sing"], [Arc(2, 1, "nsubj"), Arc(0, 2, "root")]))
    >>> [(placed.start > placed.end, placed.label.text) for placed in layout.arcs]
    [(True, 'nsubj'), (False, 'root')]
    """
    return facing(left_to_right(diagram), diagram.direction)


def left_to_right(diagram: ArcDiagram) -> Layout:
    """The places of all that is in a diagram, as if its text ran from left to right."""
    above, below = map(list, partition(lambda arc: arc.kind in BELOW, diagram.arcs))
    ports = {**_ports(above), **_ports(below)}
    xs = _middles(diagram, (above, below), ports)
    room = LABEL_SIZE + _ABOVE_ARC if any(arc.label for arc in diagram.arcs) else 0
    level = _LEVEL + room
    levels = [{arc: level * number for arc, number in _levels(arcs).items()} for arcs in (above, below)]
    rise, fall = (max(found.values(), default=0) + room * bool(found) for found in levels)
    base = MARGIN + rise + _BEFORE_WORDS
    words, tags, tokens = _texts(diagram, xs, base)
    bottom = max((box.bottom for box in (*words, *tags, *tokens)), default=base) + _BEFORE_WORDS
    arcs = [*_placed(levels[0], xs, ports, base - _BEFORE_WORDS, -1), *_placed(levels[1], xs, ports, bottom, 1)]
    boxes = [*words, *tags, *tokens, *[placed.label for placed in arcs if placed.label]]
    left, right = min((box.left for box in boxes), default=0), max((box.right for box in boxes), default=0)
    layout = Layout(right - left + 2 * MARGIN, bottom + fall + MARGIN, words, tags, tokens, tuple(arcs))
    return moved(layout, MARGIN - left, 1)


def facing(layout: Layout, direction: str) -> Layout:
    """A layout of a text from left to right, or the mirror image of it."""
    return moved(layout, layout.width, -1) if direction == "rtl" else layout


def _ports(arcs: Sequence[Arc]) -> _Ports:
    """Where arcs on one side of the words end, so that they do not cross: to the left first, short before long."""
    ends: dict[int, list[tuple[bool, float, int, Arc]]] = {}
    for number, arc in enumerate(arcs):
        for word, other in ((arc.head, arc.dependent), (arc.dependent, arc.head)):
            if word:
                distance = other - word if other else float("-inf")
                inwards = -number if distance > 0 else number  # of several between two words the first is the innermost
                ends.setdefault(word, []).append((distance > 0, -distance, inwards, arc))
    return {
        (arc, word): _PORT * (index - (len(found) - 1) / 2)
        for word, found in ends.items()
        for index, (*_, arc) in enumerate(sorted(found, key=lambda end: end[:3]))
    }


def _middles(diagram: ArcDiagram, sides: Sequence[Sequence[Arc]], ports: _Ports) -> list[float]:
    """The middle of each word, from left to right: as near to those before it as what stands between permits."""
    widths = _widths(diagram, ports)
    distances: list[list[tuple[int, float]]] = [[] for _ in widths]  # from each word to some before it, at least
    for word, (one, other) in enumerate(pairwise(widths), 1):
        distances[word].append((word - 1, (one + other) / 2 + _GAP))
    for token in diagram.multiword_tokens:
        first, last = token.first - 1, token.last - 1
        width = text_width(printable(token.form), TAG_SIZE)
        distances[last].append((first, width - (widths[first] + widths[last]) / 2))
    for arcs in sides:
        for one_end, other_end, width in _between_ends(arcs):
            width += ports[one_end] - ports[other_end]
            distances[other_end[1] - 1].append((one_end[1] - 1, width))
    xs: list[float] = []
    for found in distances:
        xs.append(max((xs[other] + distance for other, distance in found), default=0.0))
    return xs


def _widths(diagram: ArcDiagram, ports: _Ports) -> list[float]:
    """How much room each word needs, with its tag and the ends of its arcs."""
    widths = [text_width(printable(word), WORD_SIZE) for word in diagram.words]
    for index, tag in enumerate(diagram.tags or ()):
        widths[index] = max(widths[index], text_width(printable(tag or ""), TAG_SIZE))
    for (_, word), offset in ports.items():
        widths[word - 1] = max(widths[word - 1], 2 * abs(offset))
    return widths


def _between_ends(arcs: Sequence[Arc]) -> Iterator[tuple[_End, _End, float]]:
    """How far from each other two ends of arcs must be, so that there is room for labels."""
    for arc in arcs:
        if arc.head:
            first, last = sorted((arc.head, arc.dependent))
            yield (arc, first), (arc, last), _label_width(arc) + 2 * _BESIDE_LABEL
    roots = sorted((arc for arc in arcs if not arc.head), key=attrgetter("dependent"))
    for one, other in pairwise(roots):
        if one.dependent == other.dependent:
            continue  # they stand at different heights
        width = (_label_width(one) + _label_width(other)) / 2 + _BESIDE_LABEL
        yield (one, one.dependent), (other, other.dependent), width


def _label_width(arc: Arc) -> float:
    return text_width(printable(arc.label), LABEL_SIZE) if arc.label else 0.0


def _levels(arcs: Sequence[Arc]) -> dict[Arc, int]:
    """How high each arc stands, counted from 1: higher than shorter ones that it overlaps; those from ROOT on top.

    Of several from ROOT to the same word, each is higher than the one before.
    """
    highest = [0] * max((max(arc.head, arc.dependent) for arc in arcs), default=0)  # after each word
    levels: dict[Arc, int] = {}
    for arc in sorted(arcs, key=lambda arc: abs(arc.head - arc.dependent)):
        if arc.head:
            first, last = sorted((arc.head, arc.dependent))
            levels[arc] = 1 + max(highest[first:last])
            highest[first:last] = [levels[arc]] * (last - first)
    top = 1 + max(highest, default=0)
    from_root = Counter[int]()
    for arc in arcs:
        if not arc.head:
            levels[arc] = top + from_root[arc.dependent]
            from_root[arc.dependent] += 1
    return {arc: levels[arc] for arc in arcs}


def _texts(diagram: ArcDiagram, xs: Sequence[float], top: float) -> tuple[tuple[Box, ...], ...]:
    """The words, the tags and the multiword tokens, in lines below each other."""
    words = tuple([_box(word, x, top, WORD_SIZE) for word, x in zip(diagram.words, xs, strict=True)])
    top += _LINE * WORD_SIZE
    tagged = zip(diagram.tags or (), words, strict=False)
    tags = tuple([_box(tag, word.x, top, TAG_SIZE) for tag, word in tagged if tag])
    top += _LINE * TAG_SIZE * bool(tags) + 4
    tokens = []
    for token in diagram.multiword_tokens:
        first, last = words[token.first - 1], words[token.last - 1]
        box = _box(token.form, (first.left + last.right) / 2, top, TAG_SIZE)
        tokens.append(attrs.evolve(box, width=last.right - first.left))
    return words, tags, tuple(tokens)


def _box(text: str, x: float, top: float, size: int) -> Box:
    return Box(printable(text), x, top, text_width(printable(text), size), _LINE * size)


def _placed(
    heights: dict[Arc, int], xs: Sequence[float], ports: _Ports, base: float, direction: int
) -> Iterator[PlacedArc]:
    """The arcs on one side of the words: above them in direction -1, below them in direction 1."""
    words = {arc: (arc.head or arc.dependent, arc.dependent) for arc in heights}
    ends = {arc: [xs[word - 1] + ports[arc, word] for word in found] for arc, found in words.items()}
    lines = [(x, heights[arc]) for arc, found in ends.items() for x in found]  # from the words up to the arcs
    for arc, (start, end) in ends.items():
        crest = base + direction * heights[arc]
        label = None
        if arc.label:
            x = _label_middle(arc, start, end, [x for x, height in lines if height > heights[arc]])
            top = crest - LABEL_SIZE - _ABOVE_ARC if direction < 0 else crest + _ABOVE_ARC
            label = attrs.evolve(_box(arc.label, x, top, LABEL_SIZE), height=LABEL_SIZE)
        yield PlacedArc(arc, start, end, base, crest, label)


def _label_middle(arc: Arc, start: float, end: float, lines: Sequence[float]) -> float:
    """Where a label stands: between the ends of its arc, where there is most room between the lines that cross this."""
    left, right = sorted((start, end))
    stops = [left, *sorted(x for x in lines if left < x < right), right]
    one, other = max(pairwise(stops), key=lambda gap: gap[1] - gap[0])
    beside = _label_width(arc) / 2 + _BESIDE_LABEL
    return min(max((one + other) / 2, left + beside), right - beside) if left < right else left


def moved(layout: Layout, origin: float, factor: int, down: float = 0.0) -> Layout:
    """The layout with every x as many times as that to the right of an origin, and so much further down."""

    def box_of(box: Box) -> Box:
        return attrs.evolve(box, x=origin + factor * box.x, top=box.top + down)

    def arc_of(placed: PlacedArc) -> PlacedArc:
        start, end = (origin + factor * x for x in (placed.start, placed.end))
        base, crest, label = placed.base + down, placed.crest + down, placed.label and box_of(placed.label)
        return attrs.evolve(placed, start=start, end=end, base=base, crest=crest, label=label)

    words, tags, tokens = (tuple(map(box_of, boxes)) for boxes in (layout.words, layout.tags, layout.multiword_tokens))
    arcs = tuple(map(arc_of, layout.arcs))
    return attrs.evolve(layout, words=words, tags=tags, multiword_tokens=tokens, arcs=arcs)
