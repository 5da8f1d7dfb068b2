"""Guides show what commands print: each is run, one page's after the other in one folder, and prints just that."""

import re
import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
RUN: Callable[[str, str], str] = runpy.run_path(str(DOCS / "write_commands.py"))["run"]


def shown(page: Path) -> list[tuple[str, str]]:
    """The commands of a page, and what it says that each prints."""
    blocks = re.findall(r"^```text\n(\$ .*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    parts = [part.partition("\n") for block in blocks for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    return [(line, printed) for line, _, printed in parts]


GUIDES = {page.name: commands for page in sorted(DOCS.glob("*.md")) if (commands := shown(page))}


def test_there_are_guides() -> None:
    assert "tutorial.md" in GUIDES


@pytest.mark.processes
@pytest.mark.parametrize("page", GUIDES)
def test_guides_show_what_commands_print(page: str, tmp_path: Path) -> None:
    assert [(line, RUN(line, str(tmp_path))) for line, _ in GUIDES[page]] == GUIDES[page]
