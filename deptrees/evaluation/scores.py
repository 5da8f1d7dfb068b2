"""Attachment scores."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest

import attrs

from deptrees.trees.tree import DependencyTree

__all__ = ["EvaluationError", "Scores", "evaluate", "labeled_accuracy", "unlabeled_accuracy"]


class EvaluationError(ValueError):
    """Gold and predicted trees are not over the same sentences."""


@attrs.frozen
class Scores:
    """What was counted: words and sentences with a gold annotation, and those predicted right.

    Args:
        words: words whose gold head is known.
        correct_heads: words whose predicted head is the gold head.
        correct_arcs: words whose predicted head and label are the gold ones.
        sentences: sentences with such words.
        correct_trees: sentences in which every such word has the right head.
    """

    words: int = 0
    correct_heads: int = 0
    correct_arcs: int = 0
    sentences: int = 0
    correct_trees: int = 0

    @property
    def uas(self) -> float:
        """Unlabeled attachment score: the share of words with the right head (not a number if there are none)."""
        return self.correct_heads / self.words if self.words else float("nan")

    @property
    def las(self) -> float:
        """Labeled attachment score: the share of words with the right head and the right label."""
        return self.correct_arcs / self.words if self.words else float("nan")

    @property
    def exact_match(self) -> float:
        """The share of sentences without a wrong head."""
        return self.correct_trees / self.sentences if self.sentences else float("nan")

    def __add__(self, other: Scores) -> Scores:
        return Scores(*(mine + yours for mine, yours in zip(attrs.astuple(self), attrs.astuple(other), strict=True)))


def evaluate(
    gold: DependencyTree | Iterable[DependencyTree], predicted: DependencyTree | Iterable[DependencyTree]
) -> Scores:
    """Count how far the predicted trees agree with the gold trees.

    Every word counts, punctuation too; labels must agree to the letter, subtypes included. Words without a gold head
    are left out.

    Args:
        gold: a tree, or a treebank.
        predicted: a tree, or a treebank with the same sentences in the same order.

    Raises:
        EvaluationError: the sentences are not the same.

    >>> gold = DependencyTree([(2, "I", "nsubj"), (0, "saw", "root"), (2, "her", "obj")])
    >>> scores = evaluate(gold, gold.reattach([2, 0, 1], ["nsubj", "root", "obj"]))
    >>> scores.correct_heads, scores.words, scores.exact_match
    (2, 3, 0.0)
    """
    if isinstance(gold, DependencyTree):
        gold = [gold]
    if isinstance(predicted, DependencyTree):
        predicted = [predicted]
    scores = Scores()
    for number, (gold_tree, predicted_tree) in enumerate(zip_longest(gold, predicted), 1):
        if gold_tree is None or predicted_tree is None:
            lacking = "gold" if gold_tree is None else "predicted"
            raise EvaluationError(f"there is no {lacking} tree for sentence {number}: the treebanks differ in length")
        scores += _compare(gold_tree, predicted_tree, number)
    return scores


def _compare(gold: DependencyTree, predicted: DependencyTree, number: int) -> Scores:
    name = f"sentence {number}" + (f" ({gold.sent_id})" if gold.sent_id else "")
    if len(gold) != len(predicted):
        raise EvaluationError(f"{name} has {len(gold)} gold words, but {len(predicted)} predicted ones")
    pairs = list(zip(gold, predicted, strict=True))
    for ours, theirs in pairs:
        if ours.form != theirs.form:
            raise EvaluationError(f"{name}: word {ours.id} is {ours.form!r} in gold, but {theirs.form!r} in predicted")
    annotated = [(ours, theirs) for ours, theirs in pairs if ours.head is not None]
    if not annotated:
        return Scores()
    attached = [(ours, theirs) for ours, theirs in annotated if ours.head == theirs.head]
    labeled = sum(ours.label == theirs.label for ours, theirs in attached)
    return Scores(len(annotated), len(attached), labeled, 1, int(len(attached) == len(annotated)))


def unlabeled_accuracy(
    gold: DependencyTree | Iterable[DependencyTree], predicted: DependencyTree | Iterable[DependencyTree]
) -> float:
    """The share of words with the right head: see ``evaluate``.

    >>> gold = DependencyTree([(2, "I"), (0, "saw"), (2, "her")])
    >>> unlabeled_accuracy(gold, gold)
    1.0
    """
    return evaluate(gold, predicted).uas


def labeled_accuracy(
    gold: DependencyTree | Iterable[DependencyTree], predicted: DependencyTree | Iterable[DependencyTree]
) -> float:
    """The share of words with the right head and the right label: see ``evaluate``.

    >>> gold = DependencyTree([(2, "I", "nsubj"), (0, "left", "root")])
    >>> labeled_accuracy(gold, gold.reattach([2, 0], ["obj", "root"]))
    0.5
    """
    return evaluate(gold, predicted).las
