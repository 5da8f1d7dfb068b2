"""The pictures of the documentation are those that the library draws."""

import re
import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PICTURES: dict[Path, str] = runpy.run_path(str(DOCS / "draw_pictures.py"))["pictures"]()


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.stem)
def test_pictures_are_as_the_library_draws_them(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == PICTURES[path], "run: python docs/draw_pictures.py"


def test_the_page_shows_all_pictures() -> None:
    shown = re.findall(r"\]\((pictures/[^)]*)\)", (DOCS / "drawing.md").read_text(encoding="utf-8"))
    assert {DOCS / name for name in shown} == set(PICTURES)
    assert {*(DOCS / "pictures").iterdir()} == set(PICTURES)
