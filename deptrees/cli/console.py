"""Standard error: errors and warnings, one line each, and progress bars."""

from __future__ import annotations

import functools
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import IO, TYPE_CHECKING, Any, Literal, Protocol, TypeVar

import typer

import deptrees
from deptrees.cli.names import Parameters, check_names
from deptrees.files.output import check_output
from deptrees.printable import printable

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["DEFECT", "ERROR", "errors_in_a_line", "messages", "progress_bar", "say", "status"]

ERROR = 1
"""The exit code after an error that the user can do something about."""
DEFECT = 70
"""The exit code after an error that only the authors of the library can do something about."""

SECONDS_BETWEEN_LINES = 30.0
"""After how long work says how far it is where there is no terminal."""

_MOST_CHARACTERS = 1000

_T = TypeVar("_T")


@functools.cache
def messages() -> Console:
    """Standard error; what is loaded for it is loaded when there is something to say."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def errors_in_a_line(command: Callable[..., None]) -> Callable[..., None]:
    """The command, with errors and warnings printed as one line each; a traceback only by ``python -X dev``."""

    @functools.wraps(command)
    def run(*args: Any, **kwargs: Any) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("always", deptrees.TreebankWarning)
            warnings.showwarning = lambda message, *_: say("warning", message)
            try:
                check_names(kwargs)
                _check_format(kwargs)
                command(*args, **kwargs)
            except (BrokenPipeError, typer.Exit, typer.BadParameter):
                raise
            except Exception as error:
                if sys.flags.dev_mode:
                    raise
                raise typer.Exit(_explain(error, {*kwargs})) from None

    return run


def _check_format(parameters: Parameters) -> None:
    """Make sure, before long work, that a table is printed in one way, and that what is saved of it can be."""
    if parameters.get("json") and parameters.get("csv"):
        raise typer.BadParameter("choose one of --json and --csv")
    for path in filter(None, map(parameters.get, ("html", "plot"))):
        check_output(path)


def _explain(error: Exception, options: set[str]) -> int:
    """Say what went wrong, and which of the command's options can help; the exit code that stands for it."""
    if not _is_expected(error):
        say("error", f"a defect of deptrees, please report it: {type(error).__name__}: {error}")
        return DEFECT
    say("error", error)
    reason = error.reason if isinstance(error, deptrees.ConlluError) else ""
    if "UTF-16" in reason:
        return ERROR  # whatever is skipped
    if "plain text" in reason:
        if "words" not in options:
            return ERROR
        text = "say --text if the model has a tokenizer, or " if "text" in options else ""
        say("hint", f"{text}say --words if each line is a sentence with spaces between its words")
    elif reason and "skip_invalid" in options:
        say("hint", "correct it, or leave out what is not valid with --skip-invalid")
    elif reason:
        say("hint", "correct it: deptrees validate lists all faults of a file, with their lines")
    return ERROR


def _is_expected(error: Exception) -> bool:
    """Whether the error is the user's to correct: about files, memory, a missing extra, or the library's own."""
    outside = isinstance(error, OSError | ImportError | MemoryError)
    return outside or type(error).__module__.partition(".")[0] == "deptrees"  # without loading all their classes


def say(kind: Literal["error", "warning", "hint"], message: object) -> None:
    """Print a line: cut if it is very long, and without characters that would control the terminal."""
    text = _text(message)
    if len(text) > _MOST_CHARACTERS:
        text = f"{text[: _MOST_CHARACTERS // 2]} ... {text[-_MOST_CHARACTERS // 2 :]}"
    from rich.markup import escape

    color = "red" if kind == "error" else "yellow"
    with suppress(OSError):  # there is nowhere else to say it
        messages().print(f"[{color}]{kind}:[/]", escape(printable(text)), soft_wrap=True)


def _text(message: object) -> str:
    if isinstance(message, MemoryError):
        return f"there is not enough memory: {message}".removesuffix(": ")
    if isinstance(message, OSError) and message.strerror:
        return f"{message.filename}: {message.strerror}" if message.filename is not None else message.strerror
    return str(message)


class Bar(Protocol):
    """Wraps items, so that a bar with a description shows how many have gone by, or how many things are in them.

    If it is known how many there are in total, it shows how long the rest will take.
    """

    def __call__(
        self, items: Iterable[_T], description: str, size: Callable[[_T], int] = ..., total: int | None = ...
    ) -> Iterator[_T]: ...


@contextmanager
def status(text: str) -> Iterator[Callable[[str], object]]:
    """What is being done; what is yielded says how far it is. Elsewhere than on terminals that is a line now and then.

    Nothing is loaded until something is shown.
    """
    if not _on_a_terminal():
        yield _now_and_then(text)
        return
    from rich.live import Live
    from rich.spinner import Spinner

    spinner = Spinner("dots", text, style="status.spinner")
    with Live(spinner, console=messages(), transient=True, redirect_stdout=_shows(sys.stdout)):
        yield lambda more: spinner.update(text=f"{text}: {more}")


@contextmanager
def progress_bar() -> Iterator[Bar]:
    """A progress bar; elsewhere than on terminals a line now and then, and nothing is loaded until there is one."""
    if not _on_a_terminal():
        yield _lines_now_and_then
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

    text, counts = TextColumn("{task.description}"), (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    how: Any = {"console": messages(), "transient": True, "redirect_stdout": _shows(sys.stdout)}
    with Progress(SpinnerColumn(), text, *counts, **how) as progress:

        def track(
            items: Iterable[_T], description: str, size: Callable[[_T], int] = lambda _: 1, total: int | None = None
        ) -> Iterator[_T]:
            task = progress.add_task(description, total=len(items) if isinstance(items, list) else total)
            for item in items:
                yield item
                progress.advance(task, size(item))
            progress.remove_task(task)

        yield track


def _lines_now_and_then(
    items: Iterable[_T], description: str, size: Callable[[_T], int] = lambda _: 1, total: int | None = None
) -> Iterator[_T]:
    done, told, last, tell = 0, 0, monotonic(), _now_and_then(description)
    for item in items:
        yield item
        done += size(item)
        if total is None:
            tell(f"{done:,} done")
        else:  # by the speed since the last line: what was done before the command began is soon counted
            minutes = (monotonic() - last) / 60 * (total - done) / max(done - told, 1)
            if tell(f"{done:,} of {total:,} done, {minutes:.1f} minutes left"):
                told, last = done, monotonic()


def _now_and_then(description: str) -> Callable[[str], bool]:
    """Prints how far something is, and says so, if the last line is not from just now."""
    last = monotonic()

    def tell(more: str) -> bool:
        nonlocal last
        if monotonic() - last < SECONDS_BETWEEN_LINES:
            return False
        messages().print(f"{description}: {more}")
        last = monotonic()
        return True

    return tell


def _on_a_terminal() -> bool:
    return _shows(sys.stderr)


def _shows(stream: IO[str] | None) -> bool:
    return stream is not None and stream.isatty()
