"""Pages in a browser that a process on this machine answers, and nobody else can ask.

``base.css`` is their look, and ``base.js`` what their scripts share.
"""

from deptrees.local_page.page import Page
from deptrees.local_page.server import LocalPage, NotThere

__all__ = ["LocalPage", "NotThere", "Page"]
