"""What the browser loads: a page, its style and its script, without a build step."""

from __future__ import annotations

from importlib.resources import files

__all__ = ["TYPES", "content"]

TYPES = {
    "index.html": "text/html; charset=utf-8",
    "explorer.css": "text/css; charset=utf-8",
    "explorer.js": "text/javascript; charset=utf-8",
}
"""The files, and what each is."""


def content(name: str) -> str:
    """The content of a file.

    >>> content("index.html").startswith("<!doctype html>")
    True
    """
    return files(__name__).joinpath(name).read_text("utf-8")
