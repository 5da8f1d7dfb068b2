"""How Sphinx makes a site of the pages of this folder, and a reference of the docstrings: `make docs`.

The parts of the contents and their order are those of index.md, and the names in the reference are those that packages
export, so that nothing is listed twice. What is written for Sphinx goes into `reference/`, which is not part of the
repository.
"""

from __future__ import annotations

import inspect
import re
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

import deptrees
from deptrees.transition.oracles import NamedOracle

project = "deptrees"
author = "The deptrees developers"
copyright = f"2026, {author}"  # noqa: A001 -- the name that Sphinx reads
version = release = deptrees.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "index"
html_theme = "furo"
html_title = "deptrees"
html_static_path = html_css_files = ["site.css"]
html_extra_path = ["recordings", "reference/recordings"]
myst_heading_anchors = 3
default_role = "code"
smartquotes = False  # options begin with two hyphens, and arguments stand in straight quotes
autodoc_typehints = "none"  # docstrings tell the types, in words

FOLDER = Path(__file__).parent
public = runpy.run_path(str(FOLDER / "write_names.py"))["public"]


def add_contents(app: Sphinx, name: str, source: list[str]) -> None:
    """The table of contents beside all pages, which belongs to the first one."""
    if name == root_doc:
        source[0] += "\n" + "\n".join(contents(source[0]))


def contents(index: str) -> Iterator[str]:
    """The parts of the table of contents, of which the first page lists those that are no folders."""
    folders = {
        "systems": "Transition systems",
        "oracles": "Oracles",
        "commands": "Commands",
        "integrations": "Other libraries",
        "measurements": "Measurements",
    }
    for section in index.split("\n## ")[1:]:
        caption = section.partition("\n")[0]
        for part in section.split("\n### "):
            title = part.partition("\n")[0]
            if listed := re.findall(r"^\* \[.*?\]\(([^/]*?)\.md\)", part, re.MULTILINE):
                yield tree(caption if title == caption else f"{caption}: {title.lower()}", listed)
    for folder, caption in folders.items():
        pages = sorted({path.stem for path in (FOLDER / folder).glob("*.md")} - {"index"})
        yield tree(caption, [f"{folder}/{page}" for page in ("index", *pages)])
    yield tree("Reference", [f"reference/{package}" for package, _ in public()])


def tree(caption: str, pages: list[str]) -> str:
    """A part of the table of contents."""
    return "\n".join(["```{toctree}", ":hidden:", f":caption: {caption}", "", *pages, "```", ""])


def write_reference() -> None:
    """A page for each package, which autodoc fills in."""
    pages = list(public())
    classes = {value: f"{page}.{name}" for page, names in pages for name, value in names if inspect.isclass(value)}
    for package, names in pages:
        described = [f".. automodule:: {package}", *(directive(package, name, value, classes) for name, value in names)]
        write(package, package, "\n\n".join(described))


def directive(package: str, name: str, value: Any, classes: dict[type, str]) -> str:
    """What describes a public name."""
    if inspect.isclass(value):
        lines = [f".. autoclass:: {package}.{name}", ":members:", "", *inherited(value, classes)]
        return "\n   ".join(lines)
    if inspect.isroutine(value) or isinstance(value, NamedOracle):
        return f".. autofunction:: {package}.{name}"
    return f".. autodata:: {defining_module(name, value)}.{name}\n   :no-value:"


def inherited(described: type, classes: dict[type, str]) -> Iterator[str]:
    """What a class inherits: where it is described; or its description, if the class that has it is not public."""
    links = []
    for name in sorted({name for base in described.__mro__[1:] for name in vars(base)} - {*vars(described)}):
        bases = [base for base in described.__mro__ if name in vars(base)]
        member = vars(bases[0])[name]
        if name.startswith("_") or not bases[0].__module__.startswith("deptrees") or not inspect.getdoc(member):
            continue
        if public := [classes[base] for base in bases if base in classes]:
            links.append(f":py:obj:`{name} <{public[0]}.{name}>`")
        elif isinstance(member, property):
            yield f".. autoproperty:: {name}\n"
        elif inspect.isroutine(member) or isinstance(member, (classmethod, staticmethod)):
            yield f".. automethod:: {name}\n"
    if links:
        yield f"Inherited: {', '.join(links)}."


def defining_module(name: str, value: Any) -> str:
    """The module that has the docstring of a constant: the deepest one that exports it."""
    modules = [key for key, module in sys.modules.items() if key.startswith("deptrees.")]
    exporting = [key for key in modules if name in getattr(sys.modules[key], "__all__", ())]
    return max((key for key in exporting if getattr(sys.modules[key], name) is value), key=lambda key: key.count("."))


def write(name: str, title: str, text: str) -> None:
    """A page for Sphinx."""
    (FOLDER / "reference").mkdir(exist_ok=True)
    page = f"{title}\n{'=' * len(title)}\n\n{text}\n"
    (FOLDER / "reference" / f"{name}.rst").write_text(page, encoding="utf-8")


def write_recordings() -> None:
    """A derivation of each system that steps."""
    folder = FOLDER / "reference" / "recordings"
    folder.mkdir(exist_ok=True)
    for name, page in runpy.run_path(str(FOLDER / "write_recordings.py"))["of_systems"]().items():
        (folder / f"{name}.html").write_text(page, encoding="utf-8")


def show_recording(app: Sphinx, name: str, source: list[str]) -> None:
    """The page of a system with the derivation that steps, if there is one: the explorer's page shows trees."""
    folder, _, system = name.partition("/")
    if folder == "systems" and (FOLDER / "reference" / "recordings" / f"{system}.html").exists():
        frame = f'<iframe src="../{system}.html" title="A derivation" width="100%" height="700"></iframe>'
        source[0] += f"\n## Step by step\n\n[On a page of its own](../reference/recordings/{system}.html)\n\n{frame}\n"


def open_recordings(app: Sphinx, page: nodes.document) -> None:
    """A link to a page of its own opens it; Sphinx would have it downloaded."""
    for link in list(page.findall(addnodes.download_reference)):
        if link["reftarget"].endswith(".html"):
            address = "../" * app.env.docname.count("/") + Path(link["reftarget"]).name
            link.replace_self(nodes.reference("", "", *link.children, refuri=address))


def setup(app: Sphinx) -> None:
    """What Sphinx calls before it reads pages."""
    write_reference()
    write_recordings()
    app.connect("source-read", add_contents)
    app.connect("source-read", show_recording)
    app.connect("doctree-read", open_recordings, priority=0)
