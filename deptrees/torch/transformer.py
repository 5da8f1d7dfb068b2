"""Vectors of words from a pretrained transformer, by way of Hugging Face's transformers."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import attrs
import torch
from torch import Tensor, nn

from deptrees.files.limits import LAYERS
from deptrees.messages import quoted
from deptrees.torch.parts import Encoder, EncoderNetwork
from deptrees.torch.rows import roots
from deptrees.torch.vocabulary import Vocabulary
from deptrees.treebanks.columns import Columns

if TYPE_CHECKING:
    from tokenizers import Encoding

__all__ = ["Transformer"]


@attrs.frozen
class Transformer(Encoder):
    """An encoder that is a pretrained transformer, which goes on learning with all else; ``open`` makes one.

    A word's vector is the mean of those of its pieces, and each of those is a mixture of what all layers make of it,
    with weights that are learned (Peters et al. 2018, section 3.2); that of ROOT is learned, too. A sentence with more
    pieces than the transformer can take is divided. It knows nothing of tags: with ``Joined`` and ``Words`` a parser
    sees both. It comes with the extra ``transformers``.

    Args:
        config: what the transformer is made of, as JSON.
        tokenizer: what divides words into pieces, as JSON.
        learning_rate: how fast the transformer learns at the beginning; with 0 it stays as it is.
        checkpoint: the folder with its weights, where training begins. Afterwards the parser's file has them.
    """

    config: str = attrs.field(repr=False)
    tokenizer: str = attrs.field(repr=False)
    learning_rate: float = attrs.field(default=5e-5, validator=attrs.validators.ge(0), kw_only=True)
    checkpoint: str = attrs.field(default="", kw_only=True)

    @classmethod
    def open(cls, checkpoint: str | os.PathLike[str], *, learning_rate: float = 5e-5) -> Transformer:
        """The encoder for a checkpoint on this machine: nothing is downloaded, and no code of its is run.

        Args:
            checkpoint: the folder, as ``save_pretrained`` of transformers writes it, with a fast tokenizer.
            learning_rate: how fast the transformer learns at the beginning.

        Raises:
            ImportError: the extra ``transformers`` is not installed.
            OSError: there is no checkpoint in the folder.
            ValueError: its tokenizer has no fast form.
        """
        library, folder = _transformers(), os.fspath(checkpoint)
        config = library.AutoConfig.from_pretrained(folder, local_files_only=True)
        tokenizer = library.AutoTokenizer.from_pretrained(folder, local_files_only=True, add_prefix_space=True)
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
        vectors = (self.layers(columns) * weights[:, None]).sum(1)
        of_roots = torch.from_numpy(roots(columns)).to(vectors.device)
        return vectors.index_copy(0, of_roots, self.root.expand(len(of_roots), -1))


class _Layers(EncoderNetwork):
    """The transformer: for each word, from its pieces, the vector of each of its layers."""

    def __init__(self, encoder: Transformer) -> None:
        library = _transformers()
        config = _read(encoder.config, "the config of a transformer", lambda: _config(encoder.config))
        super().__init__(config.hidden_size)
        self.depth = 1 + config.num_hidden_layers
        self.learning_rate = encoder.learning_rate
        self._checkpoint = encoder.checkpoint
        self._pieces = _Pieces(encoder.tokenizer, config)
        self.model = library.AutoModel.from_config(config, dtype=torch.float32)
        self.model.requires_grad_(encoder.learning_rate > 0)

    def load_pretrained(self) -> None:
        pretrained = _transformers().AutoModel.from_pretrained(
            self._checkpoint, local_files_only=True, dtype=torch.float32
        )
        self.model.load_state_dict(pretrained.state_dict())

    def forward(self, columns: Columns) -> Tensor:
        rows = int(columns.offsets[-1]) + len(columns)
        device = next(self.parameters()).device
        pieces, mask, words = (torch.tensor(table).to(device) for table in self._pieces(columns))
        found = self.model(pieces, attention_mask=mask, output_hidden_states=True).hidden_states
        of_pieces = torch.stack(found, 2).flatten(0, 1)
        sums = of_pieces.new_zeros(rows, *of_pieces.shape[1:]).index_add(0, words.flatten(), of_pieces)
        counts = torch.zeros(rows, device=device).index_add(
            0, words.flatten(), torch.ones(words.numel(), device=device)
        )
        return sums / counts.clamp(min=1)[:, None, None]


class _Pieces:
    """Divides words into pieces.

    Args:
        tokenizer: how that is done, as JSON.
        config: what the transformer is made of.
    """

    def __init__(self, tokenizer: str, config: Any) -> None:
        from tokenizers import Tokenizer

        self._tokenizer = _read(tokenizer, "a tokenizer", lambda: Tokenizer.from_str(tokenizer))
        self._padding = config.pad_token_id or 0
        # Where positions are counted from the number of the padding on, as many fewer can be told apart.
        self._most = getattr(config, "max_position_embeddings", sys.maxsize) - self._padding - 1

    def __call__(self, columns: Columns) -> tuple[list[list[int]], ...]:
        """For each part of a sentence the numbers of its pieces, which are no padding, and the row of each one's word.

        Pieces of no word count as ROOT's, whose vector is learned otherwise.
        """
        forms = [columns.vocabularies["form"][number] for number in columns.words["form"].tolist()]
        parts: list[tuple[list[int], list[int]]] = []
        for root, (start, stop) in zip(roots(columns).tolist(), pairwise(columns.offsets.tolist()), strict=True):
            for first, pieces in self._parts(forms[start:stop]):
                words = [root if word is None else root + 1 + first + word for word in pieces.word_ids]
                parts.append((pieces.ids[: self._most], words[: self._most]))
        width = max([1, *[len(numbers) for numbers, _ in parts]])
        more = [width - len(numbers) for numbers, _ in parts]
        return (
            [numbers + [self._padding] * rest for (numbers, _), rest in zip(parts, more, strict=True)],
            [[1] * len(numbers) + [0] * rest for (numbers, _), rest in zip(parts, more, strict=True)],
            [words + [0] * rest for (_, words), rest in zip(parts, more, strict=True)],
        )

    def _parts(self, forms: list[str], first: int = 0) -> Iterator[tuple[int, Encoding]]:
        """The pieces of a sentence; of one that has too many, those of each half, with the number of words before."""
        pieces = self._tokenizer.encode(forms, is_pretokenized=True)
        if len(pieces.ids) <= self._most or len(forms) == 1:
            yield first, pieces
        else:
            half = len(forms) // 2
            yield from self._parts(forms[:half], first)
            yield from self._parts(forms[half:], first + half)


def _transformers() -> Any:
    """The library, which takes a while to import.

    Raises:
        ImportError: it is not installed.
    """
    try:
        import transformers
    except ImportError:
        raise ImportError("Transformer needs Hugging Face's library: pip install 'deptrees[transformers]'") from None
    return transformers


def _config(text: str) -> Any:
    config = _transformers().AutoConfig.for_model(**json.loads(text))
    if not 0 < config.num_hidden_layers <= LAYERS:
        raise ValueError(f"{config.num_hidden_layers} layers: {LAYERS} are the most")
    return config


def _read(text: str, what: str, read: Callable[[], Any]) -> Any:
    """What the libraries make of a text, which may come from any file: they tell in many ways that it is wrong.

    Raises:
        ValueError: it is wrong.
    """
    try:
        return read()
    except Exception as error:
        raise ValueError(f"{quoted(text)} is not {what}: {error}") from None
