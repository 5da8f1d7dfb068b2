import pytest

from deptrees.transition import ArcHybrid, System, reachable
from proof import exactness
from proof.exactness import main, pairs


def test_all_pairs_are_compared(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(exactness, "systems", lambda: [ArcHybrid()])
    assert main(["--words", "3"]) == 12 * len([*reachable(ArcHybrid(), 3)])
    assert "ArcHybrid(root='first'): 552 pairs of 3 words" in capsys.readouterr().out


def test_what_is_not_exact_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    system: System = ArcHybrid()
    monkeypatch.setattr("tests.transition.configurations.loss", lambda *_: 0)
    with pytest.raises(AssertionError):
        pairs(system, 2)
