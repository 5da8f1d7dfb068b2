"""The command ``convert``."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

import deptrees
from deptrees.cli.console import progress_bar
from deptrees.cli.options import Files, Lenient, Output, Words
from deptrees.files.output import check_output

__all__ = ["FORMATS", "convert"]

_PARQUET = ".parquet"


class Format(NamedTuple):
    """A format that trees are written in, with the endings of the names of its files."""

    write: Callable[[str, Iterable[deptrees.DependencyTree]], object]
    endings: tuple[str, ...]


def _line(tree: deptrees.DependencyTree) -> str:
    """The text of the sentence, or its words with spaces between them where the comment ``text`` is missing."""
    return f"{tree.text or ' '.join(token.form for token in tree)}\n"


def _json_line(tree: deptrees.DependencyTree) -> str:
    return f"{json.dumps(tree.to_dict(), ensure_ascii=False)}\n"


def _write_conllx(path: str, trees: Iterable[deptrees.DependencyTree]) -> None:
    deptrees.write_treebank(path, trees, to_text=deptrees.to_conllx)


def _write_parquet(path: str, trees: Iterable[deptrees.DependencyTree]) -> None:
    from deptrees.integrations.pyarrow import write_parquet

    write_parquet(path, trees)


FORMATS = {
    "conllu": Format(lambda path, trees: deptrees.write_treebank(path, trees), (".conllu",)),
    "conllx": Format(_write_conllx, (".conllx", ".conll")),
    "text": Format(lambda path, trees: deptrees.write_treebank(path, trees, to_text=_line), (".txt",)),
    "json": Format(lambda path, trees: deptrees.write_treebank(path, trees, to_text=_json_line), (".jsonl",)),
    "parquet": Format(_write_parquet, (_PARQUET,)),
}
"""The formats that treebanks are converted to, by name."""


def convert(
    files: Files,
    format_name: Annotated[
        str | None,
        typer.Option(
            "--format",
            help=f"{', '.join(FORMATS)}: by default from the ending of the name after -o, otherwise CoNLL-U.",
            metavar="NAME",
            autocompletion=lambda: [*FORMATS],
        ),
    ] = None,
    output: Output = "-",
    words: Words = False,
    skip_invalid: Lenient = False,
) -> None:
    """Write CoNLL-U, CoNLL-X or Parquet files, or lines of words, in another format, all into one.

    CoNLL-X has words only: comments, multiword tokens and empty nodes are left out. Text has a line for each sentence:
    its comment `text` or its words; JSON has an object for each. Parquet files, whose names end in .parquet, have
    everything that CoNLL-U has.
    """
    chosen = _format(format_name, output)
    check_output(output)
    with progress_bar() as bar:
        chosen.write(output, bar(_trees(files, not skip_invalid, words), "converting"))


def _trees(files: list[str], strict: bool, words: bool) -> Iterable[deptrees.DependencyTree]:
    """The trees of files, all of which have to be Parquet if one is."""
    found = [file for file in files if file.endswith(_PARQUET)]
    if not found:
        return deptrees.Treebank(*files, strict=strict, words=words)
    if len(found) < len(files) or words:
        raise typer.BadParameter("Parquet files are converted by themselves, not together with others")
    from deptrees.integrations.pyarrow import read_parquet

    return read_parquet(*files)


def _format(name: str | None, output: str) -> Format:
    """The format of this name, or that of the file."""
    if name is None:
        ending = Path(output.removesuffix(".gz")).suffix
        return next((each for each in FORMATS.values() if ending in each.endings), FORMATS["conllu"])
    if name not in FORMATS:
        raise typer.BadParameter(f"there is no format {name!r}: give {', '.join(FORMATS)}", param_hint="'--format'")
    return FORMATS[name]
