"""A command writes no file that it reads, and none twice, whatever its names are."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from deptrees.cli import _FILES, _command
from deptrees.cli.names import READ, WRITTEN
from tests.cli.running import run

NO_FILES = {"heads", "system", "oracle", "step", "words", "format_name", "exploration", "shard", "ray", "by", "where"}
NO_FILES |= {"blank", "name", "licence", "tested_on", "data", "command", "limits", "request", "version"}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sample: Path, model: Path) -> None:
    """Files, and other names for them, in the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DEPTREES_TREEBANKS", str(tmp_path))
    os.link(sample, "xx_sample-train.conllu")
    os.link(sample, "hard")
    os.symlink(sample, "soft")
    os.link(model, "CK.best")


@pytest.mark.parametrize(
    "command",
    [
        "train sample.conllu -o sample.conllu",
        "train *.conllu -o ./sample.conllu",
        "train sample.conllu -o hard",
        "train sample.conllu -o soft",
        "train hard --dev sample.conllu -o sample.conllu",
        "train sample.conllu -o new --checkpoint new",
        "train sample.conllu -o new --checkpoint hard",
        "train sample.conllu -o CK.best --checkpoint CK",
        "train sample.conllu -o NEW.tagger.best --checkpoint NEW",
        "train sample.conllu -o new --start CK.best --checkpoint CK",
        "train sample.conllu -o model --start model",
        "train sample.conllu -o CK.best --start model",
        "parse model sample.conllu -o model",
        "parse model sample.conllu -o sample.conllu",
        "parse model new.partial -o new --resume",
        "tag model sample.conllu -o hard",
        "convert sample.conllu -o hard",
        "convert ud:xx_sample -o hard",
        "projectivize soft -o hard",
        "analyze hard sample.conllu --html soft",
        "analyze hard sample.conllu --html new.svg --plot new.svg",
        "evaluate sample.conllu hard --plot sample.conllu",
        "annotate hard --model sample.conllu",
    ],
)
def test_what_is_written_is_another_file_than_all_others_of_the_command(command: str, tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    result = run(*command.split())
    assert (result.exit_code, "give another name" in " ".join(result.stderr.split())) == (2, True), result.stderr
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_standard_output_is_another_file_too(tmp_path: Path) -> None:
    before = (tmp_path / "sample.conllu").read_bytes()
    with open("hard", "ab") as appended:
        command = [sys.executable, "-m", "deptrees", "convert", "sample.conllu"]
        result = subprocess.run(command, stdout=appended, stderr=subprocess.PIPE, check=False)
    assert (result.returncode, b"it is the same file as" in result.stderr) == (2, True)
    assert (tmp_path / "sample.conllu").read_bytes() == before


@pytest.mark.parametrize("command", ["evaluate sample.conllu hard", "convert sample.conllu soft hard -o new"])
def test_what_is_read_may_be_read_twice(command: str) -> None:
    assert run(*command.split()).exit_code == 0


def test_every_option_that_takes_a_text_is_known_to_name_a_file_or_none() -> None:
    taken = {it.name for name in _FILES for it in _command(name).params if str(it.type) == "STRING"}
    assert taken == {*READ, *WRITTEN} | NO_FILES
