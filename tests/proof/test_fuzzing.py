import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import pytest

from proof import fuzzing, targets
from proof.fuzzing import fuzz, main
from proof.targets import TARGETS, seeds
from tests.tiers import slow

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")  # threads of other tests may be there
without_fork = pytest.mark.skipif(os.name == "nt", reason="another process does not know what a test has replaced")


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("inputs", [2, slow(50)])
def test_the_corpus_and_what_is_made_of_it_end_in_clear_answers(
    name: str, inputs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fuzzing, "FOLDER", tmp_path)
    found = fuzz(name, inputs, seed=3)
    assert found.findings == ()
    assert found.inputs == len(seeds(name)) + inputs > inputs


@without_fork
def test_what_is_wrong_is_found_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def wrong(content: bytes) -> None:
        assert b"feats" not in content, "told"

    monkeypatch.setattr(fuzzing, "FOLDER", tmp_path)
    monkeypatch.setitem(targets.TARGETS, "templates", wrong)
    assert main(["templates", "--inputs", "100"]) == len([*tmp_path.iterdir()]) == 10
    assert all(b"feats" in path.read_bytes() for path in tmp_path.iterdir())
    assert "AssertionError: told" in capsys.readouterr().out


@without_fork
@pytest.mark.parametrize("lost", [partial(os._exit, 3), partial(time.sleep, 60)], ids=["ends", "hangs"])
def test_an_input_at_which_the_process_ends_or_hangs_is_found_and_kept(
    lost: Callable[[], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = seeds("templates")[-1]
    monkeypatch.setattr(fuzzing, "FOLDER", tmp_path)
    monkeypatch.setattr(fuzzing, "_PATIENCE", 3.0)
    monkeypatch.setitem(targets.TARGETS, "templates", lambda content: lost() if content == last else None)
    found = fuzz("templates", 5)
    assert found.inputs == len(seeds("templates")) + 5
    assert len(found.findings) == 1
    [path] = tmp_path.iterdir()
    assert path.read_bytes() == last


def test_the_same_seed_makes_the_same_inputs() -> None:
    made = [[fuzzing.mutated(seeds("reader"), Random(seed)) for _ in range(2)] for seed in (1, 2)]
    assert made[0][0] == made[0][1] != made[1][0]
