"""The command ``evaluate``."""

from __future__ import annotations

from typing import Annotated

import typer

import deptrees
from deptrees.cli.options import Gold, Predicted
from deptrees.cli.tables import Csv, Json, Plot, Universal, Where, compared, show

__all__ = ["evaluate"]


def evaluate(
    gold: Gold,
    predicted: Predicted,
    ud: Annotated[
        bool, typer.Option("--ud", help="Evaluate as Universal Dependencies does; the files may differ in their words.")
    ] = False,
    intervals: Annotated[
        bool, typer.Option("--intervals", help="Show 95% confidence intervals of the scores.")
    ] = False,
    where: Where = None,
    universal: Universal = False,
    json: Json = False,
    csv: Csv = False,
    plot: Plot = None,
) -> None:
    """Compare parsed trees with gold trees.

    UAS is the share of words with the right head, LAS that with the right head and label, and labels that with the
    right label; exact is the share of sentences in which all heads are right. Punctuation counts, unless --where leaves
    it out by its tag or by its characters: tag!=PUNCT or punctuation=no. Labels must be identical, unless --universal
    is given. Words without a gold head are counted separately: how many of them are left without one.
    """
    from deptrees import evaluation

    if ud and (where or universal):
        raise typer.BadParameter("--ud counts as it is defined: without --where and --universal")
    trees = deptrees.Treebank(gold), deptrees.Treebank(predicted)
    if intervals:
        counts = evaluation.ud_counts(*trees) if ud else [compared(gold, predicted, where, universal)]
        table = evaluation.confidence_intervals(*counts)
    elif ud:
        table = evaluation.evaluate_ud(*trees)
    else:
        scores = evaluation.evaluate(*trees, where=where or (), universal=universal)
        if not scores.words:
            raise evaluation.EvaluationError(f"no word in {gold} has a head: there is nothing to evaluate")
        table = scores.table()
    show(table, json, csv, plot)
