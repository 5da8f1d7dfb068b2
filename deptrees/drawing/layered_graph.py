"""Graphs whose nodes stand in layers, drawn from left to right as SVG."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from deptrees.drawing.layout import LABEL_SIZE, text_width
from deptrees.printable import escaped, isolated

__all__ = ["Edge", "Node", "layered_graph"]

_LINE, _PADDING = 16, 8  # the height of a line of text in a node, and the room around the text
_BESIDE, _BETWEEN = 14, 14  # before and after the label of an edge, and between two nodes of a layer

_STYLE = """\
.deptrees-graph{font-family:sans-serif;fill:currentColor}\
.deptrees-graph text{text-anchor:middle}\
.deptrees-graph path,.deptrees-graph rect{fill:none;stroke:currentColor}\
.deptrees-graph rect{pointer-events:all}\
.deptrees-graph .strong rect{stroke-width:2.6}"""


@attrs.frozen
class Node:
    """A box with lines of text, strong if it stands out, and with more attributes of its SVG element."""

    lines: tuple[str, ...]
    strong: bool = False
    attributes: tuple[tuple[str, str], ...] = ()

    @property
    def _width(self) -> float:
        return max(text_width(line, LABEL_SIZE) for line in self.lines) + 2 * _PADDING

    @property
    def _height(self) -> float:
        return len(self.lines) * _LINE + 2 * _PADDING


@attrs.frozen
class Edge:
    """A line with a label, from a node of a layer to one of the next layer; layers and their nodes count from 0."""

    layer: int
    start: int
    end: int
    label: str


@attrs.frozen
class _Placed:
    """A node with its left edge and its middle."""

    node: Node
    left: float
    y: float


def layered_graph(layers: Sequence[Sequence[Node]], edges: Sequence[Edge], title: str) -> str:
    """A graph as an SVG element: layers from left to right, the nodes of a layer one below the other.

    The title is for those who do not see it.

    >>> layers = [[Node(("a",))], [Node(("b",)), Node(("c",))]]
    >>> picture = layered_graph(layers, [Edge(0, 0, 0, "x"), Edge(0, 0, 1, "y")], "Two ways")
    >>> picture.count("<rect"), picture.count("<path")
    (3, 2)
    """
    height = max(sum(node._height for node in layer) + _BETWEEN * (len(layer) - 1) for layer in layers) + 2
    placed, left = [], 1.0
    for number, layer in enumerate(layers):
        placed.append(_column(layer, left, height))
        labels = [text_width(edge.label, LABEL_SIZE) for edge in edges if edge.layer == number]
        left += max(node._width for node in layer) + max(labels, default=0) + 2 * _BESIDE
    drawn = [_edge(edge, placed) for edge in edges] + [_node(node) for column in placed for node in column]
    width = max(node.left + node.node._width for node in placed[-1]) + 1
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    start = f'<svg xmlns="http://www.w3.org/2000/svg" class="deptrees-graph" role="group" aria-label="{escaped(title)}"'
    return "".join([f"{start} {size}>", f"<style>{_STYLE}</style>", *drawn, "</svg>"])


def _column(layer: Sequence[Node], left: float, height: float) -> list[_Placed]:
    """The nodes of a layer, in the middle of the height."""
    width = max(node._width for node in layer)
    top = (height - sum(node._height for node in layer) - _BETWEEN * (len(layer) - 1)) / 2
    placed = []
    for node in layer:
        placed.append(_Placed(node, left + (width - node._width) / 2, top + node._height / 2))
        top += node._height + _BETWEEN
    return placed


def _node(placed: _Placed) -> str:
    node = placed.node
    attributes = "".join(f' {name}="{escaped(value)}"' for name, value in node.attributes)
    middle, top = placed.left + node._width / 2, placed.y - node._height / 2
    box = f'<rect x="{placed.left:.1f}" y="{top:.1f}" width="{node._width:.1f}" height="{node._height:.1f}" rx="4"/>'
    lines = [
        f'<text x="{middle:.1f}" y="{top + _PADDING + _LINE * (index + 0.75):.1f}" font-size="{LABEL_SIZE}">'
        f"{isolated(line)}</text>"
        for index, line in enumerate(node.lines)
    ]
    return f'<g class="node{" strong" * node.strong}"{attributes}>{box}{"".join(lines)}</g>'


def _edge(edge: Edge, placed: Sequence[Sequence[_Placed]]) -> str:
    start, end = placed[edge.layer][edge.start], placed[edge.layer + 1][edge.end]
    left = start.left + start.node._width
    x, y = (left + end.left) / 2, (start.y + end.y) / 2
    line = f'<path d="M{left:.1f} {start.y:.1f}L{end.left:.1f} {end.y:.1f}"/>'
    return f'{line}<text x="{x:.1f}" y="{y - 4:.1f}" font-size="{LABEL_SIZE}">{escaped(edge.label)}</text>'
