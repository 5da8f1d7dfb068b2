"""What all networks have in common: how they are made, what they look at, and what they are asked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from deptrees.files.limits import SIZE
from deptrees.torch.extractor import Extractor
from deptrees.torch.layers import PlaceScorer
from deptrees.torch.vocabulary import EncodedSentences, Vocabulary
from deptrees.transition import System
from deptrees.treebanks.columns import COLUMNS

__all__ = ["Architecture", "Network", "rate", "size"]


def size(default: int, most: int = SIZE) -> Any:
    """A field for a number of things, 1 or more."""
    return attrs.field(
        default=default, validator=attrs.validators.and_(attrs.validators.ge(1), attrs.validators.le(most))
    )


def rate(default: float) -> Any:
    """A field for how often something happens: from 0 on, less than always."""
    return attrs.field(default=default, validator=attrs.validators.and_(attrs.validators.ge(0), attrs.validators.lt(1)))


@attrs.frozen(kw_only=True)
class Architecture(ABC):
    """What a network is made of, and how its weights change, whatever the network.

    Args:
        columns: the columns whose tags are looked at.
        batch_size: how many sentences an update learns from.
        learning_rate: how fast Adam learns at the beginning (Kingma & Ba 2015); by the end the rate has gone down to 0.
    """

    columns: tuple[str, ...] = attrs.field(
        default=("upos", "feats"),
        converter=tuple[str, ...],
        validator=attrs.validators.deep_iterable(attrs.validators.in_(COLUMNS)),
    )
    batch_size: int = size(32)
    learning_rate: float = attrs.field(default=2e-3, validator=attrs.validators.gt(0))

    @abstractmethod
    def network(self, system: System, vocabulary: Vocabulary) -> Network:
        """A network for a system, with random weights."""


class Network(nn.Module, ABC):
    """A network that scores transitions, and labels of arcs unless they are chosen with the transitions.

    Args:
        extractor: tells what is looked at in configurations.
    """

    transitions: PlaceScorer
    """Scores transitions by what is found at the places of the extractor."""
    labels: PlaceScorer | None
    """Scores the labels of arcs by head and dependent; ``None`` if that is not done."""

    def __init__(self, extractor: Extractor) -> None:
        super().__init__()
        self.extractor = extractor
        self.labels = None

    @property
    def device(self) -> torch.device:
        """Where the network is."""
        return self.transitions.bias.device

    @abstractmethod
    def forward(self, words: EncodedSentences) -> Tensor:
        """The vectors of the words: a row for each, all first words (ROOT) of the sentences first."""

    def tables(self, vectors: Tensor) -> list[Tensor]:
        """What scores of transitions are made of; it is worked out once for a batch."""
        return self.transitions.tables(vectors)

    def scores(self, tables: list[Tensor], numbers: npt.NDArray[np.int64]) -> Tensor:
        """The scores of transitions in configurations, given what is found there."""
        return self.transitions(tables, torch.from_numpy(numbers).to(self.device))

    def label_scores(self, vectors: Tensor, arcs: npt.NDArray[np.int64]) -> Tensor:
        """The scores of labels.

        Args:
            vectors: the vectors of words.
            arcs: in each row the numbers of head and dependent.
        """
        assert self.labels is not None
        return self.labels(self.labels.tables(vectors), torch.from_numpy(arcs).to(self.device))
