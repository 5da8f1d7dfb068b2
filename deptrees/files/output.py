"""Files written whole or not at all."""

from __future__ import annotations

import errno
import glob
import gzip
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, BinaryIO

try:
    import fcntl
except ImportError:  # Windows, which deletes no file that is open
    fcntl = None  # type: ignore[assignment]

__all__ = [
    "MANIFEST",
    "PARTIAL",
    "STANDARD_STREAM",
    "check_output",
    "file_of",
    "open_output",
    "open_resumable",
    "write_output",
]

STANDARD_STREAM = "-"  # the file name that stands for standard input and output
PARTIAL = ".partial"  # added to the name of a file that can be resumed
MANIFEST = ".manifest.json"  # added to the name of a file: what it was made from
_ENDING = ".unfinished"
_PIECE = 1 << 20
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}  # a disk is full, or there are limits on how much there may be


def file_of(path: str | os.PathLike[str], standard: int | None = None) -> object:
    """What all names of a file have in common, hard links too, even if it is not there; ``None`` for pipes and devices.

    Args:
        path: a name.
        standard: the descriptor that ``"-"`` stands for.

    >>> file_of("greeting") == file_of("./greeting"), file_of(os.devnull)
    (True, None)
    """
    found = path if standard is None or str(path) != STANDARD_STREAM else standard
    try:
        status = os.stat(found)
    except OSError:
        return None if isinstance(found, int) else os.path.realpath(found)
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None


def check_output(path: str | os.PathLike[str]) -> None:
    """Make sure, by writing, that a file can be put where its path says, before long work is done for it.

    Nothing is changed there. A pipe is not tried: its reader would take that for all that comes.

    Raises:
        OSError: it cannot; the error names the path and says why.

    >>> check_output("nowhere/model")
    Traceback (most recent call last):
    FileNotFoundError: [Errno 2] there is no such folder, make it first: 'nowhere'
    """
    if str(path) == STANDARD_STREAM:
        return
    if not os.path.basename(path):
        raise IsADirectoryError(errno.EISDIR, "the name of a file is missing", os.fspath(path))
    folder = Path(path).parent
    if not folder.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder, make it first", str(folder))
    try:
        if _is_stream(path):
            if stat.S_ISCHR(os.stat(path).st_mode):
                with open(path, "wb", buffering=0) as device:
                    device.write(b"")  # changes nothing, and fails where nothing can be written
        else:
            with _unfinished(path) as file:
                file.write(b"?")
    except OSError as error:
        error.filename = os.fspath(path)
        raise


@contextmanager
def open_output(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file that takes its name only when the block ends without an error.

    A file that it replaces keeps its mode and the links to it, soft and hard; it is an error if that is read-only.
    Until then the name begins with a dot and ends in ``.unfinished``. Such files that killed processes have left are
    removed. A file is compressed if its path ends in ``.gz``; ``"-"`` is standard output.

    Raises:
        OSError: nothing can be written there.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with open_output(f"{folder}/greeting") as stream:
    ...         stream.write(b"Hello") and Path(folder, "greeting").exists()
    ...     Path(folder, "greeting").read_text()
    False
    'Hello'
    """
    check_output(path)
    if str(path) == STANDARD_STREAM:
        sys.stdout.flush()  # what was printed before comes first
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    elif _is_stream(path):
        with _named_if_full(path), open(path, "wb") as stream:
            yield stream
    else:
        with _named_if_full(path), _unfinished(path) as file:
            if str(path).endswith(".gz"):  # with neither name nor time in it: the same content gives the same bytes
                with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as stream:
                    yield stream  # type: ignore[misc]
            else:
                yield file
            file.flush()
            os.fsync(file.fileno())  # it may replace the only good one
            if fcntl is None:
                file.close()  # Windows renames no file that is open; elsewhere its lock would go before its name
            _put(Path(file.name), Path(path).resolve())


def write_output(path: str | os.PathLike[str], parts: Iterable[bytes]) -> int:
    """Write a file, see ``open_output``; to a pipe or a terminal each part at once. The result is their number."""
    count = 0
    with open_output(path) as stream:
        for count, part in enumerate(parts, 1):  # noqa: B007  the result is the last number
            stream.write(part)
            if not stream.seekable():  # somebody may be waiting for it
                stream.flush()
    return count


@contextmanager
def open_resumable(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file that takes its name only when the block ends without an error, and can be resumed otherwise.

    Until then ``.partial`` is added to its name. What is written comes after what is there already.

    Raises:
        OSError: the file cannot be written, or another process is writing it.
    """
    check_output(path)
    real = Path(path).resolve()
    partial = real.with_name(f"{real.name}{PARTIAL}")
    with _named_if_full(partial), partial.open("a+b") as file:
        if fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                is_ours = os.path.samestat(os.fstat(file.fileno()), partial.stat())
            except (BlockingIOError, FileNotFoundError):
                is_ours = False  # or it was until now, and has its name
            if not is_ours:
                raise BlockingIOError(errno.EAGAIN, "another process is writing it", str(partial))
        if real.exists():
            os.chmod(partial, stat.S_IMODE(real.stat().st_mode))
        yield file
        file.flush()
        os.fsync(file.fileno())
        if fcntl is None:
            file.close()
        if str(path).endswith(".gz"):
            with open_output(path) as packed, partial.open("rb") as content:
                packed.writelines(content)
            partial.unlink()
        else:
            _put(partial, real)


@contextmanager
def _named_if_full(path: str | os.PathLike[str]) -> Iterator[None]:
    """Have an error name the file if there is no more room for it, which errors of writing do not."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            error.filename = os.fspath(path)
        raise


def _is_stream(path: str | os.PathLike[str]) -> bool:
    """Whether a pipe or a device is there, which is written to and not replaced."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return False
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "a folder stands where a file is to be written", os.fspath(path))
    return not stat.S_ISREG(mode)


