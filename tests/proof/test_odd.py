import os
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from proof import odd
from proof.odd import CLEAR, NAMES, _Call, _complaints, call_oddly
from proof.processes import answers
from tests.tiers import PATIENCE, slow

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning"),  # threads of other tests may be there
    pytest.mark.skipif(os.name == "nt", reason="limits of a process are those of POSIX"),
]


WITHOUT_EXTRAS = [package for package in CLEAR if NAMES.index(package) < NAMES.index("torch")]


@pytest.mark.parametrize("package", [name if name == "query" else slow(name) for name in WITHOUT_EXTRAS])
def test_odd_arguments_end_in_answers_or_clear_errors(package: str) -> None:
    found = call_oddly(package, calls=20, seed=3)
    assert found.findings == ()
    assert found.calls == 20 * found.names


def answering(given: Any) -> Any:
    """Return it."""
    return given


def documented(given: Any) -> Any:
    """Look it up; raises a KeyError."""
    return {}[given]


def of_another_type(given: Any) -> Any:
    return 1 + given


def silent(given: Any) -> Any:
    return dict[int, int]()[len(given)]


def without_it(given: Any) -> Any:
    return given.heads


def asserting(given: Any) -> Any:
    assert given == 1


def warning(given: Any) -> Any:
    warnings.warn("odd", RuntimeWarning, stacklevel=1)


def hanging(given: Any) -> Any:
    while True:
        pass


def hanging_lazily(given: Any) -> Iterator[Any]:
    yield hanging(given)


def changing(given: Any) -> Any:
    given.append(1)


def leaving(given: Any) -> Any:
    Path("left").touch()
    raise TypeError("given is nothing")


def call(called: Callable[..., Any], is_method: bool = False) -> _Call:
    return _Call(called.__name__, called, called.__doc__ or "", is_method, {"given": ["x"]}, {"given": "['x']"})


def writing(given: Any) -> Any:
    (Path(__file__).parent / "left").write_text("x")


def making(given: Any) -> Any:
    (Path(__file__).parent / "left").mkdir()


def ending(given: Any) -> Any:
    os._exit(3)


def end(called: Callable[..., Any], folder: Path, is_method: bool = False) -> str:
    """What is said of calling a function."""
    call = _Call(called.__name__, called, called.__doc__ or "", is_method, {"given": ["x"]}, {"given": "['x']"})
    [found] = answers(partial(_complaints, str(folder), lambda _: call, 1), 1, PATIENCE)
    return found


@pytest.mark.parametrize("called", [answering, documented, of_another_type])
def test_answers_and_clear_errors_are_no_findings(called: Callable[..., Any], tmp_path: Path) -> None:
    assert end(called, tmp_path) == ""


FOUND: dict[Callable[..., Any], str] = {
    silent: "KeyError: ",
    without_it: "AttributeError: ",
    asserting: "AssertionError: ",
    warning: "RuntimeWarning: ",
    hanging: "takes more than",
    hanging_lazily: "takes more than",
    changing: "changes given",
    leaving: "leaves behind: {'left'}",
    ending: "the process ended",
}


@pytest.mark.parametrize(("called", "found"), FOUND.items())
def test_every_other_end_is_found(
    called: Callable[..., Any], found: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(odd, "_SECONDS", 0.1)
    assert end(called, tmp_path).startswith(found)


@pytest.mark.parametrize("called", [writing, making])
def test_nothing_is_written_but_temporary_files(called: Callable[..., Any], tmp_path: Path) -> None:
    assert end(called, tmp_path) == ""
    assert not (Path(__file__).parent / "left").exists()


def test_a_method_may_say_what_its_argument_lacks(tmp_path: Path) -> None:
    assert end(without_it, tmp_path, is_method=True) == ""


def test_the_same_seed_makes_the_same_calls() -> None:
    example = _Call("name", answering, "", False, {"given": ["x"]})
    told = [[str(example.made_odd(["x"], Random(f"{seed} {at}"))) for at in range(9)] for seed in (1, 1, 2)]
    assert told[0] == told[1] != told[2]
