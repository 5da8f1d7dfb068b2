"""The commands ``projectivize`` and ``deprojectivize``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

import typer

import deptrees
from deptrees.cli.console import progress_bar
from deptrees.cli.options import Files, Lenient, Output
from deptrees.files.output import check_output

__all__ = ["deprojectivize", "projectivize"]

Marks = Annotated[
    Literal["head", "path", "head+path"],
    typer.Option("--encoding", help="What labels say of lifts: d↑h (head), d↑ and p↓ (path), or d↑h and p↓."),
]


def projectivize(files: Files, encoding: Marks = "head", output: Output = "-", skip_invalid: Lenient = False) -> None:
    """Make trees projective by lifts that labels record (Nivre & Nilsson 2005), to train projective systems on."""
    _each(deptrees.projectivize, encoding, files, output, skip_invalid)


def deprojectivize(files: Files, encoding: Marks = "head", output: Output = "-", skip_invalid: Lenient = False) -> None:
    """Undo the lifts of projectivize, in the parses of a parser that was trained on its trees."""
    _each(deptrees.deprojectivize, encoding, files, output, skip_invalid)


def _each(
    change: Callable[..., deptrees.DependencyTree], marks: str, files: list[str], output: str, lenient: bool
) -> None:
    check_output(output)
    with progress_bar() as bar:
        trees = bar(deptrees.Treebank(*files, strict=not lenient), "reading")
        deptrees.write_treebank(output, (change(tree, marks) for tree in trees))
