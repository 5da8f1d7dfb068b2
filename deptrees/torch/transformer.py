"""Vectors of words from a pretrained transformer, by way of Hugging Face's transformers."""

from __future__ import annotations

import json
import os
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import torch
from attrs.validators import ge
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from deptrees.extras import require
from deptrees.messages import quoted
from deptrees.torch.configs import checked_config
from deptrees.torch.memory import give_memory_back
from deptrees.torch.parts import Encoder, EncoderNetwork, is_a, learning_rate
from deptrees.torch.pieces import Pieces, Room, checked_tokenizer, guarded
from deptrees.torch.rows import roots
from deptrees.torch.vector_file import VectorFile
from deptrees.torch.vocabulary import Vocabulary
from deptrees.treebanks.columns import Columns

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Transformer"]

_COUNT_FROM_PADDING = ("camembert", "mpnet", "roberta", "xlm-roberta")
"""Where positions are counted from the number of the padding on: as many fewer can be told apart."""
_PRECISE = ("deberta",)
"""Where the library fails with numbers of 16 bits: it masks their sums with the least number of 32 bits."""
_LOCALLY = {"local_files_only": True, "trust_remote_code": False}


@attrs.frozen
class Transformer(Encoder):
    """An encoder that is a pretrained transformer, which goes on learning with all else; ``open`` makes one.

    A word's vector is the mean of those of its pieces, and each of those is a mixture of what all layers make of it,
    with weights that are learned (Peters et al. 2018, section 3.2); that of ROOT is learned, too. A sentence with more
    pieces than the transformer can take is divided. It knows nothing of tags: with ``Joined`` and ``Words`` a parser
    sees both. It comes with the extra ``transformers``.

    Args:
        config: what the transformer is made of, as JSON; what is not known of it is left out.
        tokenizer: what divides words into pieces, as JSON, in the same way.
        learning_rate: how fast the transformer learns at the beginning; with 0 it stays as it is, reads each
            sentence once, and training keeps its vectors in a temporary file: 11 kB a word of 7 layers of 384 numbers.
        checkpoint: the folder with its weights, where training begins. Afterwards the parser's file has them.
    """

    config: str = attrs.field(converter=checked_config, repr=False)
    tokenizer: str = attrs.field(converter=checked_tokenizer, repr=False)
    learning_rate: float = learning_rate(5e-5, ge(0), kw_only=True)
    checkpoint: str = attrs.field(default="", validator=is_a(str), kw_only=True)

    @classmethod
    def open(cls, checkpoint: str | os.PathLike[str], *, learning_rate: float = 5e-5) -> Transformer:
        """The encoder for a checkpoint on this machine: nothing is downloaded, and no code of its is run.

        Args:
            checkpoint: the folder, as ``save_pretrained`` of transformers writes it, with a fast tokenizer.
            learning_rate: how fast the transformer learns at the beginning.

        Raises:
            ImportError: the extra ``transformers`` is not installed.
            OSError: there is no such folder, or no checkpoint in it.
            ValueError: it is not that of an encoder that is known, or its tokenizer has no fast form or unknown steps.
        """
        library, folder = _transformers(), _folder(checkpoint)
        config = library.AutoConfig.from_pretrained(folder, **_LOCALLY)
        tokenizer = library.AutoTokenizer.from_pretrained(folder, add_prefix_space=True, **_LOCALLY)
        if not tokenizer.is_fast:
            raise ValueError(f"the tokenizer in {quoted(folder)} has no fast form")
        texts = config.to_json_string(), tokenizer.backend_tokenizer.to_str()
        return cls(*texts, learning_rate=learning_rate, checkpoint=folder)

    def network(self, vocabulary: Vocabulary) -> EncoderNetwork:
        return _Network(self)


class _Network(EncoderNetwork):
    """A mixture of the layers."""

    def __init__(self, encoder: Transformer) -> None:
        layers = _Layers(encoder)
        super().__init__(layers.size)
        self.layers = layers
        self.mixture = nn.Parameter(torch.zeros(layers.depth))
        self.scale = nn.Parameter(torch.ones(()))
        self.root = nn.Parameter(torch.zeros(layers.size))

    def forward(self, columns: Columns) -> Tensor:
        weights = self.scale * self.mixture.softmax(0)
        layers = zip(weights, self.layers(columns).unbind(1), strict=True)
        vectors = torch.stack([weight * layer for weight, layer in layers]).sum(0)
        of_roots = torch.from_numpy(roots(columns)).to(vectors.device)
        return vectors.index_copy(0, of_roots, self.root.expand(len(of_roots), -1))