@contextmanager
def _unfinished(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A new file beside the one that it is to replace; in the end it is gone, if it has not taken its name."""
    real = Path(path).resolve()  # a link stays a link
    mode = real.stat().st_mode if real.exists() else None
    if mode is not None and not (mode & 0o222 and os.access(real, os.W_OK)):
        raise PermissionError(errno.EACCES, "the file is read-only", os.fspath(path))
    _remove_leftovers(real)
    unfinished = Path(f"{_beginning(real)}{os.urandom(4).hex()}{_ENDING}")
    try:
        with _create(unfinished) as file:
            if mode is not None:
                os.chmod(unfinished, stat.S_IMODE(mode))
            yield file
    finally:
        unfinished.unlink(missing_ok=True)


def _create(path: Path) -> IO[bytes]:
    """A new file with a lock that tells other processes that it is in use."""
    while True:
        file = path.open("xb")
        if fcntl is not None:
            with suppress(OSError):  # not every file system has locks
                fcntl.flock(file, fcntl.LOCK_EX)
        if path.exists():  # nobody has taken it for a leftover before it had its lock
            return file
        file.close()


def _remove_leftovers(real: Path) -> None:
    """Remove unfinished files that no process is writing."""
    for leftover in glob.glob(f"{glob.escape(_beginning(real))}{'?' * 8}{_ENDING}"):
        with suppress(OSError):  # another process is writing it
            if fcntl is None:
                os.unlink(leftover)
            else:
                with open(leftover, "r+b") as file:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    os.unlink(leftover)


def _beginning(real: Path) -> str:
    """How the path of an unfinished file begins; names have at most 255 bytes."""
    return str(real.with_name(f".{real.name[:40]}."))


def _put(unfinished: Path, real: Path) -> None:
    """Give a file the name that it was made for."""
    if real.exists() and real.stat().st_nlink > 1:
        _overwrite(real, unfinished)  # the other names are names of the same file
        unfinished.unlink()
    else:
        unfinished.replace(real)


def _overwrite(real: Path, new: Path) -> None:
    """Replace the content of a file. It is lost only once there is room for the new one."""
    import shutil  # imported here because hardly any file has two names

    old_size, size = real.stat().st_size, new.stat().st_size
    with real.open("r+b", buffering=0) as longer:
        try:
            longer.seek(0, os.SEEK_END)
            while longer.tell() < size:
                longer.write(bytes(min(size - longer.tell(), _PIECE)))
            os.fsync(longer.fileno())
        except BaseException:
            longer.truncate(old_size)
            raise

    def copy() -> None:
        with new.open("rb") as source, real.open("r+b") as target:
            shutil.copyfileobj(source, target, _PIECE)
            target.truncate()
            target.flush()
            os.fsync(target.fileno())

    try:
        copy()
    except BaseException:  # such as Ctrl-C
        copy()
        raise
