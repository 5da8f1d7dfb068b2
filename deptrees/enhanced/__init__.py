"""From trees to the enhanced dependencies of Universal Dependencies (Schuster & Manning 2016)."""

from deptrees.enhanced.enhancer import Enhancer

__all__ = ["Enhancer"]
