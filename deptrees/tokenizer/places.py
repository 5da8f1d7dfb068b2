"""The places of a text at which a token or a sentence may end, and what a tokenizer looks at there."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence
from functools import cached_property
from itertools import product

import attrs
import numpy as np
import numpy.typing as npt

__all__ = ["ATTRIBUTES", "KINDS", "WITHIN_WORDS", "Places"]

_Integers = npt.NDArray[np.int64]
_Hashes = npt.NDArray[np.uint64]
_Booleans = npt.NDArray[np.bool_]

KINDS = ("none", "space", "upper", "lower", "letter", "mark", "digit", "connector", "dash", "open", "close", "quote",
         "terminal", "other punctuation", "symbol", "other")  # fmt: skip
"""What characters are: nothing beyond the text's ends, white space, letters of three kinds, and so on."""
_SPACE = KINDS.index("space")
WITHIN_WORDS = KINDS[KINDS.index("upper") : KINDS.index("digit") + 1]
"""The kinds of characters that words consist of."""
_CATEGORIES = {
    "Lu": "upper", "Lt": "upper", "Ll": "lower", "L": "letter", "M": "mark", "N": "digit", "Pc": "connector",
    "Pd": "dash", "Ps": "open", "Pe": "close", "Pi": "quote", "Pf": "quote", "P": "other punctuation", "S": "symbol",
}  # fmt: skip

_BEFORE, _AFTER = 4, 4
ATTRIBUTES = (
    *(f"before{distance}" for distance in range(1, _BEFORE + 1)),
    *(f"after{distance}" for distance in range(1, _AFTER + 1)),
    *(f"kind_before{distance}" for distance in range(1, _BEFORE + 1)),
    *(f"kind_after{distance}" for distance in range(1, _AFTER + 1)),
    *("head", "tail", "lower_head", "lower_tail", "head_kinds", "tail_kinds", "head_length", "tail_length"),
    *("previous", "next", "second", "previous_kinds", "next_kinds", "second_kinds"),
    "nested",
)
"""What is looked at, of each place.

``before1`` is the character before it, ``after1`` the one after it, white space as one space. A chunk stands between
white space: its part before the place is the ``head``, the rest of it the ``tail``; ``previous``, ``next`` and
``second`` are, in lower case, the chunk before it and those after it. ``nested`` tells whether brackets are open.
"""

_BASE = np.uint64(0x9E3779B97F4A7C15)  # odd, so that it has an inverse
_INVERSE = np.uint64(pow(int(_BASE), -1, 1 << 64))
_INSIDE_TOKENS = tuple(map(ord, "\x20\xa0\u202f"))
"""The white space that a token may have inside, as in numbers: spaces, those that do not break among them."""
_UNKNOWN = 255
_LONGEST_LENGTH = 12


class _Alphabet:
    """What is known of characters, found out when they are first met: arrays by code points."""

    def __init__(self) -> None:
        self.kinds = np.full(0x110000, _UNKNOWN, np.uint8)
        self.lower = np.arange(0x110000, dtype=np.uint32)

    def meet(self, codes: npt.NDArray[np.uint32]) -> None:
        """Find out about characters that have not been met."""
        for code in np.unique(codes[self.kinds[codes] == _UNKNOWN]).tolist():
            character = chr(code)
            self.lower[code] = ord(character.lower()[0])
            self.kinds[code] = _SPACE if character.isspace() else KINDS.index(_kind_of(character))


def _kind_of(character: str) -> str:
    category = unicodedata.category(character)
    if character in ".!?…。！？":
        return "terminal"
    return _CATEGORIES.get(category) or _CATEGORIES.get(category[0], "other")


_ALPHABET = _Alphabet()


