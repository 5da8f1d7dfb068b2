"""The annotator's desk: a treebank is annotated in a browser, with a parser's help. ``page/`` is what that loads."""

from deptrees.desk.server import Desk
from deptrees.desk.work import Work, work_on

__all__ = ["Desk", "Work", "work_on"]
