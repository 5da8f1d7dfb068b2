"""Splitting and joining words, after which the text of the sentence is the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import attrs

from deptrees.annotation.findings import dismissed, dismissing
from deptrees.annotation.sentences import PLACE, PROPOSED, ActionError, AnnotatedSentence, with_entry
from deptrees.trees.extra_tokens import multiword_span
from deptrees.trees.token import COLUMNS, Token

__all__ = ["Join", "Split"]

_SPACE_AFTER = "SpaceAfter"
_ID, _FORM, _HEAD, _MISC = [PLACE[name] for name in ("id", "form", "head", "misc")]
_SPACE = re.compile(r"\s")

_Rows = list[list[str]]


@attrs.frozen
class Split:
    """Split a word into several.

    If the parts make up its form, they are tokens of their own. If not, they are the words of a multiword token, which
    keeps the form, as German *zum* is *zu* and *dem*. The first part keeps the other columns.

    Args:
        word: the word, from 1.
        parts: two forms or more.
    """

    word: int
    parts: tuple[str, ...]

    def __call__(self, sentence: AnnotatedSentence) -> AnnotatedSentence:
        _check_no_graph(sentence)
        form, row = sentence.column(self.word, "form"), sentence.rows.get(self.word, 0)
        if len(self.parts) < 2 or any(not part or _SPACE.search(part) for part in self.parts):
            raise ActionError("give two parts or more, without spaces in them")
        added, token = len(self.parts) - 1, _token_of(self.word, sentence)

        def first(word: int) -> int:
            return word + added * (word > self.word)

        def last(word: int) -> int:
            return word + added * (word >= self.word)

        rows = _renumbered(sentence, first, last)
        own = rows[row]
        parts = [own, *[[str(self.word + more), *["_"] * (len(COLUMNS) - 1)] for more in range(1, added + 1)]]
        for part, its in zip(parts, self.parts, strict=True):
            part[_FORM] = its
        space = _entry(own, _SPACE_AFTER)
        if token is None and form in ("".join(self.parts), " ".join(self.parts)):
            for part in parts[:-1]:
                part[_MISC] = with_entry(part[_MISC], _SPACE_AFTER, None if " " in form else "No")
            parts[-1][_MISC] = with_entry(parts[-1][_MISC], _SPACE_AFTER, space)
        elif token is None and " " in form:
            raise ActionError("the word has a space in it: split it there first")
        elif token is None:
            own[_MISC] = with_entry(own[_MISC], _SPACE_AFTER)
            whole = [f"{self.word}-{self.word + added}", form, *["_"] * (len(COLUMNS) - 2)]
            whole[_MISC] = with_entry("_", _SPACE_AFTER, space)
            parts.insert(0, whole)
        return _written(sentence, [*rows[:row], *parts, *rows[row + 1 :]], first)


@attrs.frozen
class Join:
    """Join a word and the next one: both of the same multiword token, or of none.

    The result has the columns of the first, and the arc of the one that is not below the other.

    Args:
        word: the first of them, from 1.
    """

    word: int

    def __call__(self, sentence: AnnotatedSentence) -> AnnotatedSentence:
        _check_no_graph(sentence)
        if not 1 <= self.word < len(sentence.tree):
            raise ActionError(f"there is no word after word {self.word} to join it with")
        token = _token_of(self.word, sentence)
        if token != _token_of(self.word + 1, sentence):
            raise ActionError("the words belong to different tokens of the text: join them only within one")

        def merged(word: int) -> int:
            return word - (word > self.word)

        rows, index = _renumbered(sentence, merged, merged), sentence.rows[self.word]
        other = rows.pop(index + 1)
        own = rows[index]
        if self.word in sentence.tree.subtree(self.word + 1):
            own[_HEAD:_MISC] = other[_HEAD:_MISC]
            own[_MISC] = with_entry(own[_MISC], PROPOSED, _entry(other, PROPOSED))
        between = "" if token is not None or _entry(own, _SPACE_AFTER) == "No" else " "
        own[_FORM] += between + other[_FORM]
        own[_MISC] = with_entry(own[_MISC], _SPACE_AFTER, _entry(other, _SPACE_AFTER))
        span = None if token is None else multiword_span(token)
        if span is not None and len(span) == 2:  # nothing is left of the token but this word
            whole = rows.pop(index - 1)
            own[_FORM] = whole[_FORM]
            own[_MISC] = with_entry(own[_MISC], _SPACE_AFTER, _entry(whole, _SPACE_AFTER))
        return _written(sentence, rows, merged)


def _check_no_graph(sentence: AnnotatedSentence) -> None:
    if any(token.deps or (isinstance(token.id, str) and "." in token.id) for token in sentence.tree.all_tokens):
        raise ActionError("the sentence has enhanced dependencies, in which a word would have no place")


def _token_of(word: int, sentence: AnnotatedSentence) -> Token | None:
    """The multiword token that a word belongs to."""
    tokens = [token for _, token in sentence.tree.multiword_tokens]
    return next((token for token in tokens if word in (multiword_span(token) or ())), None)


def _entry(row: Sequence[str], key: str) -> str | None:
    return Token(row[_FORM], misc=row[_MISC]).misc_values.get(key)


def _renumbered(sentence: AnnotatedSentence, first: Callable[[int], int], last: Callable[[int], int]) -> _Rows:
    """The columns of all lines, in which each word is where these say that it begins and ends; comments are one."""
    rows = [line.split("\t") if not line.startswith("#") else [line] for line in sentence.lines]
    for row in rows:
        if len(row) == 1:
            continue
        begin, hyphen, end = row[_ID].partition("-")
        row[_ID] = f"{first(int(begin))}{hyphen}{last(int(end)) if end else ''}"
        if row[_HEAD] != "_":
            row[_HEAD] = str(first(int(row[_HEAD])))
    return rows


def _written(sentence: AnnotatedSentence, rows: _Rows, moved: Callable[[int], int]) -> AnnotatedSentence:
    """The sentence of rows; what was dismissed is about the same words as before."""
    reasons = {
        dismissing(word, rule, reason): dismissing(moved(word), rule, reason)
        for (word, rule), reason in dismissed(sentence).items()
    }
    lines = ["\t".join(row) for row in rows]
    return AnnotatedSentence(tuple([reasons.get(line, line) for line in lines]))
