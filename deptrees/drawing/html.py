"""HTML: pages that ask for nothing from outside, and what notebooks show."""

from __future__ import annotations

from collections.abc import Iterable

from deptrees.messages import quoted
from deptrees.printable import escaped

__all__ = ["page", "scrolling"]

_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>:root{{color-scheme:light dark}} body{{margin:1.5em;font-family:sans-serif}} section{{margin-bottom:2em}} \
h2{{font-size:1em}} @media print{{:root{{color-scheme:light}} section{{break-inside:avoid}}}}</style>
</head>
<body>
<main>
<h1>{title}</h1>
"""


def scrolling(element: str, name: str) -> str:
    """An HTML element in a frame that scrolls where it is too wide, with a name for those who do not see it.

    >>> scrolling("<b>wide</b>", "a <wide> word")
    '<div style="overflow-x:auto" tabindex="0" role="region" aria-label="a &lt;wide&gt; word"><b>wide</b></div>'
    """
    return f'<div style="overflow-x:auto" tabindex="0" role="region" aria-label="{escaped(name)}">{element}</div>'


def page(title: str, sections: Iterable[tuple[str, str]]) -> Iterable[str]:
    """The parts of a page, each made when it is asked for: its beginning, sections of a heading and HTML, and its end.

    >>> print("".join(page("Trees", [("1", "<b>Go</b>")])))  # doctest: +ELLIPSIS
    <!DOCTYPE html>
    ...
    <h1>Trees</h1>
    <section>
    <h2>1</h2>
    <div style="overflow-x:auto" tabindex="0" role="region" aria-label="1"><b>Go</b></div>
    </section>
    </main>
    </body>
    </html>
    """
    yield _PAGE.format(title=escaped(title))
    for section in sections:
        if not isinstance(section, tuple) or len(section) != 2:
            raise ValueError(f"each of sections is a heading and HTML, not {quoted(section)}")
        heading, element = section
        yield f"<section>\n<h2>{escaped(heading)}</h2>\n{scrolling(element, heading)}\n</section>\n"
    yield "</main>\n</body>\n</html>\n"
