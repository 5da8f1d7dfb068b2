r"""Raw text: what sentences were before they were divided into words.

MISC says what is between tokens, in the notation of Universal Dependencies and UDPipe: ``SpaceAfter=No`` for nothing,
``SpacesAfter=\s\n`` for anything but one space, ``SpacesBefore`` for white space at the beginning of the text. The
comment ``newpar`` or ``newdoc`` begins a paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from more_itertools import peekable

from deptrees.messages import quoted
from deptrees.treebanks.conllu import NOT_UTF_8, ConlluError
from deptrees.trees.extra_tokens import multiword_span
from deptrees.trees.token import Token
from deptrees.trees.tree import DependencyTree, trees_of

__all__ = [
    "SurfaceToken",
    "in_one_line",
    "raw_text",
    "sentence_rows",
    "surface_tokens",
    "white_space_in_misc",
    "word_rows",
]

_BETWEEN_PARAGRAPHS = "\n\n"
_ESCAPES = {" ": r"\s", "\t": r"\t", "\r": r"\r", "\n": r"\n", "|": r"\p", "\\": r"\\"}
_ESCAPED = {escape: character for character, escape in _ESCAPES.items()}
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|.)")
_SURROGATE = re.compile("[\ud800-\udfff]")
_PARAGRAPH = re.compile(r"#\s*new(doc|par)\b")
_NO_TAGS = 7 * "\t_" + "\t"


class SurfaceToken(NamedTuple):
    """A token as it is in a text, and the white space after it, and before it if the text begins with it.

    It has one word or, if it is a multiword token, several.
    """

    form: str
    words: Sequence[str]
    after: str = " "
    before: str = ""

    @property
    def text(self) -> str:
        """The token and the white space around it."""
        return f"{self.before}{self.form}{self.after}"


def surface_tokens(trees: Iterable[DependencyTree]) -> Iterator[list[SurfaceToken]]:
    r"""The tokens of each sentence; the sentences follow one another in a text.

    >>> du = Token("du", id="1-2", misc="SpaceAfter=No")
    >>> next(surface_tokens([DependencyTree([(None, "de"), (None, "le")], extra_tokens=[(0, du)])]))
    [SurfaceToken(form='du', words=['de', 'le'], after='', before='')]
    """
    following = peekable(trees_of(trees))
    for tree in following:
        next_tree = following.peek(None)
        last = _BETWEEN_PARAGRAPHS if next_tree is not None and any(map(_PARAGRAPH.match, next_tree.comments)) else " "
        tokens = [*_tokens(tree)]
        yield [
            _surface_token(token, words, last if number == len(tokens) else " ")
            for number, (token, words) in enumerate(tokens, 1)
        ]


def in_one_line(text: str) -> str:
    r"""A text without line ends, which tell where sentences end.

    >>> in_one_line("One day\n\nit rained.")
    'One day it rained.'
    """
    return re.sub(r"\s*\n\s*", " ", text)


def raw_text(trees: Iterable[DependencyTree]) -> str:
    """The text that sentences were divided from.

    >>> raw_text([DependencyTree([(None, "Sing"), (None, "!")]), DependencyTree([(None, "Fly")])])
    'Sing ! Fly '
    """
    return "".join([token.text for tokens in surface_tokens(trees) for token in tokens])


def sentence_rows(tokens: Iterable[tuple[str, Sequence[str], str, str]], start: int | None = None) -> list[str]:
    r"""The comment ``text`` and the rows of CoNLL-U for a sentence of tokens, each as the values of a ``SurfaceToken``.

    If it is said where the sentence starts in its text, MISC says where each token is: ``TokenRange=start:stop``.

    >>> for row in sentence_rows([("du", ["de", "le"], "\t", ""), ("lait", ["lait"], "", "")]):
    ...     print(row.replace("\t", " "))
    # text = du lait
    1-2 du _ _ _ _ _ _ _ SpacesAfter=\t
    1 de _ _ _ _ _ _ _ _
    2 le _ _ _ _ _ _ _ _
    3 lait _ _ _ _ _ _ _ SpaceAfter=No
    """
    text, rows, position = "", [""], 1
    for token in tokens:
        try:
            form, words, after, before = token
        except ValueError:
            raise ValueError(f"each of tokens is the values of a SurfaceToken, not {quoted(token)}") from None
        text += f"{form} " if after else form
        misc = [] if after == " " and not before else [white_space_in_misc(after, before)]
        if start is not None:
            begin = start + len(before)
            misc, start = [*misc, f"TokenRange={begin}:{begin + len(form)}"], begin + len(form) + len(after)
        own = "|".join(misc) or "_"
        if len(words) > 1:
            rows.append(f"{position}-{position + len(words) - 1}\t{form}{_NO_TAGS}{own}")
            own = "_"
        for word in words:
            rows.append(f"{position}\t{word}{_NO_TAGS}{own}")
            position += 1
    rows[0] = f"# text = {text.removesuffix(' ')}"
    return rows


def white_space_in_misc(after: str, before: str) -> str:
    r"""What MISC says about white space after a token and before it: nothing if that is one space after it.

    >>> print(white_space_in_misc("", "\t"))
    SpacesBefore=\t|SpaceAfter=No
    """
    entries = [f"SpacesBefore={_escaped(before)}"] if before else []
    if not after:
        entries.append("SpaceAfter=No")
    elif after != " ":
        entries.append(f"SpacesAfter={_escaped(after)}")
    return "|".join(entries)


def word_rows(
    lines: Iterable[str | None], file: str, skip: Callable[[ConlluError], None] | None = None
) -> Iterator[str | None]:
    r"""Sentences of words, one on each line that is not empty, as lines of CoNLL-U; a ``None`` is passed on.

    Spaces and tabs separate words; any other white space is part of a word.

    Raises:
        ConlluError: a line is not UTF-8, unless there is a function ``skip``, which is then called instead.

    >>> [row and row.replace("\t", " ") for row in word_rows(["Sing", None, ""], "greetings")]
    ['# text = Sing', '1 Sing _ _ _ _ _ _ _ _', '', None]
    """
    number = 0
    for line in lines:
        if line is None:
            yield None
            continue
        number += 1
        if _SURROGATE.search(line):
            error = ConlluError(file, number, None, NOT_UTF_8)
            if skip is None:
                raise error
            skip(error)
        elif words := re.findall(r"[^ \t]+", line):
            yield from (*sentence_rows((word, (word,), " ", "") for word in words), "")


def _tokens(tree: DependencyTree) -> Iterator[tuple[Token, list[str]]]:
    """The tokens of a sentence, each with its words: multiword tokens, and all words that are in none."""
    forms = [token.form for token in tree.tokens]
    spans = {span.start: (token, span) for _, token in tree.extra_tokens if (span := multiword_span(token))}
    position = 1
    while position <= len(tree):
        token, span = spans.get(position, (tree[position], range(position, position + 1)))
        yield token, forms[span.start - 1 : span.stop - 1]
        position = span.stop


def _surface_token(token: Token, words: list[str], after: str) -> SurfaceToken:
    if token.misc is None:
        return SurfaceToken(token.form, words, after)
    values = token.misc_values
    if "SpacesAfter" in values:
        after = _unescaped(values["SpacesAfter"])
    elif values.get("SpaceAfter") == "No":
        after = ""
    form = _unescaped(values["SpacesInToken"]) if "SpacesInToken" in values else token.form
    return SurfaceToken(form, words, after, _unescaped(values.get("SpacesBefore", "")))


def _escaped(spaces: str) -> str:
    """White space as MISC tells it."""
    return "".join([_ESCAPES.get(character) or f"\\u{ord(character):04X}" for character in spaces])


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else _ESCAPED.get(found[0], found[0]), text)
