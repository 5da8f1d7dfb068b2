from collections.abc import Iterator
from pathlib import Path

import pytest

from proof import __main__ as proof
from proof.__main__ import SECTIONS, Row, main


def odd(quick: bool) -> Iterator[Row]:
    """Odd things."""
    yield Row("one", "3 of them", ["wrong", "bad"], "2 of 3")
    yield Row("two", "few" if quick else "many")


def test_the_report_tells_what_was_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "REPORT", tmp_path / "folder" / "report.md")
    monkeypatch.setitem(SECTIONS, "odd", odd)
    assert main(["odd", "--quick"]) == 2
    text = proof.REPORT.read_text("utf-8")
    assert "## 1 of 1: odd\n\nOdd things.\n" in text
    assert "| one | 3 of them | wrong; bad | 2 of 3 |" in text
    assert "| two | few | none |  |" in text
    assert text.endswith("2 findings in all\n")
    assert main(["odd"]) == 2
    assert "many" in proof.REPORT.read_text("utf-8")
