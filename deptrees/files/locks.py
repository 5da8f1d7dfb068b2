"""Locks: one process at a time works on a file."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

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
    if fcntl is None:
        with suppress(OSError):
            lock.unlink()
    try:
        with lock.open("ab" if fcntl else "xb") as file:
            if fcntl:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if not os.path.samestat(os.fstat(file.fileno()), lock.stat()):
                    raise FileExistsError  # another process has just ended, and taken it away
            yield
            if fcntl:
                lock.unlink()
    except (BlockingIOError, FileExistsError):
        raise BlockingIOError(errno.EAGAIN, "another process is working on it", os.fspath(path)) from None
    if not fcntl:
        lock.unlink()
