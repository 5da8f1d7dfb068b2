"""Options from a file, and the file that repeats a run."""

import os
from pathlib import Path

import pytest

from tests.cli.running import SOME, run


def test_a_printed_configuration_repeats_the_run(tmp_path: Path) -> None:
    (tmp_path / "tröe bank.conllu").write_text(SOME, encoding="utf-8")
    options = ["--epochs", 2, "--system", "arc-hybrid", "--beam", 2, "--no-restart", "--joint-labels"]
    given = [tmp_path / "tröe bank.conllu", "-o", tmp_path / "first", *options, "--seed", 7]
    printed = run("train", *given, "--print-config")
    assert printed.exit_code == 0
    assert not (tmp_path / "first").exists()
    config = tmp_path / "train.toml"
    config.write_text(printed.stdout, encoding="utf-8")
    assert run("train", *given).exit_code == 0
    assert run("train", "--config", config, "-o", tmp_path / "second").exit_code == 0
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()
    other = run("train", "--config", config, "--seed", 8, "--print-config").stdout
    assert other == printed.stdout.replace("seed = 7", "seed = 8")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("epochs = ", "not TOML"),
        ("epoch = 3", "'epoch'"),
        ("epochs = 0", "epochs"),
        ("epochs = 'many'", "epochs"),
        ("config = 'x'", "'config'"),
        ("\n" * (1 << 20) + "epochs = 3", "more than 1,048,576 bytes"),
    ],
)
def test_what_is_wrong_in_a_file_is_told(text: str, message: str, tmp_path: Path) -> None:
    config = tmp_path / "train.toml"
    config.write_text(text, encoding="utf-8")
    result = run("train", "-", "-o", tmp_path / "model", "--config", config, input=SOME)
    assert result.exit_code == 2
    assert message in result.stderr.replace("\n", " ")


@pytest.mark.parametrize("name", ["none.toml", "n" * 300, "/dev/zero"])
def test_a_file_that_cannot_be_read_is_named(name: str, tmp_path: Path) -> None:
    result = run("train", "-", "-o", tmp_path / "model", "--config", name, input=SOME)
    assert result.exit_code == 2
    assert name[:9] in result.stderr


def test_a_name_that_toml_cannot_hold_is_told(tmp_path: Path) -> None:
    name = os.fsdecode(b"na\xefve.conllu")
    for given in [name, "-o", "model"], ["-", "-o", "model", "--dev", name]:
        result = run("train", *given, "--print-config")
        assert (result.exit_code, result.stdout) == (2, "")
        assert "is not UTF-8, as TOML is: rename the file" in " ".join(result.stderr.split())
