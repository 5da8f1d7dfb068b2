"""The names of files in a command: nothing that it writes may be what it reads, or what else it writes."""

from __future__ import annotations

import glob
from collections.abc import Iterator, Mapping
from typing import Any

import typer

from deptrees.files.output import PARTIAL, STANDARD_STREAM, file_of

__all__ = ["READ", "WRITTEN", "Parameters", "check_names"]

Parameters = Mapping[str, Any]
"""The values that a command is called with, by its parameters as the code calls them."""

READ = (
    *("files", "treebank", "gold", "predicted", "first", "second", "train", "dev", "test"),
    *("model", "start", "embeddings", "templates", "config"),
)
"""The parameters of commands, as the code calls them, that name files to read."""
WRITTEN = ("checkpoint", "output", "html", "plot", "file")
"""Those that name files to write."""


def check_names(parameters: Parameters) -> None:
    """Make sure that each file that a command writes is one by itself, whatever names, links and patterns lead to it.

    Raises:
        typer.BadParameter: one is also read, or written by another option.

    >>> try:
    ...     check_names({"model": "model", "files": ["new.conllu"], "output": "./new.conllu"})
    ... except typer.BadParameter as error:
    ...     print(error)
    './new.conllu' would be written, and it is the same file as 'new.conllu': give another name
    """
    taken = {file_of(name, standard=0): name for name in _read(parameters)}
    for parameter, name in _written(parameters):
        file = file_of(name, standard=1)
        if file is not None and file in taken:
            reason = f"{name!r} would be written, and it is the same file as {taken[file]!r}: give another name"
            raise typer.BadParameter(reason, param_hint=f"'--{parameter}'")
        taken[file] = name
    if parameters.get("checkpoint") is not None:
        _check_checkpoint(parameters["checkpoint"], [name for name in taken.values() if name != STANDARD_STREAM])


def _read(parameters: Parameters) -> Iterator[str]:
    from deptrees.treebanks.releases import PREFIX, local_files

    for names in filter(None, map(parameters.get, READ)):
        for name in [names] if isinstance(names, str) else names:
            yield from (name, *(local_files(name) if name.startswith(PREFIX) else glob.iglob(name, recursive=True)))


def _written(parameters: Parameters) -> Iterator[tuple[str, str]]:
    yield "output", STANDARD_STREAM  # where every command writes
    for parameter in WRITTEN:
        name = parameters.get(parameter)
        if name is not None and name != STANDARD_STREAM:
            yield parameter, name
            if parameter == "output" and parameters.get("resume"):
                yield parameter, f"{name}{PARTIAL}"


def _check_checkpoint(path: str, others: list[str]) -> None:
    from deptrees.training.checkpoints import Checkpoint

    for name in filter(Checkpoint(path).has_beside, others):
        reason = f"{name!r} is where it keeps a part of what has been learned: give another name"
        raise typer.BadParameter(reason, param_hint="'--checkpoint'")
