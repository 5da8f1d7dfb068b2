"""Guides show what commands print: each is run, those of a page in one folder. Links of other pages lead somewhere."""

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


@pytest.mark.parametrize("page", ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"])
def test_links_of_pages_outside_the_site_lead_somewhere(page: str) -> None:
    """Those between pages of the site are checked where it is made: `tests.test_site`."""
    root = DOCS.parent
    for path, anchor in re.findall(r"\]\((?!https?:)([^)#]+)#?([^)]*)\)", (root / page).read_text(encoding="utf-8")):
        assert (root / path).exists(), path
        assert not anchor or anchor in anchors(root / path), (path, anchor)


def test_other_sites_that_the_readme_points_to_are_those_that_the_site_does() -> None:
    """`make links` visits those."""
    site = "".join(page.read_text(encoding="utf-8") for page in DOCS.glob("**/*.md"))
    addresses = re.findall(r"https?://[^\s)]+", (DOCS.parent / "README.md").read_text(encoding="utf-8"))
    assert addresses
    assert [address for address in addresses if address not in site] == []


def anchors(page: Path) -> list[str]:
    """Where links into a page can lead: to its headings."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings]
