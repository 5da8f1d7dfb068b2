"""The command ``compare``."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

import deptrees
from deptrees.cli.options import Gold, Predicted
from deptrees.cli.tables import By, Csv, Html, Json, Plot, Train, Universal, Where, compared, save_page, show

__all__ = ["compare"]


def compare(
    gold: Gold,
    first: Predicted,
    second: Annotated[str, typer.Argument(help="The same sentences, parsed by another parser.", show_default=False)],
    by: By = "",
    what: Annotated[
        Literal["words", "sentences", "test"],
        typer.Option("--show", help="Words about which only one is right; sentences that differ; or a test of scores."),
    ] = "words",
    ud: Annotated[
        bool, typer.Option("--ud", help="With --show test: the scores of Universal Dependencies, as evaluate --ud.")
    ] = False,
    enhanced: Annotated[
        bool, typer.Option("--enhanced", help="With --show test: of enhanced dependencies, as evaluate --enhanced.")
    ] = False,
    where: Where = None,
    universal: Universal = False,
    train: Train = None,
    json: Json = False,
    csv: Csv = False,
    plot: Plot = None,
    html: Html = None,
) -> None:
    """Compare two parsers: where one is right and the other is wrong.

    The last number of a test, p, is the probability that two equally good parsers would differ this much.
    """
    from deptrees import evaluation

    if ud or enhanced:
        if ud and enhanced:
            raise typer.BadParameter("choose one of --ud and --enhanced")
        if what != "test" or by or where or universal or train or html:
            option = "--ud" if ud else "--enhanced"
            raise typer.BadParameter(f"{option} counts as it is defined: with --show test, and nothing else")
        counted = evaluation.ud_counts if ud else evaluation.enhanced_counts
        counts = counted(*[deptrees.Treebank(path, graphs=enhanced) for path in (gold, first, second)])
        show(evaluation.paired_test(*counts), json, csv, plot)
        return

    one, other = (compared(gold, parsed, where, universal, train) for parsed in (first, second))
    if what == "words":
        table = evaluation.compare(one, other, by)
    elif by:
        raise typer.BadParameter(f"--by needs --show words: --show {what} counts all words together")
    else:
        table = evaluation.paired_test(one, other) if what == "test" else evaluation.most_different(one, other)
    if html and what == "test":
        raise typer.BadParameter("--html needs --show words or --show sentences: a test is not about single sentences")
    if html:
        save_page(html, table, *map(deptrees.Treebank, (gold, first, second)))
    show(table, json, csv, plot)
