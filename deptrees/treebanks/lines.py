"""The lines of a stream, as they arrive."""

from __future__ import annotations

import codecs
import gzip
import io
import select
from collections.abc import Iterator
from typing import BinaryIO

__all__ = ["arriving_lines"]

_BYTES_AT_ONCE = 1 << 13
_decoder_of_utf_8 = codecs.getincrementaldecoder("utf-8-sig")


def arriving_lines(stream: BinaryIO | gzip.GzipFile) -> Iterator[str | None]:
    r"""The lines of a stream in UTF-8, without their ends, and ``None`` where the next one has not arrived yet.

    Bytes that are not UTF-8 pass as surrogates, for the sentence that has them to be named.

    >>> [line for line in arriving_lines(io.BytesIO(b"one\r\ntwo\n\nthree")) if line is not None]
    ['one', 'two', '', 'three']
    """
    decoder = io.IncrementalNewlineDecoder(_decoder_of_utf_8("surrogateescape"), translate=True)
    begun: list[str] = []
    chunk = b"?"
    while chunk:
        if not _has_more(stream):
            yield None
        chunk = stream.read1(_BYTES_AT_ONCE)  # type: ignore[union-attr]
        rest, *lines = decoder.decode(chunk, final=not chunk).split("\n")
        begun.append(rest)
        if lines:
            yield "".join(begun)
            begun = [lines.pop()]
            yield from lines
    if any(begun):
        yield "".join(begun)


def _has_more(stream: BinaryIO | gzip.GzipFile) -> bool:
    """Whether reading on takes no waiting, as far as that can be told: Windows cannot tell of pipes."""
    if stream.seekable():
        return True
    try:
        return bool(select.select([stream], [], [], 0)[0])
    except (OSError, ValueError, TypeError):
        return False
