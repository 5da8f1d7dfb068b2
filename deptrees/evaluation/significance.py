"""How far scores can be trusted: confidence intervals, and a test of whether one parser is better than another.

Both take sentences as what was drawn at random, for the errors of a sentence come together. They need SciPy.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from deptrees.evaluation.analysis import check_words
from deptrees.evaluation.pairs import EvaluationError
from deptrees.evaluation.predictions import Predictions
from deptrees.evaluation.scores import MEASURES, Scores
from deptrees.evaluation.tables import Column, Table
from deptrees.evaluation.words import Integers

__all__ = ["confidence_intervals", "paired_test"]

_Floats = npt.NDArray[np.float64]

_NUMBERS_AT_ONCE = 5_000_000


def _scipy_stats() -> ModuleType:
    try:
        from scipy import stats
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "intervals and tests need SciPy: pip install 'deptrees[significance]'", name="scipy"
        ) from error
    module: ModuleType = stats
    return module


def _by_sentence(predictions: Predictions, places: int) -> tuple[Integers, Integers]:
    """For each score and each sentence, how many are right, and of how many. Sentences that have none are left out."""
    check_words(predictions)
    counts = predictions.counts(predictions.gold.sentence, len(predictions.gold.columns))
    measures = Scores.of(predictions).measures
    right, whole = (np.stack([counts[MEASURES[name][place]] for name in measures]) for place in (0, 1))
    counted = whole.any(axis=0)
    if counted.sum() < places:
        raise EvaluationError(f"too few sentences to tell how far scores can be trusted: {counted.sum()}")
    return right[:, counted], whole[:, counted]


def _batch(right: Integers) -> int:
    """How many resamples to take at a time."""
    return max(1, _NUMBERS_AT_ONCE // right.size)


def confidence_intervals(
    predictions: Predictions, *, level: float = 0.95, resamples: int = 1000, seed: int = 0
) -> Table:
    """The scores, each with a confidence interval: the percentile bootstrap over sentences (Efron 1979).

    Args:
        predictions: predicted trees, held against gold trees.
        level: how often such an interval is to have the true score in it.
        resamples: how many treebanks to draw from the sentences.
        seed: determines what is drawn.

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
    stats = _scipy_stats()
    right, whole = _by_sentence(predictions, 2)

    def shares(right: Integers, whole: Integers, axis: int) -> _Floats:
        with np.errstate(invalid="ignore"):  # none of the sentences drawn may have such words
            found: _Floats = right.sum(axis=axis) / whole.sum(axis=axis)
        return found

    interval = stats.bootstrap(
        (right, whole),
        shares,
        paired=True,
        axis=-1,
        confidence_level=level,
        n_resamples=resamples,
        batch=_batch(right),
        method="percentile",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    names = Scores.of(predictions).measures
    columns = [
        Column("score", names, "key"),
        *(
            Column(name, found.tolist(), "share")
            for name, found in (
                ("share", shares(right, whole, -1)),
                ("low", np.atleast_1d(interval.low)),
                ("high", np.atleast_1d(interval.high)),
            )
        ),
    ]
    return Table(f"Scores with {level:.0%} confidence intervals", columns, plotted=("share",))


def paired_test(first: Predictions, second: Predictions, *, resamples: int = 9999, seed: int = 0) -> Table:
    """Whether one parser is better than another, for every score: a paired permutation test over sentences.

    It is the approximate randomization of Yeh (2000): if the parsers were equally good, whichever of a sentence's two
    trees is called that of the first parser would be a matter of chance. ``p`` is how probable it then is that they
    differ at least as much as they do. Few sentences are permuted in all ways.

    Args:
        first: the trees of the first parser, held against gold trees.
        second: those of the second one, held against the same gold trees.
        resamples: how many ways of exchanging trees to try, at most.
        seed: determines which.

    Raises:
        EvaluationError: the gold trees are not the same, or there are fewer than two sentences.
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
    first.check_same_gold(second)
    (right, whole), (others, _) = _by_sentence(first, 2), _by_sentence(second, 2)
    totals = whole.sum(axis=-1)

    def difference(one: Integers, other: Integers, axis: int) -> _Floats:
        found: _Floats = (other - one).sum(axis=axis) / totals
        return found

    found: Any = stats.permutation_test(
        (right, others),
        difference,
        permutation_type="samples",
        axis=-1,
        vectorized=True,
        n_resamples=resamples,
        batch=_batch(right),
        rng=np.random.default_rng(seed),
    )
    columns = [
        Column("score", Scores.of(first).measures, "key"),
        Column("first", (right.sum(axis=-1) / totals).tolist(), "share"),
        Column("second", (others.sum(axis=-1) / totals).tolist(), "share"),
        Column("difference", np.atleast_1d(found.statistic).tolist(), "share"),
        Column("p", np.atleast_1d(found.pvalue).tolist(), "number"),
    ]
    return Table("Two parsers", columns, plotted=("first", "second"))
