"""Files of raw text, which a tokenizer divides."""

import gzip
import io
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from deptrees import ConlluError, Treebank
from deptrees.treebanks.batch import Batch
from deptrees.treebanks.lines import arriving_text

LONG = "é語\r\n\U0001f600\r\n\n" * 3000
"""More than is read at once, with characters of one to four bytes."""


class Characters:
    """A tokenizer that takes each character for a sentence, and keeps what it was given."""

    def __init__(self) -> None:
        self.given = ""

    def batches(self, text: Iterable[str | None], name: str = "") -> Iterator[Batch]:
        for part in text:
            self.given += part or ""
            yield Batch.of([character] for character in "".join((part or "").split()))


@pytest.mark.parametrize("start", range(4))
def test_text_arrives_as_it_is(start: int) -> None:
    text = "x" * start + LONG
    assert "".join(filter(None, arriving_text(io.BytesIO(text.encode()), "file"))) == text


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "by lines"])
def test_a_tokenizer_divides_all_files(compiled: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not compiled:
        monkeypatch.setitem(sys.modules, "deptrees.treebanks.encoded_text", None)
    text = LONG[:1000]
    (tmp_path / "one").write_bytes(text.encode())
    (tmp_path / "two.gz").write_bytes(gzip.compress(text.encode()))
    tokenizer = Characters()
    trees = list(Treebank(tmp_path / "one", tmp_path / "two.gz", tokenizer=tokenizer))
    assert [tree[1].form for tree in trees] == [*"".join(text.split())] * 2
    assert tokenizer.given == text * 2


@pytest.mark.parametrize("lines", [0, 1, 5000])
@pytest.mark.parametrize("good", [b"good\n", b"\n"])
def test_what_is_not_utf_8_is_named_with_its_line(good: bytes, lines: int) -> None:
    with pytest.raises(ConlluError, match="the line is not UTF-8") as error:
        list(arriving_text(io.BytesIO(good * lines + b"b\xffd\ngood\n"), "file"))
    assert (error.value.file, error.value.line) == ("file", lines + 1)


def test_a_damaged_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "text.gz").write_bytes(gzip.compress(LONG.encode())[:-20])
    with pytest.raises(ConlluError, match="cannot be decompressed"):
        list(Treebank(tmp_path / "text.gz", tokenizer=Characters()))


@pytest.mark.parametrize("start", range(4))
def test_lines_that_are_not_utf_8_are_left_out_wherever_the_file_is_cut(start: int) -> None:
    text = "x" * start + LONG
    content = text.encode().replace(b"\n\n", b"\n\nna\xefve\n")
    skipped: list[ConlluError] = []
    found = "".join(filter(None, arriving_text(io.BytesIO(content + b"\xff"), "file", skipped.append)))
    assert found == text
    assert [error.line for error in skipped] == [*range(4, 4 + 4 * 3000, 4), 4 * 3000 + 1]
