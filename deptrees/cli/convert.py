"""The command ``convert``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

import deptrees
from deptrees.cli.console import progress_bar
from deptrees.cli.options import Files, Lenient, Output, Words
from deptrees.files.output import check_output

if TYPE_CHECKING:
    from deptrees import DependencyTree

__all__ = ["FORMATS", "convert"]


class Format(NamedTuple):
    """A format that trees can be written in.

    Args:
        to_text: writes a tree.
        endings: how the names of its files end.
    """

    to_text: Callable[[DependencyTree], str]
    endings: tuple[str, ...]


def _line(tree: DependencyTree) -> str:
    """The text of the sentence, or its words with spaces between them where the comment ``text`` is missing."""
    return f"{tree.text or ' '.join(token.form for token in tree)}\n"


FORMATS = {
    "conllu": Format(lambda tree: deptrees.to_conllu(tree), (".conllu",)),
    "conllx": Format(lambda tree: deptrees.to_conllx(tree), (".conllx", ".conll")),
    "text": Format(_line, (".txt",)),
}
"""The formats that treebanks are converted to, by name."""


def convert(
    files: Files,
    format_name: Annotated[
        str | None,
        typer.Option(
            "--format",
            help=f"{', '.join(FORMATS)}: by default what the name after -o ends in, and CoNLL-U if it does not tell.",
            metavar="NAME",
            autocompletion=lambda: [*FORMATS],
        ),
    ] = None,
    output: Output = "-",
    words: Words = False,
    skip_invalid: Lenient = False,
) -> None:
    """Write CoNLL-U or CoNLL-X files, or lines of words, in another format, all into one.

    CoNLL-X has words only: comments, multiword tokens and empty nodes are left out. Text has a line for each sentence:
    what its comment `text` says, or its words.
    """
    chosen = _format(format_name, output)
    check_output(output)
    with progress_bar() as bar:
        trees = bar(deptrees.Treebank(*files, strict=not skip_invalid, words=words), "converting")
        deptrees.write_treebank(output, trees, to_text=chosen.to_text)


def _format(name: str | None, output: str) -> Format:
    """The format of this name, or that of the file.

    Raises:
        typer.BadParameter: there is no such format.
    """
    if name is None:
        ending = Path(output.removesuffix(".gz")).suffix
        return next((each for each in FORMATS.values() if ending in each.endings), FORMATS["conllu"])
    if name not in FORMATS:
        raise typer.BadParameter(f"there is no format {name!r}: give {', '.join(FORMATS)}", param_hint="'--format'")
    return FORMATS[name]
