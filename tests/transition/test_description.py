import re
import runpy
from pathlib import Path

import pytest

from deptrees.transition import REGISTRY, ArcStandardSwap, ArcSwift, EasyFirst, Swap, System, as_system, describe

DOCS = Path(__file__).parents[2] / "docs"
PAGES: dict[Path, str] = runpy.run_path(str(DOCS / "write_systems.py"))["pages"]()


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_pages_are_as_the_systems_say(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == PAGES[path], "run: python docs/write_systems.py"


def test_pages_tell_the_reference_and_the_complexity() -> None:
    for path, page in PAGES.items():
        if path.stem != "index":
            assert re.search(r"(19|20)\d\d", page), path
            assert "A sentence of n words takes" in " ".join(page.split()), path


def test_pages_have_coverage_and_papers() -> None:
    for path, page in PAGES.items():
        if path.stem != "index":
            assert f"\n| `{path.stem}(" in page, path
            assert "## Papers\n\n* " in page, path


def test_pages_tell_what_training_takes_and_the_measurements_why() -> None:
    measured = (DOCS / "measurements" / "training.md").read_text(encoding="utf-8")
    for registered in REGISTRY.values():
        best, page = registered.kind.learns_best_from, PAGES[DOCS / "systems" / f"{registered.name}.md"]
        assert f"Training takes the {best} oracle by default" in page
        assert ("measurements/training.md" in page) == (best != "dynamic"), registered.name
        assert best == "dynamic" or f"`{registered.name}" in measured, registered.name


def test_pages_tell_which_variant_a_name_means() -> None:
    for registered in REGISTRY.values():
        page = PAGES[DOCS / "systems" / f"{registered.name}.md"]
        if registered.best:
            assert f"it means the variant that parses best, `{as_system(registered.name)!r}`.\n" in page
        else:
            assert "## Its name" not in page, registered.name


def test_there_are_no_other_pages() -> None:
    assert set(PAGES) == set((DOCS / "systems").iterdir())


def test_pages_are_as_the_oracles_say() -> None:
    pages: dict[Path, str] = runpy.run_path(str(DOCS / "write_oracles.py"))["pages"]()
    assert {path: path.read_text(encoding="utf-8") for path in (DOCS / "oracles").iterdir()} == pages, (
        "run: python docs/write_oracles.py"
    )


@pytest.mark.parametrize(
    ("system", "line"),
    [
        (ArcSwift(), "| LeftArc(k=k) | σ above sk ∩ unattached is empty<br>sk ≠ 0<br>sk has no head<br>b0 exists |"),
        (ArcStandardSwap(), "| Swap | s1 ≠ 0<br>s1 < s0 | put s1 in front of β |"),
        (EasyFirst(), "| λ = (0, 1, 2, 3, 4), A = () | LeftArc(k=2) |"),
    ],
    ids=repr,
)
def test_page_shows_table_and_derivation(system: System, line: str) -> None:
    assert line in describe(system)


class Mistaken(ArcStandardSwap):
    """A system whose static oracle never swaps, as no row does."""

    rows = tuple(row for row in ArcStandardSwap.rows if row.transition is not Swap)


def test_a_page_has_the_table_even_if_the_static_oracle_is_wrong() -> None:
    page = describe(Mistaken())
    assert "| LeftArc | " in page
    assert "static_oracle of Mistaken(root='first') does not lead to the gold tree" in page
    assert "| transition | is possible if |" in page
    assert "## Oracles" in page
