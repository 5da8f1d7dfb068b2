"""Files to read, compressed or not."""

from __future__ import annotations

import io
import os
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import BinaryIO

__all__ = ["DAMAGES", "is_damage", "open_to_read"]

DAMAGES: tuple[type[Exception], ...] = (EOFError, OSError, zlib.error)
"""What is raised where a file cannot be decompressed, among other errors: see ``is_damage``."""
with suppress(ImportError):  # Python can be built without it
    DAMAGES += (import_module("lzma").LZMAError,)

_BUFFER = 1 << 16  # as much as readers ask for at once: what was looked at stays in the buffer
_KINDS = {
    "gzip": (".gz", re.compile(rb"\x1f\x8b")),
    "bz2": (".bz2", re.compile(rb"BZh[1-9]1AY&SY")),
    "lzma": (".xz", re.compile(rb"\xfd7zXZ\x00")),
}
"""The modules that decompress, with the ends of names and the beginnings of files."""


def is_damage(error: Exception) -> bool:
    """Whether an error of ``DAMAGES`` is about the content of a file: those of the system have a number."""
    return not isinstance(error, OSError) or error.errno is None


@contextmanager
def open_to_read(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file's bytes, decompressed if its name or its beginning says that it was compressed by gzip, bzip2 or xz.

    >>> from tempfile import TemporaryDirectory
    >>> from pathlib import Path
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "text")
    ...     _ = path.write_bytes(import_module("bz2").compress(b"Birds sing."))
    ...     with open_to_read(path) as file:
    ...         file.read()
    b'Birds sing.'
    """
    with io.BufferedReader(io.FileIO(path), _BUFFER) as file:
        for module, (ending, beginning) in _KINDS.items():
            if os.fspath(path).endswith(ending) or beginning.match(file.peek(16)):
                with import_module(module).open(file) as stream:
                    yield stream
                return
        yield file
