"""Drawings of trees, one format a file. They know positions, forms and labels, nothing of the rest of the library."""

from deptrees.drawing.text import draw

__all__ = ["draw"]
