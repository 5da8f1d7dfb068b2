"""What is said of the library in more than one file is the same."""

import re
from pathlib import Path

import deptrees


def test_the_citation_has_the_version_of_the_library() -> None:
    citation = (Path(__file__).parents[1] / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.*)$", citation, re.MULTILINE) == [deptrees.__version__]


def test_the_page_of_papers_has_the_citation_for_bibliographies() -> None:
    page = (Path(__file__).parents[1] / "docs" / "papers.md").read_text(encoding="utf-8")
    [entry] = re.findall(r"^@misc\{deptrees,\n((?:  \w+ = \{.*\},\n)+)\}$", page, re.MULTILINE)
    fields = dict(re.findall(r"(\w+) = \{(.*)\},\n", entry))
    assert fields["author"] == "{The deptrees developers}"  # in braces, or the last word would be a surname
    assert fields["note"] == f"Version {deptrees.__version__}"
    assert fields["title"].startswith("deptrees: ")
