"""The explorer's page in a real browser: Chromium without a screen, and the keyboard alone."""

import base64
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

from deptrees import DependencyTree, sample_treebank
from deptrees.explorer import Explorer, GoldTree, Question, recording
from deptrees.transition.systems.registry import REGISTRY
from tests.browser import NEEDED, WIDTHS, check_axe, driver, looked_at, served, until
from tests.transition.configurations import random_tree

pytest.importorskip("selenium")
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

__all__ = ["driver"]
pytestmark = NEEDED

HOSTILE = DependencyTree([(2, "<img src=x onerror=alert(1)>"), (0, "<script>alert(1)</script>")])
TREES = [*sample_treebank("dev"), HOSTILE]

Open = Callable[..., Any]


@pytest.fixture(scope="module")
def explorer() -> Iterator[Explorer]:
    found = Explorer(TREES)
    with served(found):
        yield found


def opened(driver: Any, address: str) -> None:
    driver.get("about:blank")
    driver.get(address)
    until(driver, lambda page: page.find_elements(By.CSS_SELECTOR, "#transitions tbody tr"))


def press(driver: Any, *keys: str) -> None:
    """Press keys, and wait after each for the step that it asks for."""
    for key in keys:
        before = driver.find_element(By.ID, "count").text
        driver.switch_to.active_element.send_keys(key)
        until(driver, lambda page: page.find_element(By.ID, "count").text != before)  # noqa: B023


def taken(driver: Any) -> list[str]:
    return [button.text for button in driver.find_elements(By.CSS_SELECTOR, "#derivation button:not(.ahead)")]


def choose(driver: Any, name: str, value: str) -> None:
    script = "const [id, value] = arguments, select = document.getElementById(id);"
    driver.execute_script(f"{script} select.value = value; select.dispatchEvent(new Event('change'));", name, value)


@pytest.mark.parametrize("width", WIDTHS)
def test_the_keyboard_alone_steps_through_a_derivation(driver: Any, explorer: Explorer, width: str) -> None:
    looked_at(driver, width)
    opened(driver, explorer.address)
    press(driver, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, "1")
    assert len(taken(driver)) == 3
    press(driver, Keys.ARROW_LEFT)
    assert driver.find_elements(By.CSS_SELECTOR, "#derivation .ahead")
    press(driver, Keys.END)
    assert "final" in driver.find_element(By.ID, "status").text
    assert not driver.find_elements(By.CSS_SELECTOR, "#transitions tbody tr")
    press(driver, Keys.HOME)
    assert taken(driver) == []
    assert driver.execute_script("return document.documentElement.scrollWidth") <= WIDTHS[width][0]


def test_the_top_of_the_stack_faces_the_front_of_the_buffer(driver: Any, explorer: Explorer) -> None:
    looked_at(driver, "desktop")
    opened(driver, explorer.address)
    choose(driver, "root", "first")
    until(driver, lambda page: page.find_elements(By.CSS_SELECTOR, "[data-name=σ] .item"))
    press(driver, Keys.ARROW_RIGHT)
    names = [item.text for item in driver.find_elements(By.CSS_SELECTOR, "#parts small")]
    assert names[:5] == ["s1", "s0", "b0", "b1", "b2"]
    stack, buffer = (driver.find_element(By.CSS_SELECTOR, f"[data-name={part}]").rect for part in "σβ")
    assert stack["y"] == buffer["y"]
    assert stack["x"] + stack["width"] <= buffer["x"]


def test_a_wrong_transition_shows_what_it_loses_and_the_oracle_recovers(driver: Any, explorer: Explorer) -> None:
    opened(driver, explorer.address)
    press(driver, Keys.ARROW_RIGHT)
    wrong = driver.find_element(By.XPATH, "//*[@id='transitions']//tr[td//*[contains(@class, 'bad')]]//button")
    driver.execute_script("arguments[0].click()", wrong)
    until(driver, lambda page: "loses" in page.find_element(By.ID, "status").text)
    assert driver.find_elements(By.CSS_SELECTOR, "#drawing .missed")
    assert "wrong head" in driver.find_element(By.ID, "loss").text
    press(driver, Keys.END)
    assert "final" in driver.find_element(By.ID, "status").text


@pytest.mark.parametrize("name", REGISTRY)
def test_every_system_is_stepped_to_its_end(driver: Any, explorer: Explorer, name: str) -> None:
    opened(driver, explorer.address)
    choose(driver, "system", name)
    until(driver, lambda page: f'"system":"{name}"' in decoded(page))
    press(driver, Keys.ARROW_RIGHT, Keys.END)
    assert "gold tree is reachable" in driver.find_element(By.ID, "loss").text


def decoded(driver: Any) -> str:
    """What the link to the step says."""
    script = "return location.hash.length > 1 ? new TextDecoder().decode(Uint8Array.from(atob(location.hash.slice(1)"
    script += ".replaceAll('-', '+').replaceAll('_', '/')), (c) => c.codePointAt(0))) : ''"
    return str(driver.execute_script(script))


