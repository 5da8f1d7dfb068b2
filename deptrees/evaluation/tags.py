"""The accuracy of tags."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, get_args

from deptrees.evaluation.pairs import Trees, pairs
from deptrees.messages import quoted

__all__ = ["TagColumn", "tag_accuracy"]

TagColumn = Literal["upos", "xpos", "feats", "lemma"]
"""A column that a tagger fills in."""


def tag_accuracy(gold: Trees, predicted: Trees, columns: TagColumn | Collection[TagColumn] = "upos") -> float:
    """The share of words with the right tags among those with gold tags (not a number if there are none).

    A word without UPOS, XPOS or LEMMA is not annotated; one without FEATS has no features, which can be right or wrong.

    Args:
        gold: a tree, or a treebank.
        predicted: a tree, or a treebank with the same sentences in the same order.
        columns: the column to compare, or several, all of which must then be right.

    Raises:
        EvaluationError: the sentences are not the same.
        ValueError: there is no such column.

    >>> from deptrees import DependencyTree, Token
    >>> gold = DependencyTree([Token("Birds", upos="NOUN"), Token("sing", upos="VERB")])
    >>> tag_accuracy(gold, DependencyTree([Token("Birds", upos="NOUN"), Token("sing", upos="NOUN")]))
    0.5
    """
    compared = [columns] if isinstance(columns, str) else columns
    for column in compared:
        if column not in get_args(TagColumn):
            raise ValueError(f"{quoted(column)} is none of the columns {', '.join(get_args(TagColumn))}")
    right = [
        all(getattr(ours, column) == getattr(theirs, column) for column in found)
        for tree, other in pairs(gold, predicted)
        for ours, theirs in zip(tree, other, strict=True)
        if (found := [column for column in compared if getattr(ours, column) is not None or column == "feats"])
    ]
    return sum(right) / len(right) if right else float("nan")
