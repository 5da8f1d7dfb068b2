import re
from pathlib import Path

FOLDER = Path(__file__).parents[1]


def test_the_tests_that_hold_promises_are_there() -> None:
    page = (FOLDER / "docs" / "promises.md").read_text("utf-8")
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", page)
    assert len(named) >= page.count("\n| ") - page.count("\n| promise")
    for path, name in named:
        assert f"def {name}(" in (FOLDER / path).read_text("utf-8"), f"{path} has no {name}"
