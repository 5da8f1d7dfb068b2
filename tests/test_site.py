"""The site of the documentation is built without a warning, and has every page and every public name."""

import re
import shutil
import subprocess
from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest

import deptrees
from deptrees.transition import REGISTRY

pytestmark = pytest.mark.integration
DOCS = Path(__file__).parents[1] / "docs"


def test_every_page_is_there(site: Path) -> None:
    pages = [path.relative_to(DOCS).with_suffix(".html") for path in DOCS.glob("**/*.md")]
    assert [str(page) for page in pages if not (site / page).exists()] == []


def test_pages_of_systems_have_a_derivation_that_steps(site: Path) -> None:
    for registered in REGISTRY.values():
        page = site / "systems" / f"{registered.kind.__name__}.html"
        text = page.read_text(encoding="utf-8")
        assert text.count(f'src="../{page.name}"') == text.count(f'href="../{page.name}"') == 1
        assert "</script>" in (site / page.name).read_text(encoding="utf-8")


def test_every_public_name_is_described_once(site: Path) -> None:
    """Every name that the modules with a page export, and every method, be it inherited."""
    pages = {path.stem: path.read_text(encoding="utf-8") for path in site.glob("reference/deptrees*.html")}
    described = Counter(re.findall(r'id="deptrees\.[a-z_.]*\.(\w+)"', "".join(pages.values())))
    exported = [(name, getattr(module, name)) for module in map(import_module, pages) for name in module.__all__]
    values = {name: {id(value) for other, value in exported if other == name} for name, _ in exported}
    assert {*deptrees.__all__} <= {*values}
    assert {name: described[name] for name in values if described[name] != len(values[name])} == {}


def test_inherited_methods_are_found_where_they_are_described(site: Path) -> None:
    page = (site / "reference" / "deptrees.parser.html").read_text(encoding="utf-8")
    assert [name for name in ("parse", "k_best", "load") if f'#deptrees.parser.Parser.{name}"' not in page] == []


THEORY = {"swaps", "what-is-new", "errata", "own-system"}
"""Pages that show what is within losses."""

LIMITS = ("deptrees.files", "limits")
"""What one page shows of model files."""


def test_what_guides_import_is_in_the_reference(site: Path) -> None:
    pages = [path.stem for path in site.glob("reference/deptrees*.html")]
    described = {id(getattr(module, name)) for module in map(import_module, pages) for name in module.__all__}
    guides = [path.read_text(encoding="utf-8") for path in DOCS.glob("**/*.md") if path.stem not in THEORY]
    found = re.findall(r"^>>> from (deptrees[a-z_.]*) import ([\w, ]+)$", "\n".join(guides), re.MULTILINE)
    imported = {(module, name) for module, names in found for name in names.split(", ")} - {LIMITS}
    assert imported
    assert [pair for pair in imported if id(getattr(import_module(pair[0]), pair[1])) not in described] == []


def test_recordings_open_in_the_browser(site: Path) -> None:
    page = (site / "explorer.html").read_text(encoding="utf-8")
    recordings = [path.name for path in DOCS.glob("recordings/*.html")]
    assert recordings
    assert [name for name in recordings if f'href="{name}"' not in page or not (site / name).exists()] == []


@pytest.mark.browser
@pytest.mark.skipif(not shutil.which("chromium"), reason="Chromium is not installed")
def test_notation_is_printed_on_one_page(site: Path, tmp_path: Path) -> None:
    printed = tmp_path / "notation.pdf"
    switches = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    command = ["chromium", *switches, f"--print-to-pdf={printed}", (site / "notation.html").as_uri()]
    subprocess.run(command, capture_output=True, check=True)
    assert len(re.findall(rb"/Type\s*/Page\b", printed.read_bytes())) == 1
