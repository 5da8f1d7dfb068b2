from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from proof import __main__ as proof
from proof import fuzzing, layers, mutation
from proof.fuzzing import Fuzzed
from proof.mutation import Mutated


def quick_section(quick: bool) -> Iterator[proof.Part]:
    """Something quick."""
    yield "ran", partial(proof.Found, "once")


@pytest.fixture
def _quick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One section, target or group, which does nothing."""
    monkeypatch.setattr(proof, "REPORT", tmp_path / "report.md")
    monkeypatch.setattr(proof, "SECTIONS", {"ran": quick_section})
    monkeypatch.setattr(fuzzing, "TARGETS", {"ran": None})
    monkeypatch.setattr(fuzzing, "fuzz", lambda name, *_: Fuzzed(name, 1, 0, ()))
    monkeypatch.setattr(mutation, "GROUPS", {"ran": None})
    monkeypatch.setattr(mutation, "mutate", lambda name, *_: Mutated(name, 1, (), 0))


COMMANDS = pytest.mark.parametrize("main", [proof.main, fuzzing.main, mutation.main])


@COMMANDS
@pytest.mark.usefixtures("_quick")
@pytest.mark.parametrize("names", [[], ["ran"]])
def test_what_is_named_runs_and_all_of_it_without_a_name(
    main: Callable[[list[str]], int], names: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(names) == 0
    assert "ran" in capsys.readouterr().out


@COMMANDS
@pytest.mark.usefixtures("_quick")
def test_other_names_are_refused_with_those_that_there_are(
    main: Callable[[list[str]], int], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["run"])
    assert "'run' is none of: ran\n" in capsys.readouterr().err


def test_names_of_no_system_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        layers.main(["--systems", "ArcHybrid", "ArcHasty"])
    assert "'ArcHasty' is none of: " in capsys.readouterr().err
