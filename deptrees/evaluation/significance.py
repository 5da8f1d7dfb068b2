"""How far scores can be trusted: confidence intervals, and a test of whether one parser is better than another.

Both treat sentences as the random sample, because the errors of a sentence come together. They need SciPy.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import reduce
from itertools import chain
from numbers import Real
from operator import add
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.evaluation.analysis import check_words
from deptrees.evaluation.pairs import EvaluationError
from deptrees.evaluation.predictions import Predictions
from deptrees.evaluation.scores import MEASURES, Scores
from deptrees.evaluation.tables import Column, Table, array_columns
from deptrees.evaluation.words import Integers
from deptrees.extras import require
from deptrees.messages import of_type, whole_number

__all__ = ["SentenceCounts", "confidence_intervals", "paired_test"]

_Floats = npt.NDArray[np.float64]

_NUMBERS_AT_ONCE = 5_000_000
_MOST_RESAMPLES = 1_000_000


def _scipy_stats() -> Any:
    require("scipy", "intervals and tests need SciPy", "significance")
    from scipy import stats

    return stats


@attrs.frozen(eq=False)
class SentenceCounts:
    """The counts behind scores, sentence by sentence.

    Args:
        scores: the names of the scores.
        right: for each score and each sentence, how many are right.
        whole: of how many.
    """

    scores: tuple[str, ...]
    right: Integers
    whole: Integers

    @classmethod
    def of(cls, predictions: Predictions) -> SentenceCounts:
        """Those of the library's own scores."""
        check_words(predictions)
        counts = predictions.counts(predictions.gold.sentence, len(predictions.gold.columns))
        names = tuple(Scores.of(predictions).measures)
        right, whole = (np.stack([counts[MEASURES[name][place]] for name in names]) for place in (0, 1))
        return cls(names, right, whole)

    def __add__(self, other: SentenceCounts) -> SentenceCounts:
        """Those of two parses of the same sentences together, such as those of one parser with two seeds.

        Raises:
            EvaluationError: the scores are not the same, or there are not as many sentences.
        """
        _check_same_scores(self, other)
        return SentenceCounts(self.scores, self.right + other.right, self.whole + other.whole)

    def only(self, counted: npt.NDArray[np.bool_]) -> SentenceCounts:
        """Those of some sentences."""
        of_type("counted", counted, np.ndarray, "an array that says of each sentence whether it counts")
        if counted.shape != self.right.shape[1:] or counted.dtype != np.bool_:
            raise ValueError(f"counted has True or False for each of {self.right.shape[1]} sentences")
        return SentenceCounts(self.scores, self.right[:, counted], self.whole[:, counted])


def _check_same_scores(one: SentenceCounts, other: SentenceCounts) -> None:
    if one.scores != other.scores:
        raise EvaluationError("the parsers are not counted by the same scores")
    if one.right.shape != other.right.shape:
        raise EvaluationError("the parsers are not counted in the same sentences")


def _share(right: Integers, whole: Integers, axis: int) -> _Floats:
    with np.errstate(invalid="ignore"):  # none of the sentences may have such words
        found: _Floats = right.sum(axis=axis) / whole.sum(axis=axis)
    return found


Counted = Predictions | SentenceCounts
"""Predicted trees, compared with gold trees; or counts, such as those of ``ud_counts``."""


def _counts(given: Counted) -> SentenceCounts:
    return given if isinstance(given, SentenceCounts) else SentenceCounts.of(given)


def _with_all_seeds(*given: Counted | Sequence[Counted]) -> list[SentenceCounts]:
    """The counts of two parsers, each with all its seeds together."""
    parsers = [[each] if isinstance(each, Counted) else list(each) for each in given]
    ours, theirs = map(len, parsers)
    if ours != theirs or not ours:
        raise EvaluationError(f"compare parsers with the same number of seeds, not {ours} and {theirs}")
    predictions = [each for each in chain(*parsers) if isinstance(each, Predictions)]
    for other in predictions[1:]:
        predictions[0].check_same_gold(other)
    totals = [reduce(add, map(_counts, seeds)) for seeds in parsers]
    _check_same_scores(*totals)
    return totals


def _by_sentence(*found: SentenceCounts) -> list[SentenceCounts]:
    """The counts, without those of sentences in which there is nothing to count."""
    counted = np.logical_or.reduce([counts.whole.any(axis=0) for counts in found])
    if counted.sum() < 2:
        raise EvaluationError(f"too few sentences to tell how far scores can be trusted: {counted.sum()}")
    return [counts.only(counted) for counts in found]


