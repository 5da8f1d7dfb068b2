"""Predicted trees compared with gold trees, word by word: the basis of every score and every analysis."""

from __future__ import annotations

from collections.abc import Iterable

import attrs
import numpy as np

from deptrees.evaluation.attributes import selected
from deptrees.evaluation.pairs import EvaluationError, Trees
from deptrees.evaluation.words import Booleans, Integers, Words, known_forms, paired_words
from deptrees.messages import counted, of_type, whole_number
from deptrees.trees.tree import DependencyTree

__all__ = ["Predictions"]


@attrs.frozen(eq=False, repr=False)
class Predictions:
    """Predicted trees, compared with gold trees; words and tags are the gold ones, whatever tags the parser has seen.

    Args:
        gold: the words in their gold trees.
        predicted: the same words in their predicted trees.
        chosen: for each word, whether it counts.
    """

    gold: Words
    predicted: Words
    chosen: Booleans

    def __repr__(self) -> str:
        return f"<predictions of {self.chosen.sum()} words>"

    @classmethod
    def of(
        cls,
        gold: Trees,
        predicted: Trees,
        *,
        where: str | Iterable[str] = (),
        universal: bool = False,
        train: Iterable[DependencyTree] | None = None,
    ) -> Predictions:
        """Compare predicted trees with gold trees. Two files are read without making trees, in a fraction of the time.

        Args:
            gold: a tree, or a treebank.
            predicted: a tree, or a treebank with the same sentences in the same order.
            where: which words count, as conditions on the gold trees: see ``selected``.
            universal: whether only the universal part of labels counts, the part before the colon.
            train: training data, for the attribute ``known``.

        Raises:
            EvaluationError: the sentences are not the same, or something is not a condition.

        >>> gold = DependencyTree([(2, "I", "nsubj"), (0, "ran", "root"), (2, "!", "punct")])
        >>> found = Predictions.of(gold, gold.reattach([2, 0, 1]), where="label!=punct")
        >>> found.right_heads.tolist(), found.chosen.tolist(), len(found)
        ([True, True, False], [True, True, False], 2)
        """
        ours, theirs = paired_words(gold, predicted, known_forms(train))
        if universal:
            ours, theirs = ours.with_universal_labels(), theirs.with_universal_labels()
        return cls(ours, theirs, selected(ours, where))

    def __len__(self) -> int:
        return int(self.annotated.sum())

    @property
    def annotated(self) -> Booleans:
        """For each word, whether it counts and has a gold head."""
        return self.chosen & (self.gold.columns.heads >= 0)

    @property
    def right_heads(self) -> Booleans:
        """For each word, whether its head is the gold one."""
        return np.equal(self.gold.columns.heads, self.predicted.columns.heads)

    @property
    def right_labels(self) -> Booleans:
        """For each word, whether its label is the gold one, whatever its head."""
        return np.equal(self.gold.columns.labels, self.predicted.columns.labels)

    @property
    def right_arcs(self) -> Booleans:
        """For each word, whether its head and its label are the gold ones."""
        return self.right_heads & self.right_labels

    def counts(self, group: Integers, groups: int) -> dict[str, Integers]:
        """The counts that ``Scores`` consists of, for groups of words.

        Args:
            group: the group of each word, which is ignored for words that do not count.
            groups: the number of groups.

        >>> gold = DependencyTree([(2, "I", "nsubj"), (0, "saw", "root"), (2, "her", "obj")])
        >>> found = Predictions.of(gold, gold.reattach([2, 0, 1]))
        >>> found.counts(np.array([0, 0, 1]), 2)["correct_heads"].tolist()
        [2, 0]
        """
        of_type("group", group, np.ndarray, "an array of the group of each word")
        groups = whole_number("groups", groups, 1)
        right = group.shape == self.chosen.shape and group.dtype.kind in "iu"
        counting = group[self.chosen] if right else group
        if not right or (counting.size and not 0 <= counting.min() <= counting.max() < groups):
            words = counted(len(self.chosen), "word")
            raise ValueError(f"group has a whole number from 0 to {groups - 1} for each of {words}")
        annotated, empty = self.annotated, self.chosen & (self.gold.columns.heads < 0)

        def count(which: Booleans) -> Integers:
            return np.bincount(group[which], minlength=groups)

        sentences = len(self.gold.columns)
        place = (group * sentences + self.gold.sentence)[annotated]
        parts, part = np.unique(place, return_inverse=True)
        wrong = np.bincount(part, weights=~self.right_heads[annotated], minlength=len(parts))
        of_part = parts // max(sentences, 1)
        return {
            "words": count(annotated),
            "correct_heads": count(annotated & self.right_heads),
            "correct_arcs": count(annotated & self.right_arcs),
            "sentences": np.bincount(of_part, minlength=groups),
            "correct_trees": np.bincount(of_part[wrong == 0], minlength=groups),
            "empty_words": count(empty),
            "correct_empty_words": count(empty & self.right_heads),
            "correct_labels": count(annotated & self.right_labels),
        }

    def check_same_gold(self, other: Predictions) -> None:
        """Make sure that the predictions of another parser are compared with the same gold trees.

        Raises:
            EvaluationError: they are not.

        >>> gold = DependencyTree([(0, "Go")])
        >>> Predictions.of(gold, gold).check_same_gold(Predictions.of([gold, gold], [gold, gold]))
        Traceback (most recent call last):
        deptrees.evaluation.pairs.EvaluationError: the two parsers have not parsed the same words of the same trees
        """
        of_type("other", other, Predictions, "what Predictions.of(gold, predicted) makes")
        ours, theirs = self.gold.columns, other.gold.columns
        same = np.array_equal(ours.offsets, theirs.offsets) and np.array_equal(ours.heads, theirs.heads)
        if not (same and np.array_equal(self.chosen, other.chosen)):
            raise EvaluationError("the two parsers have not parsed the same words of the same trees")
