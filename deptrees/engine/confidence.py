"""How probable it is that heads and labels are right, learned from parses of known trees (Platt 1999)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from functools import cache
from typing import ClassVar

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.engine.finding import Found
from deptrees.evaluation.calibration import CONFIDENCE, HEAD_CONFIDENCE
from deptrees.files.models import ModelFile, Part
from deptrees.files.parts import CALIBRATION
from deptrees.files.records import to_record
from deptrees.training.records import TrainingError
from deptrees.transition.constraints import Constraints
from deptrees.treebanks.batch import Batch
from deptrees.treebanks.columns import Columns

__all__ = [
    "MARGINALS",
    "Calibration",
    "Confidence",
    "Evidence",
    "MarginalProbabilities",
    "NotCalibrated",
    "PlattScaling",
]

_OF_LABELS = slice(1, 2)
"""The margin of labels among the three."""
_DIGITS = 10_000
_STEPS = 50
_PRECISION = 1e-9

_Floats = npt.NDArray[np.float64]


class NotCalibrated(ValueError):
    """A parser was asked for probabilities, but is not calibrated."""

    def __init__(self) -> None:
        super().__init__(
            "the parser is not calibrated, so it cannot tell how probable its arcs are: train it with development "
            "data (dev=..., --dev), or call parser.calibrate(treebank)"
        )


@attrs.frozen(eq=False)
class Evidence:
    """What speaks for the heads and labels of a parse.

    Args:
        margins: for each word the three margins of `deptrees.engine.finding.Found`.
        known: two rows: for each word whether its head, and whether its label, was known before.
    """

    margins: _Floats
    known: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, found: Found, constraints: Sequence[Constraints] | None) -> Evidence:
        """The evidence for what was found with margins, and under which constraints."""
        assert found.margins is not None
        known = np.zeros((2, found.margins.shape[1]), np.bool_)
        for sentence, some in enumerate(constraints or ()):
            for row, choices in enumerate((some.heads, some.labels)):
                only = [word - 1 for word, among in choices if len(among) == 1]
                known[row, found.offsets[sentence] + np.array(only, np.int64)] = True
        return cls(found.margins.T.astype(np.float64), known)

    @property
    def compressed(self) -> _Floats:
        """The margins on a scale on which large ones differ little."""
        return np.sign(self.margins) * np.log1p(np.abs(self.margins))


@attrs.frozen
class PlattScaling:
    """The probability that something is right, from what speaks for it: a logistic function (Platt 1999).

    Args:
        weights: how much each number of the evidence counts, 0 or more: the probability never falls as evidence rises.
        bias: what is added to their sum.
        lowest: for each number of the evidence the lowest one that counts; what is lower counts as much.
        highest: the same for the highest one.

    >>> scaling = PlattScaling.fit(np.array([[-1.0], [0.0], [1.0], [2.0]]), np.array([False, True, False, True]))
    >>> scaling(np.array([[0.0], [1.0]])).round(2).tolist()
    [0.45, 0.55]
    """

    weights: tuple[float, ...] = attrs.field(validator=attrs.validators.deep_iterable(attrs.validators.ge(0)))
    bias: float
    lowest: tuple[float, ...]
    highest: tuple[float, ...]

    def __attrs_post_init__(self) -> None:
        if not len(self.weights) == len(self.lowest) == len(self.highest):
            raise ValueError(f"{len(self.weights)} weights need as many lowest and highest numbers")

    @classmethod
    def fit(cls, found: _Floats, right: npt.NDArray[np.bool_]) -> PlattScaling:
        """Find the most likely one, by Newton's method; as in Platt's paper, nothing counts as quite certain.

        Args:
            found: a row of evidence for each thing. Infinite numbers count as the highest or lowest finite one.
            right: whether it was right.
        """
        limits = [_finite_range(column) for column in found.T]
        lowest, highest = tuple(low for low, _ in limits), tuple(high for _, high in limits)
        weights = np.zeros(found.shape[1] + 1)
        used = np.append([low < high for low, high in limits], True)
        inputs = np.column_stack([np.clip(found, lowest, highest), np.ones(len(found))])
        n_right = int(right.sum())
        targets = np.where(right, (n_right + 1) / (n_right + 2), 1 / (len(right) - n_right + 2))
        while True:
            weights[:] = 0
            weights[used] = _most_likely(inputs[:, used], targets)
            against = weights < 0
            against[-1] = False
            if not against.any():
                return cls(tuple(weights[:-1].tolist()), float(weights[-1]), lowest, highest)
            used &= ~against

    def __call__(self, found: _Floats) -> _Floats:
        """The probabilities, for a row of evidence each."""
        return _logistic(np.clip(found, self.lowest, self.highest) @ np.array(self.weights) + self.bias)


def _finite_range(column: _Floats) -> tuple[float, float]:
    finite = column[np.isfinite(column)]
    return (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)


def _logistic(sums: _Floats) -> _Floats:
    return np.asarray(np.exp(-np.logaddexp(0, -sums)))


def _most_likely(inputs: _Floats, targets: _Floats) -> _Floats:
    """The weights of a logistic regression; a step that goes too far is halved."""
    weights = np.zeros(inputs.shape[1])
    tiny = 1e-6 * np.eye(len(weights))
    for _ in range(_STEPS):
        found = _logistic(inputs @ weights)
        step = np.linalg.solve((inputs.T * (found * (1 - found))) @ inputs + tiny, inputs.T @ (targets - found))
        while _loss(inputs @ (weights + step), targets) > _loss(inputs @ weights, targets) + _PRECISION:
            step /= 2
        weights += step
        if np.abs(step).max() < _PRECISION:
            break
    return weights


def _loss(sums: _Floats, targets: _Floats) -> float:
    """The cross entropy of probabilities and what they should be."""
    return float((np.logaddexp(0, sums) - targets * sums).sum())


class Confidence(ABC):
    """How probable it is that heads and labels are right."""

    kind: ClassVar[str]
    """What sort of probability it is, in words."""

    @abstractmethod
    def probabilities(self, found: Evidence) -> tuple[_Floats, _Floats]:
        """For each word the probability that its head is right, and the one that its head and its label are."""

    @abstractmethod
    def part(self) -> Part | None:
        """What is saved besides the model."""

    def write(self, batch: Batch, found: Evidence, *, labeled: bool) -> Batch:
        """A parse with its probabilities in MISC, from what speaks for it."""
        keys = (HEAD_CONFIDENCE, CONFIDENCE) if labeled else (HEAD_CONFIDENCE,)
        told: list[str] = ["|".join(pair) for pair in zip(*map(_texts, keys, self.probabilities(found)), strict=True)]
        numbers, texts = batch.columns.words["misc"], batch.columns.vocabularies["misc"]
        kept = [_without(texts[number], keys) for number in range(len(texts))]
        if any(kept):
            told = [kept[number] + text for number, text in zip(numbers.tolist(), told, strict=True)]
        return batch.with_columns(misc=(np.arange(len(told), dtype=np.int32), told))


class MarginalProbabilities(Confidence):
    """Those of a model that says itself how probable each head is, and each label: the margins are their logits."""

    kind = "marginal probabilities of the model"

    def probabilities(self, found: Evidence) -> tuple[_Floats, _Floats]:
        heads, labels = np.where(found.known, 1, _logistic(found.margins[:, :2].T))
        return heads, heads * labels

    def part(self) -> None:
        """It comes with the model."""


MARGINALS = MarginalProbabilities()


@attrs.frozen
class Calibration(Confidence):
    """What a parser has learned about its own mistakes.

    Args:
        heads: the probability that a head is right.
        labels: the probability that a label is right where the head is right.
    """

    kind: ClassVar[str] = "probabilities learned from held-out data"
    heads: PlattScaling
    labels: PlattScaling

    def __attrs_post_init__(self) -> None:
        found = len(self.heads.weights), len(self.labels.weights)
        if found != (3, 1):
            raise ValueError(f"there are three margins for a head and one for a label, and weights for {found}")

    @classmethod
    def learn(cls, found: Evidence, parsed: Found, gold: Columns, labels: Sequence[str]) -> Calibration:
        """Learn from a parse of gold trees; nothing of words without a head, or those that were known before.

        Args:
            found: what speaks for the parse.
            parsed: the parse.
            gold: the trees.
            labels: the labels of the parse, by their numbers.

        Raises:
            TrainingError: there is nothing to learn from.
        """
        numbers = {label: number for number, label in enumerate(labels)}
        of_gold = np.array([*(numbers.get(label, -2) for label in gold.vocabularies["deprel"]), -1])
        right = parsed.heads[0] == gold.heads, parsed.labels[0] == of_gold[gold.labels]
        heads = (gold.heads >= 0) & ~found.known.any(axis=0)
        if not heads.any():
            raise TrainingError("there is nothing to calibrate the parser on: no word has a head to be found")
        both = heads & right[0]
        return cls(
            PlattScaling.fit(found.compressed[heads], right[0][heads]),
            PlattScaling.fit(found.compressed[both][:, _OF_LABELS], right[1][both]),
        )

    def probabilities(self, found: Evidence) -> tuple[_Floats, _Floats]:
        of_heads, of_labels = self.heads(found.compressed), self.labels(found.compressed[:, _OF_LABELS])
        heads, labels = np.where(found.known, 1, [of_heads, of_labels])
        return heads, heads * labels

    def part(self) -> Part:
        return Part(CALIBRATION, to_record(self), {})

    @classmethod
    def read(cls, file: ModelFile) -> Calibration | None:
        """The calibration in a file, ``None`` if there is none."""
        return file.read(CALIBRATION, cls) if CALIBRATION in file else None


def _texts(key: str, probabilities: _Floats) -> list[str]:
    """Probabilities as they are written after a key."""
    texts = _all_texts(key)
    return [texts[number] for number in np.rint(probabilities * _DIGITS).astype(int).tolist()]


@cache
def _all_texts(key: str) -> list[str]:
    return [f"{key}={number / _DIGITS:.4f}" for number in range(_DIGITS + 1)]


def _without(misc: str, keys: Iterable[str]) -> str:
    """A text of MISC without entries of some keys, with a separator after it if anything is left."""
    return "".join(
        [f"{entry}|" for entry in misc.split("|") if entry not in ("", "_") and entry.partition("=")[0] not in keys]
    )
