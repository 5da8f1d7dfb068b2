import os
import signal
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO

import pytest

from deptrees.files.output import check_output, open_output, open_resumable

POSIX = pytest.mark.skipif(os.name == "nt", reason="about modes, links, devices and signals of POSIX")

WRITER = """
import sys
from deptrees.files.output import open_output
with open_output(sys.argv[1]) as stream:
    stream.write(b"half")
    stream.flush()
    print("writing", flush=True)
    sys.stdin.read()
"""


def write(path: str | Path, content: bytes = b"new") -> None:
    with open_output(path) as stream:
        stream.write(content)


def names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("folder", "a folder stands where a file is to be written"),
        ("folder/", "the name of a file is missing"),
        ("", "the name of a file is missing"),
        ("nowhere/model", "there is no such folder, make it first"),
        ("read-only", "the file is read-only"),
        ("x" * 256, "File name too long"),
        pytest.param("/dev/full", "No space left on device", marks=POSIX),
    ],
)
def test_a_target_that_cannot_be_written_is_found_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str, reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    Path("read-only").write_text("mine")
    Path("read-only").chmod(0o444)
    for write_to in check_output, write:
        with pytest.raises(OSError, match=reason) as caught:
            write_to(target)
        assert caught.value.filename is not None
    assert names(tmp_path) == ["folder", "read-only"]
    assert Path("read-only").read_text() == "mine"


@POSIX
def test_where_there_is_no_more_room_the_error_names_the_file(tmp_path: Path) -> None:
    import resource

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(OSError, match="File too large") as whole:
            write(tmp_path / "whole", bytes(2000))
        with (
            pytest.raises(OSError, match="File too large") as resumable,
            open_resumable(tmp_path / "resumable") as stream,
        ):
            stream.write(bytes(2000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert [whole.value.filename, resumable.value.filename] == [
        str(tmp_path / name) for name in ("whole", "resumable.partial")
    ]
    assert names(tmp_path) == ["resumable.partial"]


@POSIX
def test_where_there_is_no_more_room_a_file_with_several_names_stays_whole(tmp_path: Path) -> None:
    import resource

    file, hard = tmp_path / "file", tmp_path / "hard"
    file.write_text("old")
    hard.hardlink_to(file)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        with pytest.raises(OSError, match="File too large"), open_output(file) as stream:  # noqa: PT012
            stream.write(bytes(2000))
            stream.flush()
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert (file.read_text(), hard.read_text(), names(tmp_path)) == ("old", "old", ["file", "hard"])
    for content in b"longer", b"less":
        write(file, content)
        assert (file.read_bytes(), hard.read_bytes()) == (content, content)


@POSIX
def test_a_file_with_several_names_is_written_to_its_end_if_it_is_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(source: IO[bytes], target: IO[bytes], _: int) -> None:
        monkeypatch.undo()
        target.write(source.read(1))
        raise KeyboardInterrupt

    file = tmp_path / "file"
    file.write_text("old")
    (tmp_path / "hard").hardlink_to(file)
    monkeypatch.setattr("shutil.copyfileobj", stop)
    with pytest.raises(KeyboardInterrupt):
        write(file)
    assert (file.read_text(), names(tmp_path)) == ("new", ["file", "hard"])


@POSIX
def test_files_whose_names_begin_alike_are_written_at_a_time(tmp_path: Path) -> None:
    beginning = "x" * 40

    def write_some(start: int) -> None:
        for number in range(start, 400, 8):
            write(tmp_path / f"{beginning}{number}", b"%d" % number)

    with ThreadPoolExecutor(8) as pool:
        assert [*pool.map(write_some, range(8))] == [None] * 8
    assert [(tmp_path / f"{beginning}{number}").read_bytes() for number in range(400)] == [
        b"%d" % number for number in range(400)
    ]
    assert len(names(tmp_path)) == 400


@pytest.mark.parametrize("name", ["x" * 250, "ж" * 127, "model [1] *?.gz", ".model"])
def test_every_name_that_a_file_can_have_is_written(tmp_path: Path, name: str) -> None:
    check_output(tmp_path / name)
    assert not names(tmp_path)
    write(tmp_path / name)
    write(tmp_path / name)
    assert names(tmp_path) == [name]


@POSIX
def test_a_replaced_file_keeps_its_mode_and_its_links(tmp_path: Path) -> None:
    file, soft, hard = tmp_path / "file", tmp_path / "soft", tmp_path / "hard"
    file.write_text("old")
    file.chmod(0o600)
    write(file)
    assert (file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) == (b"new", 0o600)
    soft.symlink_to("file")
    write(soft, b"by link")
    assert (soft.is_symlink(), file.read_bytes()) == (True, b"by link")
    hard.hardlink_to(file)
    write(file, b"by name")
    assert (hard.read_bytes(), file.stat().st_nlink) == (b"by name", 2)
    (tmp_path / "dangling").symlink_to("fresh")
    write(tmp_path / "dangling")
    assert (tmp_path / "fresh").read_bytes() == b"new"


def test_what_is_not_finished_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old")
    with pytest.raises(ZeroDivisionError), open_output(tmp_path / "file") as stream:
        stream.write(bytes(1 // 0))
    assert names(tmp_path) == ["file"]
    assert (tmp_path / "file").read_text() == "old"


@POSIX
def test_leftovers_of_killed_processes_are_removed_and_those_of_living_ones_stay(tmp_path: Path) -> None:
    path = tmp_path / "model"
    with subprocess.Popen([sys.executable, "-c", WRITER, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        write(path)
        assert len(names(tmp_path)) == 2
        other.send_signal(signal.SIGKILL)
        other.wait()
        assert len(names(tmp_path)) == 2
        write(tmp_path / "another")
        assert len(names(tmp_path)) == 3
        write(path)
    assert names(tmp_path) == ["another", "model"]


@POSIX
def test_a_pipe_is_written_to_and_not_tried(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    check_output(tmp_path / "pipe")
    with subprocess.Popen(["cat", tmp_path / "pipe"], stdout=subprocess.PIPE) as reader:
        write(tmp_path / "pipe")
        assert reader.communicate()[0] == b"new"
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


@POSIX
def test_a_file_that_is_resumed_is_written_by_one_process_and_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    path.chmod(0o600)
    with pytest.raises(ZeroDivisionError), open_resumable(path) as stream:  # noqa: PT012
        stream.write(b"half")
        stream.write(bytes(1 // 0))
    assert (path.read_text(), names(tmp_path)) == ("old", ["file", "file.partial"])
    with open_resumable(path) as stream:
        stream.write(b" and half")
        with pytest.raises(BlockingIOError, match="another process is writing it"), open_resumable(path):
            pass
    assert (path.read_text(), names(tmp_path)) == ("half and half", ["file"])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
