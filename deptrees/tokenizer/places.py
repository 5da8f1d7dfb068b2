"""The places of a text at which a token or a sentence may end, and what a tokenizer looks at there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from enum import IntEnum
from functools import cached_property
from itertools import product

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.messages import quoted
from deptrees.tokenizer.texts import (
    ALPHABET,
    KINDS,
    NO_WORDS,
    SPACE,
    WITHIN_WORDS,
    Hashes,
    Integers,
    Lexicon,
    Texts,
    are_joined,
    code_points,
)

__all__ = ["ATTRIBUTES", "Certain", "Decision", "Places"]

_Booleans = npt.NDArray[np.bool_]

_FARTHEST = 4
_ENDINGS, _BEGINNINGS = (3, 4, 5, 6), (3,)
OF_LEXICON = ("known_before", "known_after", "known_across", "often_before", "often_after", "often_across")
ATTRIBUTES = (
    *(f"{what}{distance}" for what in ("before", "after") for distance in range(1, _FARTHEST + 1)),
    *(f"kind_{what}{distance}" for what in ("before", "after") for distance in range(1, _FARTHEST + 1)),
    *("head", "tail", "lower_head", "lower_tail", "head_kinds", "tail_kinds", "head_length", "tail_length"),
    *("previous", "next", "second", "previous_kinds", "next_kinds"),
    *(f"ending{length}" for length in _ENDINGS),
    *(f"beginning{length}" for length in _BEGINNINGS),
    *("head_shape", "tail_shape", "next_shape", "marks", "nested", "quoted"),
    *OF_LEXICON,
)
"""What is looked at, of each place.

