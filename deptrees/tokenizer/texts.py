"""Characters and parts of texts as numbers: what characters are, hashes of texts, and lexicons that know them."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache

import attrs
import numpy as np
import numpy.typing as npt

__all__ = [
    "ALPHABET",
    "KINDS",
    "NO_WORDS",
    "SPACE",
    "WITHIN_WORDS",
    "Hashes",
    "Integers",
    "Lexicon",
    "Texts",
    "bounds",
    "code_points",
]

Integers = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]

KINDS = ("none", "space", "upper", "lower", "letter", "mark", "digit", "connector", "dash", "open", "close", "quote",
         "terminal", "other punctuation", "symbol", "other")  # fmt: skip
"""What characters are: nothing beyond the text's ends, white space, letters of three kinds, and so on."""
SPACE = KINDS.index("space")
WITHIN_WORDS = KINDS[KINDS.index("upper") : KINDS.index("digit") + 1]
"""The kinds of characters that words consist of."""
_CATEGORIES = {
    "Lu": "upper", "Lt": "upper", "Ll": "lower", "L": "letter", "M": "mark", "N": "digit", "Pc": "connector",
    "Pd": "dash", "Ps": "open", "Pe": "close", "Pi": "quote", "Pf": "quote", "P": "other punctuation", "S": "symbol",
}  # fmt: skip

_UNKNOWN = 255
_BASE = np.uint64(0x9E3779B97F4A7C15)  # odd, so that it has an inverse
_INVERSE = np.uint64(pow(int(_BASE), -1, 1 << 64))


def code_points(text: str) -> npt.NDArray[np.uint32]:
    """The code point of each character, all of which the alphabet has met."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    ALPHABET.meet(codes)
    return codes


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
            self.kinds[code] = SPACE if character.isspace() else KINDS.index(_kind_of(character))


def _kind_of(character: str) -> str:
    category = unicodedata.category(character)
    if character in ".!?…。！？":
        return "terminal"
    return _CATEGORIES.get(category) or _CATEGORIES.get(category[0], "other")


ALPHABET = _Alphabet()


class Texts:
    """The parts of a text, as hashes: the same for the same text, wherever it stands."""

    def __init__(self, codes: npt.NDArray[np.generic]) -> None:
        terms = codes.astype(np.uint64)
        terms += np.uint64(1)
        terms *= _powers(_BASE, len(codes))[:-1]
        self._sums = np.zeros(len(codes) + 1, np.uint64)
        np.cumsum(terms, out=self._sums[1:])
        self._inverses = _powers(_INVERSE, len(codes))

    def between(self, start: Integers, stop: Integers) -> Hashes:
        """The hashes of the parts from one position to another."""
        found: Hashes = self._sums[stop]
        found -= self._sums[start]
        found *= self._inverses[start]
        return found


@lru_cache(maxsize=2)
def _known_powers(base: np.uint64, size: int) -> Hashes:
    found = np.full(size + 1, base)
    found[0] = 1
    return np.cumprod(found, dtype=np.uint64)


def _powers(base: np.uint64, n: int) -> Hashes:
    """The powers of a number up to that of an exponent."""
    return _known_powers(base, 1 << max(n, 1 << 16).bit_length())[: n + 1]


def bounds(texts: Sequence[str]) -> tuple[Integers, Integers]:
    """Where each of some texts begins and ends in all of them together.

    >>> [found.tolist() for found in bounds(["dog", "", "cats"])]
    [[0, 3, 3], [3, 3, 7]]
    """
    lengths = np.array([len(text) for text in texts], np.int64)
    stops = np.cumsum(lengths)
    return stops - lengths, stops


@attrs.frozen
class Lexicon:
    """How often words are known.

    Args:
        words: how often each is; large letters are taken for small ones.

    >>> lexicon = Lexicon({"dog": 3, "Cat": 1})
    >>> texts = Texts(code_points("catdog"))
    >>> lexicon.counts(texts.between(np.array([0, 1, 3]), np.array([3, 3, 6]))).tolist()
    [1, 0, 3]
    """

    words: Mapping[str, int] = attrs.field(
        repr=False,
        validator=attrs.validators.deep_mapping(value_validator=attrs.validators.in_(range(1, 1 << 32))),
    )

    @cached_property
    def longest(self) -> int:
        """The number of characters of the longest word."""
        return max(map(len, self.words), default=0)

    @cached_property
    def _sorted(self) -> tuple[Hashes, Integers]:
        """The hashes of the words in order, and the numbers of times; one more hash, so that there is some."""
        hashes = Texts(ALPHABET.lower[code_points("".join(self.words))]).between(*bounds([*self.words]))
        order = np.argsort(hashes)
        return np.append(hashes[order], ~np.uint64(0)), np.append([*self.words.values()], 0)[np.append(order, -1)]

    def counts(self, hashes: Hashes) -> Integers:
        """How often each text is there, by its hash."""
        known, times = self._sorted
        at = np.minimum(np.searchsorted(known, hashes), len(known) - 1)
        return np.where(known[at] == hashes, times[at], 0)


NO_WORDS = Lexicon({})
"""Of what is not looked up."""
