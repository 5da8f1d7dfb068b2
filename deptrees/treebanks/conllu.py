"""CoNLL-U and CoNLL-X: text to trees and trees to text, without loss."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import attrs

from deptrees.messages import of_type, quoted
from deptrees.treebanks.reader import read_text
from deptrees.trees.extra_tokens import EXTRA_ID
from deptrees.trees.graph import GraphError
from deptrees.trees.token import COLUMNS, Token
from deptrees.trees.tree import DependencyTree, TreeError, comment_value

if TYPE_CHECKING:
    from deptrees.treebanks.encoded_text import EncodedText

__all__ = [
    "BYTE_ORDER_MARK",
    "LATE_COMMENT",
    "MARKED",
    "NOT_UTF_8",
    "NUMBER",
    "UTF_16",
    "WRONG_ID",
    "ConlluError",
    "SentenceText",
    "from_conllu",
    "kept_text",
    "sentence_texts",
    "to_conllu",
    "to_conllx",
    "tree_of_lines",
    "wrong_characters",
    "wrong_columns",
    "wrong_head",
]

_values_of = attrgetter(*COLUMNS.values())
_HEAD = re.compile(r"^([^#\t][^\t]*\t(?:[^\t]+\t){5})[^\t]+(?=\t)")
NUMBER = re.compile("0|[1-9][0-9]{0,8}")
"""A number in the columns of ids and heads."""
_CONVERT = "convert the file, for example by iconv -f LATIN1 -t UTF-8"
NOT_UTF_8 = f"the line is not UTF-8: {_CONVERT}"
UTF_16 = "the file is in UTF-16: convert it, for example by iconv -f UTF-16 -t UTF-8"
LONGEST_LINE = 1 << 24
"""Bytes of a line: far more than a sentence has, so that what has no line ends is not read to its end."""
TOO_LONG = f"the line is longer than {LONGEST_LINE:,} bytes: is this a treebank?"
BYTE_ORDER_MARK = "\ufeff"
MARKED = "the line begins with a byte order mark: take it out"
LATE_COMMENT = "a comment comes after the first word: put all comments before the words"
WRONG_ID = "the id is {} where {} was expected: ids must run 1, 2, 3, ..."


class ConlluError(ValueError):
    """A sentence is not valid CoNLL-U; the message says where and what to do.

    Attributes:
        file: the name of the file.
        line: the number of the line, from 1.
        sent_id: the value of the sentence's ``# sent_id`` comment, if there is one.
        reason: what is wrong.
    """

    def __init__(self, file: str, line: int, sent_id: str | None, reason: str) -> None:
        sentence = f"sentence {quoted(sent_id)}: " if sent_id else ""
        super().__init__(f"{file}:{line}: {sentence}{reason}")
        self.file, self.line, self.sent_id, self.reason = file, line, sent_id, reason

    def __reduce__(self) -> tuple[type[ConlluError], tuple[str, int, str | None, str]]:
        return ConlluError, (self.file, self.line, self.sent_id, self.reason)


@attrs.frozen
class SentenceText:
    """A sentence's lines, without line ends and the blank line after it, with the file and the first one's number."""

    file: str
    first_line: int
    lines: tuple[str, ...]

    @property
    def sent_id(self) -> str | None:
        """The value of the ``# sent_id`` comment."""
        return comment_value((line for line in self.lines if line.startswith("#")), "sent_id")

    def error(self, index: int, reason: str) -> ConlluError:
        """The error for a fault in the line with this index in the sentence."""
        return ConlluError(self.file, self.first_line + index, self.sent_id, reason)

    def tree(self, graph: bool = False) -> DependencyTree:
        r"""The tree of the sentence, in CoNLL-U or CoNLL-X; ``to_conllu`` returns the same text.

        In CoNLL-X the last two columns, PHEAD and PDEPREL, become ``deps`` and ``misc``.

        Args:
            graph: whether DEPS has to describe a graph.

        Raises:
            ConlluError: a column is missing, an id is repeated, left out or not that of an extra token at its place, a
                head is not a number, is out of range, is the word itself or is part of a cycle, a comment comes after
                the first word, or the text is not UTF-8; or DEPS describes no graph.

        >>> rows = "1\tIt\tit\tPRON\t_\t_\t2\tnsubj\t_\t_", "2\tis\tbe\tVERB\t_\t_\t0\troot\t_\t_"
        >>> SentenceText("two.conllu", 1, rows).tree()
        DependencyTree([(2, 'It', 'nsubj'), (0, 'is', 'root')])
        >>> SentenceText("two.conllu", 1, rows[:1]).tree()
        Traceback (most recent call last):
        deptrees.treebanks.conllu.ConlluError: two.conllu:1: the head of word 1 is 2, which is not one of 0 to 1
        """
        comments: list[str] = []
        tokens: list[Token] = []
        index_of: dict[str, int] = {}
        n_words = 0
        for index, line in enumerate(self.lines):
            if fault := wrong_characters(line):
                raise self.error(index, fault)
            if not line.startswith("#"):
                tokens.append(self._token(index, n_words + 1))
                index_of[str(tokens[-1].id)] = index
                n_words += isinstance(tokens[-1].id, int)
            elif tokens:
                raise self.error(index, LATE_COMMENT)
            else:
                comments.append(line)
        if not n_words:
            raise self.error(0, "the sentence has no words: take it out")
        try:
            tree = DependencyTree.from_tokens(tokens, comments)
        except TreeError as error:
            raise self.error(index_of[str(error.word)], str(error)) from None
        try:
            _ = tree.graph if graph else None
        except GraphError as error:
            raise self.error(index_of[str(error.node)], str(error).removeprefix(f"{tree.name}: ")) from None
        return tree

    def without_heads(self) -> SentenceText:
        r"""The same sentence with nothing in the column HEAD, whatever was there.

        >>> SentenceText("one.conllu", 1, ("1\tIt\t_\t_\t_\t_\t7\t_\t_\t_",)).without_heads().tree().heads
        (None,)
        """
        return attrs.evolve(self, lines=tuple([_HEAD.sub(r"\1_", line) for line in self.lines]))

    def _token(self, index: int, expected_id: int) -> Token:
        """The token of one row; its id is an integer if it is a word."""
        columns = self.lines[index].split("\t")
        if fault := wrong_columns(columns):
            raise self.error(index, fault)
        values: dict[str, Any] = dict(zip(COLUMNS.values(), columns, strict=True))
        id_, head = values["id"], values["head"]
        is_word = id_ == str(expected_id)
        if not is_word and not EXTRA_ID.fullmatch(id_):
            raise self.error(index, WRONG_ID.format(quoted(id_), expected_id))
        if fault := wrong_head(id_, head):
            raise self.error(index, fault)
        values["id"], values["head"] = expected_id if is_word else id_, None if head == "_" else int(head)
        return Token(**values)


