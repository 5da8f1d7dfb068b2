"""The command line as a process: its streams, its signals and its exit codes."""

import os
import pty
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest
from typer.testing import CliRunner

from deptrees import sample_treebank, to_conllu
from deptrees.cli import app
from deptrees.features import Templates
from deptrees.parser import Parser
from deptrees.tagger import Tagger
from tests.tiers import slow

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals and streams of POSIX")

SAMPLE = "".join(map(to_conllu, sample_treebank("dev")))
PROGRAM = [sys.executable, "-m", "deptrees"]


@pytest.fixture(autouse=True)
def hangups_end_processes() -> Iterator[None]:
    """As they do unless these tests run under ``nohup``, which the processes that they start would inherit."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    path = tmp_path / "sample.conllu"
    path.write_text(SAMPLE, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def small() -> Parser:
    """A parser that is loaded in no time."""
    templates = Templates(["s0.upos+b0.upos", "s0.form", "b0.form"])
    return Parser.train(sample_treebank("train"), epochs=1, templates=templates, joint=True)


@pytest.fixture
def model(small: Parser, tmp_path: Path) -> Path:
    small.save(tmp_path / "model")
    return tmp_path / "model"


def redirected(redirection: str, *arguments: object, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run a command with standard streams as a shell makes them."""
    command = ["sh", "-c", f'exec "$@" {redirection}', "sh", *PROGRAM, *map(str, arguments)]
    environment = {**os.environ, **environment}
    return subprocess.run(command, capture_output=True, encoding="utf-8", env=environment, check=False)


@pytest.mark.parametrize(
    ("redirection", "arguments", "message"),
    [
        ("> /dev/full", ["--help"], "No space left on device"),
        ("> /dev/full", ["draw", "-h"], "No space left on device"),
        ("> /dev/full", ["sample"], "No space left on device"),
        (">&-", ["sample"], "standard output is closed"),
        (">&-", ["--version"], "standard output is closed"),
        ("<&-", ["draw", "-"], "standard input is closed"),
        ("<&- 2>&-", ["draw", "-"], None),
        ("2> /dev/full", ["draw", "nothing"], None),
    ],
)
def test_streams_that_cannot_be_used_are_an_error_in_one_line(
    redirection: str, arguments: list[str], message: str | None
) -> None:
    result = redirected(redirection, *arguments)
    assert result.returncode == 1
    assert result.stderr == ("" if message is None else f"error: {message}\n")


def test_standard_output_is_not_needed_to_write_a_file(sample: Path, model: Path) -> None:
    result = redirected(">&- 2>&- <&-", "parse", model, sample, "-o", sample.with_name("parsed"))
    assert result.returncode == 0
    assert sample.with_name("parsed").read_text("utf-8").count("\n\n") == SAMPLE.count("\n\n")


@pytest.mark.parametrize("command", ["draw", "oracle"])
def test_a_terminal_that_has_only_ascii_is_written_to(command: str, sample: Path) -> None:
    sample.write_text(SAMPLE.replace("old", "öld"), encoding="utf-8")
    result = redirected("", command, sample, PYTHONIOENCODING="ascii")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.isascii()
    assert "\\xf6ld" in result.stdout
    assert "\\u25" not in result.stdout


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    path = tmp_path / "evil.conllu"
    path.write_text("1\ta\x1b[31mb\t_\t_\t_\t_\t_\t_\t_\t_\n\n", encoding="utf-8")
    return path


def test_parses_on_a_terminal_are_shown_without_control_characters(evil: Path, model: Path) -> None:
    terminal, end = pty.openpty()
    subprocess.run([*PROGRAM, "parse", model, evil], stdout=end, check=True)
    shown = os.read(terminal, 1000)
    os.close(terminal)
    os.close(end)
    assert b"1\ta\\x1b[31mb\t" in shown
    assert b"\x1b" not in shown


