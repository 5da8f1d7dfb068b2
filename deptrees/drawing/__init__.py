"""Drawings of trees, one file for each format. They are made from positions, forms and labels alone."""

from deptrees.drawing.text import draw

__all__ = ["draw"]
