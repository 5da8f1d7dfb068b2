"""The bibliography has the papers that are cited, and no others."""

import re
import runpy
from calendar import month_name
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import deptrees

ROOT = Path(__file__).parents[1]
WRITTEN: dict[str, Any] = runpy.run_path(str(ROOT / "docs" / "write_papers.py"))
PAGE = WRITTEN["PAGE"]
CITED = {paper.cited for paper in WRITTEN["PAPERS"]}

NAME = r"\b(?:de )?[A-Z]\w+(?:-[A-Z]\w+)*"
YEARS = r"(?:,? \(?(?:19|20)\d\d[ab]?\b)+"
CITATION = re.compile(rf"((?:{NAME}, )*{NAME} (?:& {NAME}|et al\.)|{NAME})({YEARS})")
NO_AUTHORS = {*month_name, "CoNLL"}
"""Words that a year follows, too."""


def texts() -> Iterator[str]:
    """Pages and code with years, without the lists of papers that are made of the bibliography."""
    folders = (ROOT / name for name in ("benchmarks", "docs", "examples", "proof", "tests"))
    files = chain.from_iterable(folder.rglob("*.*") for folder in (Path(deptrees.__file__).parent, *folders))
    for path in (*ROOT.glob("*.md"), *files):
        if path.suffix in {".md", ".py", ".pyx", ".pxi"} and not {path, path.parent} & {PAGE, PAGE.parent / "systems"}:
            text = re.sub(r"\s*\n[ #]*", " ", path.read_text(encoding="utf-8"))
            if re.search(YEARS, text):
                yield text


@cache
def citations() -> set[str]:
    """The papers that pages, docstrings and comments cite, such as "Goldberg & Nivre 2013"."""
    return {
        f"{names} {year}"
        for names, years in chain.from_iterable(map(CITATION.findall, texts()))
        if names not in NO_AUTHORS
        for year in re.findall(r"\d+[ab]?", years)
    }


def test_the_page_is_as_the_bibliography_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == WRITTEN["page"](), "run: python docs/write_papers.py"


def test_every_entry_has_been_read() -> None:
    entries = re.findall(r"^@(?!string)", WRITTEN["BIBLIOGRAPHY"], re.MULTILINE)
    fields = re.findall(r"^  \w", WRITTEN["BIBLIOGRAPHY"], re.MULTILINE)
    assert len(entries) == len(WRITTEN["PAPERS"]) == len(CITED)
    assert len(fields) == sum(len(paper.fields) for paper in WRITTEN["PAPERS"])


def test_papers_are_in_order() -> None:
    years = [int(paper.fields["year"]) for paper in WRITTEN["PAPERS"]]
    assert years == sorted(years)


def test_the_bibliography_has_every_paper_that_is_cited() -> None:
    assert citations() - CITED == set()


def test_every_paper_is_cited() -> None:
    keys = re.findall(r"@([\w-]+)", (ROOT / "paper.md").read_text(encoding="utf-8"))
    assert [p.cited for p in WRITTEN["PAPERS"] if p.cited not in citations() and p.key not in keys] == []


def test_the_citation_refers_to_papers_of_the_bibliography() -> None:
    titles = re.findall(r'^    title: "(.*)"$', (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert titles
    assert {*titles} <= {paper.fields["title"] for paper in WRITTEN["PAPERS"]}
