"""No public name, member or parameter appears, moves or vanishes unnoticed."""

import runpy
from pathlib import Path
from typing import Any

import pytest

from deptrees import Parser

DOCS = Path(__file__).parents[1] / "docs"
WRITER: dict[str, Any] = runpy.run_path(str(DOCS / "write_names.py"))
FOUND: dict[str, str] = WRITER["paragraphs"]()
KEPT = {text.split("\n", 1)[0][2:]: text.rstrip("\n") for text in WRITER["PAGE"].read_text("utf-8").split("\n\n")}


@pytest.mark.parametrize("package", FOUND)
def test_public_names_are_those_that_are_written_down(package: str) -> None:
    assert FOUND[package].rstrip("\n").split("\n") == KEPT[package].split("\n"), "run: python docs/write_names.py"


def test_all_packages_are_written_down() -> None:
    assert [*KEPT] == [f"deptrees.{package}" for package in WRITER["PACKAGES"]]
    assert {*FOUND} >= {"deptrees.parser", "deptrees.transition", "deptrees.evaluation"}


def test_what_is_taken_is_told() -> None:
    def called(one: int, other: int = 1, *rest: int, last: int, **more: int) -> None: ...

    assert WRITER["taken"](called) == "(one, other=, *rest, last, **more)"
    assert WRITER["taken"](Parser.k_best, bound=True) == "(sentences, k, **options)"
