"""The command ``suspect``."""

from __future__ import annotations

from json import dumps
from math import isnan
from typing import Annotated

import typer

import deptrees
from deptrees.cli.console import status
from deptrees.cli.options import Files
from deptrees.cli.tables import Csv, Html, Json, save_page, show

__all__ = ["suspect"]


def suspect(
    files: Files,
    limit: Annotated[int, typer.Option(min=1, help="The number of words.")] = 100,
    folds: Annotated[int, typer.Option(min=2, help="In how many parts to divide the treebank.")] = 5,
    seed: Annotated[int, typer.Option(help="Which sentences are in which part, and which errors are planted.")] = 1,
    json: Json = False,
    csv: Csv = False,
    html: Html = None,
) -> None:
    """List the words of a treebank whose head or label is probably wrong, the most probable ones first.

    Parsers of three systems, each trained on all parts of the treebank but the one that it parses, find something else;
    words of the same tags or forms are annotated differently; a variation n-gram has another arc; a punctuation mark is
    not where the guidelines of Universal Dependencies attach it; or deptrees validate finds a fault. How much each
    counts is learned from errors planted in a copy of the treebank. The list has no more words than --limit.
    """
    from deptrees.suspects import corrected, suspects

    trees = [*deptrees.Treebank(*files)]
    with status("parsing each part with parsers trained on the others") as tell:
        table = suspects(trees, k=folds, seed=seed, on_part=tell)
    table = table.sorted(range(min(limit, len(table))))
    if html:
        save_page(html, table, trees, [*corrected(trees, table)])
    if json:
        names = [column.name for column in table.columns]
        print(dumps([dict(zip(names, map(_value, row), strict=True)) for row in table.rows], ensure_ascii=False))
    else:
        show(table, json, csv)


def _value(cell: str | float) -> str | float | None:
    """A cell in JSON, which has no number for what is missing."""
    return None if isinstance(cell, float) and isnan(cell) else cell
