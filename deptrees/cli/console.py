"""Standard error: errors and warnings, one line each, and progress bars."""

from __future__ import annotations

import functools
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

import deptrees

__all__ = ["errors_in_a_line", "messages", "progress_bar"]

messages = Console(stderr=True, highlight=False)
"""Standard error."""

_T = TypeVar("_T")


def errors_in_a_line(command: Callable[..., None]) -> Callable[..., None]:
    """The command, with expected errors and warnings printed as one line each, without a traceback."""

    @functools.wraps(command)
    def run(*args: Any, **kwargs: Any) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("always", deptrees.TreebankWarning)
            warnings.showwarning = lambda message, *_: _print("[yellow]warning:[/]", message)
            try:
                command(*args, **kwargs)
                sys.stdout.flush()
            except BrokenPipeError:
                raise
            except Exception as error:
                if not _is_expected(error):
                    raise
                _print("[red]error:[/]", error)
                if isinstance(error, deptrees.ConlluError) and "skip_invalid" in kwargs:
                    _print("[yellow]hint:[/]", "correct the sentence, or leave such sentences out with --skip-invalid")
                raise typer.Exit(1) from None

    return run


def _is_expected(error: Exception) -> bool:
    """Whether the error is the user's to correct: about files, a missing extra, or raised by the library itself.

    The library's own errors are recognized by their modules. Importing their classes would load modules that the
    command does not need.
    """
    return isinstance(error, OSError | ImportError) or type(error).__module__.partition(".")[0] == "deptrees"


def _print(kind: str, message: object) -> None:
    messages.print(kind, escape(str(message)), soft_wrap=True)


@contextmanager
def progress_bar() -> Iterator[Callable[[Iterable[_T], str], Iterator[_T]]]:
    """A progress bar, shown on terminals only: a function that wraps an iterable and takes a description."""
    counts = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*counts, console=messages, transient=True, disable=not messages.is_terminal) as progress:

        def track(items: Iterable[_T], description: str) -> Iterator[_T]:
            total = len(items) if isinstance(items, list) else None
            task = progress.add_task(description, total=total)
            for item in items:
                yield item
                progress.advance(task)
            progress.remove_task(task)

        yield track
