"""Take the screenshots of the pages: an analysis, a sentence on it, its first error in the explorer, the desk.

It needs Chromium with its driver, and the extra browser:  python docs/take_screenshots.py
"""

import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from deptrees import Treebank, write_treebank
from deptrees.desk import Desk, work_on
from deptrees.explorer import Explorer
from deptrees.parser import Parser

FOLDER = Path(__file__).parent / "pictures"
SENTENCE = 10
"""The number of the sentence that is taken apart: the first one of the first row of the analysis."""
MOST_STEPS = 50


def deptrees(*arguments: object) -> str:
    """What a command prints."""
    command = [sys.executable, "-m", "deptrees", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def main() -> None:
    """Do what the page tells, and save what is seen."""
    with TemporaryDirectory() as folder:
        train, dev, model, parsed, page = (
            f"{folder}/{name}" for name in ("train", "dev", "model", "parsed", "page.html")
        )
        for part, path in (("train", train), ("dev", dev)):
            Path(path).write_text(deptrees("sample", part), encoding="utf-8")
        deptrees("train", train, "-o", model)
        deptrees("parse", model, dev, "-o", parsed)
        deptrees("analyze", dev, parsed, "--show", "confusions", "--html", page)
        driver = browser()
        driver.get(f"file://{page}")
        driver.save_screenshot(f"{FOLDER}/errors.png")
        driver.find_element(By.CSS_SELECTOR, "table a").click()
        driver.save_screenshot(f"{FOLDER}/sentences.png")
        with Explorer(list(Treebank(dev)), ranking=Parser.load(model).model.ranking) as explorer:
            threading.Thread(target=explorer.serve, daemon=True).start()
            driver.get(explorer.address)
            explore(driver)
            explorer.stop()
        driver.save_screenshot(f"{FOLDER}/explorer.png")
        notes = Path(folder, "notes.conllu")
        rest = [tree.reattach([None] * len(tree), [None] * len(tree)) for tree in Treebank(dev)]
        write_treebank(notes, [*Treebank(train), *rest])
        with work_on(notes) as work, Desk(work) as desk:
            work.wait()
            threading.Thread(target=desk.serve, daemon=True).start()
            driver.set_window_size(1360, 960)
            driver.get(desk.address)
            annotate(driver)
            desk.stop()
        driver.save_screenshot(f"{FOLDER}/annotate.png")
        driver.quit()


def browser() -> Any:
    """Chromium without a screen."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for switch in ("--headless=new", "--no-sandbox", "--disable-background-networking", "--window-size=1000,1080"):
        options.add_argument(switch)
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))


def explore(driver: Any) -> None:
    """Go along the oracle's transitions until the model prefers another one, and take that."""
    time.sleep(1)
    Select(driver.find_element(By.ID, "sentence")).select_by_index(SENTENCE - 1)
    for _ in range(MOST_STEPS):
        time.sleep(0.5)
        rows = driver.find_elements(By.XPATH, "//*[@id='transitions']//tr[td//*[contains(@class, 'bad')]]")
        if preferred := [row for row in rows if "model" in row.text]:
            preferred[0].find_element(By.TAG_NAME, "button").click()
            break
        driver.find_element(By.TAG_NAME, "body").send_keys(Keys.ARROW_RIGHT)
    time.sleep(1)


def annotate(driver: Any) -> None:
    """Choose the right root of a sentence, and see what changes with it."""
    time.sleep(2)
    driver.find_element(By.CSS_SELECTOR, "#sentences [title*=uncle]").click()
    time.sleep(2)
    driver.find_element(By.CSS_SELECTOR, "#drawing [data-position='10']").click()
    driver.switch_to.active_element.send_keys("r")
    time.sleep(2)


if __name__ == "__main__":
    main()
