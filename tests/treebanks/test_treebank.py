import gzip
import io
import os
import re
import stat
import sys
import threading
import tracemalloc
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import attrs
import pytest

from deptrees import (
    ConlluError,
    DependencyTree,
    Token,
    Treebank,
    TreebankWarning,
    sample_treebank,
    to_conllu,
    to_conllx,
    write_treebank,
)
from tests.tiers import slow

A, B, C = (DependencyTree([(2, "a", "x"), (0, form, "root")], [f"# sent_id = {form}"]) for form in ("A", "B", "C"))
BAD = "# sent_id = bad\n1\ta\t_\t_\t_\t_\t5\t_\t_\t_\n\n"

needs_fifo = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are not known here")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "abc.conllu"
    path.write_text("".join(map(to_conllu, [A, B, C])), encoding="utf-8")
    return path


@pytest.fixture
def pipe_in(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    return lambda data: monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="ascii"))


@contextmanager
def standard_output(buffered: bool = False) -> Iterator[io.BytesIO]:
    written = io.BytesIO()
    stream = io.TextIOWrapper(io.BufferedWriter(written) if buffered else written, encoding="ascii")
    with redirect_stdout(stream):
        yield written
    stream.detach()  # flushes, and leaves the bytes readable


def names(trees: Treebank) -> list[str | None]:
    return [tree.sent_id for tree in trees]


def test_a_treebank_can_be_read_again_and_in_parallel(file: Path) -> None:
    treebank = Treebank(file)
    assert list(treebank) == [A, B, C]
    assert list(treebank) == [A, B, C]
    assert list(zip(treebank, islice(treebank, 1, None), strict=False)) == [(A, B), (B, C)]


def test_a_treebank_reads_what_the_file_holds_now(file: Path) -> None:
    treebank = Treebank(file)
    write_treebank(file, [C])
    assert list(treebank) == [C]


def test_reading_is_lazy(file: Path) -> None:
    with file.open("a", encoding="utf-8") as stream:
        stream.write(BAD)
    reading = iter(Treebank(file))
    assert list(islice(reading, 3)) == [A, B, C]
    with pytest.raises(ConlluError, match="bad"):
        next(reading)


def test_a_treebank_is_a_value(file: Path) -> None:
    assert Treebank(file) == Treebank(str(file))
    assert hash(Treebank(file)) == hash(Treebank(str(file)))
    assert Treebank(file) != Treebank(file, strict=False)
    assert Treebank(file) != Treebank(file, file)
    options = "strict=True, keep=None, words=False, tokenizer=None"
    assert repr(Treebank(file)) == f"Treebank(paths=({str(file)!r},), {options})"


def test_the_labels_of_a_treebank_are_found_by_reading_it(file: Path, pipe_in: Callable[[bytes], None]) -> None:
    assert Treebank(file).labels == ("root", "x")
    write_treebank(file, [DependencyTree([(2, "a"), (0, "b", "R")])])
    assert Treebank(file).labels == ("R",)
    write_treebank(file, [])
    assert Treebank(file).labels == ()
    pipe_in(to_conllu(A).encode())
    assert Treebank("-").labels == ("root", "x")


def test_several_files_are_read_one_after_the_other(tmp_path: Path) -> None:
    for name, tree in (("b", B), ("a", A), ("c", C)):
        write_treebank(tmp_path / f"{name}.conllu", [tree])
    assert names(Treebank(tmp_path / "b.conllu", str(tmp_path / "a.conllu"), tmp_path / "b.conllu")) == ["B", "A", "B"]
    assert names(Treebank(tmp_path / "*.conllu")) == ["A", "B", "C"]
    assert names(Treebank(tmp_path / "[bc].conllu", tmp_path / "a.*")) == ["B", "C", "A"]
    assert Treebank(tmp_path / "*.conllu").paths == tuple(str(tmp_path / f"{name}.conllu") for name in "abc")


