"""What the parts of networks have in common: encoders, which know words, and decoders, which score transitions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from numbers import Real
from typing import Any, ClassVar, SupportsIndex

import attrs
from attrs.validators import ge, le, lt
from torch import Tensor, nn

from deptrees.files.limits import SIZE
from deptrees.messages import of_type
from deptrees.torch.extractor import Extractor
from deptrees.torch.layers import PlaceScorer
from deptrees.torch.vocabulary import Vocabulary
from deptrees.training.inputs import whole_number
from deptrees.transition import System
from deptrees.treebanks.columns import Columns

__all__ = ["Decoder", "DecoderNetwork", "Encoder", "EncoderNetwork", "is_a", "learning_rate", "rate", "size"]

_Validator = Callable[[Any, "attrs.Attribute[Any]", Any], object]

_FASTEST = 1000.0
"""The greatest learning rate: far beyond what is of use, and weights stay finite."""


def size(default: int, most: int = SIZE) -> Any:
    """A field for a number of things, 1 or more."""

    def plain(value: SupportsIndex, field: attrs.Attribute[object]) -> int:
        return whole_number(field.name, value, 1, most)

    return attrs.field(default=default, converter=attrs.Converter(plain, takes_field=True))


def rate(default: float) -> Any:
    """A field for how often something happens: from 0 on, less than always."""
    return _number(default, ge(0), lt(1))


def learning_rate(default: float, least: _Validator, **more: Any) -> Any:
    """A field for how fast weights change, with a validator of the least; see ``attrs.field`` for more."""
    return _number(default, least, le(_FASTEST), **more)


def _number(default: float, *validators: _Validator, **more: Any) -> Any:
    """A field for a number, of any library's type, which becomes Python's."""

    def plain(value: float, field: attrs.Attribute[object]) -> float:
        of_type(field.name, value, Real, "a number")
        return float(value)

    return attrs.field(
        default=default, converter=attrs.Converter(plain, takes_field=True), validator=[*validators], **more
    )


def is_a(kind: Any) -> _Validator:
    """A validator of instances of a class, which may be abstract, or of one of several."""

    def check(_: object, field: attrs.Attribute[object], value: object) -> None:
        of_type(field.name, value, kind, f"of the type {kind.__name__ if isinstance(kind, type) else kind}")

    return check


@attrs.frozen(kw_only=True)
class Encoder(ABC):
    """What makes vectors of the words of sentences, and of what size it is."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns whose tags are looked at, of which the vocabulary has to know."""
        return ()

    @abstractmethod
    def network(self, vocabulary: Vocabulary) -> EncoderNetwork:
        """A network with random weights."""


class EncoderNetwork(nn.Module, ABC):
    """The network of an encoder.

    Args:
        size: the size of the vectors of words.
    """

    learning_rate: float | None = None
    """How fast Adam learns its weights at the beginning; ``None`` if as fast as those of all else."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size

    @abstractmethod
    def forward(self, columns: Columns) -> Tensor:
        """The vectors of the words of some sentences: a row for each, with ROOT before the words of each sentence."""

    def load_pretrained(self) -> None:
        """Load the weights that it had learned before all training here, if there are any."""


@attrs.frozen(kw_only=True)
class Decoder(ABC):
    """What scores transitions, and the labels of arcs, and of what size it is."""

    is_exact: ClassVar[bool] = False
    """Whether it learns from all derivations at once, and finds the best of all."""

    @abstractmethod
    def network(self, system: System, vocabulary: Vocabulary, size: int) -> DecoderNetwork:
        """A network with random weights, for vectors of words of some size."""


class DecoderNetwork(nn.Module):
    """The network of a decoder.

    What the vectors of words add to scores is worked out once for a batch of sentences; configurations are looked at by
    way of these tables.

    Args:
        extractor: tells what is looked at in configurations, and which transitions are scored.
    """

    transitions: PlaceScorer
    """Scores transitions by what is found at the places of the extractor."""
    labels: PlaceScorer | None
    """Scores the labels of arcs by head and dependent when the tree is finished; ``None`` if that is not done."""

    def __init__(self, extractor: Extractor) -> None:
        super().__init__()
        self.extractor = extractor
        self.labels = None

    def tables(self, vectors: Tensor) -> list[Tensor]:
        """What scores of transitions are made of.

        Args:
            vectors: the vectors of words, a row for each.
        """
        return self.transitions.tables(vectors)