``before1`` is the character before it, ``after1`` the one after it, white space as one space; ``ending3`` are the three
characters before it in lower case, ``beginning3`` those after it. A chunk stands between white space: its part before
the place is the ``head``, the rest of it the ``tail``; ``previous``, ``next`` and ``second`` are, in lower case, the
chunk before it and those after it. ``kinds`` are those of all characters; a ``shape`` leaves out those of characters
that have two of the same kind before them. ``marks`` are those of addresses that the chunk has, such as ``@``;
``nested`` tells whether brackets are open, ``quoted`` whether the number of straight quotation marks so far is odd.
``known_before`` is the length of the longest word of the lexicon that ends at the place, ``known_after`` that of the
longest one that begins there, ``known_across`` that of the longest one around it and where in that the place is;
``often_before``, ``often_after`` and ``often_across`` tell roughly how often these words are in the treebank.
"""

_INSIDE_TOKENS = tuple(map(ord, "\x20\xa0\u202f"))
"""The white space that a token may have inside, as in numbers: spaces, those that do not break among them."""
_MARKS = np.zeros(129, np.uint8)
_MARKS[[ord(mark) for mark in "@/:._"]] = 1, 2, 4, 8, 16
LONGEST_WORD = 16
"""The most characters of a word that is looked for in a text."""
_LONGEST_LENGTH = 12
_OFTEN = (1, 2, 8, 32)


class Decision(IntEnum):
    """What is at a place."""

    INSIDE = 0
    """No end."""
    TOKEN = 1
    """The end of a token."""
    SENTENCE = 2
    """The end of a token and a sentence."""


def _of_words(_: object, __: object, divided: Iterable[tuple[str, ...]]) -> None:
    _are_pairs(divided, WITHIN_WORDS)


def _of_any_kinds(_: object, __: object, plain: Iterable[tuple[str, ...]]) -> None:
    _are_pairs(plain, KINDS)


def _are_pairs(pairs: Iterable[tuple[str, ...]], kinds: Collection[str]) -> None:
    for pair in pairs:
        if len(pair) != 2 or not {*pair} <= {*kinds}:
            raise ValueError(f"expected pairs of kinds of characters, which are {', '.join(kinds)}, not {quoted(pair)}")


@attrs.frozen
class Certain:
    """What the kinds of two characters say about the place between them, so that nothing need be asked.

    Args:
        divided: the kinds of letters, marks and digits, in pairs, between which something may end; between all others
            of them nothing does.
        plain: the kinds of characters, in pairs, between which a space is the end of a token, and of no sentence.
    """

    divided: tuple[tuple[str, ...], ...] = attrs.field(default=(), validator=_of_words)
    plain: tuple[tuple[str, ...], ...] = attrs.field(default=(), validator=_of_any_kinds)

    @cached_property
    def may_divide(self) -> _Booleans:
        """Whether something may end between characters of two kinds: an array (kinds × kinds)."""
        found = np.ones((len(KINDS), len(KINDS)), np.bool_)
        for pair in product(WITHIN_WORDS, repeat=2):
            found[KINDS.index(pair[0]), KINDS.index(pair[1])] = pair in self.divided
        found[SPACE] = False
        return found

    @cached_property
    def is_plain(self) -> _Booleans:
        """Whether a space between characters of two kinds is the end of a token alone: an array (kinds × kinds)."""
        found = np.zeros((len(KINDS), len(KINDS)), np.bool_)
        for one, other in self.plain:
            found[KINDS.index(one), KINDS.index(other)] = True
        return found


@attrs.frozen(eq=False)
class Places:
    """The places of a text at which a token or a sentence may end: after each grapheme cluster but white space.

    Args:
        text: the text, as it is looked up. Paragraphs, between which there are blank lines, are looked at each by
            itself.
        certain: about which places nothing need be asked.
        lexicon: the words that are known where words run together.
    """

    text: str
    certain: Certain = Certain()
    lexicon: Lexicon = NO_WORDS

    @cached_property
    def codes(self) -> npt.NDArray[np.uint32]:
        """The code point of each character."""
        return code_points(self.text)

    @cached_property
    def kinds(self) -> npt.NDArray[np.uint8]:
        """The number of each character's kind."""
        return ALPHABET.kinds[self.codes]

    @cached_property
    def is_space(self) -> _Booleans:
        """Whether each character is white space."""
        found: _Booleans = self.kinds == SPACE
        return found

    @cached_property
    def paragraphs(self) -> Integers:
        """For each character the number of its paragraph."""
        newlines = np.where(self.is_space, self.codes == ord("\n"), -1)
        where = np.flatnonzero(newlines != 0)  # line feeds, and what is no white space
        follows = np.zeros(len(self.codes), np.int64)
        is_blank = (newlines[where[1:]] == 1) & (newlines[where[:-1]] == 1)
        follows[where[1:][is_blank]] = 1
        return np.cumsum(follows)

    @cached_property
    def plain(self) -> Integers:
        """Where a token ends, and no sentence, without asking: the position of the last character."""
        kinds = self.kinds
        is_plain = self.certain.is_plain[kinds[:-2], kinds[2:]] & self.is_space[1:-1] & ~self.is_space[:-2]
        return np.flatnonzero(is_plain)

    @cached_property
    def where(self) -> Integers:
        """The places to be asked about: the position of the character before each of them."""
        kinds = self.kinds
        is_asked = self.certain.may_divide[kinds, np.append(kinds[1:], KINDS.index("none"))]
        is_asked[self.plain] = False
        is_asked &= ~are_joined(self.codes)
        return np.flatnonzero(is_asked)

    @cached_property
    def paragraph_bounds(self) -> Integers:
        """Where the paragraphs begin, among the places, and where the last one ends."""
        changes = np.flatnonzero(np.diff(self.paragraphs[self.where])) + 1
        return np.concatenate([[0], changes, [len(self.where)]])

    def tokens(self, decisions: npt.NDArray[np.int32], *, lines: bool = False) -> tuple[Integers, Integers, _Booleans]:
        """The tokens that decisions make.

        Args:
            decisions: what was decided at each place that is asked about. A token ends before white space, whatever
                was decided, unless it is a single space, which may be inside one.
            lines: whether sentences end where lines do, whatever was decided.

        Returns:
            Where each token begins, where it ends, and whether a sentence does, too.
        """
        found = np.zeros(len(self.codes), np.int32)
        found[self.plain] = Decision.TOKEN
        found[self.where] = np.maximum(decisions, self._must_end * Decision.TOKEN)
        visible = np.flatnonzero(~self.is_space)
        if lines:
            line = np.cumsum(self.codes == ord("\n"))[visible]
            np.minimum(found, Decision.TOKEN, out=found)
            found[visible[np.diff(line, append=-1) != 0]] = Decision.SENTENCE
        last = np.flatnonzero(found)
        starts = visible[np.searchsorted(visible, np.append(0, last[:-1] + 1))]
        return starts, last + 1, found[last] == Decision.SENTENCE

    @property
    def _must_end(self) -> _Booleans:
        """Whether white space that no token has inside comes after each place."""
        codes = np.append(self.codes, [ord("\n")] * 2)
        is_space = np.append(self.is_space, [True] * 2)
        after = self.where + 1
        is_one_inside = np.isin(codes[after], _INSIDE_TOKENS) & ~is_space[after + 1]
        found: _Booleans = is_space[after] & ~is_one_inside
        return found

    def attributes(self, tokens: tuple[Integers, Integers] | None = None) -> Hashes:
        """What is looked at: an array (places × attributes).

        Args:
            tokens: where tokens begin and end that do not count for what the lexicon says of them, as it was made of
                them.
        """
        found = np.empty((len(self.where), len(ATTRIBUTES)), np.uint64)
        for number, column in zip(range(len(ATTRIBUTES)), [*self._columns(), *self._known(tokens)], strict=True):
            found[:, number] = column
        return found

    @cached_property
    def _lower(self) -> Texts:
        return Texts(ALPHABET.lower[self.codes])

    def _columns(self) -> Sequence[npt.NDArray[np.generic]]:
        where, kinds = self.where, self.kinds
        own = self.paragraphs[where]
        firsts = np.flatnonzero(np.diff(self.paragraphs, prepend=-1))
        begins, ends = firsts[own], np.append(firsts[1:], len(kinds))[own]
        shown = np.pad(np.where(self.is_space, np.uint32(ord(" ")), self.codes) + np.uint32(1), _FARTHEST)
        shown_kinds = np.pad(kinds, _FARTHEST)
        characters, sorts = [], []
        for offset in [*range(0, -_FARTHEST, -1), *range(1, _FARTHEST + 1)]:
            at = where + offset
            is_there = at < ends if offset > 0 else at >= begins
            at += _FARTHEST
            characters.append(shown[at] * is_there)
            sorts.append(shown_kinds[at] * is_there)
        as_written, lower, by_kinds = Texts(self.codes), self._lower, Texts(kinds)
        starts, stops = self._chunks
        chunk = np.searchsorted(starts, where, "right") - 1
        start, middle, stop = starts[chunk], where + 1, stops[chunk]
        neighbors = []
        for offset in (-1, 1, 2):
            at = np.clip(chunk + offset, 0, len(starts) - 1)
            is_there = (chunk + offset >= 0) & (chunk + offset < len(starts))
            is_there &= self.paragraphs[starts[at]] == own
            neighbors.append((np.where(is_there, starts[at], 0), np.where(is_there, stops[at], 0)))
        brackets = (kinds == KINDS.index("open")).astype(np.int64) - (kinds == KINDS.index("close"))
        opened, quotes = (np.append(0, np.cumsum(marks)) for marks in (brackets, self.codes == ord('"')))
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
            *(lower.between(*bounds) for bounds in neighbors),
            *(by_kinds.between(*bounds) for bounds in neighbors[:2]),
            *(lower.between(np.maximum(middle - length, begins), middle) for length in _ENDINGS),
            *(lower.between(middle, np.minimum(middle + length, ends)) for length in _BEGINNINGS),
            *self._shapes((start, middle), (middle, stop), neighbors[1]),
            np.bitwise_or.reduceat(_MARKS[np.minimum(self.codes, len(_MARKS) - 1)], starts)[chunk],
            opened[middle] > opened[begins],
            (quotes[middle] - quotes[begins]) % 2,
        ]

    def _known(self, tokens: tuple[Integers, Integers] | None) -> Integers:
        """What the lexicon says of the text around each place: an array (what is known × places)."""
        n = len(self.codes)
        before, after, across, often_before, often_after, often_across = found = np.zeros((6, n + 1), np.int64)
        for length in range(1, min(self.lexicon.longest, LONGEST_WORD, n) + 1):
            starts = np.arange(n + 1 - length)
            counts = self.lexicon.counts(self._lower.between(starts, starts + length))
            if tokens is not None:
                counts[tokens[0][tokens[1] - tokens[0] == length]] -= 1
            start = np.flatnonzero(counts > 0)
            often = np.digitize(counts[start], _OFTEN)
            after[start], often_after[start] = length, often
            before[start + length], often_before[start + length] = length, often
            for at in range(1, length):
                across[start + at] = length * LONGEST_WORD + at
                often_across[start + at] = np.maximum(often_across[start + at], often)
        return found[:, self.where + 1]

    def _shapes(self, *bounds: tuple[Integers, Integers]) -> list[Hashes]:
        """The hashes of the shapes of the parts from some positions to others."""
        kinds = self.kinds
        is_told = np.ones(len(kinds), np.bool_)
        is_told[2:] = (kinds[2:] != kinds[1:-1]) | (kinds[2:] != kinds[:-2])
        told = np.append(0, np.cumsum(is_told))
        shapes = Texts(kinds[is_told])
        return [shapes.between(told[start], told[stop]) for start, stop in bounds]

    @cached_property
    def _chunks(self) -> tuple[Integers, Integers]:
        """Where what stands between white space begins and ends."""
        edges = np.diff(np.concatenate([[True], self.is_space, [True]]).astype(np.int8))
        return np.flatnonzero(edges == -1), np.flatnonzero(edges == 1)