def test_patterns_reach_into_folders_and_leave_folders_out(tmp_path: Path) -> None:
    (tmp_path / "inner" / "x.conllu").mkdir(parents=True)
    write_treebank(tmp_path / "inner" / "a.conllu", [A])
    write_treebank(tmp_path / "b.conllu.gz", [B])
    assert names(Treebank(tmp_path / "**" / "*.conllu*")) == ["B", "A"]


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(tmp_path: Path) -> None:
    write_treebank(tmp_path / "[a].conllu", [A])
    write_treebank(tmp_path / "a.conllu", [B])
    assert names(Treebank(tmp_path / "[a].conllu")) == ["A"]


@pytest.mark.parametrize("name", ["none.conllu", "*.conllu", "none.conllu.gz", ""])
def test_a_missing_file_is_missed_at_once(tmp_path: Path, name: str) -> None:
    write_treebank(tmp_path / "other.txt", [A])
    path = os.path.join(tmp_path, name) if name else name
    with pytest.raises(FileNotFoundError, match=re.escape(repr(path))):
        Treebank(tmp_path / "other.txt", path)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["", "BOM"])
@pytest.mark.parametrize("name", ["x.conllu", "x.conllu.gz", "-"])
def test_byte_order_marks_and_line_ends_make_no_difference(
    tmp_path: Path, pipe_in: Callable[[bytes], None], name: str, mark: str, line_end: str
) -> None:
    trees = [DependencyTree([(0, "été", "root")], ["# text = été"]), A]
    data = (mark + "".join(map(to_conllu, trees)).replace("\n", line_end)).encode()
    if name == "-":
        pipe_in(data)
        assert list(Treebank("-")) == trees
    else:
        (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)
        assert list(Treebank(tmp_path / name, tmp_path / name)) == trees * 2


@pytest.mark.parametrize("end", ["", "\n", "\n\n", "\n\n\n\n"], ids=len)
def test_the_last_sentence_needs_no_blank_line(tmp_path: Path, end: str) -> None:
    path = tmp_path / "x.conllu"
    path.write_text(to_conllu(A) + to_conllu(B).rstrip("\n") + end, encoding="utf-8")
    assert list(Treebank(path)) == [A, B]


@pytest.mark.parametrize("data", [b"", b"\n\n \n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_an_empty_treebank(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.conllu").write_bytes(data)
    assert list(Treebank(tmp_path / "x.conllu")) == []


def test_standard_input_can_be_read_once(pipe_in: Callable[[bytes], None]) -> None:
    pipe_in(to_conllu(A).encode())
    treebank = Treebank("-")
    assert list(treebank) == [A]
    with pytest.raises(ValueError, match=r"standard input .*only once"):
        list(treebank)


def test_standard_input_cannot_be_named_twice(pipe_in: Callable[[bytes], None], file: Path) -> None:
    pipe_in(to_conllu(A).encode())
    with pytest.raises(ValueError, match=r"standard input .*only once"):
        list(Treebank("-", file, "-"))


def test_standard_input_stays_open_for_others(pipe_in: Callable[[bytes], None]) -> None:
    pipe_in(to_conllu(A).encode())
    assert list(Treebank("-")) == [A]
    assert sys.stdin.read() == ""


def test_errors_in_standard_input_and_in_later_files_name_the_place(
    pipe_in: Callable[[bytes], None], file: Path, tmp_path: Path
) -> None:
    pipe_in(BAD.encode())
    with pytest.raises(ConlluError, match=r"^-:2: sentence 'bad'"):
        list(Treebank("-"))
    other = tmp_path / "other.conllu.gz"
    other.write_bytes(gzip.compress(BAD.encode()))
    with pytest.raises(ConlluError, match=f"^{re.escape(str(other))}:2: sentence 'bad'"):
        list(Treebank(file, other))


def test_a_truncated_archive_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "x.conllu.gz"
    whole = write_treebank(path, sample_treebank())
    path.write_bytes(path.read_bytes()[:-2000])
    read: list[DependencyTree] = []
    with pytest.raises(ConlluError, match=rf"^{re.escape(str(path))}:\d+: .*decompress") as caught:
        read.extend(Treebank(path))
    assert read == list(islice(sample_treebank(), len(read)))
    assert 0 < len(read) < whole
    assert caught.value.line > sum(to_conllu(tree).count("\n") for tree in read)


def test_what_is_no_archive_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "x.conllu.gz").write_text(to_conllu(A), encoding="utf-8")
    with pytest.raises(ConlluError, match=r"gz:1: .*decompress"):
        list(Treebank(tmp_path / "x.conllu.gz"))


