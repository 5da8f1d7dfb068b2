"""What commands tell on standard error: errors and warnings, each in a line of its own, and progress."""

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
    """The command, telling what went wrong and what was skipped in a line each, without a traceback."""

    @functools.wraps(command)
    def run(*args: Any, **kwargs: Any) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("always", deptrees.TreebankWarning)
            warnings.showwarning = lambda message, *_: _tell("[yellow]warning:[/]", message)
            try:
                command(*args, **kwargs)
                sys.stdout.flush()
            except BrokenPipeError:
                raise
            except Exception as error:
                if not _is_expected(error):
                    raise
                _tell("[red]error:[/]", error)
                if isinstance(error, deptrees.ConlluError) and "skip_invalid" in kwargs:
                    _tell("[yellow]hint:[/]", "correct the sentence, or leave such sentences out with --skip-invalid")
                raise typer.Exit(1) from None

    return run


def _is_expected(error: Exception) -> bool:
    """Whether the error comes from what the command was given.

    It does if it is about files or an extra that is not installed, or is one of the library's own errors. Those are
    told by their modules, as importing their classes would load all that the command does without.
    """
    return isinstance(error, OSError | ImportError) or type(error).__module__.partition(".")[0] == "deptrees"


def _tell(kind: str, message: object) -> None:
    messages.print(kind, escape(str(message)), soft_wrap=True)


@contextmanager
def progress_bar() -> Iterator[Callable[[Iterable[_T], str], Iterator[_T]]]:
    """A progress bar, where there is a terminal to show it on, as a function around what is iterated over."""
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
