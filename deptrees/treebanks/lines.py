"""The lines of a stream and its bytes, as they arrive."""

from __future__ import annotations

import codecs
import io
import re
import select
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO

from deptrees.files.compressed import DAMAGES, is_damage
from deptrees.treebanks.conllu import BYTE_ORDER_MARK, LONGEST_LINE, NOT_UTF_8, TOO_LONG, UTF_16, ConlluError

__all__ = ["arriving_bytes", "arriving_lines", "arriving_text", "damaged"]

_FEWEST_AT_ONCE, _MOST_AT_ONCE = 1 << 13, 1 << 16
_NOT_UTF_8 = re.compile("^.*[\ud800-\udfff].*\n?", re.MULTILINE)


def damaged(file: str, line: int, error: Exception) -> Exception:
    """The error for a file that cannot be decompressed from a line on; other errors stay."""
    return ConlluError(file, line, None, f"the file cannot be decompressed: {error}") if is_damage(error) else error


def arriving_lines(stream: BinaryIO, file: str, *, as_they_are: bool = False) -> Iterator[str | None]:
    r"""The lines of a stream in UTF-8, without their ends, and ``None`` where the next one has not arrived yet.

    Bytes that are not UTF-8 pass as surrogates, for the sentence that has them to be named. Lines as they are have the
    mark of byte order in front, and end in a line feed only.

    Raises:
        ConlluError: the stream cannot be decompressed, or has a line without end; the error names the file.

    >>> [line for line in arriving_lines(io.BytesIO(b"one\r\ntwo\n\nthree"), "numbers") if line is not None]
    ['one', 'two', '', 'three']
    """
    number = 1
    try:
        for line in _lines(stream, file, as_they_are):
            if line is not None and len(line) > LONGEST_LINE:
                raise ConlluError(file, number, None, TOO_LONG)
            yield line
            number += line is not None
    except DAMAGES as error:
        raise damaged(file, number, error) from None


def arriving_text(
    stream: BinaryIO, file: str, skip: Callable[[ConlluError], None] | None = None
) -> Iterator[str | None]:
    r"""The text of a stream in UTF-8 with its line ends, in parts, and ``None`` where the next has not arrived yet.

    Args:
        stream: a binary stream.
        file: its name.
        skip: is called for each line that is not UTF-8, which is then left out.

    Raises:
        ConlluError: the stream cannot be decompressed, or is not UTF-8; the error names the file and the line.

    >>> "".join(filter(None, arriving_text(io.BytesIO(b"one\r\nna\xefve\ntwo\n"), "numbers", print)))
    numbers:2: the line is not UTF-8: convert the file, for example by iconv -f LATIN1 -t UTF-8
    'one\r\ntwo\n'
    """
    texts = _decoded(stream, file, "surrogateescape")
    number = 1
    try:
        for text in _whole_lines(texts) if skip else texts:
            for found in _NOT_UTF_8.finditer(text or ""):
                error = ConlluError(file, number + found.string.count("\n", 0, found.start()), None, NOT_UTF_8)
                if not skip:
                    raise error
                skip(error)
            yield text and _NOT_UTF_8.sub("", text)
            number += (text or "").count("\n")
    except DAMAGES as error:
        raise damaged(file, number, error) from None


def _whole_lines(texts: Iterable[str | None]) -> Iterator[str | None]:
    """The same text, cut only where lines end."""
    begun = ""
    for text in texts:
        end = (text or "").rfind("\n") + 1
        if text is None:
            yield None
        elif end:
            yield begun + text[:end]
            begun = text[end:]
        else:
            begun += text
    yield begun


def _lines(stream: BinaryIO, file: str, as_they_are: bool) -> Iterator[str | None]:
    decoder = io.IncrementalNewlineDecoder(None, translate=not as_they_are)
    begun, length = list[str](), 0
    for text in _decoded(stream, file, "surrogateescape", as_they_are):
        if text is None:
            yield None
            continue
        rest, *lines = decoder.decode(text, final=not text).split("\n")
        begun.append(rest)
        length += len(rest)
        if lines or length > LONGEST_LINE:
            yield "".join(begun)
            begun = [lines.pop() if lines else ""]
            length = len(begun[0])
            yield from lines
    if any(begun):
        yield "".join(begun)


def _decoded(stream: BinaryIO, file: str, errors: str, begun: bool = False) -> Iterator[str | None]:
    """The characters of a stream in UTF-8, without a mark of byte order in front if none has come, and ``None``."""
    # Python's own decoder that leaves out the mark takes the beginning of one for a whole one at the end of a stream.
    decoder = codecs.getincrementaldecoder("utf-8")(errors)
    for chunk in arriving_bytes(stream, file):
        text = None if chunk is None else decoder.decode(chunk, final=not chunk)
        yield text.removeprefix(BYTE_ORDER_MARK) if text and not begun else text
        begun = begun or bool(text)


def arriving_bytes(stream: BinaryIO, file: str, fewest: int = _FEWEST_AT_ONCE) -> Iterator[bytes | None]:
    """The bytes of a stream, some at a time and none at the end, and ``None`` where the next ones have not arrived yet.

    At least ``fewest`` are asked for. They are few at first, so that the first results come soon.

    Raises:
        ConlluError: they begin with a mark that says that they are UTF-16.

    >>> [chunk for chunk in arriving_bytes(io.BytesIO(b"one"), "numbers") if chunk is not None]
    [b'one', b'']
    """
    chunk, size, has_begun = b"?", fewest, False
    while chunk:
        if not _has_more(stream):
            yield None
        chunk = stream.read1(size)  # type: ignore[attr-defined]
        if not has_begun and chunk.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise ConlluError(file, 1, None, UTF_16)
        has_begun = True
        yield chunk
        size = max(fewest, min(2 * size, _MOST_AT_ONCE))


def _has_more(stream: BinaryIO) -> bool:
    """Whether reading on takes no waiting, as far as that can be told: Windows cannot tell of pipes."""
    if stream.seekable():
        return True
    try:
        return bool(select.select([stream], [], [], 0)[0])
    except (OSError, ValueError, TypeError):
        return False
