"""The command ``draw``."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from deptrees import Treebank
from deptrees.cli.options import Files, Labels, Lenient

__all__ = ["draw"]


def draw(
    files: Files,
    labels: Labels = False,
    ascii: Annotated[bool, typer.Option("--ascii", help="Draw with plain characters.")] = False,  # noqa: A002
    skip_invalid: Lenient = False,
) -> None:
    """Draw each tree with arrows, in plain characters where standard output cannot show others."""
    ascii = ascii or not _shows_arrows(sys.stdout.encoding)  # noqa: A001
    for tree in Treebank(*files, strict=not skip_invalid):
        print(tree.draw(labels=labels, ascii=ascii), end="\n\n")


def _shows_arrows(encoding: str) -> bool:
    try:
        "┌─►".encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
