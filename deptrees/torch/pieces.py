"""Words as the pieces that a transformer knows: Hugging Face's tokenizers, checked before their library reads them.

A tokenizer comes with a model, from anywhere, and the library trusts it: fills sentences up to any length, adds numbers
that no embedding has, and panics where a step or a table is wrong.
"""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.files.models import ModelError
from deptrees.files.records import Record
from deptrees.messages import quoted
from deptrees.torch.rows import cuts, roots
from deptrees.training.declarations import OneOf
from deptrees.treebanks.columns import Columns

if TYPE_CHECKING:
    from tokenizers import Encoding

__all__ = ["Pass", "Pieces", "Room", "checked_tokenizer", "guarded"]

_T = TypeVar("_T")
_Integers = npt.NDArray[np.int64]

LONGEST = 512
"""How many pieces are read together at most: more than sentences have, and memory grows with the square."""
_NUMBERS = 1 << 28
_PADDING = 64
"""So much padding takes about as long as another pass."""

_STEPS: Mapping[str, tuple[str, str]] = {
    "normalizer": (
        "normalizers",
        "BertNormalizer Lowercase NFC NFD NFKC NFKD Nmt Precompiled Replace Strip StripAccents",
    ),
    "pre_tokenizer": (
        "pretokenizers",
        "BertPreTokenizer ByteLevel Digits Metaspace Punctuation Whitespace WhitespaceSplit",
    ),
    "post_processor": ("processors", "BertProcessing ByteLevel RobertaProcessing TemplateProcessing"),
}
"""What happens to a text before and after it is cut into pieces: of each, the name of a series, and the steps known."""
_EXPRESSIONS = ("\\s{2,}|[\\n\\r\\t]", " {2,}")
"""The regular expressions of tokenizers in use. Others may take time without end."""
_MOST = 16
"""How many steps there are, and how many parts of a template."""
_LONGEST_WORD = 1000
_LONGEST_REPLACEMENT = 64
"""How many bytes stand for a character: it is 33 in the tables in use."""


def guarded(what: str, do: Callable[[], _T], error: type[ValueError] = ValueError) -> _T:
    """What a library makes of what may come from any file: it says in many ways that it is wrong, and panics in Rust.

    Raises:
        ValueError: it is wrong.
    """
    try:
        return do()
    except BaseException as found:
        if not isinstance(found, Exception) and type(found).__name__ != "PanicException":
            raise
        reason = found if isinstance(found, ValueError) else f"{type(found).__name__}: {found}"
        raise error(f"{what} is wrong: {reason}") from None


def checked_tokenizer(text: str) -> str:
    """A tokenizer without what is not needed to cut words into pieces, as JSON.

    Raises:
        ValueError: it is not a tokenizer, or has parts that are not known.
    """
    return guarded("the tokenizer of the transformer", lambda: json.dumps(_checked(json.loads(text)), allow_nan=False))


def _checked(tokenizer: Record) -> dict[str, object]:
    for place in _STEPS:
        steps = [*_steps(tokenizer[place], place)]
        if len(steps) > _MOST or sum(step["type"] == "Precompiled" for step in steps) > 1:
            raise ValueError(f"it has too many steps: {len(steps)}")
        for step in steps:
            if step["type"] in _CHECKS:
                _CHECKS[step["type"]](step)
    _check_vocabulary(tokenizer["model"])
    kept = {name: tokenizer[name] for name in (*_STEPS, "added_tokens", "model")}
    return {"version": "1.0", "truncation": None, "padding": None, "decoder": None, **kept}


def _steps(step: Record | None, place: str) -> Iterator[Record]:
    """The steps of a series, in series within it too."""
    series, known = _STEPS[place]
    if step is not None and step["type"] == "Sequence":
        for inner in step[series]:
            yield from _steps(inner, place)
    elif step is not None:
        OneOf(tuple(known.split()))(place, step["type"])
        yield step


