"""Networks: an encoder, and a decoder over its vectors; and several that score transitions together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import torch
from more_itertools import chunked
from torch import Tensor, nn

from deptrees.torch.extractor import Extractor
from deptrees.torch.parts import DecoderNetwork, EncoderNetwork
from deptrees.treebanks.columns import Columns

__all__ = ["Network", "NetworkEnsemble"]

_Integers = npt.NDArray[np.int64]


class Network(nn.Module):
    """A network that knows words and scores transitions.

    Args:
        encoder: makes vectors of words.
        decoder: scores transitions by them.
        mixed_precision: whether products of matrices are taken with numbers of 16 bits; see
            `deptrees.torch.architecture.Learning`.
    """

    def __init__(
        self, encoder: EncoderNetwork, decoder: DecoderNetwork, *, mixed_precision: bool | None = None
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.decoder = decoder
        self.mixed_precision = mixed_precision

    @property
    def extractor(self) -> Extractor:
        """Tells what is looked at in configurations."""
        return self.decoder.extractor

    @property
    def device(self) -> torch.device:
        """Where the network is."""
        return self.decoder.transitions.bias.device

    def load_pretrained(self) -> None:
        """Load the weights that its parts had learned before all training here."""
        for module in self.modules():
            if isinstance(module, EncoderNetwork):
                module.load_pretrained()

    def forward(self, columns: Columns) -> Tensor:
        """The vectors of the words of some sentences: a row for each, with ROOT before the words of each sentence."""
        with self._precision():
            vectors: Tensor = self.encoder(columns)
        return vectors

    def tables(self, vectors: Tensor) -> list[Tensor]:
        """What scores of transitions are made of; it is worked out once for a batch."""
        with self._precision():
            return self.decoder.tables(vectors)

    def scores(self, tables: list[Tensor], numbers: _Integers) -> Tensor:
        """The scores of transitions in configurations, given what is found there; see ``Extractor.numbers``.

        Where k has no bound, there is a block of columns for each k.
        """
        looked_at = torch.from_numpy(numbers).to(self.device).flatten(0, 1)
        scores: Tensor = self.decoder.transitions(tables, looked_at)
        return scores.view(len(numbers), -1)

    @property
    def has_labels(self) -> bool:
        """Whether labels are chosen when the tree is finished."""
        return self.decoder.labels is not None

    def label_scores(self, vectors: Tensor, arcs: _Integers) -> Tensor:
        """The scores of labels.

        Args:
            vectors: the vectors of words.
            arcs: in each row the numbers of head and dependent.
        """
        labels = self.decoder.labels
        assert labels is not None
        with self._precision():
            tables = labels.tables(vectors)
        scores: Tensor = labels(tables, torch.from_numpy(arcs).to(self.device))
        return scores

    def _precision(self) -> AbstractContextManager[object]:
        """Within this context numbers are as precise as they are to be."""
        mixed = self.mixed_precision
        if mixed is None:
            mixed = not self.training and self.device.type == "cpu" and _multiplies_bfloat16()
        return torch.autocast(self.device.type, torch.bfloat16) if mixed else nullcontext()


def _multiplies_bfloat16() -> bool:
    """Whether the processor multiplies matrices of numbers of 16 bits, as far as PyTorch can tell."""
    capabilities: Callable[[], Mapping[str, object]] = getattr(torch.cpu, "get_capabilities", dict)  # new in PyTorch
    return bool(capabilities().get("amx_bf16"))


class NetworkEnsemble(nn.Module):
    """Networks that score transitions and labels together: a score is the mean of their scores.

    The probability of a transition is then, up to a factor, the geometric mean of those that the networks give it.

    Args:
        networks: networks of one architecture, for the same system and words.
    """

    def __init__(self, networks: Iterable[Network | NetworkEnsemble]) -> None:
        super().__init__()
        self.networks: Any = nn.ModuleList(networks)

    @property
    def extractor(self) -> Extractor:
        """Tells what is looked at in configurations."""
        return cast(Network, self.networks[0]).extractor

    @property
    def has_labels(self) -> bool:
        """Whether labels are chosen when the tree is finished."""
        return cast(Network, self.networks[0]).has_labels

    def forward(self, columns: Columns) -> Tensor:
        """The vectors that each network has of the words; see ``Network.forward``."""
        return torch.stack([network(columns) for network in self.networks])

    def tables(self, vectors: Tensor) -> list[Tensor]:
        """What scores of transitions are made of: the tables of each network in turn, of all equally many."""
        return [table for network, own in zip(self.networks, vectors, strict=True) for table in network.tables(own)]

    def scores(self, tables: list[Tensor], numbers: _Integers) -> Tensor:
        """The scores of transitions in configurations; see ``Network.scores``."""
        of_each = chunked(tables, len(tables) // len(self.networks))
        pairs = zip(self.networks, of_each, strict=True)
        return torch.stack([network.scores(own, numbers) for network, own in pairs]).mean(0)

    def label_scores(self, vectors: Tensor, arcs: _Integers) -> Tensor:
        """The scores of labels; see ``Network.label_scores``."""
        pairs = zip(self.networks, vectors, strict=True)
        return torch.stack([network.label_scores(own, arcs) for network, own in pairs]).mean(0)
