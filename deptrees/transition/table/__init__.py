"""The language in which stack-and-buffer systems are written, and its compiler."""

from deptrees.transition.table import language
from deptrees.transition.table.language import *  # noqa: F403  the words of the language, for those who write tables

__all__: list[str] = []
__all__ += language.__all__
