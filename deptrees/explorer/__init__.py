"""The explorer: derivations in a browser, one transition at a time. ``page/`` holds what the browser loads."""

from deptrees.explorer.questions import GoldTree, Question
from deptrees.explorer.recording import recording
from deptrees.explorer.server import Explorer
from deptrees.explorer.walks import WalkError

__all__ = ["Explorer", "GoldTree", "Question", "WalkError", "recording"]
