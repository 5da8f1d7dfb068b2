"""The command ``draw``."""

from __future__ import annotations

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
    """Draw each tree with arrows."""
    for tree in Treebank(*files, strict=not skip_invalid):
        print(tree.draw(labels=labels, ascii=ascii), end="\n\n")
