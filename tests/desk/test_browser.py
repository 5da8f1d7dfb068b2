"""The desk's page in a real browser: a sentence is annotated with the keyboard alone, and with the mouse."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deptrees import DependencyTree, Token, Treebank, sample_treebank, write_treebank
from deptrees.annotation import Helper
from deptrees.desk import Desk, work_on
from deptrees.parser import Parser
from tests.annotation.sentences import without_arcs
from tests.browser import NEEDED, WIDTHS, check_axe, driver, looked_at, served, until

pytest.importorskip("selenium")
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

__all__ = ["driver"]
pytestmark = NEEDED

HOSTILE = DependencyTree([Token("<img src=x onerror=alert(1)>"), Token("</script>")], ["# sent_id = <b>"])
TREES = [*map(without_arcs, [*sample_treebank("dev")][:3]), HOSTILE]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "sample.conllu"
    write_treebank(path, TREES)
    return path


@pytest.fixture
def desk(path: Path, parser: Parser) -> Iterator[Desk]:
    with work_on(path, Helper(parser.calibrate(sample_treebank("dev")))) as work:
        work.wait()
        found = Desk(work)
        with served(found):
            yield found


def opened(driver: Any, desk: Desk, sentence: int) -> None:
    """The sentence, in the order of the file."""
    driver.get(desk.address)
    until(driver, lambda page: page.find_elements(By.CSS_SELECTOR, "#words tbody tr"))
    driver.execute_script(
        "const it = document.getElementById('order'); it.value = 'file'; it.dispatchEvent(new Event('change'))"
    )
    driver.find_elements(By.CSS_SELECTOR, "#sentences button")[sentence].click()
    until(driver, lambda page: f"Sentence {sentence + 1}" in page.find_element(By.ID, "name").text)
    until(driver, lambda page: page.switch_to.active_element.find_elements(By.XPATH, "ancestor::table"))


def press(driver: Any, *keys: str, told: str = "") -> None:
    """Press keys, and wait for what is said after the last."""
    for key in keys:
        driver.switch_to.active_element.send_keys(key)
    until(driver, lambda page: told in page.find_element(By.ID, "status").text)


def to_word(driver: Any, word: int) -> None:
    for _ in range(40):
        driver.switch_to.active_element.send_keys(Keys.ARROW_UP)
    for _ in range(word - 1):
        driver.switch_to.active_element.send_keys(Keys.ARROW_DOWN)


def test_the_keyboard_alone_annotates_a_sentence(driver: Any, desk: Desk, path: Path) -> None:
    before = path.read_bytes()
    looked_at(driver)
    opened(driver, desk, 0)
    n = len(TREES[0])
    to_word(driver, 1)
    press(driver, Keys.ENTER, told="Choose the head of 1")
    to_word(driver, n)
    press(driver, Keys.ENTER, told="Saved")
    assert next(iter(Treebank(path))).heads[0] == n
    press(driver, "l", "nsu", Keys.ENTER, told="label")
    assert next(iter(Treebank(path))).labels[0] == "nsubj"
    press(driver, "t", "ver", Keys.ENTER, told="tag")
    assert next(iter(Treebank(path)))[1].upos == "VERB"
    press(driver, "s")
    until(driver, lambda page: "Sentence 2" in page.find_element(By.ID, "name").text)
    first, *others = Treebank(path)
    assert "Proposed" not in "".join(token.misc or "" for token in first)
    assert others == TREES[1:]
    for _ in range(4):
        press(driver, "z", told="Undone")
        driver.execute_script("document.getElementById('status').textContent = ''")
        until(driver, lambda page: page.switch_to.active_element.find_elements(By.XPATH, "ancestor::table"))
    assert path.read_bytes() == before


def test_two_clicks_set_a_head_and_a_finding_is_dismissed(driver: Any, desk: Desk, path: Path) -> None:
    looked_at(driver)
    opened(driver, desk, 0)
    for word in 2, 1:
        driver.find_element(By.CSS_SELECTOR, f"#drawing .word[data-position='{word}']").click()
    press(driver, told="Saved")
    assert next(iter(Treebank(path))).heads[1] == 1
    press(driver, "l", "conj", Keys.ENTER, told="label")
    press(driver, "t", "PUNCT", Keys.ENTER, told="tag")
    driver.find_element(By.CSS_SELECTOR, "#findings button").click()
    press(driver, "for the test", Keys.ENTER)
    until(driver, lambda page: "dismissed: for the test" in page.find_element(By.ID, "findings").text)
    assert any("for the test" in comment for comment in next(iter(Treebank(path))).comments)


def test_a_word_is_split_and_joined(driver: Any, desk: Desk, path: Path) -> None:
    looked_at(driver)
    opened(driver, desk, 1)
    to_word(driver, 1)
    press(driver, "x", Keys.HOME + "a b c", Keys.ENTER, told="is split")
    assert len([*Treebank(path)][1]) == len(TREES[1]) + 2
    press(driver, "j", told="Joined")
    assert len([*Treebank(path)][1]) == len(TREES[1]) + 1


def test_hostile_words_run_nothing(driver: Any, desk: Desk) -> None:
    opened(driver, desk, 3)
    until(driver, lambda page: "onerror" in page.find_element(By.ID, "words").text)
    assert not driver.find_elements(By.CSS_SELECTOR, "main img, main script, main b")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_nothing_serious(driver: Any, desk: Desk, width: str, scheme: str) -> None:
    looked_at(driver, width, scheme)
    opened(driver, desk, 0)
    press(driver, "r", told="Saved")
    driver.find_element(By.CSS_SELECTOR, "summary").click()
    check_axe(driver)
    assert driver.execute_script("return document.documentElement.scrollWidth") <= WIDTHS[width][0]
