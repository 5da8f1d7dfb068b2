import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from proof import __main__ as proof
from proof.__main__ import SECTIONS, Found, Part, main


def odd(quick: bool) -> Iterator[Part]:
    """Odd things."""
    yield "one", partial(Found, "3 of them", ["wrong", "bad"], "2 of 3")
    yield "two", partial(Found, "few" if quick else "many")


def test_the_report_tells_what_was_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "REPORT", tmp_path / "folder" / "report.md")
    monkeypatch.setitem(SECTIONS, "odd", odd)
    assert main(["odd", "--quick"]) == 2
    text = proof.REPORT.read_text("utf-8")
    assert "## 1 of 1: odd\n\nOdd things.\n" in text
    assert "| one | 3 of them | wrong; bad | 2 of 3 | " in text
    assert "| two | few | none |  | " in text
    assert re.search(r"\n2 findings in all, \d+ s\n$", text)
    assert main(["odd"]) == 2
    assert "many" in proof.REPORT.read_text("utf-8")


def counted(path: Path) -> Found:
    with path.open("a") as file:
        file.write("again ")
    return Found(path.read_text())


def cut_off(path: Path) -> Found:
    if not path.exists():
        raise KeyboardInterrupt
    return Found("at last")


def test_a_run_that_was_cut_off_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    once, gate = tmp_path / "once", tmp_path / "gate"
    monkeypatch.setattr(proof, "REPORT", tmp_path / "report.md")
    parts = [("one", partial(counted, once)), ("two", partial(cut_off, gate))]
    monkeypatch.setitem(SECTIONS, "odd", lambda _: parts)
    with pytest.raises(KeyboardInterrupt):
        main(["odd"])
    gate.touch()
    assert main(["odd"]) == 0
    for row in "| one | again  | none |  | ", "| two | at last | none |  | ":
        assert row in proof.REPORT.read_text("utf-8")
    assert once.read_text() == "again "
    main(["odd"])
    assert once.read_text() == "again again "  # the report was complete
