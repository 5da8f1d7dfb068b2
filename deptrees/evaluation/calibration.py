"""Whether probabilities are right: nine in ten predictions that are called 90% certain should be true."""

from __future__ import annotations

from collections.abc import Iterable
from math import fsum

import attrs

from deptrees.evaluation.pairs import EvaluationError, Trees, pairs
from deptrees.messages import whole_number

__all__ = ["CONFIDENCE", "HEAD_CONFIDENCE", "Bin", "Reliability", "reliability"]

HEAD_CONFIDENCE = "HeadConfidence"
"""The key in MISC of the probability that a word's head is right."""
CONFIDENCE = "Confidence"
"""The key in MISC of the probability that a word's head and label are right."""
_MOST_BINS = 1_000_000


@attrs.frozen
class Bin:
    """Predictions of about the same probability: how many, the mean of their probabilities, the share of right ones."""

    count: int
    confidence: float
    accuracy: float


@attrs.frozen
class Reliability:
    """Predictions in bins of equal width, without empty ones: the points of a reliability diagram."""

    bins: tuple[Bin, ...]

    @classmethod
    def of(cls, probabilities: Iterable[float], right: Iterable[bool], bins: int = 10) -> Reliability:
        """Put predictions into bins.

        Args:
            probabilities: how probable it is that each is right.
            right: whether it is.
            bins: into how many bins to divide the numbers from 0 to 1.

        Raises:
            ValueError: something is not a probability, there is no bin, there are more than a million of them, or the
                lengths differ.

        >>> Reliability.of([0.25, 0.75, 1.0], [False, True, False], bins=2).bins
        (Bin(count=1, confidence=0.25, accuracy=0.0), Bin(count=2, confidence=0.875, accuracy=0.5))
        """
        bins = whole_number("bins", bins, 1, _MOST_BINS)
        found: list[list[tuple[float, bool]]] = [[] for _ in range(bins)]
        for probability, is_right in zip(probabilities, right, strict=True):
            if not 0 <= probability <= 1:
                raise ValueError(f"{probability} is not a probability, from 0 to 1")
            found[min(int(probability * bins), bins - 1)].append((probability, is_right))
        columns = [tuple(zip(*those, strict=True)) for those in found if those]
        return cls(tuple(Bin(len(said), fsum(said) / len(said), sum(true) / len(true)) for said, true in columns))

    @property
    def count(self) -> int:
        """The number of predictions."""
        return sum(one.count for one in self.bins)

    @property
    def expected_calibration_error(self) -> float:
        """The mean difference of confidence and accuracy in a bin, weighted by its size.

        It is due to Naeini, Cooper & Hauskrecht 2015.

        >>> Reliability.of([0.25, 0.75, 0.75], [False, True, False]).expected_calibration_error
        0.25
        """
        if not self.bins:
            return float("nan")
        return sum(one.count * abs(one.confidence - one.accuracy) for one in self.bins) / self.count


def reliability(gold: Trees, predicted: Trees, *, labeled: bool = False, bins: int = 10) -> Reliability:
    """How reliable the probabilities that a parser has written into MISC are.

    Args:
        gold: a tree, or a treebank; words without a head do not count.
        predicted: the same sentences, parsed with ``confidence=True``.
        labeled: whether to look at ``Confidence``, which is about head and label, instead of ``HeadConfidence``.
        bins: how many bins there are.

    Raises:
        EvaluationError: the sentences are not the same, or a word has no probability.

    >>> from deptrees import DependencyTree, Token
    >>> parsed = DependencyTree([Token("Go", 0, "root", misc="Confidence=0.7|HeadConfidence=0.8")])
    >>> reliability(DependencyTree([(0, "Go", "root")]), parsed).bins
    (Bin(count=1, confidence=0.8, accuracy=1.0),)
    """
    key = CONFIDENCE if labeled else HEAD_CONFIDENCE
    probabilities, right = [], []
    for tree, parsed in pairs(gold, predicted):
        for ours, theirs in zip(tree, parsed, strict=True):
            if ours.head is None:
                continue
            if key not in theirs.misc_values:
                reason = f"word {theirs.id} has no {key} in MISC: parse with confidence=True"
                raise EvaluationError(f"{parsed.name}: {reason}")
            probabilities.append(float(theirs.misc_values[key]))
            right.append(ours.head == theirs.head and (not labeled or ours.label == theirs.label))
    return Reliability.of(probabilities, right, bins)
