"""The command ``evaluate``."""

from __future__ import annotations

from typing import Annotated

import typer

import deptrees
from deptrees import Treebank

__all__ = ["evaluate"]


def evaluate(
    gold: Annotated[str, typer.Argument(help="The gold trees.", show_default=False)],
    predicted: Annotated[str, typer.Argument(help="The same sentences, parsed.", show_default=False)],
) -> None:
    """Compare parsed trees with gold trees.

    UAS is the share of words with the right head, LAS that with the right head and label; punctuation counts, and
    labels must agree to the letter. Words without a gold head are counted apart, if there are any: how many of them
    are left without one.
    """
    scores = deptrees.evaluate(Treebank(gold), Treebank(predicted))
    if not scores.words:
        raise deptrees.EvaluationError(f"no word in {gold} has a head: there is nothing to evaluate")
    print(f"UAS    {scores.uas:7.2%}  {scores.correct_heads:,} of {scores.words:,} words")
    print(f"LAS    {scores.las:7.2%}  {scores.correct_arcs:,} of {scores.words:,} words")
    print(f"exact  {scores.exact_match:7.2%}  {scores.correct_trees:,} of {scores.sentences:,} sentences")
    if scores.empty_words:
        print(f"empty  {scores.empty_accuracy:7.2%}  {scores.correct_empty_words:,} of {scores.empty_words:,} words")
