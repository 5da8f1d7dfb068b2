import re
from pathlib import Path

FOLDER = Path(__file__).parents[1]


def test_every_promise_names_tests_that_exist() -> None:
    page = (FOLDER / "docs" / "promises.md").read_text("utf-8")
    promises = re.findall(r"^\| [A-Z].*$", page, re.MULTILINE)
    assert promises
    for promise in promises:
        assert "`tests/" in promise
    for path, name in re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", page):
        assert f"def {name}(" in (FOLDER / path).read_text("utf-8"), f"{path} has no {name}"
