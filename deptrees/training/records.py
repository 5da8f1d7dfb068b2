"""Records of training: what happened in an epoch, and why it is impossible."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from deptrees.evaluation import Scores

__all__ = ["Diverged", "Epoch", "TrainingError"]


class TrainingError(ValueError):
    """There is nothing to learn from, or no way to learn it."""


class Diverged(TrainingError):
    """The loss is no number any more. The weights are those from before."""


@attrs.frozen
class Epoch:
    """What happened in one pass over a treebank, whatever was trained.

    Args:
        number: the number of the pass, from 1.
        sentences: the sentences learned from.
        skipped: the sentences left out because the system cannot build their trees.
        steps: how many predictions the model made: one per configuration, step of a beam or, for a tagger, word.
        errors: how often it was wrong.
        scores: a parser's scores on the development data, ``None`` if there are none.
        loss: the mean loss of the updates of a neural network, ``None`` of any other model.
        accuracy: a tagger's accuracy on the development data, or a tokenizer's F1, the mean of those of tokens and of
            sentences; ``None`` if there are none.
        seed: the seed of the training.
        done: the share of the training that is done, with those of other seeds.
    """

    number: int
    sentences: int
    skipped: int
    steps: int
    errors: int
    scores: Scores | None = None
    accuracy: float | None = None
    loss: float | None = None
    seed: int = 1
    done: float = 1.0

    @property
    def score(self) -> float:
        """The score for choosing the best epoch: a parser's LAS, otherwise the accuracy; 0 without development data."""
        return (self.accuracy or 0.0) if self.scores is None else self.scores.las