def _check_vocabulary(model: Record) -> None:
    """Make sure that there is a piece for what is not known, and no rule that the library cannot apply."""
    kind, vocabulary, unknown = model["type"], model["vocab"], model.get("unk_token")
    if kind == "Unigram":
        is_right = 0 <= model["unk_id"] < len(vocabulary)
    elif kind == "BPE":
        prefix, chance = model.get("continuing_subword_prefix"), model.get("dropout")
        is_right = not prefix and not chance and (unknown is None or unknown in vocabulary)
    else:
        longest = model.get("max_input_chars_per_word", 0)
        is_right = kind in ("WordLevel", "WordPiece") and unknown in vocabulary and longest <= _LONGEST_WORD
    if not is_right:
        raise ValueError(f"its vocabulary has no piece for unknown words, or is of an unknown kind: {quoted(kind)}")


def _check_replacement(step: Record) -> None:
    """Make sure that texts do not grow, and that it takes no long time to find what is replaced."""
    [(kind, pattern)] = step["pattern"].items()
    if not pattern or len(step["content"]) > 1 or (kind != "String" and pattern not in _EXPRESSIONS):
        raise ValueError(f"it replaces {quoted(pattern)} by {quoted(step['content'])}")


def _check_table(step: Record) -> None:
    """Make sure that all ways in a table of SentencePiece, a trie over bytes and the texts at its leaves, end in it.

    The numbers of the trie are as in Darts-clone: https://github.com/s-yata/darts-clone.
    """
    content = b64decode(step["precompiled_charsmap"], validate=True)
    size = int.from_bytes(content[:4], "little")
    units = np.frombuffer(content[4 : 4 + size], "<u4").astype(np.int64)
    texts = np.frombuffer(content[4 + size :], np.uint8)
    children = np.arange(len(units)) ^ ((units >> 10) << ((units & 512) >> 6))
    inner = children[units >> 31 == 0]
    leaves = units[inner[(units[units >> 31 == 0] & 256 > 0) & (inner < len(units))]] & ~(1 << 31)
    ends = np.flatnonzero(texts == 0)
    if not (
        len(units)
        and not units[0] >> 31
        and (inner | 255).max(initial=0) < len(units)
        and leaves.max(initial=0) < len(texts)
        and (texts[leaves] & 0b1100_0000 != 0b1000_0000).all()  # the first byte of a character
        and np.diff(ends, prepend=-1, append=len(texts)).max() <= _LONGEST_REPLACEMENT
    ):
        raise ValueError("its table of characters is damaged")


def _check_template(step: Record) -> None:
    """Make sure that the text stands once among the special pieces, and that these are known and few."""
    [*pieces] = [next(iter(piece.items())) for piece in step["single"]]
    names = [piece["id"] for kind, piece in pieces if kind == "SpecialToken"]
    texts = [piece["id"] for kind, piece in pieces if kind == "Sequence"]
    special = step["special_tokens"]
    if len(names) > _MOST or texts != ["A"] or any(len(special[name]["ids"]) > _MOST for name in names):
        raise ValueError(f"its template is {quoted(step['single'])}")


_CHECKS: Mapping[str, Callable[[Record], None]] = {
    "Precompiled": _check_table,
    "Replace": _check_replacement,
    "TemplateProcessing": _check_template,
}


@attrs.frozen
class Room:
    """How much memory a pass of a transformer takes: as many numbers are kept for the way back.

    The factors are those of DeBERTa, the greatest that were measured; BERT keeps half as many.

    Args:
        layers: the number of layers.
        size: the size of their vectors.
        heads: the number of heads, which keep numbers for each pair of positions.

    >>> f"{Room(layers=6, size=384, heads=12).numbers(rows=30, longest=30):.1e}"
    '9.7e+07'
    """

    layers: int
    size: int
    heads: int

    def numbers(self, rows: int, longest: int) -> int:
        """How many numbers are kept of some rows of pieces, padded to the longest."""
        return self.layers * rows * longest * (40 * self.size + 7 * self.heads * longest)

    @property
    def most(self) -> int:
        """The most that are kept: a GiB, or what one row needs that is as long as it can be, if that is more."""
        return max(_NUMBERS, self.numbers(1, LONGEST))

    def takes_together(self, rows: int, longest: int, padding: int) -> bool:
        """Whether some rows are read in one pass: if there is room, and little padding."""
        return padding <= _PADDING and self.numbers(rows, longest) <= self.most