class _Layers(EncoderNetwork):
    """The transformer: for each word, from its pieces, the vector of each of its layers."""

    def __init__(self, encoder: Transformer) -> None:
        library = _transformers()
        what = "the config of the transformer"
        config = guarded(what, lambda: library.AutoConfig.for_model(**json.loads(encoder.config)))
        super().__init__(config.hidden_size)
        self.depth = 1 + config.num_hidden_layers
        self.learning_rate = encoder.learning_rate
        self._checkpoint = encoder.checkpoint
        padding = config.pad_token_id or 0
        most = config.max_position_embeddings - 1 - (padding if config.model_type in _COUNT_FROM_PADDING else 0)
        self._room = Room(config.num_hidden_layers, config.hidden_size, config.num_attention_heads)
        self._precise = config.model_type in _PRECISE
        self._pieces = Pieces(encoder.tokenizer, config.vocab_size, most, padding, self._room)
        self.model = guarded(what, lambda: library.AutoModel.from_config(config, dtype=torch.float32))
        self._learns = encoder.learning_rate > 0
        self.model.requires_grad_(self._learns)
        self._file = VectorFile()

    def load_pretrained(self) -> None:
        pretrained = type(self.model).from_pretrained(
            _folder(self._checkpoint), config=self.model.config, dtype=torch.float32, local_files_only=True
        )
        self.model.load_state_dict(pretrained.state_dict())

    def train(self, mode: bool = True) -> Self:
        """See ``nn.Module``; one that does not learn leaves nothing out, either."""
        super().train(mode)
        self.model.train(mode and self._learns)
        return self

    def forward(self, columns: Columns) -> Tensor:
        """See `EncoderNetwork`. In training, one that does not learn reads each sentence once."""
        if self.training and not self._learns:
            return self._file.vectors(columns, self._vectors)
        return self._vectors(columns)

    def _vectors(self, columns: Columns) -> Tensor:
        if torch.is_grad_enabled():
            give_memory_back()
        passes, device = self._pieces(columns), next(self.parameters()).device
        kept = sum(self._room.numbers(*each.pieces.shape) for each in passes)
        again = torch.is_grad_enabled() and kept > self._room.most
        sums = torch.zeros(int(columns.offsets[-1]) + len(columns), self.depth, self.size, device=device)
        counts = torch.zeros(len(sums), device=device)
        for each in passes:
            pieces, is_piece, words = (torch.from_numpy(table).to(device) for table in each)
            of_words, of_pieces = words[is_piece], self._read_again if again else self._read
            sums.index_add_(0, of_words, of_pieces(pieces, is_piece))
            counts.index_add_(0, of_words, torch.ones_like(of_words, dtype=counts.dtype))
        return sums / counts.clamp(min=1)[:, None, None]

    def _read(self, pieces: Tensor, is_piece: Tensor) -> Tensor:
        """The vectors of pieces that are no padding, from each layer."""
        with torch.autocast(pieces.device.type, enabled=False) if self._precise else nullcontext():
            found = self.model(pieces, attention_mask=is_piece.long(), output_hidden_states=True).hidden_states
        return torch.stack([layer[is_piece].float() for layer in found], 1)

    def _read_again(self, pieces: Tensor, is_piece: Tensor) -> Tensor:
        """The same where there is no room to keep what the way back needs: it is then computed again."""
        vectors: Tensor = checkpoint(self._read, pieces, is_piece, use_reentrant=False)
        return vectors


def _folder(checkpoint: str | os.PathLike[str]) -> str:
    """The folder of a checkpoint, which to the library might be the name of one to download.

    Raises:
        FileNotFoundError: there is no such folder.
    """
    if not Path(checkpoint).is_dir():
        raise FileNotFoundError(
            f"there is no folder {quoted(os.fspath(checkpoint))}, and nothing is downloaded: where there is a network, "
            "load the model and its tokenizer with transformers, and write both to a folder with save_pretrained"
        )
    return os.fspath(checkpoint)


def _transformers() -> Any:
    """The library, which takes a while to import.

    Raises:
        ImportError: it is not installed.
    """
    require("transformers", "Transformer needs Hugging Face's library", "transformers")
    import transformers

    return transformers
