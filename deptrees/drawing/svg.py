"""Arc diagrams as SVG: arcs above the words, in pictures that ask for nothing from outside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deptrees.drawing.diagram import MEANINGS, ArcDiagram, ArcKind
from deptrees.drawing.layout import LABEL_SIZE, TAG_SIZE, WORD_SIZE, Box, Layout, PlacedArc, laid_out, text_width
from deptrees.drawing.rows import rows
from deptrees.messages import of_type
from deptrees.printable import escaped, isolated

__all__ = ["svg"]

_CORNER = 6  # the radius of an arc's corners
_BETWEEN = 16  # between two diagrams
_LEGEND_LINE, _LEGEND_TEXT = 20, 46  # the height of a line of the legend, and where its text begins

# Each color can be read on white and on black; where the browser knows that the page is dark, it takes the second one.
# Blue and vermilion are told apart by nearly everybody (Okabe & Ito 2008), and in grey by their dashes.
_STYLE = """\
.deptrees-arcs{font-family:sans-serif;fill:currentColor}\
.deptrees-arcs text{text-anchor:middle}\
.deptrees-arcs path{fill:none;stroke:currentColor;stroke-width:1.2}\
.deptrees-arcs .arrowhead{fill:currentColor;stroke:none}\
.deptrees-arcs .new path,.deptrees-arcs .matched path{stroke-width:2.6}\
.deptrees-arcs .new text,.deptrees-arcs .matched text,.deptrees-arcs .marked{font-weight:bold}\
.deptrees-arcs .wrong{color:#c8500a;color:light-dark(#b84600,#ff9a55);fill:currentColor}\
.deptrees-arcs .wrong path{stroke-width:1.8;stroke-dasharray:7 3}\
.deptrees-arcs .missed,.deptrees-arcs .enhanced{color:#1278cb;color:light-dark(#0f6cb8,#6cb6ff);fill:currentColor}\
.deptrees-arcs .missed path{stroke-width:1.8;stroke-dasharray:2 2}\
.deptrees-arcs .legend text{text-anchor:start}\
svg.deptrees-arcs:root{color-scheme:light dark;color:CanvasText;background:Canvas}"""


def svg(*diagrams: ArcDiagram, width: float | None = None) -> str:
    """Diagrams, one below the other, as an SVG element that is also an SVG document.

    It takes the color of the text around it. Words have the class ``word`` and their position in ``data-position``,
    arcs have the class ``arc`` and their ends in ``data-head`` and ``data-dependent``. If a width is given, diagrams
    that are wider are drawn in rows; arcs between these go on from one to the next.

    >>> from deptrees.drawing.diagram import Arc
    >>> picture = svg(ArcDiagram(["Birds", "sing"], [Arc(2, 1, "nsubj"), Arc(0, 2, "root")]))
    >>> picture.count('<g class="arc plain"'), picture.count('class="word"')
    (2, 2)
    """
    parts: list[str] = []
    widest = height = 1.0
    for diagram in diagrams:
        of_type("diagrams", diagram, ArcDiagram, "one or more of tree.diagram()")
        for layout in [laid_out(diagram)] if width is None else rows(diagram, width):
            height += _BETWEEN * bool(parts)
            parts.append(f'<g transform="translate(0 {height:.1f})">{"".join(_picture(diagram, layout))}</g>')
            widest, height = max(widest, layout.width), height + layout.height
    for kind in [kind for kind in MEANINGS if any(arc.kind == kind for diagram in diagrams for arc in diagram.arcs)]:
        parts.append(_legend(kind, height + _LEGEND_LINE / 2))
        widest = max(widest, _LEGEND_TEXT + text_width(MEANINGS[kind], LABEL_SIZE))
        height += _LEGEND_LINE
    title = escaped(" / ".join(" ".join(diagram.words) for diagram in diagrams))
    size = f'width="{widest:.0f}" height="{height:.0f}" viewBox="0 0 {widest:.0f} {height:.0f}"'
    start = f'<svg xmlns="http://www.w3.org/2000/svg" class="deptrees-arcs" role="img" aria-label="{title}" {size}>'
    return "".join([start, f"<style>{_STYLE}</style>", *parts, "</svg>"])


def _picture(diagram: ArcDiagram, layout: Layout) -> Iterator[str]:
    labels = [placed.label for placed in layout.arcs if placed.label]
    for placed in layout.arcs:
        yield _arc(placed, diagram, labels)
    direction = f' direction="{diagram.direction}"'
    for position, box in enumerate(layout.words, layout.first):
        kind = "word marked" if position in diagram.marked else "word"
        yield _text(box, WORD_SIZE, f'{direction} class="{kind}" data-position="{position}"')
    for box in layout.tags:
        yield _text(box, TAG_SIZE, ' class="tag"')
    for box in layout.multiword_tokens:
        bracket = f'<path d="M{box.left:.1f} {box.top - 4:.1f}v3H{box.right:.1f}v-3"/>'
        yield f'<g class="token">{bracket}{_text(box, TAG_SIZE, direction)}</g>'


def _text(box: Box, size: int, attributes: str = "") -> str:
    place = f'x="{box.x:.1f}" y="{box.top + 0.9 * size:.1f}" font-size="{size}"'
    return f"<text {place}{attributes}>{escaped(box.text)}</text>"


def _arc(placed: PlacedArc, diagram: ArcDiagram, labels: Sequence[Box]) -> str:
    arc = placed.arc
    words = ["ROOT", *diagram.words]
    told = [f"{words[arc.head]} → {words[arc.dependent]}", arc.label, MEANINGS.get(arc.kind)]
    title = isolated(", ".join(part for part in told if part))
    tip = f"M{placed.end:.1f} {placed.base:.1f}l-3.5 {-8 if placed.crest < placed.base else 8}h7z"
    arrowhead = f'<path class="arrowhead" d="{tip}"/>' if placed.ends_here else ""
    label = _text(placed.label, LABEL_SIZE) if placed.label else ""
    start = f'<g class="arc {arc.kind}" data-head="{arc.head}" data-dependent="{arc.dependent}"><title>{title}</title>'
    return f'{start}<path d="{_line(placed, labels)}"/>{arrowhead}{label}</g>'


def _line(placed: PlacedArc, labels: Sequence[Box]) -> str:
    """The line of an arc, with gaps where the labels of other arcs stand."""
    start, end, crest = placed.start, placed.end, placed.crest
    corner = min(_CORNER, abs(end - start) / 2)
    turn = crest + corner if crest < placed.base else crest - corner
    top, bottom = sorted((turn, placed.base))
    ends = {x for x, is_here in ((start, placed.starts_here), (end, placed.ends_here)) if is_here}
    uprights = "".join([_upright(x, top, bottom, labels) for x in sorted(ends)])
    if start == end:
        return uprights
    inwards = corner if start < end else -corner
    bend = f"M{start:.1f} {turn:.1f}Q{start:.1f} {crest:.1f} {start + inwards:.1f} {crest:.1f}"
    line_to_bend = f"H{end - inwards:.1f}Q{end:.1f} {crest:.1f} {end:.1f} {turn:.1f}"
    from_head = bend if placed.starts_here else f"M{start:.1f} {crest:.1f}"
    return uprights + from_head + (line_to_bend if placed.ends_here else f"H{end:.1f}")


def _upright(x: float, top: float, bottom: float, labels: Sequence[Box]) -> str:
    crossed = sorted((box.top, box.bottom) for box in labels if box.left < x < box.right and top < box.top < bottom)
    stops = [top, *[stop for gap in crossed for stop in gap], bottom]
    return "".join(f"M{x:.1f} {one:.1f}V{other:.1f}" for one, other in zip(stops[::2], stops[1::2], strict=True))


def _legend(kind: ArcKind, y: float) -> str:
    text = f'<text x="{_LEGEND_TEXT}" y="{y + LABEL_SIZE / 3:.1f}" font-size="{LABEL_SIZE}">{MEANINGS[kind]}</text>'
    return f'<g class="legend {kind}"><path d="M10 {y:.1f}h28"/>{text}</g>'
