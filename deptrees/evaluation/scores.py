"""Attachment scores."""

from __future__ import annotations

import attrs
from more_itertools import partition

from deptrees.drawing.table import DrawnColumn, DrawnTable
from deptrees.evaluation.pairs import Trees, pairs
from deptrees.trees.tree import DependencyTree

__all__ = ["Scores", "evaluate", "labeled_accuracy", "unlabeled_accuracy"]


@attrs.frozen
class Scores:
    """Counts of words and sentences with gold heads, and of those predicted correctly.

    Args:
        words: words whose gold head is known.
        correct_heads: words whose predicted head is the gold head.
        correct_arcs: words whose predicted head and label are the gold ones.
        sentences: sentences with such words.
        correct_trees: sentences in which every such word has the right head.
        empty_words: words without a gold head.
        correct_empty_words: those of them that are predicted without a head, too.
    """

    words: int = 0
    correct_heads: int = 0
    correct_arcs: int = 0
    sentences: int = 0
    correct_trees: int = 0
    empty_words: int = 0
    correct_empty_words: int = 0

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

    @property
    def empty_accuracy(self) -> float:
        """The share of the words without a gold head that are rightly left without one: what partial parsers learn."""
        return self.correct_empty_words / self.empty_words if self.empty_words else float("nan")

    def _repr_html_(self) -> str:
        """What notebooks show."""
        words, sentences = f"{self.words:,} words", f"{self.sentences:,} sentences"
        rows = [
            ["UAS", f"{self.uas:.2%}", f"{self.correct_heads:,} of {words}"],
            ["LAS", f"{self.las:.2%}", f"{self.correct_arcs:,} of {words}"],
            ["exact", f"{self.exact_match:.2%}", f"{self.correct_trees:,} of {sentences}"],
        ]
        return DrawnTable(["", DrawnColumn("score", "right"), "correct"], [rows]).html()

    def __add__(self, other: Scores) -> Scores:
        return Scores(*map(sum, zip(attrs.astuple(self), attrs.astuple(other), strict=True)))


def evaluate(gold: Trees, predicted: Trees) -> Scores:
    """Count the words and sentences in which predicted trees agree with gold trees.

    Every word counts, punctuation too; labels must be identical, subtypes included. Words without a gold head
    are counted apart.

    Args:
        gold: a tree, or a treebank.
        predicted: a tree, or a treebank with the same sentences in the same order.

    Raises:
        EvaluationError: the sentences are not the same.

    >>> gold = DependencyTree([(2, "I", "nsubj"), (0, "saw", "root"), (2, "her", "obj")])
    >>> scores = evaluate(gold, gold.reattach([2, 0, 1], ["nsubj", "root", "obj"]))
    >>> scores.correct_heads, scores.words, scores.exact_match
    (2, 3, 0.0)
    >>> partial = gold.reattach([2, 0, None])
    >>> scores = evaluate(partial, gold)
    >>> scores.uas, scores.correct_empty_words, scores.empty_words
    (1.0, 0, 1)
    """
    return sum((_compare(*pair) for pair in pairs(gold, predicted)), Scores())


def _compare(gold: DependencyTree, predicted: DependencyTree) -> Scores:
    empty, annotated = map(list, partition(lambda pair: pair[0].head is not None, zip(gold, predicted, strict=True)))
    left_empty = Scores(empty_words=len(empty), correct_empty_words=sum(theirs.head is None for _, theirs in empty))
    if not annotated:
        return left_empty
    attached = [(ours, theirs) for ours, theirs in annotated if ours.head == theirs.head]
    labeled = sum(ours.label == theirs.label for ours, theirs in attached)
    return left_empty + Scores(len(annotated), len(attached), labeled, 1, int(len(attached) == len(annotated)))


def unlabeled_accuracy(gold: Trees, predicted: Trees) -> float:
    """The share of words with the right head: see ``evaluate``.

    >>> gold = DependencyTree([(2, "I"), (0, "saw"), (2, "her")])
    >>> unlabeled_accuracy(gold, gold)
    1.0
    """
    return evaluate(gold, predicted).uas


def labeled_accuracy(gold: Trees, predicted: Trees) -> float:
    """The share of words with the right head and the right label: see ``evaluate``.

    >>> gold = DependencyTree([(2, "I", "nsubj"), (0, "left", "root")])
    >>> labeled_accuracy(gold, gold.reattach([2, 0], ["obj", "root"]))
    0.5
    """
    return evaluate(gold, predicted).las
