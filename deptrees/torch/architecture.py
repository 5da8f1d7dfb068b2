"""What a neural parser is made of, and how it learns."""

from __future__ import annotations

from typing import Any

import attrs
from attrs.validators import gt

from deptrees.files.limits import LAYERS
from deptrees.torch.bilstm import BiLSTM
from deptrees.torch.network import Network
from deptrees.torch.parts import Decoder, Encoder, is_a, learning_rate, rate, size
from deptrees.torch.transitions import Transitions
from deptrees.torch.vocabulary import Vocabulary
from deptrees.transition import System

__all__ = ["Architecture", "Learning"]


@attrs.frozen(kw_only=True)
class Learning:
    """How the weights of a network change.

    Args:
        batch_words: about how many words an update learns from; they are those of sentences of about the same length.
        learning_rate: how fast Adam learns at the beginning (Kingma & Ba 2015); by the end the rate has gone down to 0.
        averaging: how much an average of the weights keeps of itself at each update. It is what parsers get; with 0 it
            is the last weights.
        mixed_precision: whether products of matrices are taken with numbers of 16 bits (bfloat16), in training and in
            parsing: less precise, and on processors that can do so faster. By default, in parsing only, and only on
            processors that multiply matrices of such numbers.
    """

    batch_words: int = size(350)
    learning_rate: float = learning_rate(2e-3, gt(0))
    averaging: float = rate(0.998)
    mixed_precision: bool | None = attrs.field(default=None, validator=is_a(bool | None))


def _has_few_parts(_: object, field: attrs.Attribute[Any], encoder: Encoder) -> None:
    if (count := _parts(encoder)) > LAYERS:
        raise ValueError(f"{field.name} has {count} parts, one in another: {LAYERS} are the most")


def _parts(encoder: Encoder) -> int:
    fields = attrs.astuple(encoder, recurse=False)
    inner = [part for field in fields for part in (field if isinstance(field, tuple) else (field,))]
    return 1 + sum(_parts(part) for part in inner if isinstance(part, Encoder))


@attrs.frozen(kw_only=True)
class Architecture:
    """All that was chosen of a neural parser besides its ``settings``.

    Args:
        encoder: makes vectors of words.
        decoder: scores transitions by them.
        learning: how weights change.
    """

    encoder: Encoder = attrs.field(factory=BiLSTM, validator=[is_a(Encoder), _has_few_parts])
    decoder: Decoder = attrs.field(factory=Transitions, validator=is_a(Decoder))
    learning: Learning = attrs.field(factory=Learning, validator=is_a(Learning))

    def network(self, system: System, vocabulary: Vocabulary) -> Network:
        """A network for a system, with random weights."""
        encoder = self.encoder.network(vocabulary)
        decoder = self.decoder.network(system, vocabulary, encoder.size)
        return Network(encoder, decoder, mixed_precision=self.learning.mixed_precision)

    def arguments(self) -> dict[str, Any]:
        """What to call ``NeuralParser.train`` with to train such a parser again, besides ``settings.arguments()``."""
        return attrs.asdict(self, recurse=False)
