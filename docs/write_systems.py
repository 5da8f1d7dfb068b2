"""Write the pages of docs/systems, one for each transition system, from the systems themselves.

Coverage of treebanks is taken from docs/measurements/systems.md and graphs.md, and papers from docs/papers.bib.

python docs/write_systems.py
"""

import re
import runpy
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from deptrees.transition import GRAPH_REGISTRY, REGISTRY, System, as_system, describe
from deptrees.transition.systems.registry import entry

DOCS = Path(__file__).parent
FOLDER = DOCS / "systems"
PAPERS = runpy.run_path(str(DOCS / "write_papers.py"))["PAPERS"]

SYSTEMS = [system.example for system in (*REGISTRY.values(), *GRAPH_REGISTRY.values())]
MEASURED = DOCS / "measurements"
"""Where the first table of a page has a row for each system, and columns for treebanks before those with speeds."""


def pages() -> dict[Path, str]:
    """The path and the text of each page."""
    texts = {FOLDER / f"{type(system).__name__}.md": _page(system) for system in SYSTEMS}
    links = [f"* [{type(system).__name__}]({type(system).__name__}.md): {_first_line(system)}" for system in SYSTEMS]
    return {FOLDER / "index.md": "\n".join(["# Transition systems", "", *links, ""]), **texts}


def _first_line(system: System) -> str:
    return (type(system).__doc__ or "").partition("\n")[0]


def _page(system: System) -> str:
    text = f"{describe(system)}{_teaching(system)}{_named(system)}"
    return f"{text}\n{_coverage(system)}\n\n## Papers\n\n" + "\n".join(_papers(text)) + "\n"


def _teaching(system: System) -> str:
    """Why training does not take the dynamic oracle, where it does not."""
    if system.learns_best_from == "dynamic":
        return ""
    return "\nParsers learn no better from the dynamic one, or far worse, [as measured](../measurements/training.md).\n"


def _named(system: System) -> str:
    """What the name and the class mean, where this is not the system with its default options."""
    kind = type(system)
    if not entry(kind.__name__).best:
        return ""
    return (
        f"\n## Its name\n\nWhere a system may be given by its class or its name, such as `{kind.__name__}` in place of "
        f"`{kind.__name__}()`, it means the variant that parses best, `{as_system(kind)!r}`.\n"
    )


def _coverage(system: System) -> str:
    """The rows of a system in the table of measurements."""
    page, built = ("graphs.md", "graphs") if system.builds_graphs else ("systems.md", "trees")
    treebanks, rows = _measured(page)
    found = [row for row in rows if row[0].startswith(f"`{type(system).__name__}(")]
    said = f"The share of {built} that the system can build, [in percent](../measurements/{page}):"
    header = ["system", *treebanks]
    table = "\n".join(f"| {' | '.join(row)} |" for row in [header, ["---"] * len(header), *found])
    return f"## Coverage of treebanks\n\n{said}\n\n{table}"


@cache
def _measured(page: str) -> tuple[list[str], list[list[str]]]:
    """The names of the treebanks, and for each system its name and its share of each."""
    header, _, *rows = (
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in re.findall(r"^\|.*(?:\n\|.*)*", (MEASURED / page).read_text(encoding="utf-8"), re.MULTILINE)[
            0
        ].splitlines()
    )
    end = next(number for number, name in enumerate(header) if name.endswith("/s"))
    return header[1:end], [row[:end] for row in rows]


def _papers(text: str) -> Iterator[str]:
    """The papers that a text names, such as "Goldberg & Nivre 2013"."""
    words = " ".join(text.split())
    return (paper.entry for paper in PAPERS if re.search(rf"(?<!& )\b{re.escape(paper.cited)}\b", words))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
