"""Multiword tokens: how they are divided into words, so that what is learned of one can be done to others."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise

import attrs

__all__ = ["WHOLE", "Division", "MultiwordRules", "division"]

_LONGEST_ENDING = 6
_REMEMBERED = 1 << 16
_FORM, _ENDING = "=", "-"  # what a clue says of a token


def _decreasing(_: object, __: object, starts: tuple[int, ...]) -> None:
    if any(one <= other for one, other in pairwise((*starts, 0))):
        raise ValueError(f"words that begin {starts} characters before the end are not in order")


@attrs.frozen
class Division:
    """How a token is divided into words.

    Args:
        starts: where the words begin, except the first one: how many characters before the end of the token.
        words: the words, in small letters, if they are not parts of the token.

    >>> Division(starts=(3,)).apply("Didn't"), Division(words=("de", "le")).apply("Du")
    (('Did', "n't"), ('De', 'le'))
    """

    starts: tuple[int, ...] = attrs.field(default=(), validator=_decreasing)
    words: tuple[str, ...] = attrs.field(
        default=(), validator=attrs.validators.deep_iterable(attrs.validators.matches_re(r"[^\t\r\n]+"))
    )

    def apply(self, form: str) -> tuple[str, ...] | None:
        """The words of a token; ``None`` if it is too short."""
        if self.words:
            return _spelled_like(form, self.words)
        bounds = [0, *(len(form) - start for start in self.starts), len(form)]
        if self.starts and bounds[1] <= 0:
            return None
        return tuple([form[start:stop] for start, stop in pairwise(bounds)])


WHOLE = Division()
"""That of a token that is one word."""


def _spelled_like(form: str, words: Sequence[str]) -> tuple[str, ...]:
    """Words with large letters where the token has them: all, or the first one."""
    if len(form) > 1 and form.isupper():
        return tuple([word.upper() for word in words])
    if form[0].isupper():
        return words[0].capitalize(), *words[1:]
    return tuple(words)


def division(form: str, words: Sequence[str]) -> Division:
    """How a token was divided into words.

    >>> division("can't", ["ca", "n't"]), division("Du", ["de", "le"]), division("dog", ["dog"])
    (Division(starts=(3,), words=()), Division(starts=(), words=('de', 'le')), Division(starts=(), words=()))
    """
    if len(words) == 1:
        return WHOLE
    if "".join(words) != form:
        return Division(words=tuple([word.lower() for word in words]))
    return Division(starts=tuple([len(form) - end for end in accumulate(map(len, words[:-1]))]))


@attrs.frozen
class MultiwordRules:
    """A decision list: of the clues to how a token is divided, the most specific one that is known decides.

    The clues are, in this order: the token, if it has large letters; the same in small letters, which all tokens count
    for that differ in case alone; its endings, the longest first.

    Args:
        divisions: the ways in which tokens are divided.
        rules: for each clue the number of one of them.

    >>> tokens = [("dog", ["dog"]), ("don't", ["do", "n't"]), ("can't", ["ca", "n't"]), ("Gonna", ["Gon", "na"])]
    >>> rules = MultiwordRules.count(tokens)
    >>> [rules.words(form) for form in ("Isn't", "gonna", "frog")]
    [('Is', "n't"), ('gon', 'na'), ('frog',)]
    """

    divisions: tuple[Division, ...] = attrs.field(repr=False)
    rules: Mapping[str, int] = attrs.field(repr=False)

    @rules.validator
    def _are_there(self, _: object, rules: Mapping[str, int]) -> None:
        if not {*rules.values()} <= {*range(len(self.divisions))}:
            raise ValueError(f"rules for divisions have numbers that are not from 0 to {len(self.divisions) - 1}")

    @classmethod
    def count(cls, tokens: Iterable[tuple[str, Sequence[str]]]) -> MultiwordRules:
        """Make a decision list of the tokens of a treebank.

        A token counts for its form as often as it is there, for its endings once: unknown tokens are like rare ones.

        Args:
            tokens: of each token the form and the words.
        """
        found: defaultdict[str, Counter[Division]] = defaultdict(Counter)
        for (form, words), count in Counter((form, tuple(words)) for form, words in tokens).items():
            divided = division(form, words)
            for clue in _clues(form):
                if clue.startswith(_FORM):
                    found[clue][divided] += count
                elif not divided.words:
                    found[clue][divided] += 1
        best = {clue: counts.most_common(1)[0][0] for clue, counts in found.items()}
        best.setdefault(_ENDING, WHOLE)
        # What the next clue says as well need not be said.
        needed = {clue: divided for clue, divided in best.items() if best.get(_next(clue)) != divided}
        numbers = {divided: number for number, divided in enumerate(dict.fromkeys(needed.values()))}
        return cls(tuple(numbers), {clue: numbers[divided] for clue, divided in needed.items()})

    @cached_property
    def words(self) -> Callable[[str], tuple[str, ...]]:
        """A function that gives the words of a token; the token itself if nothing is known of it."""
        return lru_cache(_REMEMBERED)(self._find)

    def _find(self, form: str) -> tuple[str, ...]:
        for clue in _clues(form):
            if clue in self.rules and (words := self.divisions[self.rules[clue]].apply(form)):
                return words
        return (form,)


def _clues(form: str) -> Iterator[str]:
    """The clues to how a token is divided, the most specific first."""
    lower = form.lower()
    if form != lower:
        yield f"{_FORM}{form}"
    yield f"{_FORM}{lower}"
    for length in range(min(_LONGEST_ENDING, len(lower)), -1, -1):
        yield f"{_ENDING}{lower[len(lower) - length :]}"


def _next(clue: str) -> str:
    """The clue that all tokens with this one have next."""
    kind, text = clue[:1], clue[1:]
    if kind == _ENDING:
        return f"{_ENDING}{text[1:]}" if text else ""
    lower = text.lower()
    return f"{_FORM}{lower}" if text != lower else f"{_ENDING}{lower[-_LONGEST_ENDING:]}"
