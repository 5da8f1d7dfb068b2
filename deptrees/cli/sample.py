"""The command ``sample``."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

import deptrees

__all__ = ["sample"]


def sample(part: Annotated[Literal["train", "dev"], typer.Argument(help="Which part of it.")] = "train") -> None:
    """Write the sample treebank that comes with deptrees, for trying out the other commands."""
    deptrees.write_treebank("-", deptrees.sample_treebank(part))
