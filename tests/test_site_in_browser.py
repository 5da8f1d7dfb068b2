"""The site in a real browser: what is wider than a phone scrolls in itself; drawings take the colors of the page."""

from pathlib import Path
from typing import Any

import pytest

from tests.browser import NEEDED, WIDTHS, driver, looked_at

__all__ = ["driver"]

pytestmark = [pytest.mark.integration, *NEEDED]

SCHEME = 'return getComputedStyle(document.querySelector("article img")).colorScheme'


def test_no_page_is_wider_than_a_phone(site: Path, driver: Any) -> None:
    looked_at(driver, "phone")
    across, _ = WIDTHS["phone"]
    pages = [page for page in sorted(site.glob("**/*.html")) if "_static" not in page.parts]
    assert len(pages) > 100
    wide = []
    for page in pages:
        driver.get(page.as_uri())
        if driver.execute_script("return document.documentElement.scrollWidth") > across:
            wide.append(page.name)
    assert wide == []


@pytest.mark.parametrize("chosen", ["auto", "light", "dark"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_drawings_have_the_colors_of_the_page(site: Path, driver: Any, scheme: str, chosen: str) -> None:
    looked_at(driver, scheme=scheme)
    driver.get((site / "drawing.html").as_uri())
    driver.execute_script("document.body.dataset.theme = arguments[0]", chosen)
    assert driver.execute_script(SCHEME) == (scheme if chosen == "auto" else chosen)
