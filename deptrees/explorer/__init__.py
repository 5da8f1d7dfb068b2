"""The explorer: derivations in a browser, one transition at a time. ``page/`` holds what the browser loads."""

from deptrees.explorer.questions import Question, Sentence
from deptrees.explorer.recording import recording
from deptrees.explorer.server import Explorer
from deptrees.explorer.walks import WalkError

__all__ = ["Explorer", "Question", "Sentence", "WalkError", "recording"]
