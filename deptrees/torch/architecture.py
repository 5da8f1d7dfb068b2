"""What a neural parser is made of, and how it learns."""

from __future__ import annotations

from typing import Any

import attrs

from deptrees.torch.bilstm import BiLSTM
from deptrees.torch.network import Network
from deptrees.torch.parts import Decoder, Encoder, above_zero, is_a, rate, size
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
    learning_rate: float = above_zero(2e-3)
    averaging: float = rate(0.998)
    mixed_precision: bool | None = None


@attrs.frozen(kw_only=True)
class Architecture:
    """All that was chosen of a neural parser besides its ``settings``.

    Args:
        encoder: makes vectors of words.
        decoder: scores transitions by them.
        learning: how weights change.
    """

    encoder: Encoder = attrs.field(factory=BiLSTM, validator=is_a(Encoder))
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
