from pathlib import Path

import pytest

from proof.kept import Kept, _sources


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    return Kept(tmp_path / "folder" / "results")


def test_a_result_is_found_once(kept: Kept) -> None:
    found = iter("abc")
    assert [kept(name, lambda: next(found)) for name in ("one", "two", "one", "two", "three")] == [*"ababc"]


def test_what_is_forgotten_is_found_anew(kept: Kept) -> None:
    kept("one", lambda: 1)
    kept.forget()
    assert kept("one", lambda: 2) == 2


def test_a_line_that_was_cut_off_is_found_anew_and_spoils_no_other(kept: Kept) -> None:
    for name in ("one", "two"):
        kept(name, lambda: 1)
    kept.path.write_bytes(kept.path.read_bytes()[:-3])
    assert [kept(name, lambda: 2) for name in ("one", "two", "three")] == [1, 2, 2]
    assert [kept(name, lambda: 3) for name in ("one", "two", "three")] == [1, 2, 2]


def test_results_do_not_hold_for_other_source_code(kept: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("proof").mkdir()
    answers = []
    for code in ("a = 1", "a = 2", "a = 1"):
        Path("proof", "one.py").write_text(code)
        _sources.cache_clear()
        answers.append(kept("one", Path("proof", "one.py").read_text))
    assert answers == ["a = 1", "a = 2", "a = 1"]
    Path("proof", "one.py").write_text("a = 3")
    assert kept("one", str) == "a = 1"  # it is looked at once, for a run may take a day
    _sources.cache_clear()
