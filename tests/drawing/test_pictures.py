"""The pictures of the documentation are those that the library draws."""

import re
import runpy
from collections.abc import Iterable
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PICTURES: dict[Path, str] = runpy.run_path(str(DOCS / "draw_pictures.py"))["pictures"]()


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.stem)
def test_pictures_are_as_the_library_draws_them(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == PICTURES[path], "run: python docs/draw_pictures.py"


def shown(pages: Iterable[Path]) -> set[Path]:
    """The pictures that pages of the documentation show."""
    texts = (page.read_text(encoding="utf-8") for page in pages)
    return {DOCS / name for text in texts for name in re.findall(r"\]\((?:\.\./)?(pictures/[^)]*)\)", text)}


def test_the_page_shows_all_pictures() -> None:
    assert shown([DOCS / "drawing.md"]) == set(PICTURES)


def test_every_picture_is_shown() -> None:
    assert shown(DOCS.rglob("*.md")) == {*(DOCS / "pictures").iterdir()}