def wrong_characters(line: str) -> str | None:
    r"""What is wrong with a line that has a line end in it, begins with a byte order mark, or is not UTF-8.

    A byte that is not UTF-8 is read as a surrogate.

    >>> wrong_characters("na\udcefve")
    'byte 0xef at character 3 is not UTF-8: convert the file, for example by iconv -f LATIN1 -t UTF-8'
    """
    if line.startswith(BYTE_ORDER_MARK):
        return MARKED
    if "\r" in line or "\n" in line:
        return "there is a line end within the line"
    try:
        line.encode()
    except UnicodeEncodeError as error:
        byte = ord(line[error.start]) & 0xFF
        return f"byte 0x{byte:02x} at character {error.start + 1} is not UTF-8: {_CONVERT}"
    return None


def wrong_columns(columns: Sequence[str]) -> str | None:
    """What is wrong with the columns of a row that are not ten, or of which one is empty.

    >>> wrong_columns(["1", "Go"])
    'expected 10 columns, found 2'
    """
    if len(columns) != len(COLUMNS):
        hint = ": columns are separated by tabs, and plain text must be split into words first, with a line for each"
        return f"expected {len(COLUMNS)} columns, found {len(columns)}{'' if len(columns) > 1 else hint}"
    return f"column {columns.index('') + 1} is empty: write _ for what is missing" if "" in columns else None


def wrong_head(id_: str, head: str) -> str | None:
    """What is wrong with a head, or the lack of one, of the token with this id.

    >>> wrong_head("1", "x")
    "the head of word '1' is 'x', which is not a number"
    """
    if head == "_" or NUMBER.fullmatch(head):
        return None
    is_negative = head.startswith("-") and NUMBER.fullmatch(head[1:])
    fault = "is negative: 0 is ROOT, and _ no head" if is_negative else "is not a number"
    return f"the head of word {quoted(id_)} is {quoted(head)}, which {fault}"


def sentence_texts(lines: Iterable[str | None], file: str) -> Iterator[SentenceText | None]:
    r"""The sentences in the lines of a file; a ``None``, where the next line has not arrived yet, is passed on.

    >>> [text and text.first_line for text in sentence_texts(["1\tHi", "", None, "# two", "1\tHo"], "greetings")]
    [1, None, 3]
    """
    sentence: list[str] = []
    number = 0
    for line in chain(lines, [""]):
        if line is None:
            yield None
            continue
        number += 1
        if line.strip():
            sentence.append(line.rstrip("\r\n"))
        elif sentence:
            yield SentenceText(file, number - len(sentence), tuple(sentence))
            sentence = []


