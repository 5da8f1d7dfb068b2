"""The command ``sample``."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from deptrees import sample_treebank, write_treebank

__all__ = ["sample"]


def sample(
    part: Annotated[Literal["train", "dev"], typer.Argument(help="Which part of it.")] = "train",
) -> None:
    """Write the sample treebank that comes with deptrees, to try the other commands on."""
    write_treebank("-", sample_treebank(part))