class Pass(NamedTuple):
    """What a transformer reads at a time: a row of pieces for each sentence, or for each part of one that is divided.

    Pieces of no word count as ROOT's, whose vector is learned otherwise.
    """

    pieces: _Integers
    """The numbers of the pieces."""
    is_piece: npt.NDArray[np.bool_]
    """Where there is no padding."""
    words: _Integers
    """The row of each piece's word among all words."""


class Pieces:
    """Divides words into pieces.

    Args:
        tokenizer: how that is done, as JSON that has been checked.
        known: how many pieces the transformer knows.
        most: how many pieces it can take together.
        padding: the number of the piece that others are filled up with.
        room: how many sentences it can take together.

    Raises:
        ValueError: the tokenizer is not right, or not for such a transformer.
    """

    def __init__(self, tokenizer: str, known: int, most: int, padding: int, room: Room) -> None:
        from tokenizers import Tokenizer

        self._tokenizer = guarded("the tokenizer of the transformer", lambda: Tokenizer.from_str(tokenizer))
        self._most, self._padding, self._room = min(most, LONGEST), padding, room
        numbers = {*self._tokenizer.get_vocab().values(), *self._encode(["a"]).ids, padding}
        if max(numbers) >= known:
            raise ValueError(f"the tokenizer has the piece {max(numbers)}, and the transformer knows {known}")
        if len(self._encode([]).ids) >= most:
            raise ValueError(f"the transformer can take {most} pieces: too few for those at the ends of sentences")

    def __call__(self, columns: Columns) -> list[Pass]:
        """What is read of some sentences, the longest last, in passes with little padding that there is room for."""
        texts, numbers = columns.vocabularies["form"], columns.words["form"].tolist()
        forms = [texts[number].encode(errors="replace").decode() for number in numbers]  # no half characters
        parts: list[tuple[list[int], list[int]]] = []
        for root, (start, stop) in zip(roots(columns).tolist(), pairwise(columns.offsets.tolist()), strict=True):
            for first, pieces in self._parts(forms[start:stop]):
                words = [root if word is None else root + 1 + first + word for word in pieces.word_ids]
                parts.append((pieces.ids[: self._most], words[: self._most]))
        parts.sort(key=lambda part: len(part[0]))
        lengths = np.array([len(numbers) for numbers, _ in parts], np.int64)
        divided = pairwise([0, *cuts(lengths, self._room.takes_together), len(parts)])
        return [
            self._pass(parts[start:stop], lengths[start:stop]) for start, stop in divided if lengths[start:stop].any()
        ]

    def _pass(self, parts: list[tuple[list[int], list[int]]], lengths: _Integers) -> Pass:
        is_piece = np.arange(lengths[-1]) < lengths[:, None]
        pieces, words = np.full(is_piece.shape, self._padding), np.zeros(is_piece.shape, np.int64)
        pieces[is_piece], words[is_piece] = (np.concatenate(column) for column in zip(*parts, strict=True))
        return Pass(pieces, is_piece, words)

    def _parts(self, forms: list[str], first: int = 0) -> Iterator[tuple[int, Encoding]]:
        """The pieces of a sentence; of one that has too many, those of each half, with the number of words before."""
        pieces = self._encode(forms)
        if len(pieces.ids) <= self._most or len(forms) == 1:
            yield first, pieces
        else:
            half = len(forms) // 2
            yield from self._parts(forms[:half], first)
            yield from self._parts(forms[half:], first + half)

    def _encode(self, forms: list[str]) -> Encoding:
        return guarded(
            "the tokenizer of the transformer", lambda: self._tokenizer.encode(forms, is_pretokenized=True), ModelError
        )
