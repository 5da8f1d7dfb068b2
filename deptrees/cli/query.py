"""The command ``query``."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from json import dumps
from typing import TYPE_CHECKING, Annotated, TypedDict

import typer

import deptrees
from deptrees.cli.options import Files
from deptrees.cli.tables import Json
from deptrees.files.output import write_output
from deptrees.printable import printable

if TYPE_CHECKING:
    from deptrees.treebanks.matches import Match

__all__ = ["MatchCounts", "MatchRecord", "query"]

_DRAWN = 100

_REQUEST = "What to look for, in the language of Grew, such as 'pattern { V -[nsubj]-> S; V << S }'."


class MatchRecord(TypedDict):
    """A match, in JSON.

    Args:
        sentence: the number of the sentence, from 1.
        sent_id: the comment of this name, if the sentence has one.
        words: the position of the word that each node of the request stands for, by the node's name.
    """

    sentence: int
    sent_id: str | None
    words: Mapping[str, int]


class MatchCounts(TypedDict):
    """How many matches there are, in JSON.

    Args:
        matches: how many there are.
        sentences: in how many sentences.
    """

    matches: int
    sentences: int


def query(
    request: Annotated[str, typer.Argument(help=_REQUEST, show_default=False)],
    files: Files,
    json: Json = False,
    count: Annotated[bool, typer.Option("--count", help="Print only how many matches there are.")] = False,
    html: Annotated[
        str | None, typer.Option(help=f"Also save a page with drawings of the first {_DRAWN} matches.")
    ] = None,
) -> None:
    """Find the places in a treebank that match a request in the language of Grew.

    Each match is a line: the number of the sentence, its sent_id, and each node of the request with its word. With
    --json, it is an object.
    """
    from deptrees import drawing

    treebank, seen = deptrees.Treebank(*files), _Seen()
    lines = map(_json_line if json else _line, seen.all(treebank.query(request)))
    if count:
        deque(lines, maxlen=0)
        counts: MatchCounts = {"matches": seen.matches, "sentences": seen.sentences}
        print(dumps(counts) if json else seen.told())
    elif json:
        print("[", ",\n ".join(lines), "]", sep="")
    else:
        for line in lines:
            print(line)
    if html:
        drawings = ((_name(match), drawing.svg(match.diagram())) for match in seen.first)
        write_output(html, map(str.encode, drawing.page(f"{request}: {seen.told()}", drawings)))


class _Seen:
    """What has been found so far."""

    def __init__(self) -> None:
        self.matches = self.sentences = self._sentence = 0
        self.first: list[Match] = []

    def all(self, found: Iterable[Match]) -> Iterator[Match]:
        """The matches, which are counted on their way."""
        for match in found:
            self.matches += 1
            self.sentences += match.sentence != self._sentence
            self._sentence = match.sentence
            if self.matches <= _DRAWN:
                self.first.append(match)
            yield match

    def told(self) -> str:
        """How many matches there are."""
        if self.matches == 1:
            return "1 match"
        return f"{self.matches} matches in {self.sentences} {'sentence' if self.sentences == 1 else 'sentences'}"


def _name(match: Match) -> str:
    return f"{match.sentence} {match.tree.sent_id or ''}".rstrip()


def _line(match: Match) -> str:
    words = (f"{name}={position}:{match.tree[position].form}" for name, position in match.words.items())
    return "\t".join(map(printable, [str(match.sentence), match.tree.sent_id or "_", *words]))


def _json_line(match: Match) -> str:
    row: MatchRecord = {"sentence": match.sentence, "sent_id": match.tree.sent_id, "words": match.words}
    return dumps(row, ensure_ascii=False)
