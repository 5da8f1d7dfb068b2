"""What is said of the library in more than one file is the same."""

import re
from pathlib import Path

import deptrees


def test_the_citation_has_the_version_of_the_library() -> None:
    citation = (Path(__file__).parents[1] / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.*)$", citation, re.MULTILINE) == [deptrees.__version__]
