"""Locks: one process at a time works on a file."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

try:
    import fcntl
except ImportError:  # Windows, which deletes no file that is open
    fcntl = None  # type: ignore[assignment]

__all__ = ["only_process"]


@contextmanager
def only_process(path: str | os.PathLike[str]) -> Iterator[None]:
    """Be the only process that works on a file, of all that ask for this; it ends with the process, however that ends.

    The lock is a file beside it, whose name begins with a dot and ends in ``.lock``.

    Raises:
        BlockingIOError: another process works on the file.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, only_process(f"{folder}/notes"):
    ...     os.listdir(folder)
    ['.notes.lock']
    """
    real = Path(path).resolve()
    lock = real.with_name(f".{real.name}.lock")
    try:
        file = _locked(lock)
    except (BlockingIOError, FileExistsError):
        raise BlockingIOError(errno.EAGAIN, "another process is working on it", os.fspath(path)) from None
    try:
        yield
    finally:
        if fcntl is None:
            file.close()
        lock.unlink(missing_ok=True)
        file.close()


def _locked(lock: Path) -> IO[bytes]:
    """The open file of a lock that is ours."""
    if fcntl is None:
        with suppress(OSError):  # it is open
            lock.unlink()
        return lock.open("xb")
    file = lock.open("ab")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not (lock.exists() and os.path.samestat(os.fstat(file.fileno()), lock.stat())):
            raise BlockingIOError  # another process has just ended, and taken it away
    except OSError:
        file.close()
        raise
    return file
