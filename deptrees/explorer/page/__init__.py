"""What the browser loads."""

from deptrees.local_page import Page

__all__ = ["PAGE"]

PAGE = Page(__name__, ("index.html", "explorer.css", "explorer.js"))
"""The files of the page."""