def test_a_link_leads_another_person_to_the_same_step(driver: Any, explorer: Explorer) -> None:
    opened(driver, explorer.address)
    press(driver, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    link, steps = driver.current_url, taken(driver)
    driver.delete_all_cookies()
    opened(driver, link)
    assert taken(driver) == steps


def test_a_sentence_is_typed_and_its_arcs_are_clicked_together(driver: Any, explorer: Explorer) -> None:
    opened(driver, explorer.address)
    driver.find_element(By.CSS_SELECTOR, "#edit summary").click()
    words = driver.find_element(By.ID, "words")
    words.clear()
    words.send_keys("Birds sing")
    heads = driver.find_element(By.ID, "heads")
    heads.clear()
    heads.send_keys("_ 0")
    for chip in (2, 1):  # the head, and its dependent
        driver.find_elements(By.CSS_SELECTOR, "#chips button")[chip].click()
    assert heads.get_attribute("value") == "2 0"
    heads.submit()
    until(driver, lambda page: "Birds" in page.find_element(By.ID, "parts").text)
    driver.find_element(By.CSS_SELECTOR, "#all summary").click()
    nodes = until(driver, lambda page: page.find_elements(By.CSS_SELECTOR, "#graph .node"))
    nodes[-1].click()
    until(driver, lambda page: "final" in page.find_element(By.ID, "status").text)


def test_heads_that_make_no_tree_are_refused(driver: Any, explorer: Explorer) -> None:
    opened(driver, explorer.address)
    driver.find_element(By.CSS_SELECTOR, "#edit summary").click()
    heads = driver.find_element(By.ID, "heads")
    heads.clear()
    for typed, error in ("2 1", "there are 2 heads for"), ("x " * len(TREES[0]), "the head of word 1 is 'x'"):
        heads.clear()
        heads.send_keys(typed)
        heads.submit()
        until(driver, lambda page: error in page.find_element(By.ID, "typed-error").text)  # noqa: B023
    driver.get_log("browser")  # which says that the server refused


def test_hostile_words_run_nothing(driver: Any, explorer: Explorer) -> None:
    opened(driver, explorer.address)
    choose(driver, "sentence", str(len(TREES) - 1))
    until(driver, lambda page: "onerror" in page.find_element(By.ID, "parts").text)
    assert not driver.find_elements(By.CSS_SELECTOR, "main img, main script")


def test_the_gold_tree_is_shown_and_answers_are_hidden_on_request(driver: Any, explorer: Explorer) -> None:
    opened(driver, explorer.address)
    assert not driver.find_element(By.ID, "gold").is_displayed()
    for name in "show-gold", "hide":
        driver.find_element(By.ID, name).click()
    press(driver, Keys.ARROW_RIGHT, "2")  # the box that was clicked last takes no arrows
    assert driver.find_element(By.ID, "gold").is_displayed()
    answers = driver.find_elements(By.CSS_SELECTOR, "#loss, .told, .oracle, #drawing .missed")
    assert answers
    assert not any(answer.is_displayed() for answer in answers)
    assert "costs" not in driver.find_element(By.ID, "status").text
    assert not driver.find_elements(By.CSS_SELECTOR, "#drawing title")  # which tell wrong arcs


def test_a_broken_link_is_told_of(driver: Any, explorer: Explorer) -> None:
    opened(driver, f"{explorer.address}#garbage")
    until(driver, lambda page: "leads to no step" in page.find_element(By.ID, "status").text)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_nothing_serious(driver: Any, explorer: Explorer, width: str, scheme: str) -> None:
    looked_at(driver, width, scheme)
    opened(driver, explorer.address)
    press(driver, Keys.ARROW_RIGHT, "2")
    driver.find_element(By.ID, "show-gold").click()
    for summary in driver.find_elements(By.CSS_SELECTOR, "summary"):
        driver.execute_script("arguments[0].click()", summary)
    check_axe(driver)


def test_a_recording_steps_without_a_server(driver: Any, tmp_path: Path) -> None:
    steps = ("Shift()", "LeftArc()", "Shift()", "LeftArc()")
    question = Question(GoldTree(("Birds", "sing"), (2, 0)), "ArcHybrid", "last", False, "dynamic", steps)
    page = tmp_path / "derivation.html"
    page.write_text(recording(question), encoding="utf-8")
    opened(driver, page.as_uri())
    press(driver, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert taken(driver) == ["Shift()", "LeftArc()"]
    press(driver, Keys.END)
    assert "final" in driver.find_element(By.ID, "status").text


def test_what_would_take_too_long_to_find_is_shown_as_unknown(driver: Any, explorer: Explorer, tmp_path: Path) -> None:
    sentence = GoldTree.of(random_tree(40, random.Random(3)))
    question = Question(sentence, "TwoPlanar", "first", False, "dynamic", ("Shift()", "Shift()"))
    link = base64.urlsafe_b64encode(json.dumps(attrs.asdict(question)).encode()).decode().rstrip("=")
    page = tmp_path / "derivation.html"
    page.write_text(recording(question), encoding="utf-8")
    for address, key in (f"{explorer.address}#{link}", "1"), (page.as_uri(), Keys.ARROW_RIGHT):
        opened(driver, address)
        press(driver, key)
        assert driver.find_element(By.ID, "loss").text.startswith("Loss ?: it would take too long")
        cells = driver.find_elements(By.CSS_SELECTOR, "#transitions tr:not(.impossible) td:nth-child(4)")
        assert {cell.text for cell in cells} == {"?"}
        status = driver.find_element(By.ID, "status").text
        assert "costs ?. " in status
        assert "no answer here: it would take too long" in status
        assert not driver.find_elements(By.CSS_SELECTOR, "#derivation .bad, #transitions td:nth-child(4) .good")
