"""The command ``diagnose``."""

from __future__ import annotations

from typing import Annotated

import typer

import deptrees
from deptrees.cli.console import say
from deptrees.cli.tables import Csv, Json, show
from deptrees.files.output import STANDARD_STREAM

__all__ = ["diagnose"]


def diagnose(
    train: Annotated[str, typer.Argument(help="The treebank to train on.", show_default=False)],
    dev: Annotated[str | None, typer.Argument(help="Development data for it.", show_default=False)] = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Look at a treebank before training on it: what is in it, what follows, and the command to run.

    Sentences that cannot be read are left out.
    """
    from deptrees import evaluation

    treebanks = {name: deptrees.Treebank(name, strict=False) for name in (train, dev) if name is not None}
    table = evaluation.diagnose(*treebanks.values())
    show(table, json, csv)
    for name in sorted(treebanks.keys() - {STANDARD_STREAM}):  # which has been read
        if any(treebanks[name].faults()):
            say("warning", f"{name} has faults, which deptrees validate lists")
    if not (json or csv):
        print(f"\n{_command(table, train, dev)}")


def _command(table: deptrees.evaluation.Table, train: str, dev: str | None) -> str:
    """The command that trains on the treebank."""
    from shlex import join

    has_tags = any(table.row(f"words without {column}")["share"] < 1 for column in ("UPOS", "XPOS", "FEATS"))
    options = [
        *(["--pipeline"] if has_tags else []),
        *(["--dev", dev] if dev is not None else []),
        *(["--no-single-root"] if table.row("sentences with several roots")["share"] > 0.5 else []),
    ]
    return join(["deptrees", "train", train, *options, "--output", "MODEL"])
