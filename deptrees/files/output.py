"""Files written whole or not at all."""

from __future__ import annotations

import gzip
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

__all__ = ["STANDARD_STREAM", "check_folder", "open_output"]

STANDARD_STREAM = "-"
"""The file name that stands for standard input and output."""


def check_folder(path: str | os.PathLike[str]) -> None:
    """Make sure that a file can be put where its path says, before long work is done for it.

    Raises:
        FileNotFoundError: there is no such folder.
    """
    folder = Path(path).parent
    if not folder.is_dir():
        raise FileNotFoundError(f"there is no folder {str(folder)!r} to write to: make it first")


@contextmanager
def open_output(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file that takes its name only when the block ends without an error.

    Args:
        path: where to write; compressed if it ends in ``.gz``; ``"-"`` for standard output.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with open_output(f"{folder}/greeting") as stream:
    ...         stream.write(b"Hello") and Path(folder, "greeting").exists()
    ...     Path(folder, "greeting").read_text()
    False
    'Hello'
    """
    check_folder(path)
    target = Path(path)
    if str(path) == STANDARD_STREAM:
        sys.stdout.flush()  # what was printed before comes first
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    elif target.exists() and not target.is_file():  # a pipe or a device: nothing to replace
        with target.open("wb") as stream:
            yield stream
    else:
        real = target.resolve()  # a link stays a link
        unfinished = real.with_name(f".{real.name}.{os.getpid()}.unfinished")
        try:
            with unfinished.open("wb") as file:
                if target.suffix == ".gz":  # with neither name nor time in it: the same content gives the same bytes
                    with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as stream:
                        yield stream  # type: ignore[misc]
                else:
                    yield file
            unfinished.replace(real)
        finally:
            unfinished.unlink(missing_ok=True)
