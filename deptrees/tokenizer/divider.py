"""What divides tokens into words: those that are known as the treebank does, others as the best score says.

A division of an unknown token has a score for what it says of either end. The features of both see the whole token: its
beginnings and endings, and whether what they leave is a word that the treebank has.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from unicodedata import is_normalized, normalize

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.engine import core
from deptrees.files.sparse import SparseArray
from deptrees.tokenizer.divisions import WHOLE, Division, End, division, stems
from deptrees.tokenizer.texts import (
    ALPHABET,
    NO_WORDS,
    Hashes,
    Integers,
    Lexicon,
    Texts,
    are_joined,
    bounds,
    code_points,
)
from deptrees.trees.token import canonical

__all__ = ["Divider", "KnownTokens"]

_AFFIXES, _FRONTS, _BACKS = range(1, 7), range(1, 5), range(1, 6)
_ATTRIBUTES = (
    *(f"first{length}" for length in _AFFIXES),
    *(f"last{length}" for length in _AFFIXES),
    *("length", "first_kinds", "last_kinds", "whole"),
    *(f"without_first{length}" for length in _FRONTS),
    *(f"without_last{length}" for length in _BACKS),
)
_FEATURES = (
    *(f"first{length}" for length in _AFFIXES),
    *(f"last{length}" for length in _AFFIXES),
    *("length", "first_kinds", "last_kinds", "whole", "first1+length", "first1+whole", "first2+whole"),
    *("first1+first_kinds", "last1+last_kinds"),
    *(f"first{length}+without_first{length}" for length in _FRONTS),
    *(f"last{length}+without_last{length}" for length in _BACKS),
    *("without_first1+whole", "without_first1+without_first2+whole", "first1+without_first1+whole"),
    *("first2+without_first1", "first3+without_first1", "first2+without_first1+without_first2"),
    *("last1+without_last1+whole", "last2+without_last2+whole"),
    *("first1+last1", "first1+last2", "first1+last3", "first2+last2", "first2+last3", "first3+last2", "first3+last3"),
    *("first1+without_first1+length", "last2+without_last2+length"),
)
_BITS, _MARGIN, _EPOCHS, _TOGETHER = 18, 3.0, 5, 20
_LONGEST_LENGTH, _KINDS, _OFTEN = 10, 3, 3
_MOST, _LEAST = 64, 2  # of what is at an end, what is told apart, and in how many tokens it is at least
_REMEMBERED = 1 << 16


def _front(divided: Division) -> tuple[str, End]:
    return "front", divided.front


def _back(divided: Division) -> tuple[str, End]:
    return "back", divided.back


@attrs.frozen
class KnownTokens:
    """How a treebank divides its tokens.

    Args:
        divisions: the ways in which tokens are divided.
        numbers: for each token, in small letters, the number of one of them; for one with large letters if it is
            another.
        stems: how many tokens, in small letters, have a stem before which or after which there are other words.
    """

    divisions: tuple[Division, ...] = attrs.field(repr=False)
    numbers: Mapping[str, int] = attrs.field(repr=False)
    stems: Lexicon = attrs.field(repr=False)

    @numbers.validator
    def _are_there(self, _: object, numbers: Mapping[str, int]) -> None:
        if not {*numbers.values()} <= {*range(len(self.divisions))}:
            raise ValueError(f"known tokens have divisions that are not from 0 to {len(self.divisions) - 1}")

    def division(self, form: str) -> Division | None:
        """How a token is divided, ``None`` if it is unknown."""
        number = self.numbers.get(form, self.numbers.get(form.lower()))
        return None if number is None else self.divisions[number]

    @cached_property
    def lower(self) -> Mapping[str, int]:
        """The tokens in small letters, and the number of the division of each."""
        return {form: number for form, number in self.numbers.items() if form == form.lower()}

    @cached_property
    def wholes(self) -> Lexicon:
        """The tokens that are one word."""
        whole = {number for number, divided in enumerate(self.divisions) if divided == WHOLE}
        return Lexicon({form: 1 for form, number in self.lower.items() if number in whole})

    @cached_property
    def choices(self) -> Sequence[Division]:
        """The divisions that an unknown token may have: each says of both ends what several known ones say, too."""
        known = [(self.divisions[number], count) for number, count in Counter(self.lower.values()).items()]
        counts = {divided: count for divided, count in known if not divided.words}
        ends: Counter[tuple[str, End]] = Counter()
        for divided, count in counts.items():
            ends[_front(divided)] += count
            ends[_back(divided)] += count
        frequent = {end for end, count in ends.most_common(_MOST) if count >= _LEAST}
        return [WHOLE, *(one for one in counts if one != WHOLE and {_front(one), _back(one)} <= frequent)]

    @cached_property
    def ends(self) -> npt.NDArray[np.int32]:
        """Of each choice the number of what is at its front, and of what is at its back: an array (choices × 2)."""
        numbers = {end: number for number, end in enumerate(dict.fromkeys(map(_front, self.choices)))}
        numbers |= {end: number for number, end in enumerate(dict.fromkeys(map(_back, self.choices)), len(numbers))}
        return np.array([[numbers[_front(one)], numbers[_back(one)]] for one in self.choices], np.int32)

    def table_shape(self) -> tuple[int, int]:
        """The shape of a table of weights: at most two rows for each feature, as wide as the core wants it."""
        bits = min(_BITS, (2 * len(self.lower) * len(_FEATURES)).bit_length())
        return 1 << bits, -(-(int(self.ends.max()) + 1) // 4) * 4


_NO_TOKENS = KnownTokens((), {}, NO_WORDS)
"""What is known where no token has several words."""


@attrs.frozen
class Divider:
    """What divides tokens into words.

    Args:
        known: the tokens of a treebank.
        weights: those that are not 0 in an array (rows × what is at an end of a token).

    >>> tokens = [(form, [form]) for form in ("dog", "sings", "they")]
    >>> tokens += [("don't", ["do", "n't"]), ("can't", ["ca", "n't"]), ("Gonna", ["Gon", "na"])]
    >>> Divider.train(tokens).words(["Isn't", "gonna", "frogs"])
    [('Is', "n't"), ('gon', 'na'), ('frogs',)]
    """

    known: KnownTokens
    weights: SparseArray = attrs.field(repr=False)
    _found: dict[str, tuple[str, ...]] = attrs.field(factory=dict, init=False, repr=False, eq=False)

    @classmethod
    def train(cls, tokens: Iterable[tuple[str, Sequence[str]]]) -> Divider:
        """Learn from the tokens of a treebank.

        Each token counts once, and is looked at as if it were unknown: unknown tokens are like rare ones.

        Args:
            tokens: of each token the form and the words.
        """
        counts = Counter((form, tuple(words)) for form, words in tokens)
        divisions: defaultdict[str, Counter[Division]] = defaultdict(Counter)
        stem_of: dict[tuple[str, Division], str] = {}
        for (form, words), at in zip(counts, stems(words for _, words in counts), strict=True):
            divided = division(form, words, at)
            for text in {form, form.lower()}:
                divisions[text][divided] += counts[form, words]
                stem_of[text, divided] = words[at].lower() if divided != WHOLE else ""
        if {*chain(*divisions.values())} <= {WHOLE}:
            return cls(_NO_TOKENS, SparseArray.empty(_NO_TOKENS.table_shape()))
        best = {form: found.most_common(1)[0][0] for form, found in divisions.items()}
        said = {
            form: divided for form, divided in best.items() if form == form.lower() or divided != best[form.lower()]
        }
        own = [stem_of[form, divided] for form, divided in said.items() if form == form.lower()]
        numbers = {divided: number for number, divided in enumerate(dict.fromkeys(said.values()))}
        known = KnownTokens(
            tuple(numbers),
            {form: numbers[divided] for form, divided in said.items()},
            Lexicon(Counter(filter(None, own))),
        )
        return cls(known, _learned(known, own))

    def words(self, forms: Sequence[str]) -> list[tuple[str, ...]]:
        """The words of each token."""
        if not self.known.numbers:
            return [(form,) for form in forms]
        new = [form for form in dict.fromkeys(forms) if form not in self._found]
        divided = dict(zip(new, self._divided(new), strict=True))
        if len(self._found) < _REMEMBERED:
            self._found.update(divided)
        return [divided.get(form) or self._found[form] for form in forms]

    def _divided(self, forms: Sequence[str]) -> list[tuple[str, ...]]:
        """The words of tokens, each of which is there once."""
        divisions = {form: self.known.division(form) for form in map(canonical, forms)}
        unknown = [form for form, divided in divisions.items() if divided is None]
        if unknown and len(self.known.choices) > 1:
            found = np.empty(len(unknown), np.int32)
            self._perceptron.tag(_data(self.known, unknown, [""] * len(unknown), len(unknown)), 0, 1, found)
            divisions.update((form, self.known.choices[at]) for form, at in zip(unknown, found.tolist(), strict=True))
        return [_words(form, divisions[canonical(form)]) for form in forms]

    @cached_property
    def _perceptron(self) -> core.tagging.TaggerPerceptron:
        return _perceptron(self.known, self.weights, learning=False)


def _words(form: str, divided: Division | None) -> tuple[str, ...]:
    """The words of a token that is divided in such a way; decomposed if the token is (Unicode's NFD)."""
    known = canonical(form)
    words = (divided and divided.apply(known)) or (known,)
    if len(words) == 1 or ("".join(words) == known and are_joined(code_points(known))[bounds(words[:-1])[1] - 1].any()):
        return (form,)
    if known == form:
        return words
    return tuple([normalize("NFD", word) for word in words]) if is_normalized("NFD", form) else words


def _learned(known: KnownTokens, own: Sequence[str]) -> SparseArray:
    """The weights that are learned from known tokens in small letters and their stems, if they have one."""
    choices = {divided: number for number, divided in enumerate(known.choices)}
    random = np.random.default_rng(0)
    order, tokens = random.permutation(len(known.lower)).tolist(), [*known.lower.items()]
    data = _data(known, [tokens[at][0] for at in order], [own[at] for at in order], _TOGETHER)
    gold = np.array([choices.get(known.divisions[tokens[at][1]], -1) for at in order], np.int32)
    learning = _perceptron(known, SparseArray.empty(known.table_shape()), learning=True)
    for _ in range(_EPOCHS):
        for number in random.permutation(-(-len(order) // _TOGETHER)).tolist():
            learning.learn(data, number, gold)
    return SparseArray.of_rows(known.table_shape(), *learning.averages())


def _perceptron(known: KnownTokens, weights: SparseArray, *, learning: bool) -> core.tagging.TaggerPerceptron:
    """What scores divisions, or learns to, from some weights on."""
    numbers = {name: (number, 0) for number, name in enumerate(_ATTRIBUTES)}
    parts = [[numbers[part] for part in feature.split("+")] for feature in _FEATURES]
    ends = known.ends
    bounds = np.array([0, ends[:, 1].min(), ends.max() + 1], np.int32)
    return core.tagging.TaggerPerceptron(0, parts, weights, bounds, ends, _MARGIN, learning)


def _data(known: KnownTokens, forms: Sequence[str], own: Sequence[str], together: int) -> core.tagging.TaggerData:
    """Tokens as the core wants them, with their stems, so many of them like a sentence."""
    offsets = np.append(np.arange(0, len(forms), together), len(forms))
    fixed = np.full((1, len(forms)), -1, np.int32)
    return core.tagging.TaggerData(
        offsets, np.arange(len(forms), dtype=np.int32), _attributes(known, forms, own), fixed
    )


def _attributes(known: KnownTokens, forms: Sequence[str], own: Sequence[str]) -> Hashes:
    """What features look at: an array (tokens × attributes). A token's own stem does not count for what is known."""
    codes = code_points("".join(forms))
    texts, kinds = Texts(ALPHABET.lower[codes]), Texts(ALPHABET.kinds[codes])
    left_out = Texts(ALPHABET.lower[code_points("".join(own))]).between(*bounds(own))
    starts, stops = bounds(forms)

    def as_stem(start: Integers, stop: Integers) -> Integers:
        hashes = texts.between(start, stop)
        found: Integers = np.minimum(known.stems.counts(hashes) - (hashes == left_out), _OFTEN)
        return found

    def rest(start: Integers, stop: Integers) -> Integers:
        found = 1 + 2 * as_stem(start, stop) + known.wholes.counts(texts.between(start, stop))
        return found * (start < stop)

    columns = [
        *(texts.between(starts, np.minimum(starts + length, stops)) for length in _AFFIXES),
        *(texts.between(np.maximum(stops - length, starts), stops) for length in _AFFIXES),
        np.minimum(stops - starts, _LONGEST_LENGTH),
        kinds.between(starts, np.minimum(starts + _KINDS, stops)),
        kinds.between(np.maximum(stops - _KINDS, starts), stops),
        as_stem(starts, stops),
        *(rest(np.minimum(starts + length, stops), stops) for length in _FRONTS),
        *(rest(starts, np.maximum(stops - length, starts)) for length in _BACKS),
    ]
    return np.stack([column.astype(np.uint64) for column in columns], axis=1)