@attrs.frozen(eq=False)
class Places:
    """The places of a text at which a token or a sentence may end: after each character but white space.

    Between two characters of words, such as letters, there is a place only if words are divided there in the
    treebank.

    Args:
        text: the text. Paragraphs, between which there are blank lines, are looked at each by itself.
        divided: the kinds of letters, marks and digits, in pairs, between which words are divided.
    """

    text: str
    divided: Collection[tuple[str, ...]]

    @cached_property
    def codes(self) -> npt.NDArray[np.uint32]:
        """The code point of each character."""
        return np.frombuffer(self.text.encode("utf-32-le", "surrogatepass"), np.uint32)

    @cached_property
    def kinds(self) -> npt.NDArray[np.uint8]:
        """The number of each character's kind."""
        _ALPHABET.meet(self.codes)
        return _ALPHABET.kinds[self.codes]

    @cached_property
    def is_space(self) -> _Booleans:
        """Whether each character is white space."""
        found: _Booleans = self.kinds == _SPACE
        return found

    @cached_property
    def paragraphs(self) -> _Integers:
        """For each character the number of its paragraph."""
        newlines = np.where(self.is_space, self.codes == ord("\n"), -1)
        where = np.flatnonzero(newlines != 0)  # line feeds, and what is no white space
        follows = np.zeros(len(self.codes), np.int64)
        is_blank = (newlines[where[1:]] == 1) & (newlines[where[:-1]] == 1)
        follows[where[1:][is_blank]] = 1
        return np.cumsum(follows)

    @cached_property
    def where(self) -> _Integers:
        """The places: the position of the character before each of them."""
        kinds = self.kinds
        following = np.append(kinds[1:], KINDS.index("none"))
        table = np.ones((len(KINDS), len(KINDS)), np.bool_)
        for pair in product(WITHIN_WORDS, repeat=2):
            table[KINDS.index(pair[0]), KINDS.index(pair[1])] = pair in self.divided
        table[_SPACE] = False
        return np.flatnonzero(table[kinds, following])

    @cached_property
    def paragraph_bounds(self) -> _Integers:
        """Where the paragraphs begin, among the places, and where the last one ends."""
        changes = np.flatnonzero(np.diff(self.paragraphs[self.where])) + 1
        return np.concatenate([[0], changes, [len(self.where)]])

    @cached_property
    def must_end(self) -> _Booleans:
        """Whether a token ends at each place whatever is decided: before white space that no token has inside."""
        codes = np.append(self.codes, [ord("\n")] * 2)
        is_space = np.append(self.is_space, [True] * 2)
        after = self.where + 1
        is_one_inside = np.isin(codes[after], _INSIDE_TOKENS) & ~is_space[after + 1]
        found: _Booleans = is_space[after] & ~is_one_inside
        return found

    def next_start(self, positions: _Integers) -> _Integers:
        """The first characters from some positions on that are no white space."""
        visible = np.flatnonzero(~self.is_space)
        found: _Integers = visible[np.searchsorted(visible, positions)]
        return found

    def attributes(self) -> _Hashes:
        """What is looked at: an array (places × attributes)."""
        return np.stack([np.asarray(column, np.uint64) for column in self._columns()], axis=1)

    def _columns(self) -> Sequence[npt.NDArray[np.generic]]:
        where, n = self.where, len(self.codes)
        paragraphs = self.paragraphs
        own = paragraphs[where]
        shown = np.where(self.is_space, np.uint32(ord(" ")), self.codes)
        kinds = self.kinds
        characters, sorts = [], []
        for offset in [*range(0, -_BEFORE, -1), *range(1, _AFTER + 1)]:
            at = where + offset
            is_there = (at >= 0) & (at < n)
            at = np.clip(at, 0, n - 1)
            is_there &= paragraphs[at] == own
            characters.append(np.where(is_there, shown[at] + np.uint32(1), 0))
            sorts.append(np.where(is_there, kinds[at], 0))
        as_written, lower, by_kinds = _Texts(self.codes), _Texts(_ALPHABET.lower[self.codes]), _Texts(kinds)
        starts, stops = self._chunks
        chunk = np.searchsorted(starts, where, "right") - 1
        start, middle, stop = starts[chunk], where + 1, stops[chunk]
        neighbours = []
        for offset in (-1, 1, 2):
            at = np.clip(chunk + offset, 0, len(starts) - 1)
            is_there = (chunk + offset >= 0) & (chunk + offset < len(starts))
            is_there &= paragraphs[starts[at]] == own
            neighbours.append((np.where(is_there, starts[at], 0), np.where(is_there, stops[at], 0)))
        opened = np.cumsum((kinds == KINDS.index("open")).astype(np.int64) - (kinds == KINDS.index("close")))
        first_of_own = np.searchsorted(paragraphs, own)
        nested = opened[where] - opened[first_of_own] + (kinds[first_of_own] == KINDS.index("open"))
        return [
            *characters,
            *sorts,
            as_written.between(start, middle),
            as_written.between(middle, stop),
            lower.between(start, middle),
            lower.between(middle, stop),
            by_kinds.between(start, middle),
            by_kinds.between(middle, stop),
            np.minimum(middle - start, _LONGEST_LENGTH),
            np.minimum(stop - middle, _LONGEST_LENGTH),
            *(lower.between(*bounds) for bounds in neighbours),
            *(by_kinds.between(*bounds) for bounds in neighbours),
            nested > 0,
        ]

    @cached_property
    def _chunks(self) -> tuple[_Integers, _Integers]:
        """Where what stands between white space begins and ends."""
        edges = np.diff(np.concatenate([[True], self.is_space, [True]]).astype(np.int8))
        return np.flatnonzero(edges == -1), np.flatnonzero(edges == 1)


class _Texts:
    """The parts of a text, as hashes: the same for the same text, wherever it stands."""

    def __init__(self, codes: npt.NDArray[np.generic]) -> None:
        n = len(codes)
        powers = np.cumprod(np.concatenate([[1], np.full(n, _BASE)]).astype(np.uint64), dtype=np.uint64)
        self._sums = np.concatenate(
            [[0], np.cumsum((codes.astype(np.uint64) + np.uint64(1)) * powers[:-1], dtype=np.uint64)]
        ).astype(np.uint64)
        self._inverses = np.cumprod(np.concatenate([[1], np.full(n, _INVERSE)]).astype(np.uint64), dtype=np.uint64)

    def between(self, start: _Integers, stop: _Integers) -> _Hashes:
        """The hashes of the parts from one position to another."""
        found: _Hashes = (self._sums[stop] - self._sums[start]) * self._inverses[start]
        return found
