import pytest

from deptrees.transition import ArcEager, ArcHybrid, System, reachable
from proof.exactness import main, pairs, systems


def test_all_pairs_are_compared() -> None:
    assert pairs(ArcHybrid(), 3) == 12 * len([*reachable(ArcHybrid(), 3)])


@pytest.mark.slow
def test_arc_decomposable_systems_are_exact(capsys: pytest.CaptureFixture[str]) -> None:
    total = main(["--words", "4"])
    assert f"all: {total:,} pairs" in capsys.readouterr().out
    assert {type(system) for system in systems()} > {ArcEager, ArcHybrid}


def test_what_is_not_exact_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    system: System = ArcHybrid()
    monkeypatch.setattr("tests.transition.configurations.loss", lambda *_: 0)
    with pytest.raises(AssertionError):
        pairs(system, 2)
