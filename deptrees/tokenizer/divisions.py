"""How multiword tokens are divided into words, so that what is learned of one can be done to others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from itertools import accumulate, pairwise

import attrs

from deptrees.messages import counted, of_type

__all__ = ["WHOLE", "Division", "End", "division", "stems"]

_WORDS = attrs.validators.deep_iterable(attrs.validators.matches_re(r"[^\t\r\n\ud800-\udfff]+"))


@attrs.frozen
class End:
    """What is at one end of a token, before its stem or after it.

    Args:
        lengths: those of the words there, if they are parts of the token.
        text: what else is there, in small letters, in place of the words.
        words: these words, in small letters.
        stem: what the stem has at this end in place of the text.
    """

    lengths: tuple[int, ...] = attrs.field(default=(), validator=attrs.validators.deep_iterable(attrs.validators.gt(0)))
    text: str = ""
    words: tuple[str, ...] = attrs.field(default=(), validator=_WORDS)
    stem: str = attrs.field(default="", validator=attrs.validators.matches_re(r"[^\t\r\n\ud800-\udfff]*"))

    @property
    def length(self) -> int:
        """The number of the token's characters that are there."""
        return sum(self.lengths) + len(self.text)

    def divide(self, part: str) -> list[str] | None:
        """The words of what is there, ``None`` if it should be something else."""
        if self.text or self.words or self.stem:
            return [*self.words] if part.lower() == self.text else None
        return [part[start:stop] for start, stop in pairwise([0, *accumulate(self.lengths)])]


_NOTHING = End()


@attrs.frozen
class Division:
    """How a token is divided into words.

    One word is the stem, of which there are many, and before it and after it are others, of which there are few.

    Args:
        front: what is before the stem.
        back: what is after it.
        words: the words, in small letters, if none of them has anything in common with the token.

    >>> Division(back=End(lengths=(3,))).apply("Didn't"), Division(words=("à", "le")).apply("Au")
    (('Did', "n't"), ('À', 'le'))
    >>> Division(front=End(lengths=(1,)), back=End(text="ו", words=("_של_", "_הוא"), stem="_")).apply("לביתו")
    ('ל', 'בית_', '_של_', '_הוא')
    """

    front: End = _NOTHING
    back: End = _NOTHING
    words: tuple[str, ...] = attrs.field(default=(), validator=_WORDS)

    def apply(self, form: str) -> tuple[str, ...] | None:
        """The words of a token; ``None`` if it cannot be divided so."""
        if self.words:
            return _spelled_like(form, self.words)
        start, stop = self.front.length, len(form) - self.back.length
        if start >= stop:
            return None
        before, after = self.front.divide(form[:start]), self.back.divide(form[stop:])
        if before is None or after is None:
            return None
        return _spelled_like(form, [*before, f"{self.front.stem}{form[start:stop]}{self.back.stem}", *after])


WHOLE = Division()
"""That of a token that is one word."""


def _spelled_like(form: str, words: Sequence[str]) -> tuple[str, ...]:
    """Words with large letters where the token has them: all, or the first one."""
    if len(form) > 1 and form.isupper():
        return tuple([word.upper() for word in words])
    if form[0].isupper():
        return words[0][0].upper() + words[0][1:], *words[1:]
    return tuple(words)


def division(form: str, words: Sequence[str], stem: int = 0) -> Division:
    """How a token was divided into words.

    Args:
        form: the token.
        words: its words.
        stem: the number of the word that is the stem.

    Raises:
        ValueError: there is no such word.

    >>> division("can't", ["ca", "n't"]).back.lengths, division("au", ["à", "le"]).words
    ((3,), ('à', 'le'))
    >>> division("dog", ["dog"]) == WHOLE
    True
    """
    of_type("form", form, str, "a text")
    for word in words:
        of_type("word", word, str, "a text")
    if not 0 <= stem < len(words):
        raise ValueError(f"there is no word {stem} among {counted(len(words), 'word')}")
    if len(words) == 1:
        return WHOLE
    before, after = words[:stem], words[stem + 1 :]
    if "".join(words) == form:
        return Division(End(tuple(map(len, before))), End(tuple(map(len, after))))
    lower, own = form.lower(), words[stem].lower()
    same = SequenceMatcher(None, lower, own, autojunk=False).find_longest_match()
    if not same.size or len(lower) != len(form):
        return Division(words=tuple([word.lower() for word in words]))
    start, stop = same.a + same.size, same.b + same.size
    return Division(
        _end(lower[: same.a], own[: same.b], before),
        _end(lower[start:], own[stop:], after),
    )


def _end(text: str, stem: str, words: Sequence[str]) -> End:
    """What is at one end of a token."""
    if text == "".join(words) and not stem:
        return End(tuple(map(len, words)))
    return End(text=text, words=tuple([word.lower() for word in words]), stem=stem)


def _lower(word: str) -> str:
    of_type("word", word, str, "a text")
    return word.lower()


def stems(tokens: Iterable[Sequence[str]]) -> list[int]:
    """Which word is the stem, of each token of a treebank: that which is in the fewest tokens, the longest of several.

    Args:
        tokens: the words of each token.

    >>> stems([("do", "n't"), ("ca", "n't"), ("I", "'m"), ("I", "'ll"), ("dog",)])
    [0, 0, 1, 1, 0]
    """
    found = [tuple([_lower(word) for word in words]) for words in tokens]
    within: defaultdict[str, set[tuple[str, ...]]] = defaultdict(set)
    for words in found:
        for word in words:
            within[word].add(words)
    return [min(range(len(words)), key=lambda at: (len(within[words[at]]), -len(words[at]))) for words in found]