def from_conllu(text: str) -> DependencyTree:
    r"""The tree of a single sentence in CoNLL-U or CoNLL-X; files of many sentences are read by ``Treebank``.

    Blank lines around the sentence make no difference.

    Raises:
        ConlluError: there is no sentence in the text or more than one, or the sentence is not valid; the error calls
            the text ``<text>``.

    >>> from_conllu("1\tIt\tit\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\tis\tbe\tVERB\t_\t_\t0\troot\t_\t_")
    DependencyTree([(2, 'It', 'nsubj'), (0, 'is', 'root')])
    >>> from_conllu("1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n\n" * 2)
    Traceback (most recent call last):
    deptrees.treebanks.conllu.ConlluError: <text>:3: a second sentence begins here: give one, or read a file of many
    with Treebank
    """
    of_type("text", text, str, "one sentence in CoNLL-U")
    sentences = [*filter(None, sentence_texts(StringIO(text, newline=None), "<text>"))]
    if not sentences:
        raise ConlluError("<text>", 1, None, "there is no sentence: each word has a line of 10 columns")
    if len(sentences) > 1:
        raise sentences[1].error(0, "a second sentence begins here: give one, or read a file of many with Treebank")
    return sentences[0].tree()


@attrs.frozen
class _KeptLines:
    """The lines of a valid sentence, of which its tree is made on request, and as which it is written meanwhile."""

    lines: bytes

    def __call__(self) -> DependencyTree:
        return from_conllu(self.lines.decode())


def tree_of_lines(lines: bytes, heads: tuple[int | None, ...], labels: tuple[str | None, ...]) -> DependencyTree:
    r"""The tree of the lines of a valid sentence, with the heads and labels that they have; tokens are made on use.

    >>> tree = tree_of_lines(b"1\tSing\t_\t_\t_\t_\t0\troot\t_\t_\n", (0,), ("root",))
    >>> tree.heads, tree[1].form
    ((0,), 'Sing')
    """
    return DependencyTree._deferred(_KeptLines(lines), heads, labels)


def kept_text(trees: Iterable[DependencyTree]) -> EncodedText | None:
    r"""The text that trees were made of, if there is a compiled reader and no token of any tree has been used yet.

    >>> tree = tree_of_lines(b"1\tSing\t_\t_\t_\t_\t0\troot\t_\t_\n", (0,), ("root",))
    >>> tree[1].form, kept_text([tree, tree])
    ('Sing', None)
    """
    sources = [tree._source for tree in trees]
    found = [source.lines for source in sources if isinstance(source, _KeptLines)]
    return read_text(b"\n".join(found)) if found and len(found) == len(sources) else None


def to_conllu(tree: DependencyTree) -> str:
    r"""The tree as CoNLL-U, ending in a blank line. Reading it back gives an equal tree.

    Raises:
        ValueError: the format cannot represent the tree: it has no words, a column is empty or has a tab or a line end,
            or a character cannot be encoded as UTF-8.

    >>> print(to_conllu(DependencyTree([(2, "It", "nsubj"), (0, "is", "root")])).replace("\t", " "), end="")
    1 It _ _ _ _ 2 nsubj _ _
    2 is _ _ _ _ 0 root _ _
    <BLANKLINE>
    """
    of_type("tree", tree, DependencyTree, "a tree")
    kept = tree._source
    if isinstance(kept, _KeptLines):
        return f"{kept.lines.decode()}\n"
    if not len(tree):
        raise ValueError("a tree without words cannot be written")
    text = "\n".join([*tree.comments, *map(_row, tree.all_tokens)]) + "\n\n"
    try:
        text.encode()
    except UnicodeEncodeError as error:
        character = quoted(error.object[error.start])
        raise ValueError(f"{tree.name} has a character that UTF-8 cannot write: {character}") from None
    return text


def to_conllx(tree: DependencyTree) -> str:
    r"""The tree as CoNLL-X, ending in a blank line: the words only, because the format has no comments or extra tokens.

    It has no white space in columns either: an underscore takes its place. PHEAD and PDEPREL are kept if the tree was
    read from CoNLL-X; DEPS and MISC, which CoNLL-U has in their place, are left out.

    >>> tree = from_conllu("# text = 1 000\n1\t1 000\t_\tNUM\t_\t_\t0\troot\t0:root\tSpaceAfter=No\n")
    >>> to_conllx(tree).splitlines()
    ['1\t1_000\t_\tNUM\t_\t_\t0\troot\t_\t_', '']
    """
    of_type("tree", tree, DependencyTree, "a tree")
    pheads = [token.deps for token in tree if token.deps is not None]
    left_out: dict[str, Any] = {} if pheads and all(map(NUMBER.fullmatch, pheads)) else {"deps": None, "misc": None}
    words = [attrs.evolve(token, **_without_spaces(token), **left_out) for token in tree]
    return to_conllu(DependencyTree(words))


def _without_spaces(token: Token) -> dict[str, Any]:
    values = ((name, getattr(token, name)) for name in ("form", "lemma", "upos", "xpos", "feats", "label"))
    return {name: value and re.sub(r"\s+", "_", value) for name, value in values}


def _row(token: Token) -> str:
    columns = ["_" if value is None else str(value) for value in _values_of(token)]
    row = "\t".join(columns)
    if "" in columns or row.count("\t") != len(COLUMNS) - 1 or "\n" in row or "\r" in row:
        raise ValueError(f"a column is empty, or has a tab or a line end: {quoted(token)}")
    return row
