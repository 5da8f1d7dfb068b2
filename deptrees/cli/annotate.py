"""The command ``annotate``."""

from __future__ import annotations

from typing import Annotated

import typer

import deptrees
from deptrees.cli.local_page import Browser, Port, serve

__all__ = ["annotate"]


def annotate(
    file: Annotated[str, typer.Argument(help="A CoNLL-U file, which is saved after each action.")],
    model: Annotated[
        str | None, typer.Option(help="A parser to begin with; without one, one learns from the file.")
    ] = None,
    port: Port = 0,
    browser: Browser = True,
) -> None:
    """Annotate a treebank in a browser: decide heads and labels, and a parser proposes the rest of each tree.

    The parser learns from what is decided, also from parts of sentences. The least certain sentences come first.
    Correct each from left to right: it is parsed again around what is decided and what is before that. What is only
    proposed has Proposed in MISC; all else in the file stays as it is.
    """
    from deptrees.annotation import Helper
    from deptrees.desk import Desk, work_on

    helper = None if model is None else Helper(deptrees.load_parser(model))
    with work_on(file, helper) as work, Desk(work, port=port) as desk:
        serve(desk, browser)
