"""A real browser for the pages: Chromium without a screen.

It needs Chromium with its driver, and the packages selenium and axe-selenium-python.
"""

import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from deptrees.local_page import LocalPage
from tests.tiers import PATIENCE

pytest.importorskip("selenium")
from selenium import webdriver
from selenium.webdriver.support.wait import WebDriverWait

__all__ = ["NEEDED", "WIDTHS", "check_axe", "driver", "looked_at", "served", "until"]

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
NEEDED = [pytest.mark.browser, pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="Chromium is not installed")]
WIDTHS = {"desktop": (1280, 900), "phone": (390, 844)}


@contextmanager
def served(page: LocalPage) -> Iterator[None]:
    """Have a page answered by a thread."""
    with page:
        thread = threading.Thread(target=page.serve, daemon=True)
        thread.start()
        yield
        page.stop()
        thread.join()


@pytest.fixture
def driver(tmp_path: Path) -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM or ""
    quiet = ["background-networking", "component-update", "sync", "gpu", "quic"]
    switches = ["--headless=new", "--no-sandbox", "--no-first-run", f"--user-data-dir={tmp_path / 'profile'}"]
    for switch in [*switches, *[f"--disable-{what}" for what in quiet]]:
        options.add_argument(switch)
    found: Any = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield found
    errors = [entry for entry in found.get_log("browser") if entry["level"] == "SEVERE"]
    found.quit()
    assert not errors


def looked_at(driver: Any, width: str = "desktop", scheme: str = "light") -> None:
    """Have the page shown in a width and a color scheme."""
    across, down = WIDTHS[width]
    screen = {"width": across, "height": down, "deviceScaleFactor": 1, "mobile": width == "phone"}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def until(driver: Any, condition: Callable[[Any], Any]) -> Any:
    return WebDriverWait(driver, PATIENCE, poll_frequency=0.02).until(condition)


def check_axe(driver: Any) -> None:
    """Check that axe finds nothing serious."""
    axe = pytest.importorskip("axe_selenium_python").Axe(driver)
    axe.inject()
    found = [fault for fault in axe.run()["violations"] if fault["impact"] in ("serious", "critical")]
    assert not found, axe.report(found)
