"""The command ``analyze``."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

import deptrees
from deptrees.cli.options import Gold, Predicted
from deptrees.cli.tables import By, Csv, Html, Json, Plot, Train, Universal, Where, compared, save_page, show

__all__ = ["analyze"]


def analyze(
    gold: Gold,
    predicted: Predicted,
    by: By = "label",
    what: Annotated[
        Literal["scores", "precision", "confusions"],
        typer.Option("--show", help="Scores; precision and recall; or which values are predicted for which."),
    ] = "scores",
    where: Where = None,
    universal: Universal = False,
    train: Train = None,
    json: Json = False,
    csv: Csv = False,
    plot: Plot = None,
    html: Html = None,
) -> None:
    """Show where parsed trees go wrong: by label, direction, distance and other attributes of the gold trees.

    Each row names the sentences with its errors, numbered from 1. The attributes are label, tag, form, lemma, xpos,
    feats and misc, each also of the head, as in head-tag; direction, distance, depth, length of the sentence,
    projectivity, gap-degree, punctuation, and known, which is whether a form is in the training data. The numbers after
    an attribute are upper bounds of bins.
    """
    from deptrees import evaluation

    functions = {
        "scores": evaluation.analyze,
        "precision": evaluation.precision_and_recall,
        "confusions": evaluation.confusions,
    }
    table = functions[what](compared(gold, predicted, where, universal, train), by)
    if html:
        save_page(html, table, *map(deptrees.Treebank, (gold, predicted)))
    show(table, json, csv, plot)
