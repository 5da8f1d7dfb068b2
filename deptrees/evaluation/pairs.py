"""Gold sentences, each with its prediction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import TypeAlias

from deptrees.trees.token import canonical
from deptrees.trees.tree import AnyTree, DependencyTree, is_tree, trees_of

__all__ = ["EvaluationError", "Trees", "pairs", "trees_in"]

Trees: TypeAlias = "AnyTree | Iterable[AnyTree]"
"""A tree, or a treebank."""


class EvaluationError(ValueError):
    """Gold and predicted trees are not over the same sentences."""


def pairs(gold: Trees, predicted: Trees) -> Iterator[tuple[DependencyTree, DependencyTree]]:
    """Each gold tree with the predicted tree of the same sentence.

    Args:
        gold: a tree, or a treebank.
        predicted: a tree, or a treebank with the same sentences in the same order.

    Raises:
        EvaluationError: the sentences are not the same; the message says which one differs and where.

    >>> [(tree, other)] = pairs(DependencyTree([(0, "Go")]), [DependencyTree([(None, "Go")])])
    >>> tree.heads, other.heads
    ((0,), (None,))
    >>> list(pairs([], DependencyTree([(0, "Go")])))
    Traceback (most recent call last):
    deptrees.evaluation.pairs.EvaluationError: there is no gold tree for sentence 1: the treebanks differ in length
    """
    for number, (ours, theirs) in enumerate(zip_longest(trees_in(gold), trees_in(predicted)), 1):
        if ours is None or theirs is None:
            lacking = "gold" if ours is None else "predicted"
            raise EvaluationError(f"there is no {lacking} tree for sentence {number}: the treebanks differ in length")
        _check_words(ours, theirs, number)
        yield ours, theirs


def trees_in(trees: Trees) -> Iterator[DependencyTree]:
    """The tree, or those of a treebank, one by one.

    >>> [tree.heads for tree in trees_in(DependencyTree([(0, "Go")]))]
    [(0,)]
    """
    return trees_of([trees] if is_tree(trees) else trees)


def _check_words(gold: DependencyTree, predicted: DependencyTree, number: int) -> None:
    name = f"sentence {number}{_ids(gold.sent_id, predicted.sent_id)}"
    if len(gold) != len(predicted):
        raise EvaluationError(f"{name} has {len(gold)} gold words, but {len(predicted)} predicted ones")
    for ours, theirs in zip(gold, predicted, strict=True):
        if canonical(ours.form) != canonical(theirs.form):
            raise EvaluationError(f"{name}: word {ours.id} is {ours.form!r} in gold, but {theirs.form!r} in predicted")


def _ids(gold: str | None, predicted: str | None) -> str:
    """What a sentence is called: two names say that the treebanks are not in the same order."""
    if gold and predicted and gold != predicted:
        return f" ({gold} in gold, {predicted} in predicted)"
    return f" ({gold})" if gold else ""
