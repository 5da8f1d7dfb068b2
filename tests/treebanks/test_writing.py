"""Treebanks are written whole or not at all, wherever they are written to."""

import gzip
import io
import os
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from deptrees import (
    DependencyTree,
    Token,
    Treebank,
    to_conllu,
    to_conllx,
    write_treebank,
)
from tests.tiers import PATIENCE
from tests.treebanks.samples import A, B, C, needs_fifo


@contextmanager
def standard_output(buffered: bool = False) -> Iterator[io.BytesIO]:
    written = io.BytesIO()
    stream = io.TextIOWrapper(io.BufferedWriter(written) if buffered else written, encoding="ascii")
    with redirect_stdout(stream):
        yield written
    stream.detach()  # flushes, and leaves the bytes readable


@pytest.mark.parametrize("name", ["x.conllu", "x.conllu.gz"])
def test_what_is_written_is_read_back(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    assert write_treebank(path, iter([A, B])) == 2
    assert list(Treebank(path)) == [A, B]
    assert write_treebank(str(path), [C]) == 1
    assert list(Treebank(path)) == [C]
    assert os.listdir(tmp_path) == [name]
    data = path.read_bytes()
    assert (gzip.decompress(data) if name.endswith("gz") else data) == to_conllu(C).encode()


def test_writing_no_trees_gives_an_empty_file(tmp_path: Path) -> None:
    assert write_treebank(tmp_path / "x.conllu", []) == 0
    assert (tmp_path / "x.conllu").read_bytes() == b""


def test_the_same_trees_give_the_same_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archives = []
    for seconds in (1_000_000_000, 1_100_000_000):
        monkeypatch.setattr("time.time", lambda seconds=seconds: float(seconds))
        write_treebank(tmp_path / "x.conllu.gz", [A, B])
        archives.append((tmp_path / "x.conllu.gz").read_bytes())
    assert archives[0] == archives[1]
    assert b"unfinished" not in archives[0]


def test_the_format_can_be_chosen(tmp_path: Path) -> None:
    tree = DependencyTree([Token("au", 0, upos="P")], ["# sent_id = 1"], [(0, Token("aux", id="1-1"))])
    write_treebank(tmp_path / "x.conll", [tree], to_text=to_conllx)
    assert (tmp_path / "x.conll").read_text(encoding="utf-8") == "1\tau\t_\tP\t_\t_\t0\t_\t_\t_\n\n"


@pytest.mark.parametrize(
    ("trees", "message"),
    [
        (A, r"trees is DependencyTree\(.*: give a list of trees"),
        ("x.conllu", "trees is 'x.conllu': give a list of trees"),
        (7, "trees is 7: give a list of trees"),
        (["Go"], "'Go' is in trees, and is no tree"),
        ([A[1]], r"Token\(.* is in trees, and is no tree"),
    ],
)
def test_what_is_no_list_of_trees_is_not_written(tmp_path: Path, trees: Any, message: str) -> None:
    for to_text in (to_conllu, to_conllx):
        with pytest.raises(TypeError, match=message):
            write_treebank(tmp_path / "x.conllu", trees, to_text=to_text)
    assert not [*tmp_path.iterdir()]


def test_the_path_comes_before_the_trees(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match=r"path is \[DependencyTree.*: give the name of the file first"):
        write_treebank([A], tmp_path / "x.conllu")  # type: ignore[arg-type]


def test_a_file_can_be_written_from_itself(file: Path) -> None:
    write_treebank(file, (tree.reattach([0, 1]) for tree in Treebank(file)))
    assert [tree.heads for tree in Treebank(file)] == [(0, 1)] * 3


class StopHere(BaseException):
    pass


@pytest.mark.parametrize("failure", [ValueError, StopHere, KeyboardInterrupt])
@pytest.mark.parametrize("name", ["x.conllu", "x.conllu.gz"])
@pytest.mark.parametrize("existing", [True, False])
def test_a_file_is_written_whole_or_not_at_all(
    tmp_path: Path, failure: type[BaseException], name: str, existing: bool
) -> None:
    def trees() -> Iterator[DependencyTree]:
        yield A
        yield B
        raise failure

    if existing:
        write_treebank(tmp_path / name, [C])
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(failure):
        write_treebank(tmp_path / name, trees())
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_file_appears_when_the_last_tree_is_written(tmp_path: Path) -> None:
    seen = []

    def trees() -> Iterator[DependencyTree]:
        yield A
        seen.append(list(tmp_path.glob("*.conllu")))
        yield B

    write_treebank(tmp_path / "x.conllu", trees())
    assert seen == [[]]
    assert list(tmp_path.glob("*.conllu")) == [tmp_path / "x.conllu"]


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="missing"):
        write_treebank(tmp_path / "missing" / "x.conllu", [A])
    with pytest.raises(IsADirectoryError):
        write_treebank(tmp_path, [A])


@pytest.mark.skipif(os.name != "posix", reason="there is no umask here")
@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o027, 0o640), (0o077, 0o600)])
@pytest.mark.parametrize("name", ["x.conllu", "x.conllu.gz"])
def test_permissions_follow_the_umask(tmp_path: Path, name: str, umask: int, mode: int) -> None:
    before = os.umask(umask)
    try:
        write_treebank(tmp_path / name, [A])
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / name).stat().st_mode) == mode


def test_a_link_is_written_through(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    target, link = tmp_path / "store" / "real.conllu", tmp_path / "link.conllu"
    write_treebank(target, [A])
    try:
        link.symlink_to(target)
    except OSError:
        pytest.skip("links cannot be made here")
    write_treebank(link, [B])
    assert link.is_symlink()
    assert list(Treebank(target)) == [B]
    assert os.listdir(tmp_path / "store") == ["real.conllu"]


@pytest.mark.skipif(os.name != "posix", reason="there are no terminals here")
def test_a_device_is_written_and_stays_a_device() -> None:
    # A terminal, and not /dev/null: where the code is wrong and the user is root, this test would replace that one.
    import tty

    ours, theirs = os.openpty()
    try:
        tty.setraw(theirs)
        path = os.ttyname(theirs)
        assert write_treebank(path, [A]) == 1
        assert os.read(ours, 10_000).decode() == to_conllu(A)
        assert stat.S_ISCHR(os.stat(path).st_mode)
    finally:
        os.close(ours)
        os.close(theirs)


@needs_fifo
def test_a_pipe_is_written_and_stays_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(path.read_bytes()), daemon=True)
    reader.start()
    assert write_treebank(path, [A, B]) == 2
    reader.join(timeout=PATIENCE)
    assert received == [(to_conllu(A) + to_conllu(B)).encode()]
    assert stat.S_ISFIFO(path.stat().st_mode)
    assert os.listdir(tmp_path) == ["pipe"]


def test_standard_output_is_written_to_and_stays_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tree = DependencyTree([(0, "été")])
    with standard_output(buffered=True) as written:
        assert write_treebank("-", [A, tree]) == 2
        assert written.getvalue().decode() == to_conllu(A) + to_conllu(tree)
        assert not written.closed
    assert os.listdir(tmp_path) == []


def test_standard_output_keeps_the_order() -> None:
    with standard_output() as written:
        print("# before")
        write_treebank("-", [A])
        print("# after")
    assert written.getvalue().decode() == f"# before\n{to_conllu(A)}# after\n"


def test_standard_output_gets_each_tree_at_once() -> None:
    seen = []

    def trees() -> Iterator[DependencyTree]:
        yield A
        seen.append(written.getvalue().decode())
        yield B

    with standard_output() as written:
        write_treebank("-", trees())
    assert seen == [to_conllu(A)]
