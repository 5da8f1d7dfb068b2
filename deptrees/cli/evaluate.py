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
    enhanced: Annotated[
        bool, typer.Option("--enhanced", help="Evaluate enhanced dependencies: ELAS, EULAS and types of enhancement.")
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

    With --enhanced, the arcs in DEPS are counted, as in the shared tasks on enhanced dependencies: ELAS has the whole
    labels, EULAS their universal part, and the other rows are the arcs of ELAS by the type of enhancement.
    """
    from deptrees import evaluation

    if ud and enhanced:
        raise typer.BadParameter("choose one of --ud and --enhanced")
    if (ud or enhanced) and (where or universal):
        option = "--ud" if ud else "--enhanced"
        raise typer.BadParameter(f"{option} counts as it is defined: without --where and --universal")
    trees = [deptrees.Treebank(path, graphs=enhanced) for path in (gold, predicted)]
    if intervals:
        defined = evaluation.ud_counts if ud else evaluation.enhanced_counts if enhanced else None
        counts = defined(*trees) if defined else [compared(gold, predicted, where, universal)]
        table = evaluation.confidence_intervals(*counts)
    elif ud:
        table = evaluation.evaluate_ud(*trees)
    elif enhanced:
        table = evaluation.evaluate_enhanced(*trees)
    else:
        scores = evaluation.evaluate(*trees, where=where or (), universal=universal)
        if not scores.words:
            raise evaluation.EvaluationError(f"no word in {gold} has a head: there is nothing to evaluate")
        table = scores.table()
    show(table, json, csv, plot)
