"""The command ``draw``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Literal

import typer

import deptrees
from deptrees.cli.options import FilesOrWords, Heads, Labels, Lenient, chosen_trees

if TYPE_CHECKING:
    from deptrees.drawing import ArcDiagram

__all__ = ["draw"]

Format = Literal["text", "svg", "html", "latex", "dot", "displacy"]


def draw(
    files: FilesOrWords,
    heads: Heads = None,
    labels: Labels = False,
    tags: Annotated[bool, typer.Option("--tags", help="Show parts of speech, in all formats but text.")] = False,
    gold: Annotated[
        str | None, typer.Option(help="The gold trees, to show what is not gold and what is missing.")
    ] = None,
    enhanced: Annotated[
        bool, typer.Option("--enhanced", help="Show the graph in DEPS, too: below the words is what the tree has not.")
    ] = False,
    format: Annotated[  # noqa: A002  the everyday word for it
        Format, typer.Option(help="For a terminal; SVG; a page; tikz-dependency; Graphviz; a line of displaCy's JSON.")
    ] = "text",
    width: Annotated[
        int | None, typer.Option(min=1, help="SVG and pages: break wider trees into rows of at most this many pixels.")
    ] = None,
    ascii: Annotated[bool, typer.Option("--ascii", help="Draw with ASCII characters only.")] = False,  # noqa: A002
    skip_invalid: Lenient = False,
) -> None:
    """Draw each tree: with arrows in the terminal, or as a picture in other formats."""
    if gold and format in ("text", "displacy"):
        raise typer.BadParameter("this needs --format svg, html, latex or dot", param_hint="--gold")
    if enhanced and (gold or format == "displacy"):
        raise typer.BadParameter("this needs another --format than displacy, and no --gold", param_hint="--enhanced")
    if width and format not in ("svg", "html"):
        raise typer.BadParameter("this needs --format svg or html", param_hint="--width")
    trees = chosen_trees(files, heads, skip_invalid, graphs=enhanced)
    if format == "text":
        ascii = ascii or not _shows_arrows(sys.stdout.encoding)  # noqa: A001
        for tree in trees:
            print(tree.draw(labels=labels, enhanced=enhanced, ascii=ascii), end="\n\n")
        return
    from deptrees.evaluation.pairs import pairs

    compared = pairs(deptrees.Treebank(gold), trees) if gold else ((None, tree) for tree in trees)
    how = {"labels": labels, "tags": tags, "enhanced": enhanced}
    _print((tree.diagram(gold=gold_tree, **how) for gold_tree, tree in compared), format, width)


def _shows_arrows(encoding: str) -> bool:
    try:
        return bool("┌─►".encode(encoding))
    except UnicodeEncodeError:
        return False


def _print(diagrams: Iterable[ArcDiagram], format: Format, width: int | None) -> None:  # noqa: A002
    from deptrees import drawing

    if format == "svg":
        print(drawing.svg(*diagrams, width=width))
    elif format == "html":
        numbered = enumerate(diagrams, 1)
        sections = ((diagram.name or str(n), drawing.svg(diagram, width=width)) for n, diagram in numbered)
        sys.stdout.writelines(drawing.page("Trees", sections))
    elif format == "displacy":
        sys.stdout.writelines(f"{json.dumps(drawing.displacy(diagram))}\n" for diagram in diagrams)
    else:
        write = drawing.latex if format == "latex" else drawing.dot
        sys.stdout.writelines(f"{write(diagram)}\n\n" for diagram in diagrams)
