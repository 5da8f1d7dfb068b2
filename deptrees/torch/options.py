"""The options of training a neural parser."""

from __future__ import annotations

from typing import ClassVar

import attrs
import torch

from deptrees.features.embeddings import NO_EMBEDDINGS, Embeddings
from deptrees.files.limits import NETWORKS
from deptrees.torch.architecture import Learning
from deptrees.torch.bilstm import BiLSTM
from deptrees.torch.parts import Decoder, Encoder
from deptrees.torch.transitions import Transitions
from deptrees.training.declarations import Kind, Whole, option
from deptrees.training.options import ParserOptions
from deptrees.transition import System
from deptrees.transition.systems.registry import as_tree_system

__all__ = ["NeuralOptions"]


@attrs.frozen(kw_only=True, repr=False)
class NeuralOptions(ParserOptions):
    """The options of training a neural parser."""

    of: ClassVar[str] = "a neural parser"

    system: System = attrs.field(
        default=as_tree_system("arc-hybrid"),
        converter=as_tree_system,
        metadata=attrs.fields(ParserOptions).system.metadata,
    )
    seeds: int = option(
        1,
        "How many networks to train, with this seed and the following ones. The mean of their scores is more "
        "accurate, and parsing takes as many times as long.",
        Whole(1, NETWORKS),
        stored=int,
    )
    encoder: Encoder = option(
        BiLSTM(), "Makes vectors of words.", Kind(Encoder, "an encoder of deptrees.torch, such as BiLSTM()")
    )
    decoder: Decoder = option(
        Transitions(),
        "Scores transitions, and labels of arcs.",
        Kind(Decoder, "a decoder of deptrees.torch, such as Transitions()"),
    )
    learning: Learning = option(Learning(), "How the weights change.", Kind(Learning, "of the class Learning"))
    embeddings: Embeddings = option(
        NO_EMBEDDINGS,
        "Vectors of words learned from other texts, after those that are learned here. They stay as they are, "
        "serve for words that are not in the treebank, too, and are saved with the parser.",
        Kind(Embeddings, "of the class Embeddings"),
    )
    device: str | torch.device | None = option(
        None,
        "Where to train and parse, as PyTorch names it, such as 'cpu'. By default a GPU if PyTorch finds one.",
        Kind(str | torch.device, "a device as PyTorch names it, such as 'cuda'"),
    )
