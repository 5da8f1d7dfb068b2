"""The command line as a process: its signals, its standard streams and its end."""

from __future__ import annotations

import errno
import io
import signal
import sys
from types import FrameType

from deptrees.cli import app
from deptrees.cli.console import ERROR, say

__all__ = ["run"]

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")  # Windows has no SIGHUP
_SIGNALS = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]


def run() -> None:
    """Run the command that the process was started with, and exit."""
    for number in _SIGNALS:
        if signal.getsignal(number) is signal.SIG_DFL:  # nohup has it ignored
            signal.signal(number, _leave)
    if sys.stdout is None:
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(_Closed()))
    elif isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # for terminals that cannot show every character
    code = 0
    try:
        try:
            app()
        except SystemExit as end:
            code = int(end.code or 0)
        sys.stdout.flush()
    except OSError as error:
        sys.stdout = io.StringIO()  # else Python tries once more to write what it could not
        if not code and not isinstance(error, BrokenPipeError):
            say("error", error)
        code = code or ERROR
    sys.exit(code)


def _leave(number: int, _: FrameType | None) -> None:
    """End the process as the signal asks, after the removal of unfinished files."""
    for other in _SIGNALS:
        signal.signal(other, signal.SIG_IGN)
    sys.exit(128 + number)


class _Closed(io.RawIOBase):
    """What stands for a standard output that the process does not have."""

    def writable(self) -> bool:
        return True

    def write(self, _: object) -> int:
        raise OSError(errno.EBADF, "standard output is closed")
