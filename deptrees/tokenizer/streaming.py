"""Text as it arrives, in stretches that can be tokenized by themselves, wherever it was cut into pieces."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from itertools import chain

import attrs

from deptrees.messages import quoted

__all__ = ["LONGEST", "Sentence", "divided"]

LONGEST = 1 << 15
"""The most characters of a paragraph that are tokenized together. No sentence is longer."""


@attrs.frozen
class Sentence:
    """A sentence as it stands in a text.

    Args:
        forms: its tokens.
        spaces: the white space after each of them.
        before: the white space before the first one, if the text begins with it.
    """

    forms: Sequence[str]
    spaces: Sequence[str]
    before: str = ""

    @property
    def text(self) -> str:
        """Its text, with all white space."""
        return self.before + "".join(chain.from_iterable(zip(self.forms, self.spaces, strict=True)))

    def without_the_last_token(self) -> Sentence:
        """What is left of it; all of it if it has but one token."""
        return Sentence(self.forms[:-1], self.spaces[:-1], self.before) if len(self.forms) > 1 else self


_Sentences = Sequence[Sentence]

_BLANK_LINES = re.compile(r"\n\s*\n\s*")
_SURROGATE = re.compile("[\ud800-\udfff]")
_NO_SPACE = re.compile(r"\S")


def divided(
    pieces: Iterable[str | None], divide: Callable[[str], _Sentences], longest: int = LONGEST
) -> Iterator[_Sentences | None]:
    """The sentences of a text, many at a time, when they are known not to change.

    A paragraph ends where something stands after a blank line. Of one that is longer than can be tokenized together,
    as much is tokenized as can be; the last sentence of it, which may be cut short, is tokenized again with what
    follows.

    Args:
        pieces: the text, and ``None`` where the next piece has not arrived yet: what is known comes out, then ``None``.
        divide: makes sentences of a text that ends where a paragraph does, or with a sentence that may be cut short.
        longest: the most characters of a paragraph that are tokenized together.
    """
    text = ""
    for piece in pieces:
        if piece is not None:
            text += _checked(piece)
        if piece is None or len(text) > longest:
            ends = [match.end() for match in _BLANK_LINES.finditer(text, _first(text, 0)) if match.end() < len(text)]
            start = yield from _divided(text, [*ends, len(text)], divide, longest, is_over=False)
            text = text[start:]
        if piece is None:
            yield None
    ends = [match.end() for match in _BLANK_LINES.finditer(text, _first(text, 0))]
    if text and not text.isspace():
        yield from _divided(text, [*ends, len(text)], divide, longest, is_over=True)


def _checked(piece: str) -> str:
    """The piece, if it is text."""
    if not isinstance(piece, str):
        raise TypeError(f"a piece of the text is {quoted(piece)}: give strings, such as a file's that is open as text")
    if found := _SURROGATE.search(piece):
        raise ValueError(f"{quoted(found[0])} is half of a surrogate pair, and no character")
    return piece


def _divided(
    text: str, ends: Iterable[int], divide: Callable[[str], _Sentences], longest: int, *, is_over: bool
) -> Generator[_Sentences, None, int]:
    """The sentences of some paragraphs, of which the last may go on; where what is left of it begins."""
    batch = start = 0
    for end in ends:
        while (stop := _stop(text, start, end, longest)) is not None:
            if batch < start:
                yield divide(text[batch:start])
            sentences = _without_the_last(divide(text[start:stop]))
            yield sentences
            start += sum(len(sentence.text) for sentence in sentences)
            batch = start
        if is_over or end < len(text):
            if batch < start and end - batch > longest:
                yield divide(text[batch:start])
                batch = start
            start = end
    if batch < start:
        yield divide(text[batch:start])
    return start


def _stop(text: str, start: int, end: int, longest: int) -> int | None:
    """Where to cut a paragraph that is too long: after white space, if there is some; ``None`` if it is not."""
    found = _NO_SPACE.search(text, _first(text, start) + longest, end)
    return found and found.start()


def _first(text: str, start: int) -> int:
    """Where something other than white space begins."""
    found = _NO_SPACE.search(text, start)
    return len(text) if found is None else found.start()


def _without_the_last(sentences: _Sentences) -> _Sentences:
    """All sentences but the last; if there is but one all tokens but the last, and that if there is but one."""
    return sentences[:-1] or [sentences[0].without_the_last_token()]
