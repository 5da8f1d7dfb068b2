"""What a browser loads: a page, its style and its script, without a build step."""

from __future__ import annotations

from importlib.resources import files

import attrs

__all__ = ["Page"]

_KINDS = {"html": "html", "css": "css", "js": "javascript"}
_SHARED = ("base.css", "base.js")
_PACKAGE = "deptrees.local_page"


@attrs.frozen
class Page:
    """The files of a page, and the style and the functions that all pages share.

    Args:
        package: the package that has them.
        names: their names.

    >>> page = Page("deptrees.explorer.page", ("index.html", "explorer.css", "explorer.js"))
    >>> page.content("index.html").startswith("<!doctype html>"), page.types["base.css"]
    (True, 'text/css; charset=utf-8')
    """

    package: str
    names: tuple[str, ...]

    @property
    def types(self) -> dict[str, str]:
        """The files, and what each is."""
        return {name: f"text/{_KINDS[name.rpartition('.')[2]]}; charset=utf-8" for name in (*self.names, *_SHARED)}

    def content(self, name: str) -> str:
        """The content of a file."""
        return files(_PACKAGE if name in _SHARED else self.package).joinpath(name).read_text("utf-8")
