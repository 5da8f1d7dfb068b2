"""The bytes of a treebank's sentences, many sentences at a time, as they arrive."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import BinaryIO

import attrs

from deptrees.files.compressed import DAMAGES
from deptrees.treebanks.conllu import LONGEST_LINE, TOO_LONG, ConlluError, SentenceText, sentence_texts
from deptrees.treebanks.lines import arriving_bytes, damaged
from deptrees.trees.token import COLUMNS

__all__ = ["LEAST", "Passage", "passages", "row_passages", "ten_columns"]

LEAST = 1 << 13  # bytes of a passage, but for the last one and those before what has not arrived yet
_MOST = 1 << 20
_ROWS_AT_ONCE = 10_000
_DECLARATION = re.compile(rb"# *global\.columns *= *(.*)\n?")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@attrs.frozen
class Passage:
    """Some sentences of a file from a line on, which are counted from 1, as bytes. Lines end in a line feed."""

    file: str
    first_line: int
    content: bytes

    def sentences(self) -> Iterator[SentenceText]:
        r"""The sentences.

        >>> [text.first_line for text in Passage("greetings", 5, b"1\tHi\n \n\n2\tHo\n\n").sentences()]
        [5, 8]
        """
        lines = self.content.decode(errors="surrogateescape").split("\n")
        for text in filter(None, sentence_texts(lines, self.file)):
            yield attrs.evolve(text, first_line=text.first_line + self.first_line - 1)


def passages(stream: BinaryIO, file: str, least: int = LEAST) -> Iterator[Passage | None]:
    r"""The passages of a stream, small ones at first, and ``None`` where the next one has not arrived yet.

    Raises:
        ConlluError: the stream cannot be decompressed, or has a line without end.

    >>> from io import BytesIO
    >>> list(filter(None, passages(BytesIO(b"1\tHi\r\n\r\n1\tHo"), "greetings")))
    [Passage(file='greetings', first_line=1, content=b'1\tHi\n\n1\tHo')]
    """
    begun = _Begun(file, least)
    try:
        for chunk in arriving_bytes(stream, file, least):
            if chunk is not None:
                begun.add(chunk)
            if chunk is None or begun.is_enough:
                yield from begun.whole_sentences()
            if chunk is None:
                yield None
    except DAMAGES as error:
        yield from begun.whole_sentences()
        raise damaged(file, begun.first_line + begun.content.count(b"\n"), error) from None
    yield from begun.rest()


def ten_columns(found: Iterable[Passage | None]) -> Iterator[Passage | None]:
    r"""Passages of CoNLL-U Plus, whose first line names the columns, with those of CoNLL-U; others as they are.

    >>> content = b"# global.columns = ID FORM X:Y\n1\tSing\tyes\n\n"
    >>> [passage.content for passage in ten_columns([Passage("plus", 1, content)])]
    [b'\n1\tSing\t_\t_\t_\t_\t_\t_\t_\t_\n\n']
    """
    places: dict[str, int] | None = None
    for passage in found:
        if passage is None:
            yield None
            continue
        declared = _DECLARATION.match(passage.content) if places is None else None
        if places is None:
            names = declared[1].decode(errors="replace").lower().split() if declared else []
            places = {name: place for place, name in enumerate(names)}
        if places:
            rows = passage.content[declared.end() if declared else 0 :].split(b"\n")
            content = b"\n" * bool(declared) + b"\n".join([_ten_columns(row, places) for row in rows])
            passage = attrs.evolve(passage, content=content)
        yield passage


def _ten_columns(line: bytes, places: Mapping[str, int]) -> bytes:
    values = line.split(b"\t")
    if line.startswith(b"#") or len(values) != len(places):
        return line
    return b"\t".join([values[places[name]] if name in places else b"_" for name in COLUMNS])


def row_passages(rows: Iterable[str | None], file: str) -> Iterator[Passage | None]:
    r"""The passages of lines that were made, not read, and ``None`` where the next one has not arrived yet.

    >>> list(row_passages(["1\tHi", "", None, "1\tHo", ""], "greetings"))
    [Passage(file='greetings', first_line=1, content=b'1\tHi\n\n'), None,
     Passage(file='greetings', first_line=1, content=b'1\tHo\n\n')]
    """
    begun: list[str] = []
    for row in rows:
        if row is not None:
            begun.append(f"{row}\n")
        if begun and (row is None or (not row and len(begun) > _ROWS_AT_ONCE)):
            yield Passage(file, 1, "".join(begun).encode())
            begun = []
        if row is None:
            yield None
    if begun:
        yield Passage(file, 1, "".join(begun).encode())


@attrs.define
class _Begun:
    """What has arrived of the next passage."""

    file: str
    least: int
    content: bytes | bytearray = b""
    _held: bytes = b""  # a carriage return, after which a line feed may come
    _searched: int = 0  # up to here no sentence is whole
    _seen: int = 0  # from _searched up to here no line ends
    _done: int = 0  # the number of bytes that passages have had
    _first_line: int = 1  # of the last passage
    _last: bytes = b""  # its bytes

    @property
    def first_line(self) -> int:
        """The number of the first line that has arrived; lines are not counted before somebody asks."""
        return self._first_line + self._last.count(b"\n")

    @property
    def is_enough(self) -> bool:
        return len(self.content) >= max(self.least, min(self._done, _MOST))

    def add(self, chunk: bytes) -> None:
        """Add what has arrived; nothing more comes after nothing."""
        more = self._held + chunk
        self._held = b"\r" if chunk and more.endswith(b"\r") else b""
        if b"\r" in more:
            more = more.removesuffix(self._held).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if not self.content:
            self.content = more  # and is not copied if it is a passage as it is
        elif more:
            self.content = bytearray(self.content) if isinstance(self.content, bytes) else self.content
            self.content += more

    def whole_sentences(self) -> Iterator[Passage]:
        """A passage of the sentences that are whole, if there are any."""
        end = last_line = self.content.rfind(b"\n", self._seen) + 1 or self._searched
        while end > self._searched:
            start = self.content.rfind(b"\n", 0, end - 1) + 1
            if not self.content[start:end].decode(errors="surrogateescape").strip():
                yield self._passage(end)
                last_line -= end
                break
            end = start
        self._searched, self._seen = last_line, len(self.content)
        if self._seen - last_line > LONGEST_LINE:
            line = self.first_line + self.content.count(b"\n")
            raise ConlluError(self.file, line, None, TOO_LONG)

    def rest(self) -> Iterator[Passage]:
        """A passage of all that is left."""
        if self.content:
            yield self._passage(len(self.content))

    def _passage(self, end: int) -> Passage:
        self._first_line, self._last = self.first_line, self._take(end)
        self._done += end
        is_first = self._done == end
        content = self._last.removeprefix(_BYTE_ORDER_MARK) if is_first else self._last
        return Passage(self.file, self._first_line, content)

    def _take(self, end: int) -> bytes:
        if isinstance(self.content, bytes):
            taken, self.content = self.content[:end], self.content[end:]
            return taken
        with memoryview(self.content) as whole:
            taken = bytes(whole[:end])
        del self.content[:end]
        return taken
