import gzip
import io
import os
import re
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from io import BytesIO
from itertools import islice
from pathlib import Path
from time import process_time

import pytest
from more_itertools import consume

from deptrees import (
    ConlluError,
    DependencyTree,
    Treebank,
    TreebankWarning,
    sample_treebank,
    to_conllu,
    write_treebank,
)
from deptrees.treebanks.conllu import LONGEST_LINE
from deptrees.treebanks.lines import arriving_lines
from deptrees.treebanks.passages import passages
from deptrees.treebanks.treebank import document_name
from tests.treebanks.samples import BAD, A, B, C, needs_fifo


@pytest.fixture
def pipe_in(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    return lambda data: monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="ascii"))


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
    options = "strict=True, keep=None, words=False, tokenizer=None, heads=True, most_words=None, graphs=False"
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


@pytest.mark.parametrize("module", ["gzip", "bz2", "lzma"])
@pytest.mark.parametrize("is_named", [True, False])
def test_compressed_files_are_read_whatever_they_are_called(module: str, is_named: bool, tmp_path: Path) -> None:
    ending = {"gzip": ".gz", "bz2": ".bz2", "lzma": ".xz"}[module] if is_named else ""
    path, compress = tmp_path / f"x.conllu{ending}", import_module(module).compress
    path.write_bytes(compress("".join(map(to_conllu, sample_treebank())).encode()))
    assert list(Treebank(path)) == list(sample_treebank())
    path.write_bytes(path.read_bytes()[:-2000])
    with pytest.raises(ConlluError, match="decompress"):
        list(Treebank(path))


def test_the_columns_of_conllu_plus_are_read_by_their_names(tmp_path: Path) -> None:
    rows = ["# global.columns = ID FORM HEAD PARSEME:MWE DEPREL", "# text = Go on", "1 Go 0 1:X root", "2 on 1 1 dep"]
    content = "\n".join(["\t".join(row.split(" ")) if row[0] != "#" else row for row in rows]) + "\n\n"
    path = tmp_path / "x.cupt"
    path.write_text(content + "1\tGo\t7\t_\troot\n\n", encoding="utf-8")
    reading = iter(Treebank(path))
    assert to_conllu(next(reading)) == (
        "# text = Go on\n1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n2\ton\t_\t_\t_\t_\t1\tdep\t_\t_\n\n"
    )
    with pytest.raises(ConlluError, match="cupt:6: the head of word 1 is 7"):
        next(reading)


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


@needs_fifo
def test_a_pipe_is_read(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    treebank = Treebank(path)
    threading.Thread(target=lambda: path.write_bytes(to_conllu(A).encode()), daemon=True).start()
    assert list(treebank) == [A]


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


def test_the_time_for_a_single_line_grows_with_its_length_only() -> None:
    def seconds(size: int) -> float:
        start = process_time()
        assert sum(len(found.content) for found in passages(BytesIO(b"a" * size), "x") if found) == size
        return process_time() - start

    # 64 times as long; by the square of the length it would be 4096 times, and a busy machine is not 8 times as slow.
    assert min(seconds(1 << 23) for _ in range(3)) < 500 * min(seconds(1 << 17) for _ in range(3))


@pytest.mark.parametrize(
    ("read", "begin", "line"),
    [(passages, "1\tGo\n\n", 3), (passages, "1\tGo", 1), (arriving_lines, "Go\nGo on ", 2)],
)
def test_a_line_without_end_is_an_error_before_it_is_read(
    read: Callable[[BytesIO, str], Iterator[object]], begin: str, line: int
) -> None:
    class Endless(BytesIO):
        read_bytes = 0

        def read1(self, size: int | None = -1, /) -> bytes:
            assert size
            self.read_bytes += size
            return super().read1(size) or b"a" * size

    stream = Endless(begin.encode())
    with pytest.raises(ConlluError, match=f"^endless:{line}: the line is longer than 16,777,216 bytes"):
        consume(read(stream, "endless"))
    assert stream.read_bytes < 1.1 * LONGEST_LINE


def test_names_of_documents_differ_as_those_of_files_do_and_can_be_written() -> None:
    names = ["a b", "a_b", "a%20b", "a\u00a0b", "a\u2028b", "a\udcffb", "a%FFb", "é"]
    found = [document_name(f"{name}.txt") for name in names]
    assert len({*found}) == len(names)
    assert "é" in found
    for name in found:
        assert not re.search(r"\s|/", name)
        assert name.encode()
