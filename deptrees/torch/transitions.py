"""Scores of transitions by the words around a configuration."""

from __future__ import annotations

from collections.abc import Iterable

import attrs
from torch import Tensor, nn

from deptrees.features import Node
from deptrees.torch.extractor import Extractor
from deptrees.torch.layers import PlaceScorer
from deptrees.torch.parts import Decoder, DecoderNetwork, rate, size
from deptrees.torch.vocabulary import Vocabulary
from deptrees.transition import System

__all__ = ["LabeledTransitions", "Transitions"]


def _nodes(nodes: Iterable[str]) -> tuple[str, ...]:
    """Nodes as they are written.

    Raises:
        TemplateError: a text is not a node.
    """
    return tuple(str(Node.read(node)) for node in nodes)


@attrs.frozen(kw_only=True)
class Transitions(Decoder):
    """A decoder with a layer over the vectors of some words, and then a score for each transition.

    An arc gets its label when the tree is finished: the one with the best score for head and dependent. Where k has no
    bound, the words are looked for anew for each k. So with pointing systems the layer is what Ma et al. 2018 call
    attention.

    Args:
        nodes: the words, written as in feature templates; those of Kiperwasser & Goldberg 2016, section 4.1.
        hidden: the size of the layer.
        dropout: how much of it is left out in training.

    >>> Transitions(nodes=["s0", "b0", "b0.left"]).nodes
    ('s0', 'b0', 'b0.left')
    """

    nodes: tuple[str, ...] = attrs.field(
        default=("s2", "s1", "s0", "b0"), converter=_nodes, validator=attrs.validators.min_len(1)
    )
    hidden: int = size(200)
    dropout: float = rate(0.33)

    def network(self, system: System, vocabulary: Vocabulary, size: int) -> DecoderNetwork:
        return _Network(self, system, vocabulary, size)


class _Network(DecoderNetwork):
    def __init__(self, sizes: Transitions, system: System, vocabulary: Vocabulary, size: int) -> None:
        super().__init__(Extractor(system, [Node.read(node) for node in sizes.nodes]))

        def scorer(places: int, classes: int) -> PlaceScorer:
            return PlaceScorer([(size, places)], sizes.hidden, classes, sizes.dropout)

        self.transitions = scorer(len(sizes.nodes), len(self.extractor.space))
        if vocabulary.labels:
            self.labels = scorer(2, len(vocabulary.labels))


_TOKENS = ("s0", "s1", "s2", "b0", "b1", "b2")
_DEPENDENTS = tuple(
    f"{head}.{way}" for head in ("s0", "s1") for way in ("left", "right", "left2", "right2", "left.left", "right.right")
)


def _cube(layer: Tensor) -> Tensor:
    return layer**3


@attrs.frozen(kw_only=True)
class LabeledTransitions(Decoder):
    """A decoder that sees 18 words and 12 labels, and takes transitions with labels (Chen & Manning 2014, section 3.1).

    The words are three of the stack, three of the buffer, and dependents of the two on top of the stack, whose labels
    are looked at, too. With ``Words`` as the encoder it is the network of the paper. Other than there training is done
    with Adam, and with exploration if the oracle is dynamic.

    Args:
        nodes: the words without labels, written as in feature templates.
        dependents: the words with labels.
        label: the size of the vectors of labels.
        hidden: the size of the hidden layer, of which the cube is taken.
        dropout: how much of it is left out in training.
    """

    nodes: tuple[str, ...] = attrs.field(default=_TOKENS, converter=_nodes, validator=attrs.validators.min_len(1))
    dependents: tuple[str, ...] = attrs.field(
        default=_DEPENDENTS, converter=_nodes, validator=attrs.validators.min_len(1)
    )
    label: int = size(50)
    hidden: int = size(200)
    dropout: float = rate(0.5)

    def network(self, system: System, vocabulary: Vocabulary, size: int) -> DecoderNetwork:
        return _LabeledNetwork(self, system, vocabulary, size)


class _LabeledNetwork(DecoderNetwork):
    def __init__(self, sizes: LabeledTransitions, system: System, vocabulary: Vocabulary, size: int) -> None:
        words = [Node.read(node) for node in (*sizes.nodes, *sizes.dependents)]
        super().__init__(Extractor(system, words, vocabulary.labels, len(sizes.dependents)))
        self.arc_labels = nn.Embedding(len(self.extractor.label_numbers) - 1, sizes.label)
        self.transitions = PlaceScorer(
            [(size, len(words)), (sizes.label, len(sizes.dependents))],
            sizes.hidden,
            len(self.extractor.space),
            sizes.dropout,
            _cube,
        )

    def tables(self, vectors: Tensor) -> list[Tensor]:
        return self.transitions.tables(vectors, self.arc_labels.weight)
