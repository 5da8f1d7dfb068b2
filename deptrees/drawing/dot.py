"""Arc diagrams as trees in the language of Graphviz."""

from __future__ import annotations

from deptrees.drawing.diagram import Arc, ArcDiagram, ArcKind
from deptrees.messages import of_type
from deptrees.printable import printable

__all__ = ["dot"]

_STYLES: dict[ArcKind, str] = {
    "new": "penwidth=2.5",
    "wrong": 'color="#c8500a", fontcolor="#c8500a", style=dashed',
    "missed": 'color="#1278cb", fontcolor="#1278cb", style=dotted, constraint=false',
    "matched": "penwidth=2.5",
    "enhanced": 'color="#1278cb", fontcolor="#1278cb", constraint=false',
}


def dot(*diagrams: ArcDiagram) -> str:
    r"""Diagrams as graphs for ``dot``: heads above their dependents, these in the order of the sentence.

    >>> print(dot(ArcDiagram(["Birds", "sing"], [Arc(2, 1, "nsubj"), Arc(0, 2)])))
    digraph {
      graph [ordering=out]; node [shape=plaintext, height=0.3]; edge [arrowsize=0.7, fontsize=11];
      0 [label="ROOT"];
      1 [label="Birds"];
      2 [label="sing"];
      2 -> 1 [label=" nsubj "];
      0 -> 2;
    }
    """
    return "\n".join(map(_graph, diagrams))


def _graph(diagram: ArcDiagram) -> str:
    of_type("diagrams", diagram, ArcDiagram, "one or more of tree.diagram()")
    words = ["ROOT", *diagram.words]
    drawn = range(0 if any(not arc.head for arc in diagram.arcs) else 1, len(words))
    style = "  graph [ordering=out]; node [shape=plaintext, height=0.3]; edge [arrowsize=0.7, fontsize=11];"
    nodes = [f"  {position} [label={_quoted(words[position])}];" for position in drawn]
    return "\n".join(["digraph {", style, *nodes, *map(_edge, diagram.arcs), "}"])


def _edge(arc: Arc) -> str:
    attributes = [f"label={_quoted(f' {arc.label} ')}"] if arc.label else []
    attributes += [_STYLES[arc.kind]] if arc.kind in _STYLES else []
    return f"  {arc.head} -> {arc.dependent}{' [' + ', '.join(attributes) + ']' if attributes else ''};"


def _quoted(text: str) -> str:
    return '"' + printable(text).replace("\\", "\\\\").replace('"', '\\"') + '"'
