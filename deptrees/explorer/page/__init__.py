"""What the browser loads: a page, its style and its script, without a build step."""

from __future__ import annotations

from importlib.resources import files

__all__ = ["TYPES", "content"]

_KINDS = {"index.html": "html", "explorer.css": "css", "explorer.js": "javascript"}
TYPES = {name: f"text/{kind}; charset=utf-8" for name, kind in _KINDS.items()}
"""The files, and what each is."""


def content(name: str) -> str:
    """The content of a file.

    >>> content("index.html").startswith("<!doctype html>")
    True
    """
    return files(__name__).joinpath(name).read_text("utf-8")
