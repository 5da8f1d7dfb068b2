"""What is wrong with CoNLL-U by the rules of its format, which are stricter than reading.

The verdict is that of ``udvalidate``, of the package udtools: of all tests of its level 1, and those of its level 2 in
the classes Format and Enhanced. Some sentences may have enhanced dependencies and others none, though, and what cannot
be read is never valid.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from operator import itemgetter

from deptrees.messages import quoted
from deptrees.treebanks.conllu import (
    BYTE_ORDER_MARK,
    LATE_COMMENT,
    MARKED,
    NUMBER,
    WRONG_ID,
    ConlluError,
    SentenceText,
    wrong_characters,
    wrong_columns,
    wrong_head,
)
from deptrees.trees.deps import arcs_in, is_in_order, is_relation, reached
from deptrees.trees.extra_tokens import EXTRA_ID
from deptrees.trees.heads import TreeError, check_heads
from deptrees.trees.token import COLUMNS

__all__ = ["faults_in"]

_SPACE = re.compile(r"[^\S\x1c-\x1f]")
_TWO_SPACES = re.compile(f"{_SPACE.pattern}{{2}}")
_SPACED = ("form", "lemma", "misc")  # the columns that may have spaces, the first two only of words and empty nodes
_EMPTY = {"-": ("lemma", "upos", "xpos", "feats", "head", "deprel", "deps"), ".": ("head", "deprel")}
_ONCE = {"SpaceAfter", "Lang", "Translit", "LTranslit", "Gloss", "LId", "LDeriv", "Ref"}  # in MISC

_Fault = tuple[int, str]  # the index of a line in its sentence, and what is wrong
_Rows = list[tuple[int, list[str]]]  # the columns of the lines of words and other tokens


def faults_in(lines: Iterable[str], file: str, *, unfinished: bool = False) -> Iterator[ConlluError]:
    r"""The faults of a file, given its lines as they are: with bytes that are not UTF-8 as surrogates.

    Args:
        lines: the lines.
        file: the name of the file.
        unfinished: whether words may be without heads, as before they are annotated.

    >>> rows = ["1\tIt\tit\tPRON\t_\t_\tx\tnsubj\t_\t_", "2\tis\tbe\tVERB\t_\t_\t0\troot\t_", ""]
    >>> [fault.reason for fault in faults_in(rows, "two.conllu")]
    ["the head of word '1' is 'x', which is not a number", 'expected 10 columns, found 9']
    """
    begun: list[str] = []
    number, has_returns = 0, False
    for number, line in enumerate(lines, 1):
        if line.startswith(BYTE_ORDER_MARK):
            yield ConlluError(file, number, None, MARKED)
            line = line.removeprefix(BYTE_ORDER_MARK)
        if line.endswith("\r") and not has_returns:
            has_returns = True
            yield ConlluError(file, number, None, "the line ends in a carriage return: end all lines in a line feed")
        begun.append(line.removesuffix("\r"))
        if not line.strip():
            yield from _sentence_faults(SentenceText(file, number - len(begun) + 1, tuple(begun)), unfinished)
            begun = []
    if begun:
        yield from _sentence_faults(SentenceText(file, number - len(begun) + 1, tuple(begun)), unfinished)
        yield ConlluError(file, number, None, "the file ends without an empty line after the last sentence")


def _sentence_faults(text: SentenceText, unfinished: bool) -> Iterator[ConlluError]:
    faults = [*_line_faults(text.lines)]
    rows = [(index, line.split("\t")) for index, line in enumerate(text.lines) if line[:1] != "#" and "\t" in line]
    for index, columns in rows:
        if len(columns) == len(COLUMNS):
            faults += [(index, fault) for fault in _column_faults(columns)]
    id_faults = [*_id_faults(rows)]
    faults += chain(id_faults, _head_faults(rows, not id_faults, unfinished), _enhanced_faults(rows, not id_faults))
    if not faults and not _words(rows):
        faults.append((0, "the sentence has no words: take it out; one empty line ends a sentence"))
    for index, fault in sorted(faults or [*_cycle_faults(rows), *_unreached(rows)], key=itemgetter(0)):
        yield text.error(index, fault)


def _line_faults(lines: tuple[str, ...]) -> Iterator[_Fault]:
    """Faults of characters, of columns that are not ten, of comments after words and of lines of white space."""
    begun = False
    for index, line in enumerate(lines):
        if fault := wrong_characters(line):
            yield index, fault
        elif "\ufffd" in line:
            yield index, "there is a character U+FFFD: some program could not read what was there"
        elif not unicodedata.is_normalized("NFC", line):
            yield index, "the text is not in Unicode's normal form C: normalize it"
        if not line.strip():
            if line:
                yield index, "the line has white space alone: empty it"
        elif not line.startswith("#"):
            begun = True
            if fault := wrong_columns(line.split("\t")):
                yield index, fault
        elif begun:
            yield index, LATE_COMMENT


def _column_faults(columns: list[str]) -> Iterator[str]:
    """Columns with white space where none may be, those that a token of this kind leaves empty, and MISC."""
    kind = _kind(columns[0])
    for name, value in zip(COLUMNS, columns, strict=True):
        if name not in _SPACED or (kind == "-" and name != "misc"):
            if _SPACE.search(value):
                yield f"there is white space in {name.upper()}: {quoted(value)}"
                continue
        elif _TWO_SPACES.search(value):
            yield f"there is white space twice in {name.upper()}: {quoted(value)}"
        if value != value.strip():
            yield f"there is white space around {name.upper()}: {quoted(value)}"
    for name, value in zip(COLUMNS, columns, strict=True):
        if name in _EMPTY.get(kind, ()) and value not in ("_", "") and (name, value) != ("feats", "Typo=Yes"):
            token = "a multiword token" if kind == "-" else "an empty node"
            yield f"{token} has {quoted(value)} in {name.upper()}: write _"
    keys = [entry.partition("=")[0] for entry in columns[9].split("|")]
    for key in sorted(_ONCE & {*keys}):
        if keys.count(key) > 1:
            yield f"MISC has {key} twice"


def _kind(id_: str) -> str:
    """What tells an id from that of a word: a hyphen or a dot; nothing if it is that of a word."""
    return "-" if "-" in id_ else "." if "." in id_ else ""


def _id_faults(rows: _Rows) -> Iterator[_Fault]:
    """Ids that are not as expected after the one before, whatever came before that."""
    word, empty, position = 0, 0, 0  # the last word, how many empty nodes came after it, and how many words came
    begins, ends = 0, 0  # the last multiword token
    n = max(_words(rows), default=0)
    for index, (id_, *others) in rows:
        found = EXTRA_ID.fullmatch(id_)
        if found is None:
            position += 1
            if id_ not in (str(word + 1), str(position)) and len(others) == len(COLUMNS) - 1:
                yield index, WRONG_ID.format(quoted(id_), word + 1)
            word, empty = int(id_) if NUMBER.fullmatch(id_) else word + 1, 0
        elif found["after"]:
            empty += 1
            if id_ != f"{word}.{empty}":
                yield index, f"the id is {quoted(id_)} where {word}.{empty} was expected"
            elif begins > word:
                yield index, f"the empty node {id_} stands between a multiword token and its first word"
        else:
            begins, last = int(found["first"]), int(found["last"])
            if begins != word + 1:
                yield index, f"the multiword token {id_} does not stand before its first word"
            elif begins <= ends:
                yield index, f"the multiword token {id_} overlaps with the one before"
            if not begins <= last <= n:
                yield index, f"the multiword token {id_} names no words of the sentence, which are 1 to {n}"
            ends, empty = max(ends, last), 0


def _words(rows: _Rows) -> set[int]:
    """The ids of the words, also of those whose other columns are wrong."""
    return {int(columns[0]) for _, columns in rows if NUMBER.fullmatch(columns[0]) and columns[0] != "0"}


def _head_faults(rows: _Rows, ids_are_right: bool, unfinished: bool) -> Iterator[_Fault]:
    """Heads that are missing, not numbers or, if that can be told, not in the sentence."""
    known = {0, *_words(rows)}
    for index, columns in rows:
        if len(columns) == len(COLUMNS) and not _kind(columns[0]) and columns[6]:
            if columns[6] == "_":
                if not unfinished:
                    yield index, f"word {columns[0]} has no head: annotate or parse it"
            elif fault := wrong_head(columns[0], columns[6]):
                yield index, fault
            elif ids_are_right and int(columns[6]) not in known:
                yield index, f"the head of word {columns[0]} is {columns[6]}, which is not a word of the sentence"
            elif columns[0] == columns[6]:
                yield index, f"word {columns[0]} is its own head"


def _cycle_faults(rows: _Rows) -> Iterator[_Fault]:
    """The first cycle of a sentence that has no other fault."""
    words = [
        (index, None if columns[6] == "_" else int(columns[6])) for index, columns in rows if not _kind(columns[0])
    ]
    try:
        check_heads(tuple([head for _, head in words]))
    except TreeError as error:
        yield words[int(error.word) - 1][0], str(error)


def _enhanced_faults(rows: _Rows, ids_are_right: bool) -> Iterator[_Fault]:
    """Enhanced dependencies that are malformed, not in order or, if that can be told, of heads that do not exist."""
    known = {"0", *(columns[0] for _, columns in rows if "-" not in columns[0])}
    for index, columns in rows:
        if len(columns) < len(COLUMNS) or "-" in columns[0]:
            continue
        arcs = arcs_in(columns[8])
        for head, label in arcs:
            if ids_are_right and head not in known:
                yield index, f"DEPS has the head {quoted(head)}, which is no word or empty node of the sentence"
            elif head == columns[0]:
                yield index, f"DEPS of {head} has its own id as a head"
            elif not is_relation(label):
                yield index, f"DEPS has {quoted(label)}, which is no relation such as nsubj or nmod:of"
        if not is_in_order(arcs):
            yield index, f"DEPS is {quoted(columns[8])}: sort it by heads and relations, each of which is there once"


def _unreached(rows: _Rows) -> Iterator[_Fault]:
    """The first node that no enhanced dependencies lead to, in a sentence that has some or empty nodes."""
    heads = {columns[0]: [head for head, _ in arcs_in(columns[8])] for _, columns in rows if "-" not in columns[0]}
    if any(above or "." in id_ for id_, above in heads.items()):
        lost = heads.keys() - reached("0", heads)
        missing = ((index, columns[0]) for index, columns in rows if columns[0] in lost)
        yield from ((index, f"no enhanced dependencies lead from ROOT to {id_}") for index, id_ in islice(missing, 1))