def _resampling(counts: SentenceCounts, resamples: int, seed: int) -> dict[str, Any]:
    """What SciPy needs to know of how it resamples."""
    resamples = whole_number("resamples", resamples, 2, _MOST_RESAMPLES)
    batch = max(1, _NUMBERS_AT_ONCE // counts.right.size)
    return {
        "axis": -1,
        "n_resamples": resamples,
        "batch": batch,
        "rng": np.random.default_rng(whole_number("seed", seed, 0)),
    }


def confidence_intervals(predictions: Counted, *, level: float = 0.95, resamples: int = 1000, seed: int = 0) -> Table:
    """The scores, each with a confidence interval: the percentile bootstrap over sentences (Efron 1979).

    Args:
        predictions: predicted trees, compared with gold trees; or counts, such as those of ``ud_counts``.
        level: how often such an interval should contain the true score.
        resamples: how many treebanks to draw from the sentences.
        seed: determines what is drawn.

    Returns:
        A score that so few sentences have that a draw may be without them has no bounds.

    Raises:
        EvaluationError: there are fewer than two sentences to draw from.
        ModuleNotFoundError: SciPy is not installed.

    >>> from deptrees import Predictions, sample_treebank
    >>> gold = list(sample_treebank("dev"))
    >>> every_other_is_wrong = [tree.reattach([0] * len(tree)) if i % 2 else tree for i, tree in enumerate(gold)]
    >>> print(confidence_intervals(Predictions.of(gold, every_other_is_wrong)))
    score     share      low     high
    ------  -------  -------  -------
    UAS      58.67%   36.36%   79.33%
    LAS      58.67%   36.36%   79.33%
    labels  100.00%  100.00%  100.00%
    exact    50.00%   25.00%   75.00%
    """
    of_type("level", level, Real, "a number")
    if not 0 < level < 1:
        raise ValueError(f"level is a share, more than 0 and less than 1, not {level}")
    stats = _scipy_stats()
    [counts] = _by_sentence(_counts(predictions))
    how = {"paired": True, "confidence_level": level, "method": "percentile", **_resampling(counts, resamples, seed)}
    with warnings.catch_warnings():  # of scores without bounds, since a draw may have nothing to count
        warnings.simplefilter("ignore", stats.DegenerateDataWarning)
        interval = stats.bootstrap((counts.right, counts.whole), _share, **how).confidence_interval
    bounds = {"low": np.atleast_1d(interval.low), "high": np.atleast_1d(interval.high)}
    found = array_columns({"share": _share(counts.right, counts.whole, -1), **bounds}, "share")
    key = Column("score", counts.scores, "key")
    return Table(f"Scores with {level:.0%} confidence intervals", [key, *found], plotted=("share",))


def paired_test(
    first: Counted | Sequence[Counted], second: Counted | Sequence[Counted], *, resamples: int = 9999, seed: int = 0
) -> Table:
    """Whether one parser is better than another, for every score: a paired permutation test over sentences.

    This is the approximate randomization of Yeh (2000): if the parsers were equally good, it would be a matter of
    chance which of a sentence's two trees came from which. ``p`` is the probability that they would then differ at
    least as much as they do. If there are few sentences, all permutations are tried.

    A single run of each tells of these two runs only: seeds alone may make a difference (Reimers & Gurevych 2017). If
    there are several, the scores are those of all runs together, and what is exchanged are all trees of a sentence.
    The seeds are not a sample here: ``p`` speaks of other sentences, not of other seeds.

    Args:
        first: the trees of the first parser, compared with gold trees; or counts, such as those of ``ud_counts``; or
            several of these, one for each seed.
        second: the same for the second parser, compared with the same gold trees, and with as many seeds.
        resamples: how many ways of exchanging trees to try, at most.
        seed: determines which.

    Raises:
        EvaluationError: the gold trees, the scores or the numbers of seeds are not the same, or there are fewer than
            two sentences.
        ModuleNotFoundError: SciPy is not installed.

    >>> from deptrees import Predictions, sample_treebank
    >>> gold = list(sample_treebank("dev"))[:5]
    >>> one, other = Predictions.of(gold, gold), Predictions.of(gold, [tree.reattach([0] * len(tree)) for tree in gold])
    >>> print(paired_test(one, other).sorted([0, 2]))
    score     first   second  difference       p
    ------  -------  -------  ----------  ------
    UAS     100.00%   11.90%     -88.10%  0.0625
    labels  100.00%  100.00%       0.00%       1
    """
    stats = _scipy_stats()
    one, other = _by_sentence(*_with_all_seeds(first, second))
    # Whosever a tree is, what is right in it goes together with of how much: as the two parts of a complex number.
    counts = [each.right + 1j * each.whole for each in (one, other)]

    def difference(ours: npt.NDArray[np.complex128], theirs: npt.NDArray[np.complex128], axis: int) -> _Floats:
        first, second = ours.sum(axis=axis), theirs.sum(axis=axis)
        with np.errstate(invalid="ignore"):  # none of the sentences may have such words
            # As one fraction, for the difference of two is rounded, and equal ones must be equal.
            found: _Floats = (second.real * first.imag - first.real * second.imag) / (first.imag * second.imag)
        return found

    how = {"permutation_type": "samples", "vectorized": True, **_resampling(one, resamples, seed)}
    found = stats.permutation_test(counts, difference, **how)
    shares = {name: _share(each.right, each.whole, -1) for name, each in (("first", one), ("second", other))}
    shares["difference"] = np.atleast_1d(found.statistic)
    probabilities = array_columns({"p": np.atleast_1d(found.pvalue).real}, "number")
    columns = [Column("score", one.scores, "key"), *array_columns(shares, "share"), *probabilities]
    return Table("Two parsers", columns, plotted=("first", "second"))