def test_parses_in_a_pipe_have_the_characters_of_the_input(evil: Path, model: Path) -> None:
    piped = subprocess.run([*PROGRAM, "parse", model, evil], stdout=subprocess.PIPE, check=True)
    assert b"a\x1b[31mb" in piped.stdout


def wait_for_a_file(folder: Path, before: set[str], process: "subprocess.Popen[bytes]") -> None:
    while {*os.listdir(folder)} == before:
        assert process.poll() is None
        time.sleep(0.01)


@pytest.mark.parametrize("number", [signal.SIGTERM, slow(signal.SIGHUP), slow(signal.SIGINT)])
def test_signals_leave_no_unfinished_file(number: signal.Signals, tmp_path: Path, model: Path) -> None:
    before = {*os.listdir(tmp_path)}
    command = [*PROGRAM, "parse", str(model), "-", "-o", str(tmp_path / "parsed")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(SAMPLE.encode())
        process.stdin.flush()
        wait_for_a_file(tmp_path, before, process)
        process.send_signal(number)
        assert process.wait() == 128 + number
        assert process.stderr.read() == b""
    assert {*os.listdir(tmp_path)} == before


@pytest.mark.parametrize("number", [signal.SIGTERM, slow(signal.SIGINT)])
def test_training_that_is_stopped_tells_how_to_go_on(number: signal.Signals, tmp_path: Path) -> None:
    (tmp_path / "sample").write_text(SAMPLE, encoding="utf-8")
    arguments = ["sample", "-o", "model", "--joint-labels", "--epochs", "100000", "--checkpoint", "checkpoint"]
    with subprocess.Popen(
        [*PROGRAM, "train", *arguments], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=tmp_path
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("epoch 1")
        process.send_signal(number)
        last = [*process.stderr][-1]
        assert process.wait() == 128 + number
    assert last == "hint: what has been learned is in checkpoint: the same command with --resume goes on from there\n"
    assert {*os.listdir(tmp_path)} == {"sample", "checkpoint"}


@pytest.mark.parametrize("rounds", [40, slow(200)])
@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for the memory of a process")
def test_a_stream_takes_no_more_memory_the_longer_it_is(rounds: int, model: Path) -> None:
    with subprocess.Popen(
        [*PROGRAM, "parse", str(model), "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        pages = []
        for _ in range(rounds):
            process.stdin.write(SAMPLE)
            process.stdin.flush()
            for _ in range(SAMPLE.count("\n\n")):
                [*iter(process.stdout.readline, "\n")]
            pages.append(int(Path(f"/proc/{process.pid}/statm").read_text().split()[1]))
        process.stdin.close()
    assert max(pages[rounds // 2 :]) < 1.02 * max(pages[: rounds // 2])


INTERRUPTED = """
import os, runpy, signal, sys, typing

class Interruption:
    left = int(sys.argv.pop())

    def find_spec(self, *_):
        self.left -= 1
        if not self.left:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interruption())
runpy.run_module("deptrees", run_name="__main__", alter_sys=True)
"""


@pytest.mark.parametrize("imports", [10, 20, *map(slow, range(40, 200, 40))])
def test_a_command_can_be_interrupted_while_it_starts(imports: int) -> None:
    command = [sys.executable, "-c", INTERRUPTED, "describe", "arc-hybrid", str(imports)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (-signal.SIGINT, 128 + signal.SIGINT)
    assert done.stderr == ""


FULL_DISK = """
mount -t tmpfs -o size=2m tmpfs disk || exit 77
"$@" --epochs 1 -o disk/model --checkpoint disk/checkpoint || exit
cp disk/checkpoint before
head -c 2m /dev/zero > disk/filler
truncate -s -8192 disk/filler
"$@" --epochs 3 -o disk/model --checkpoint disk/checkpoint --resume 2> errors
echo $? > code
cp disk/checkpoint after
ls -A disk > left
rm disk/filler
"$@" --epochs 3 -o disk/model --checkpoint disk/checkpoint --resume || exit
cp disk/model model
"""


@pytest.mark.mounts
def test_a_full_disk_leaves_the_checkpoint_whole(tmp_path: Path, sample: Path) -> None:
    if not shutil.which("unshare"):
        pytest.skip("there is no way to mount a disk")
    (tmp_path / "disk").mkdir()
    command = [*PROGRAM, "train", str(sample)]
    disk = ["unshare", "-rm", "sh", "-c", FULL_DISK, "sh", *command]
    done = subprocess.run(disk, capture_output=True, text=True, cwd=tmp_path, check=False)
    if done.returncode == 77 or "unshare failed" in done.stderr:
        pytest.skip("no disk can be mounted here")
    assert done.returncode == 0, done.stderr
    found = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    assert found["code"] == b"1\n"
    assert [*found["errors"].decode().splitlines()[-2:]] == [
        "hint: what has been learned is in disk/checkpoint: the same command with --resume goes on from there",
        "error: disk/checkpoint: No space left on device",
    ]
    assert found["left"].decode().split() == ["checkpoint", "filler", "model"]
    assert found["after"] == found["before"]
    subprocess.run([*command, "--epochs", "3", "-o", "uninterrupted"], cwd=tmp_path, check=True, capture_output=True)
    assert found["model"] == (tmp_path / "uninterrupted").read_bytes()


def test_nohup_goes_on_after_its_terminal_is_gone(tmp_path: Path, model: Path) -> None:
    command = ["sh", "-c", 'trap "" HUP; exec "$@"', "sh", *PROGRAM, "parse"]
    command += [str(model), "-", "-o", str(tmp_path / "parsed")]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        before = {*os.listdir(tmp_path)}
        wait_for_a_file(tmp_path, before, process)
        process.send_signal(signal.SIGHUP)
        process.communicate(SAMPLE.encode())
    assert process.returncode == 0
    assert (tmp_path / "parsed").exists()


def answers(process: "subprocess.Popen[bytes]", sentences: list[str]) -> list[str]:
    """What a process answers to sentences, each sent after the answer to the one before it has come."""
    assert process.stdin is not None
    assert process.stdout is not None
    found = []
    for sentence in sentences:
        process.stdin.write(sentence.encode())
        process.stdin.flush()
        found.append(b"".join(iter(process.stdout.readline, b"\n")).decode() + "\n")
    process.stdin.close()
    assert process.stdout.read() == b""
    return found


@pytest.mark.parametrize("kind", ["plain", slow("beam"), slow("threads"), slow("k best"), slow("tagger")])
def test_each_sentence_is_answered_before_the_next_one_is_asked(
    kind: str, sample: Path, small: Parser, tagger: Tagger
) -> None:
    options = {"threads": ["--threads", "2"], "k best": ["--k-best", "1"], "beam": ["--beam", "2"]}
    attrs.evolve(small, tagger=tagger if kind == "tagger" else None).save(sample.with_name("model"))
    command = [*PROGRAM, "parse", str(sample.with_name("model")), *options.get(kind, [])]
    expected = CliRunner().invoke(app, [*command[len(PROGRAM) :], str(sample)]).stdout
    sentences = SAMPLE.split("\n\n")[:-1]
    with subprocess.Popen([*command, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert "".join(answers(process, [f"{sentence}\n\n" for sentence in sentences])) == expected
    assert process.returncode == 0


@pytest.mark.processes
def test_what_a_command_writes_is_in_its_output_where_progress_is_shown_on_a_terminal(
    sample: Path, tmp_path: Path
) -> None:
    terminal, end = pty.openpty()
    command = [*PROGRAM, "train", str(sample), "-o", str(tmp_path / "model"), "--epochs", "2", "--json"]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=end, text=True, check=True)
    shown = os.read(terminal, 10_000).decode()
    os.close(terminal)
    assert [line.split(",")[0] for line in result.stdout.splitlines()] == ['{"epoch": 1', '{"epoch": 2']
    assert "a linear parser, epoch 2: 100% of it done" in shown
    assert "sentences" not in shown
