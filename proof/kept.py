"""Results that outlast the run that found them, so that a run that was cut off goes on where it was."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import attrs

__all__ = ["FOLDER", "Kept"]

FOLDER = Path("build") / "proof"
"""Where everything is written that the proof finds."""
_SOURCES = ("deptrees", "tests", "proof")
_SUFFIXES = {".py", ".pyx", ".pxi", ".h"}


@attrs.frozen
class Kept:
    """Results by what they are of, a line of a file for each. If source code has changed, they no longer count.

    Args:
        path: the file, which several processes may write to.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     kept = Kept(Path(folder) / "sums")
    ...     kept("2 + 2", lambda: 4), kept("2 + 2", lambda: 5)
    (4, 4)
    """

    path: Path

    def __call__(self, name: str, find: Callable[[], Any]) -> Any:
        """The result of that name, which has to be found if it is not kept. It is what JSON can tell."""
        key = [_sources(), name]
        for known, result in self._lines():
            if known == key:
                return result
        result = find()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(f"\n{json.dumps([key, result])}")  # the line before it may have been cut off
        return result

    def forget(self) -> None:
        """Begin anew the next time."""
        self.path.unlink(missing_ok=True)

    def _lines(self) -> Iterator[list[Any]]:
        """What is kept, without lines that were cut off."""
        for line in self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []:
            with suppress(json.JSONDecodeError):
                yield json.loads(line)


@cache
def _sources() -> str:
    """A digest of the source code of the library, of its tests and of the proof."""
    told = sha256()
    for path in sorted(path for folder in _SOURCES for path in Path(folder).rglob("*") if path.suffix in _SUFFIXES):
        told.update(f"{path}\n".encode() + path.read_bytes())
    return told.hexdigest()[:16]
