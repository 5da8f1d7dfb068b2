"""Attachment scores."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import attrs
from more_itertools import chunked, unzip

from deptrees.drawing.table import DrawnColumn, DrawnTable
from deptrees.evaluation.pairs import Trees, pairs
from deptrees.evaluation.tables import Column, Table
from deptrees.messages import quoted
from deptrees.treebanks.treebank import Treebank

if TYPE_CHECKING:
    from deptrees.evaluation.predictions import Predictions
    from deptrees.evaluation.words import Integers

__all__ = ["MEASURES", "Scores", "evaluate", "labeled_accuracy", "unlabeled_accuracy"]

MEASURES = {
    "UAS": ("correct_heads", "words"),
    "LAS": ("correct_arcs", "words"),
    "labels": ("correct_labels", "words"),
    "exact": ("correct_trees", "sentences"),
    "empty": ("correct_empty_words", "empty_words"),
}
"""The scores by the names that tables give them: each the share of one count in another."""

_AT_ONCE = 1000


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
        correct_empty_words: those of them that are also predicted without a head.
        correct_labels: words whose predicted label is the gold one, whatever their head.
    """

    words: int = 0
    correct_heads: int = 0
    correct_arcs: int = 0
    sentences: int = 0
    correct_trees: int = 0
    empty_words: int = 0
    correct_empty_words: int = 0
    correct_labels: int = 0

    def __str__(self) -> str:
        return f"UAS {self.uas:.2%}, LAS {self.las:.2%}: {self.words} words in {self.sentences} sentences"

    @classmethod
    def of(cls, predictions: Predictions) -> Scores:
        """The counts of all words that count."""
        [found] = cls.by_group(predictions, predictions.gold.sentence * 0, 1)
        return found

    @classmethod
    def by_group(cls, predictions: Predictions, group: Integers, groups: int) -> list[Scores]:
        """The counts of each group of words; see ``Predictions.counts``."""
        counts = {name: found.tolist() for name, found in predictions.counts(group, groups).items()}
        return [cls(**dict(zip(counts, row, strict=True))) for row in zip(*counts.values(), strict=True)]

    def share(self, measure: str) -> float:
        """A score by its name in tables (not a number if there is nothing to count).

        Raises:
            ValueError: there is no such score.

        >>> Scores(words=4, correct_heads=3).share("UAS")
        0.75
        """
        if measure not in MEASURES:
            raise ValueError(f"there is no score {quoted(measure)}: choose among {', '.join(MEASURES)}")
        part, whole = (getattr(self, name) for name in MEASURES[measure])
        return part / whole if whole else float("nan")

    @property
    def uas(self) -> float:
        """Unlabeled attachment score: the share of words with the right head (not a number if there are none)."""
        return self.share("UAS")

    @property
    def las(self) -> float:
        """Labeled attachment score: the share of words with the right head and the right label."""
        return self.share("LAS")

    @property
    def label_accuracy(self) -> float:
        """The share of words with the right label, whatever their head."""
        return self.share("labels")

    @property
    def exact_match(self) -> float:
        """The share of sentences without a wrong head."""
        return self.share("exact")

    @property
    def empty_accuracy(self) -> float:
        """The share of the words without a gold head that are rightly left without one: what partial parsers learn."""
        return self.share("empty")

    @property
    def measures(self) -> list[str]:
        """The names of the scores in tables; ``empty`` is not among them if every word has a gold head."""
        return [name for name in MEASURES if name != "empty" or self.empty_words]

    def table(self) -> Table:
        """The scores as a table.

        >>> print(Scores(words=4, correct_heads=3, correct_arcs=2, correct_labels=3, sentences=1).table())
        score    share  right  of
        ------  ------  -----  --
        UAS     75.00%      3   4
        LAS     50.00%      2   4
        labels  75.00%      3   4
        exact    0.00%      0   1
        """
        counts = [[getattr(self, MEASURES[name][place]) for name in self.measures] for place in (0, 1)]
        shares = Column("share", map(self.share, self.measures), "share")
        columns = [Column("score", self.measures, "key"), shares, Column("right", counts[0]), Column("of", counts[1])]
        return Table("Scores", columns, plotted=("share",))

    def _repr_html_(self) -> str:
        """What notebooks show."""
        counts = ((name, *MEASURES[name]) for name in ("UAS", "LAS", "exact"))
        rows = [
            [name, f"{self.share(name):.2%}", f"{getattr(self, part):,} of {getattr(self, whole):,} {whole}"]
            for name, part, whole in counts
        ]
        return DrawnTable(["", DrawnColumn("score", "right"), "correct"], [rows]).html()

    def __add__(self, other: Scores) -> Scores:
        return Scores(*map(sum, zip(attrs.astuple(self), attrs.astuple(other), strict=True)))


def evaluate(gold: Trees, predicted: Trees, *, where: str | Iterable[str] = (), universal: bool = False) -> Scores:
    """Count the words and sentences in which predicted trees agree with gold trees.

    All words count, including punctuation; labels must be identical, including subtypes. Words without a gold head are
    counted separately. Two files are compared without making trees.

    Args:
        gold: a tree, or a treebank.
        predicted: a tree, or a treebank with the same sentences in the same order.
        where: which words count: ``"tag!=PUNCT"`` leaves out punctuation by UPOS, ``"punctuation=no"`` by Unicode, and
            `deptrees.evaluation.attributes` lists all attributes.
        universal: whether only the universal part of labels counts, the part before the colon.

    Raises:
        EvaluationError: the sentences are not the same, or something is not a condition.

    >>> from deptrees import DependencyTree
    >>> gold = DependencyTree([(2, "I", "nsubj"), (0, "saw", "root"), (2, "her", "obj")])
    >>> scores = evaluate(gold, gold.reattach([2, 0, 1], ["nsubj", "root", "obj"]))
    >>> scores.correct_heads, scores.words, scores.exact_match
    (2, 3, 0.0)
    >>> partial = gold.reattach([2, 0, None])
    >>> scores = evaluate(partial, gold)
    >>> scores.uas, scores.correct_empty_words, scores.empty_words
    (1.0, 0, 1)
    """
    from deptrees.evaluation.predictions import Predictions

    def scores(gold: Trees, predicted: Trees) -> Scores:
        return Scores.of(Predictions.of(gold, predicted, where=where, universal=universal))

    if isinstance(gold, Treebank) and isinstance(predicted, Treebank):
        return scores(gold, predicted)
    parts = chunked(pairs(gold, predicted), _AT_ONCE)
    return sum((scores(*map(list, unzip(part))) for part in parts), Scores())


def unlabeled_accuracy(gold: Trees, predicted: Trees) -> float:
    """The share of words with the right head: see ``evaluate``.

    >>> from deptrees import DependencyTree
    >>> gold = DependencyTree([(2, "I"), (0, "saw"), (2, "her")])
    >>> unlabeled_accuracy(gold, gold)
    1.0
    """
    return evaluate(gold, predicted).uas


def labeled_accuracy(gold: Trees, predicted: Trees) -> float:
    """The share of words with the right head and the right label: see ``evaluate``.

    >>> from deptrees import DependencyTree
    >>> gold = DependencyTree([(2, "I", "nsubj"), (0, "left", "root")])
    >>> labeled_accuracy(gold, gold.reattach([2, 0], ["obj", "root"]))
    0.5
    """
    return evaluate(gold, predicted).las
