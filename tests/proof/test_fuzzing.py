from pathlib import Path
from random import Random

import pytest

from proof import fuzzing, targets
from proof.fuzzing import fuzz, main
from proof.targets import TARGETS, seeds
from tests.tiers import slow


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("inputs", [2, slow(50)])
def test_the_corpus_and_what_is_made_of_it_end_in_clear_answers(
    name: str, inputs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fuzzing, "FOLDER", tmp_path)
    found = fuzz(name, inputs, seed=3)
    assert found.findings == ()
    assert found.inputs == len(seeds(name)) + inputs > inputs


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


def test_the_same_seed_makes_the_same_inputs() -> None:
    made = [[fuzzing.mutated(seeds("reader"), Random(seed)) for _ in range(2)] for seed in (1, 2)]
    assert made[0][0] == made[0][1] != made[1][0]
