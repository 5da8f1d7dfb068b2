"""The command ``parse`` with shards and workers, which parses each file into one of the same name."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from deptrees import sample_treebank, to_conllu
from tests.cli.running import GOOD, SHORT, run
from tests.distributed.dying import contents


@pytest.fixture
def folder(tmp_path: Path, sample: Path) -> Path:
    """A folder with three files to parse, and one to parse them into."""
    for number in range(3):
        (tmp_path / f"{number}.conllu").write_bytes(sample.read_bytes() * number)
    (tmp_path / "parsed").mkdir()
    return tmp_path


@pytest.mark.parametrize("options", [["--shard", "1/1"], ["--workers", "1"]])
def test_each_file_is_parsed_into_one_of_the_same_name(
    options: list[str], model: Path, folder: Path, sample: Path
) -> None:
    result = run("parse", model, folder / "[0-9].conllu", *options, "-o", folder / "parsed")
    words = sum(1 for line in sample.read_text("utf-8").splitlines() if line[:1].isdigit())
    assert (result.exit_code, result.stdout) == (0, "")
    assert re.fullmatch(rf"parsed 3 of 3 files: \d+ sentences, {3 * words} words\n", result.stderr)
    for number in range(3):
        run("parse", model, folder / f"{number}.conllu", "-o", folder / "alone")
        assert (folder / "parsed" / f"{number}.conllu").read_bytes() == (folder / "alone").read_bytes()
    assert len(contents(folder / "parsed")) == 6


def test_what_is_wrong_with_one_file_is_said_and_the_others_are_parsed(model: Path, folder: Path, broken: Path) -> None:
    arguments = ["parse", model, broken, folder / "1.conllu", "--workers", "1", "-o", folder / "parsed"]
    broken.write_text(GOOD + SHORT + GOOD, encoding="utf-8")
    result = run(*arguments)
    assert result.exit_code == 1
    error, sums = result.stderr.splitlines()
    assert error.startswith("error: ")
    assert sums.startswith("parsed 1 of 2 files: ")
    assert {*contents(folder / "parsed")} == {"1.conllu", "1.conllu.manifest.json"}
    result = run(*arguments, "--skip-invalid")
    assert result.exit_code == 0
    assert "warning: skipped 1 of 3" in result.stderr
    assert run(*arguments, "--skip-invalid").stderr == result.stderr


def test_files_that_are_parsed_are_counted_where_no_terminal_is(
    model: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deptrees.cli.console.SECONDS_BETWEEN_LINES", 0)
    result = run("parse", model, folder / "[0-9].conllu", "--shard", "1/2", "-o", folder / "parsed")
    first, second, _ = result.stderr.splitlines()
    assert re.fullmatch(r"parsing files: 1 of 2 done, \d+\.\d minutes left", first)
    assert second == "parsing files: 2 of 2 done, 0.0 minutes left"


@pytest.mark.parametrize(
    "options",
    [
        ["--shard", "0/2"],
        ["--shard", "3/2"],
        ["--shard", "two"],
        ["--workers", "0"],
        ["--shard", "1/2", "--k-best", "2", "--confidence"],
        ["--workers", "2", "--text"],
        ["--workers", "2", "--ray", "auto"],
        ["--workers", "2", "--resume"],
    ],
)
def test_wrong_usage(options: list[str], model: Path, folder: Path) -> None:
    result = run("parse", model, folder / "1.conllu", *options, "-o", folder / "parsed")
    assert result.exit_code == 2
    assert not contents(folder / "parsed")


@pytest.mark.parametrize("options", [["--k-best", 2], ["--complete"], ["--constraints", "marked"], ["--beam", 3]])
def test_options_go_with_a_folder(options: list[object], model: Path, folder: Path) -> None:
    expected = run("parse", model, folder / "1.conllu", *options).stdout
    assert expected
    assert run("parse", model, folder / "1.conllu", *options, "--shard", "1/1", "-o", folder / "parsed").exit_code == 0
    assert (folder / "parsed" / "1.conllu").read_text("utf-8") == expected


def test_sentences_without_tags_are_warned_of(model: Path, folder: Path) -> None:
    (folder / "bare.conllu").write_bytes(b"1\tGo\t_\t_\t_\t_\t_\t_\t_\t_\n\n")
    result = run("parse", model, folder / "bare.conllu", "--workers", "1", "-o", folder / "parsed")
    assert (result.exit_code, "the model looks at UPOS" in result.stderr) == (0, True)


@pytest.mark.processes
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("victim", ["job", "worker", "asked to end"])
def test_a_job_that_is_killed_again_and_again_goes_on(victim: str, model: Path, tmp_path: Path) -> None:
    """Kills all processes at once, or one worker, or has the job end itself, at moments that come later each time."""
    text = "".join(map(to_conllu, sample_treebank("train"))).encode()
    for number in range(6):
        (tmp_path / f"{number}.conllu").write_bytes(text * 50)
    for name in ("once", "again"):
        (tmp_path / name).mkdir()
    files = tmp_path / "[0-9].conllu"
    assert run("parse", model, files, "--workers", "1", "-o", tmp_path / "once").exit_code == 0
    command = [sys.executable, "-m", "deptrees", "parse", model, files, "--workers", "2", "-o", tmp_path / "again"]
    for seconds in (1, 2, 3):
        with subprocess.Popen(list(map(str, command)), start_new_session=True) as process:
            time.sleep(seconds)
            if process.poll() is None:
                if victim == "job":
                    os.killpg(process.pid, signal.SIGKILL)
                elif victim == "asked to end":
                    process.terminate()
                elif (worker := worker_of(process.pid)) is not None:
                    os.kill(worker, signal.SIGKILL)
        if victim == "asked to end":
            assert not [name for name in contents(tmp_path / "again") if name.endswith(".unfinished")]
    subprocess.run(list(map(str, command)), check=True)
    assert contents(tmp_path / "again") == contents(tmp_path / "once")


def worker_of(process: int) -> int | None:
    """One of the worker processes, if there is one already."""
    found = subprocess.run(
        ["ps", "-o", "pid=,args=", "--ppid", str(process)], capture_output=True, text=True, check=False
    )
    workers = [line.split()[0] for line in found.stdout.splitlines() if "spawn_main" in line]
    return int(workers[-1]) if workers else None
