"""Drawings of trees, one file for each format, and tables. They are made from plain data alone."""

from deptrees.drawing.diagram import Arc, ArcDiagram, MultiwordToken
from deptrees.drawing.displacy import displacy
from deptrees.drawing.dot import dot
from deptrees.drawing.html import page
from deptrees.drawing.latex import latex
from deptrees.drawing.svg import svg
from deptrees.drawing.table import DrawnCell, DrawnColumn, DrawnTable
from deptrees.drawing.text import draw

__all__ = [
    "Arc",
    "ArcDiagram",
    "DrawnCell",
    "DrawnColumn",
    "DrawnTable",
    "MultiwordToken",
    "displacy",
    "dot",
    "draw",
    "latex",
    "page",
    "svg",
]
