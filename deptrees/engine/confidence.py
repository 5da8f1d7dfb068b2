"""How probable it is that heads and labels are right, learned from parses of known trees (Platt 1999)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.engine.alternatives import no_margins
from deptrees.engine.constrained import ConstrainedModel, known_words
from deptrees.engine.model import Model
from deptrees.engine.stepwise.model import StepwiseModel
from deptrees.evaluation.calibration import CONFIDENCE, HEAD_CONFIDENCE
from deptrees.files.models import ModelError, ModelFile, Part
from deptrees.files.records import to_record
from deptrees.training.records import TrainingError
from deptrees.transition.constraints import Constraints, Known
from deptrees.treebanks.columns import Columns
from deptrees.trees.tree import DependencyTree

__all__ = ["Calibration", "Evidence", "NotCalibrated", "PlattScaling", "evidence", "evidence_of"]

_FORMAT = "deptrees calibration 1"
_ALTERNATIVES = 16
_STEPS = 50
_PRECISION = 1e-9

_Integers = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float64]


class NotCalibrated(ValueError):
    """A parser was asked for probabilities, but is not calibrated."""

    def __init__(self) -> None:
        super().__init__(
            "the parser is not calibrated, so it cannot tell how probable its arcs are: train it with development "
            "data (dev=..., --dev), or call parser.calibrate(treebank)"
        )


class Evidence(NamedTuple):
    """What speaks for the heads and labels of a parse.

    Args:
        of_heads: for each word two margins, compressed: how clear the least clear choice about its head was, and how
            far the best derivation of a beam is ahead of the best one with another head. Such margins are the
            confidence that Mejer & Crammer (2012) call Delta. Parsers without a beam have the first only.
        of_labels: for each word one margin, compressed: how far its label was ahead of the best other one.
        known_heads: for each word whether its head was known before.
        known_labels: for each word whether its label was known before.
    """

    of_heads: _Floats
    of_labels: _Floats
    known_heads: npt.NDArray[np.bool_]
    known_labels: npt.NDArray[np.bool_]


def evidence(
    model: Model | StepwiseModel | ConstrainedModel, columns: Columns, threads: int = 1, beam: int | None = None
) -> tuple[_Integers, _Integers, Evidence]:
    """Parse a treebank as ``model.parse`` does, and gather what speaks for each head and label.

    The engine follows at least 16 derivations at a time to see other heads; step by step, where that takes long, there
    are as many as the parse itself follows.
    """
    heads, labels, (of_choices, of_labels) = model.parse_with_margins(columns, threads, beam)
    width = model.shape.width(threads, beam)
    if isinstance(model.model if isinstance(model, ConstrainedModel) else model, Model):
        width = max(width, _ALTERNATIVES)
    of_derivations = model.k_best(columns, threads, width).margins(heads)
    if isinstance(model, ConstrainedModel):
        known = known_words(model.trees, model.constraints)
    else:
        known = np.zeros((2, len(heads)), np.bool_)
    return heads, labels, Evidence(_compressed(of_choices, of_derivations), _compressed(of_labels), *known)


def evidence_of(
    trees: Sequence[DependencyTree], margins: Sequence[npt.NDArray[np.float32]], constraints: Known | None
) -> Evidence:
    """What speaks for the heads and labels of sentences that were parsed without a beam.

    Args:
        trees: the sentences.
        margins: for each a row for heads and one for labels; see ``Model.parse_with_margins``.
        constraints: tells what was known of them before.
    """
    of_choices, of_labels = np.concatenate([no_margins(0), *margins], axis=1)
    known = known_words(trees, [Constraints() if constraints is None else constraints(tree) for tree in trees])
    return Evidence(_compressed(of_choices), _compressed(of_labels), *known)


def _compressed(*margins: npt.NDArray[np.float32]) -> _Floats:
    """Margins as columns, on a scale on which large ones differ little."""
    found = np.stack(margins, axis=1).astype(np.float64)
    return np.sign(found) * np.log1p(np.abs(found))


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


@attrs.frozen
class Calibration:
    """What a parser has learnt about its own mistakes.

    Args:
        heads: the probability that a head is right.
        labels: the probability that a label is right where the head is right.
    """

    heads: PlattScaling
    labels: PlattScaling

    def __attrs_post_init__(self) -> None:
        found = len(self.heads.weights), len(self.labels.weights)
        if found not in ((1, 1), (2, 1)):
            raise ValueError(f"there are one or two margins for a head and one for a label, and weights for {found}")

    @classmethod
    def learn(cls, gold: Sequence[DependencyTree], parsed: Iterable[DependencyTree], found: Evidence) -> Calibration:
        """Learn from a parse of trees that are known.

        Args:
            gold: the trees; of words without a head nothing is learnt, nor of those that were known before.
            parsed: the parse.
            found: what speaks for it.

        Raises:
            TrainingError: there is nothing to learn from.
        """
        words = [pair for trees in zip(gold, parsed, strict=True) for pair in zip(*trees, strict=True)]
        known = np.array([ours.head is not None for ours, _ in words], bool)
        known &= ~(found.known_heads | found.known_labels)
        if not known.any():
            raise TrainingError("there is nothing to calibrate the parser on: no word has a head to be found")
        heads = np.array([ours.head == theirs.head for ours, theirs in words], bool)
        labels = np.array([ours.label == theirs.label for ours, theirs in words], bool)
        return cls.fit(Evidence(*(column[known] for column in found)), heads[known], labels[known])

    def tell(self, trees: Iterable[DependencyTree], found: Evidence, *, labeled: bool) -> Iterator[DependencyTree]:
        """Trees with their probabilities in MISC.

        Args:
            trees: the parse.
            found: what speaks for it.
            labeled: whether arcs have labels.
        """
        keys = (HEAD_CONFIDENCE, CONFIDENCE) if labeled else (HEAD_CONFIDENCE,)
        probabilities = zip(*(column.tolist() for column in self.probabilities(found)), strict=True)
        for tree in trees:
            tokens = [
                token.with_misc(dict(zip(keys, (f"{value:.4f}" for value in values), strict=False)))
                for token, values in zip(tree.tokens, probabilities, strict=False)
            ]
            yield attrs.evolve(tree, tokens=tokens)

    @classmethod
    def fit(
        cls, found: Evidence, right_heads: npt.NDArray[np.bool_], right_labels: npt.NDArray[np.bool_]
    ) -> Calibration:
        """Learn from a parse of words whose heads and labels are known.

        Args:
            found: the parse.
            right_heads: for each word whether its head is right.
            right_labels: for each word whether its label is right.
        """
        return cls(
            PlattScaling.fit(found.of_heads, right_heads),
            PlattScaling.fit(found.of_labels[right_heads], right_labels[right_heads]),
        )

    def probabilities(self, found: Evidence) -> tuple[_Floats, _Floats]:
        """For each word the probability that its head is right, and the one that its head and its label are."""
        heads = np.where(found.known_heads, 1, self.heads(found.of_heads))
        return heads, heads * np.where(found.known_labels, 1, self.labels(found.of_labels))

    def part(self) -> Part:
        """What is saved."""
        return Part(_FORMAT, to_record(self), {})

    @classmethod
    def read(cls, file: ModelFile, margins: int = 2) -> Calibration | None:
        """The calibration in a file, ``None`` if there is none; of a head it has so many margins.

        Raises:
            ModelError: it is not one of this version.
        """
        found = file.read(_FORMAT, cls) if _FORMAT in file else None
        if found is not None and len(found.heads.weights) != margins:
            raise ModelError(f"the model is damaged: its calibration has not {margins} weights for heads")
        return found