def test_skipped_sentences_are_reported_at_the_end_of_each_reading(file: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.conllu"
    bad.write_text(BAD + to_conllu(A) + BAD, encoding="utf-8")
    treebank = Treebank(bad, file, strict=False)
    for _ in range(2):
        reading = iter(treebank)
        assert list(islice(reading, 4)) == [A, A, B, C]
        with pytest.warns(TreebankWarning, match=rf"skipped 2 of 6 sentences.*{re.escape(str(bad))}:2: ") as caught:
            assert list(reading) == []
        assert [warning.filename for warning in caught] == [__file__]


def test_nothing_is_reported_when_nothing_is_skipped(file: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(Treebank(file, strict=False)) == [A, B, C]


def peak_memory(action: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        action()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def consume(treebank: Treebank) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TreebankWarning)
        for _ in treebank:
            pass


@pytest.mark.parametrize("name", ["x.conllu", "x.conllu.gz"])
@pytest.mark.parametrize("sentence", [to_conllu(A), BAD], ids=["good", "skipped"])
@pytest.mark.parametrize("sentences", [500, slow(5_000)])
def test_reading_takes_the_memory_of_one_passage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, sentence: str, sentences: int
) -> None:
    for limit in ("passages._MOST", "lines._MOST_AT_ONCE"):
        monkeypatch.setattr(f"deptrees.treebanks.{limit}", 1 << 13)
    treebanks = []
    for size in (1, sentences, 10 * sentences):
        path = tmp_path / f"{size}.{name}"
        data = (sentence * size).encode()
        path.write_bytes(gzip.compress(data) if name.endswith("gz") else data)
        treebanks.append(Treebank(path, strict=False))
    _, small, large = [peak_memory(partial(consume, treebank)) for treebank in treebanks]
    assert large < small * 1.1 + 20_000


def test_writing_takes_the_memory_of_one_sentence(tmp_path: Path) -> None:
    def write(size: int) -> None:
        write_treebank(tmp_path / "x.conllu", (attrs.evolve(A, comments=[f"# {n}"]) for n in range(size)))

    _, small, large = [peak_memory(partial(write, size)) for size in (1, 200, 2_000)]
    assert large < small * 1.1 + 20_000


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
    reader.join(timeout=10)
    assert received == [(to_conllu(A) + to_conllu(B)).encode()]
    assert stat.S_ISFIFO(path.stat().st_mode)
    assert os.listdir(tmp_path) == ["pipe"]


@needs_fifo
def test_a_pipe_is_read(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    treebank = Treebank(path)
    threading.Thread(target=lambda: path.write_bytes(to_conllu(A).encode()), daemon=True).start()
    assert list(treebank) == [A]


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


def test_trees_that_are_not_to_be_kept_are_left_out_each_time(file: Path) -> None:
    treebank = Treebank(file, keep=lambda tree: tree.sent_id != "B")
    assert [tree.sent_id for tree in treebank] == [tree.sent_id for tree in treebank] == ["A", "C"]


def test_bad_sentences_are_not_asked_whether_to_keep_them(tmp_path: Path) -> None:
    path = tmp_path / "bad.conllu"
    path.write_text(to_conllu(A) + BAD)
    with pytest.raises(ConlluError):
        list(Treebank(path, keep=lambda tree: False))
    with pytest.warns(TreebankWarning, match="skipped 1 of 2"):
        assert list(Treebank(path, strict=False, keep=lambda tree: False)) == []


def test_a_folder_is_no_treebank(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError, match=r"is a folder: name files, or a pattern such as '.*/\*\.conllu'"):
        Treebank(tmp_path)
