"""Options that several commands have."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Literal

import typer

import deptrees

if TYPE_CHECKING:
    from deptrees.transition import System

__all__ = [
    "SYSTEM_HELP",
    "Constraints",
    "ConstraintsName",
    "EmptyMeansUnknown",
    "Files",
    "FilesOrWords",
    "Gold",
    "Heads",
    "Labels",
    "Lenient",
    "Output",
    "OwnSystem",
    "Predicted",
    "Root",
    "SingleRoot",
    "Text",
    "Threads",
    "Words",
    "chosen_system",
    "chosen_trees",
    "see_modules_here",
]

_FILES = (
    "CoNLL-U files, also compressed by gzip, bzip2 or xz; patterns; treebanks such as ud:en_ewt/dev; or - for standard "
    "input."
)
Files = Annotated[list[str], typer.Argument(help=_FILES, show_default=False)]
FilesOrWords = Annotated[
    list[str], typer.Argument(help=f"{_FILES} With --heads, the words of a sentence.", show_default=False)
]
Heads = Annotated[
    str | None,
    typer.Option(
        help="The heads of a sentence that you type instead of files: '2 0 4 2', with labels '2:nsubj 0:root 4:det "
        "2:obj'; _ is no head."
    ),
]
Gold = Annotated[str, typer.Argument(help="The gold trees.", show_default=False)]
Predicted = Annotated[str, typer.Argument(help="The same sentences, parsed.", show_default=False)]
Output = Annotated[str, typer.Option("--output", "-o", help="Where to write.")]
Threads = Annotated[int, typer.Option(min=1, help="The number of threads.")]
Lenient = Annotated[bool, typer.Option("--skip-invalid", help="Skip invalid sentences and lines, and say how many.")]
Words = Annotated[
    bool, typer.Option("--words", help="The files have no columns: each line is a sentence, its words between spaces.")
]
ConstraintsName = Literal["given", "marked"]
Constraints = Annotated[
    ConstraintsName | None, typer.Option(help="Keep heads: all given HEADs and DEPRELs, or those with a 1 in column 9.")
]
Text = Annotated[bool, typer.Option("--text", help="The files are raw text, which the model's tokenizer divides.")]
Labels = Annotated[bool, typer.Option("--labels", help="Show labels.")]
_BY_DEFAULT = "By default as in the variant that parses best, which describe shows."
Root = Annotated[
    Literal["first", "last", "none"] | None,
    typer.Option(help=f"Where ROOT is: before or after the words, or nowhere. {_BY_DEFAULT}", show_default=False),
]
SingleRoot = Annotated[
    bool | None, typer.Option(help=f"Whether ROOT has a single dependent. {_BY_DEFAULT}", show_default=False)
]
EmptyMeansUnknown = Annotated[
    bool | None,
    typer.Option(
        "--empty-means-unknown",
        help="In systems for partial trees, an empty HEAD is not known; otherwise the word stays without a head.",
        show_default=False,
    ),
]
SYSTEM_HELP = "The transition system, such as arc-eager, 'Attardi(3)', or your own: module:Class."
OwnSystem = Annotated[
    str | None,
    typer.Option("--system", help="The model's system, if it is your own: module:Class.", show_default=False),
]


def chosen_trees(
    files_or_words: list[str],
    heads: str | None,
    skip_invalid: bool = False,
    most_words: int | None = None,
    graphs: bool = False,
) -> Iterable[deptrees.DependencyTree]:
    """The trees in the files, or the one that is typed."""
    if heads is None:
        return deptrees.Treebank(*files_or_words, strict=not skip_invalid, most_words=most_words, graphs=graphs)
    from deptrees.trees.shorthand import from_shorthand

    return [from_shorthand(files_or_words, heads)]


def chosen_system(
    name: str,
    root: str | None,
    single_root: bool | None,
    empty_means_unknown: bool | None = None,
    *,
    builds_trees: bool = True,
) -> System:
    """The system that the options ask for, one that builds trees if it must."""
    from deptrees.transition.systems.registry import UnknownSystem, as_system, as_tree_system

    see_modules_here(name)
    given = {"root": root, "single_root": single_root, "empty_means_unknown": empty_means_unknown}
    options = {option: value for option, value in given.items() if value is not None}
    try:
        return (as_tree_system if builds_trees else as_system)(name, **options)
    except UnknownSystem as error:
        raise typer.BadParameter(str(error), param_hint="system") from None


def see_modules_here(system: str | None) -> None:
    """Let Python find modules in this folder, after all others, if a system is named as module:Class."""
    if system is not None and ":" in system and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
