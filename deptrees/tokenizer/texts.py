"""Characters and parts of texts as numbers: what characters are, hashes of texts, and lexicons that know them."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise, product

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.trees.token import canonical

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
    "are_joined",
    "bounds",
    "code_points",
    "looked_up",
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
        self.joinings = np.zeros(0x110000, np.uint8)

    def meet(self, codes: npt.NDArray[np.uint32]) -> None:
        """Find out about characters that have not been met."""
        for code in {*codes[self.kinds[codes] == _UNKNOWN].tolist()}:
            character = chr(code)
            self.lower[code] = ord(character.lower()[0])
            self.joinings[code] = _JOININGS.index(_joining_of(character))
            self.kinds[code] = SPACE if character.isspace() else KINDS.index(_kind_of(character))


def _kind_of(character: str) -> str:
    category = unicodedata.category(character)
    if character in ".!?…。！？":
        return "terminal"
    return _CATEGORIES.get(category) or _CATEGORIES.get(category[0], "other")


_JOININGS = ("other", "apart", "letter", "symbol", "mark", "joiner", "linker", "prefix", "flag",
             "hangul L", "hangul V", "hangul T", "hangul LV", "hangul LVT")  # fmt: skip
"""What characters are in grapheme clusters (Unicode Standard Annex 29). What is ``apart`` is in none with another."""
_CODES = {
    "joiner": (0x200D,),
    "mark": (0x0E33, 0x0EB3, 0x200C, 0xFF9E, 0xFF9F, *range(0x1F3FB, 0x1F400), *range(0xE0020, 0xE0080)),
    "linker": (0x094D, 0x09CD, 0x0ACD, 0x0B4D, 0x0C4D, 0x0D4D, 0x1039, 0x17D2, 0x1A60, 0x1B44, 0x1BAB, 0xA9C0, 0xAAF6,
               0x10A3F, 0x11133, 0x11F42),
    "prefix": (*range(0x0600, 0x0606), 0x06DD, 0x070F, 0x0890, 0x0891, 0x08E2, 0x0D4E, 0x110BD, 0x110CD, 0x111C2,
               0x111C3, 0x1193F, 0x11941, 0x11A3A, *range(0x11A84, 0x11A8A), 0x11D46, 0x11F02),
    "flag": range(0x1F1E6, 0x1F200),
    "hangul L": (*range(0x1100, 0x1160), *range(0xA960, 0xA97D)),
    "hangul V": (*range(0x1160, 0x11A8), *range(0xD7B0, 0xD7C7)),
    "hangul T": (*range(0x11A8, 0x1200), *range(0xD7CB, 0xD7FC)),
    "hangul LV": range(0xAC00, 0xD7A4, 28),
    "hangul LVT": range(0xAC00, 0xD7A4),
}  # fmt: skip
"""Those whose category does not say it."""
_TOGETHER = {
    *product(set(_JOININGS) - {"apart"}, ("mark", "joiner", "linker")),
    *product(("prefix",), set(_JOININGS) - {"apart"}),
    *product(("joiner",), ("letter", "symbol")),
    ("linker", "letter"),
    *product(("hangul L",), ("hangul L", "hangul V", "hangul LV", "hangul LVT")),
    *product(("hangul V", "hangul LV"), ("hangul V", "hangul T")),
    *product(("hangul T", "hangul LVT"), ("hangul T",)),
}
_ARE_TOGETHER = np.array([[(one, other) in _TOGETHER for other in _JOININGS] for one in _JOININGS])
_FLAG = _JOININGS.index("flag")
_FIRST_JOINED = 0x300
"""The first character that is joined to another; among those before it, only white space is, in line ends."""


def _joining_of(character: str) -> str:
    category = unicodedata.category(character)
    for joining, codes in _CODES.items():
        if ord(character) in codes:
            return joining
    if character.isspace() or category in ("Cc", "Cf"):
        return "apart"
    return {"L": "letter", "M": "mark", "S": "symbol"}.get(category[0], "other")


ALPHABET = _Alphabet()


def are_joined(codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
    r"""For each character, whether the next one is in the same grapheme cluster (Unicode Standard Annex 29).

    White space is in none with what follows. As no token ends there, all marks are joined to what is before them,
    letters to a linker (virama) right before them, and letters and symbols to a joiner.

    >>> are_joined(code_points("e\u0301 \N{HEAVY BLACK HEART}\ufe0f!")).tolist()
    [True, False, False, True, False, False]
    """
    found = np.zeros(len(codes), np.bool_)
    if codes.max(initial=0) < _FIRST_JOINED:
        return found
    joinings = ALPHABET.joinings[codes]
    found[:-1] = _ARE_TOGETHER[joinings[:-1], joinings[1:]]
    flags = np.flatnonzero((joinings[:-1] == _FLAG) & (joinings[1:] == _FLAG))
    if len(flags):
        at = np.arange(len(codes))
        before = np.maximum.accumulate(np.where(joinings == _FLAG, -1, at))
        found[flags] = (flags - before[flags]) % 2 == 1
    return found


def looked_up(text: str) -> tuple[str, Integers]:
    r"""A text as it is looked up (`deptrees.trees.token.canonical`), and where it was in the text, and the text's end.

    Of each character the position is that of its grapheme cluster.

    >>> text, places = looked_up("cafe\u0301!")
    >>> text == "caf\N{LATIN SMALL LETTER E WITH ACUTE}!", places.tolist()
    (True, [0, 1, 2, 3, 5, 6])
    """
    if unicodedata.is_normalized("NFC", text):
        return text, np.arange(len(text) + 1)
    starts = np.flatnonzero(~np.append(False, are_joined(code_points(text))[:-1]))
    clusters = [canonical(text[start:stop]) for start, stop in pairwise([*starts.tolist(), len(text)])]
    return "".join(clusters), np.append(np.repeat(starts, [*map(len, clusters)]), len(text))


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

    words: Mapping[str, int] = attrs.field(repr=False)

    @words.validator
    def _are_known(self, _: object, words: Mapping[str, int]) -> None:
        least, most = min(words.values(), default=1), max(words.values(), default=1)
        if not 0 < least <= most < 1 << 32:
            raise ValueError(f"words are known from {least} to {most} times: at least once, and fewer than {1 << 32}")

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
