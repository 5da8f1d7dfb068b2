"""The command line: one file for each command; ``console`` and ``options`` hold what the commands share.

A command loads what it uses when it runs, so that ``deptrees --help`` is there at once: public names of the library are
asked of the package itself (``deptrees.Treebank``), which imports them on first use, and the rest within functions.
"""

from __future__ import annotations

from typing import Annotated

import typer

import deptrees
from deptrees.cli import (
    analyse,
    compare,
    convert,
    describe,
    draw,
    evaluate,
    explore,
    oracle,
    parse,
    projectivize,
    sample,
    stats,
    tag,
    train,
    validate,
)
from deptrees.cli.console import errors_in_a_line

__all__ = ["app"]

app = typer.Typer(
    help="Dependency trees and transition-based parsing. Files are CoNLL-U; - is standard input or output.",
    no_args_is_help=True,
    rich_markup_mode=None,  # help as plain text, for which nothing need be loaded
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

for _command in (
    sample.sample,
    draw.draw,
    oracle.oracle,
    explore.explore,
    describe.describe,
    validate.validate,
    convert.convert,
    projectivize.projectivize,
    projectivize.deprojectivize,
    train.train,
    tag.tag,
    parse.parse,
    evaluate.evaluate,
    analyse.analyse,
    compare.compare,
    stats.stats,
):
    app.command()(errors_in_a_line(_command))


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"deptrees {deptrees.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass
