"""Files from the web, which are fetched whole or gone on with later."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from http.client import HTTPException
from pathlib import Path
from typing import BinaryIO
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from deptrees.files.output import PARTIAL, open_resumable

__all__ = ["FetchError", "fetch"]

_PIECE = 1 << 16
_PATIENCE = 30  # seconds without a byte


class FetchError(OSError):
    """A file cannot be fetched from the web."""


def fetch(address: str, path: Path) -> bool:
    """Fetch a file unless it is there already, going on where an earlier try stopped; false if the web has none.

    On terminals, standard error shows how much has come.

    Raises:
        FetchError: it cannot be fetched; what has come is kept.
        OSError: it cannot be written.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     source, target = Path(folder, "source"), Path(folder, "target")
    ...     source.write_text("Hello")
    ...     fetch(source.as_uri(), target), target.read_text()
    5
    (True, 'Hello')
    """
    if path.exists():
        return True
    etag = path.with_name(f"{path.name}.etag")
    try:
        with open_resumable(path) as file:
            _receive(address, file, etag)
    except URLError as error:
        if not isinstance(error, HTTPError) or error.code != HTTPStatus.NOT_FOUND:
            raise FetchError(f"{address} cannot be fetched: {error.reason}") from None
        path.with_name(f"{path.name}{PARTIAL}").unlink()
    etag.unlink(missing_ok=True)
    return path.exists()


def _receive(address: str, file: BinaryIO, etag: Path) -> None:
    """Append to a file what it lacks, in as many answers as it takes, while each brings something.

    The last byte is asked for again, because to a server it is an error to ask for nothing. If the content has changed
    since, by its ETag, the server sends all of it.
    """
    total, most = None, -1
    while total is None or file.tell() < total:
        begun = max(file.seek(0, os.SEEK_END) - 1, 0)
        if begun <= most:
            raise FetchError(f"{address} cannot be fetched: the connection is cut again and again")
        most = begun
        known = etag.read_text() if begun and etag.exists() else ""
        asked = Request(address, headers={"Range": f"bytes={begun}-", "If-Range": known} if known else {})
        with suppress(HTTPException, ConnectionError, TimeoutError), urlopen(asked, timeout=_PATIENCE) as answer:
            begun = begun if answer.status == HTTPStatus.PARTIAL_CONTENT else 0
            file.seek(file.truncate(begun))
            etag.write_text(answer.headers.get("ETag", ""))
            length = answer.headers.get("Content-Length")
            total = None if length is None else begun + int(length)
            for piece in iter(partial(answer.read, _PIECE), b""):
                file.write(piece)
                _show(address, file.tell(), total)
            total = file.tell() if total is None else total


def _show(address: str, received: int, total: int | None) -> None:
    """Show on a terminal how much has come."""
    if sys.stderr is not None and sys.stderr.isatty():
        end = "\n" if received == total else ""
        sys.stderr.write(f"\r{address}: {received / 1e6:.1f} of {(total or received) / 1e6:.1f} MB{end}")
        sys.stderr.flush()
