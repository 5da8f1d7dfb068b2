"""Treebanks: files of trees, read as streams and written completely or not at all."""

from __future__ import annotations

import glob
import io
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Literal, NamedTuple, Protocol
from urllib.parse import quote
from weakref import WeakSet

import attrs

from deptrees.files.compressed import open_to_read
from deptrees.files.output import MANIFEST, STANDARD_STREAM, write_output
from deptrees.messages import of_type, quoted
from deptrees.treebanks.batch import Batch
from deptrees.treebanks.conllu import ConlluError, SentenceText, to_conllu
from deptrees.treebanks.lines import arriving_lines, arriving_text
from deptrees.treebanks.passages import LEAST, Passage, passages, row_passages, ten_columns
from deptrees.treebanks.raw_text import word_rows
from deptrees.treebanks.reader import compiled_reader
from deptrees.treebanks.releases import PREFIX, release_files
from deptrees.trees.tree import AnyTree, DependencyTree, as_tree, is_tree

if TYPE_CHECKING:
    from deptrees.query import Request
    from deptrees.treebanks.encoded_text import EncodedText
    from deptrees.treebanks.matches import Match

__all__ = [
    "TextDivider",
    "Treebank",
    "TreebankWarning",
    "Written",
    "document_name",
    "sample_treebank",
    "write_batches",
    "write_treebank",
]

_read: WeakSet[BinaryIO] = WeakSet()  # the standard input, once it has been read


class TreebankWarning(UserWarning):
    """Sentences were skipped while reading with ``strict=False``."""


class TextDivider(Protocol):
    """Anything that divides raw text into sentences, such as a `deptrees.tokenizer.Tokenizer`."""

    def batches(self, text: Iterable[str | None], name: str = "", /) -> Iterator[Batch]:
        """The sentences of a text that comes in parts, with ``None`` where the next has not arrived yet.

        If the text has a name, because there are others, it is that of the document, and their ids begin with it.
        """


@attrs.frozen(init=False)
class Treebank:
    """The trees of one or more CoNLL-U or CoNLL-X files of any size.

    Reading is lazy and holds at most a few megabytes at a time; the tokens of a tree are made when they are first used.
    Iterating again reads the files again, except for standard input.

    Args:
        paths: files, patterns such as ``"data/*.conllu"`` (their matches are read in sorted order, without the
            manifests of parsed files), or ``"-"`` for standard input, or a treebank of Universal Dependencies, see
            `deptrees.treebanks.releases`: ``"ud:en_ewt"`` is its training data, ``"ud:en_ewt/dev"`` and
            ``"ud:en_ewt/test"`` the rest. Files compressed by gzip, bzip2 or xz are decompressed, and CoNLL-U Plus is
            read.
        strict: if false, invalid sentences, and lines of raw text that are not UTF-8, are skipped, and a
            ``TreebankWarning`` at the end of each reading says how many and why.
        keep: a function such as `deptrees.is_projective`; only trees for which it is true are kept.
        words: whether the files have no columns but a sentence on each line, with spaces between its words.
        heads: whether heads matter; if not, sentences whose heads do not form a tree are read without them.
        tokenizer: divides the files, which are then raw text, into sentences and words.
        most_words: how many words a valid sentence has at most, such as ``most_words`` of a transition system.
        graphs: whether DEPS matters: a sentence is then valid only if it describes a graph.

    Raises:
        FileNotFoundError: at once, if there is no such file.
        ConlluError: while reading, with file, line, sentence and reason.

    >>> next(iter(sample_treebank("train"))).text
    'The old dog sleeps.'
    """

    paths: tuple[str, ...]
    strict: bool = True
    keep: Callable[[DependencyTree], bool] | None = None
    words: bool = False
    tokenizer: TextDivider | None = None
    heads: bool = True
    most_words: int | None = None
    graphs: bool = False
    _content: bytes | None = attrs.field(default=None, repr=False)

    def __init__(
        self,
        *paths: str | os.PathLike[str],
        strict: bool = True,
        keep: Callable[[DependencyTree], bool] | None = None,
        words: bool = False,
        tokenizer: TextDivider | None = None,
        heads: bool = True,
        most_words: int | None = None,
        graphs: bool = False,
    ) -> None:
        for path in paths:
            of_type("path", path, str | os.PathLike, "the name of a file")
        for name, value in {"strict": strict, "words": words, "heads": heads, "graphs": graphs}.items():
            of_type(name, value, bool, "True or False")
        of_type("keep", keep, Callable | None, "a function of a tree")
        found = tuple([match for path in paths for match in _matches(os.fspath(path))])
        self.__attrs_init__(found, strict, keep, words, tokenizer, heads, most_words, graphs)

    @classmethod
    def from_bytes(cls, content: bytes, *, strict: bool = True) -> Treebank:
        r"""The trees of a text in memory; errors name it ``<text>`` instead of a file.

        >>> list(Treebank.from_bytes(b"1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n\n" * 2))
        [DependencyTree([(0, 'Go', 'root')]), DependencyTree([(0, 'Go', 'root')])]
        """
        if not isinstance(content, bytes):
            raise TypeError(f"content is {quoted(content)}: give bytes, such as those of text.encode()")
        made = cls()
        made.__attrs_init__(("<text>",), strict, content=content)
        return made

    def __iter__(self) -> Iterator[DependencyTree]:
        for batch in self.batches():
            yield from batch.trees

    def batches(self, least: int = LEAST, /) -> Iterator[Batch]:
        """The sentences, many at a time; a batch without any means that the next ones have not arrived yet.

        Errors and warnings come after all sentences before them. Batches have at least ``least`` bytes, but for the
        last one of a file and those before an empty one.

        >>> sum(len(batch) for batch in sample_treebank("dev").batches())
        16
        """
        keep, of_text = self.keep, self.tokenizer is not None
        checked = _Checked(self.strict, self.heads, self.most_words, of_text, self.graphs)
        for number, path in enumerate(self.paths, 1):
            name = f"{number}-{document_name(path)}" if len(self.paths) > 1 else ""
            with self._open(path) as stream:
                for batch in self._read(stream, path, name, least, checked):
                    yield Batch.of([tree for tree in batch.trees if keep(tree)]) if keep and len(batch) else batch
        checked.warn()

    def _read(self, stream: BinaryIO, path: str, name: str, least: int, checked: _Checked) -> Iterator[Batch]:
        skip = None if self.strict else checked.skip
        if self.tokenizer is not None:
            yield from self.tokenizer.batches(arriving_text(stream, path, skip), name)
            return
        if self.words:
            read = row_passages(word_rows(arriving_lines(stream, path), path, skip), path)
        else:
            read = ten_columns(passages(stream, path, least))
        for passage in read:
            if passage is None:
                yield Batch.of([])
            elif compiled_reader() is None or self.graphs:
                yield from checked.batches(passage.sentences())
            else:
                yield from map(Batch, checked.texts(passage))

    def faults(self) -> Iterator[ConlluError]:
        r"""Everything that is wrong with the files by the rules of CoNLL-U, which are stricter than reading.

        The verdict is that of ``udvalidate`` on the format: of all tests of its level 1, and of those of its level 2 in
        the classes Format and Enhanced; but only some sentences may have enhanced arcs, and words alone need no heads.
        A byte order mark, line ends other than LF and empty lines too many are faults, and so is all that is not read.

        >>> [fault.line for fault in Treebank.from_bytes(b"1 Go\n\n1\tGo\t_\n2\tOn\t_\n\n").faults()]
        [1, 3, 4]
        """
        from deptrees.treebanks.validation import faults_in

        for path in self.paths:
            with self._open(path) as stream:
                lines = arriving_lines(stream, path, as_they_are=not self.words)
                lines = word_rows(lines, path) if self.words else lines
                present = (line for line in lines if line is not None)
                yield from faults_in(present, path, unfinished=self.words)

    def query(self, request: str | Request) -> Iterator[Match]:
        """The places where trees match a request in the language of Grew; see `deptrees.treebanks.matches`.

        Args:
            request: what to look for, such as ``pattern { V -[nsubj]-> S; V << S }``.

        Raises:
            RequestError: at once, if the request is not in the language, or in a part of it that is not supported.
            TooLarge: while searching, if a sentence has more than a million partial matches.

        >>> [(match.sentence, match.words) for match in sample_treebank("dev").query("pattern { N -[case]-> P }")][:2]
        [(3, {'N': 8, 'P': 6}), (4, {'N': 2, 'P': 3})]
        """
        from deptrees.treebanks.matches import matches  # which need NumPy

        return matches(self, request)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of all arcs, without duplicates, sorted. This reads the treebank once.

        >>> sample_treebank("dev").labels[:4]
        ('acl:relcl', 'advcl', 'advmod', 'amod')
        """
        return tuple(sorted({label for tree in self for label in tree.labels if label is not None}))

    @contextmanager
    def _open(self, path: str) -> Iterator[BinaryIO]:
        if self._content is not None:
            yield io.BytesIO(self._content)
        elif path == STANDARD_STREAM:
            if sys.stdin is None:
                raise io.UnsupportedOperation("standard input is closed")
            if sys.stdin.buffer in _read:
                fault = "standard input can be read only once: save it to a file to read it again"
                raise io.UnsupportedOperation(fault)
            _read.add(sys.stdin.buffer)
            yield sys.stdin.buffer
        else:
            with open_to_read(path) as stream:
                yield stream


@attrs.define
class _Checked:
    """How many sentences were valid, and how many were skipped."""

    strict: bool
    heads: bool
    most_words: int | None
    lines: bool  # of raw text are skipped, and no sentences
    graphs: bool
    valid: int = 0
    skipped: int = 0
    first_error: str = ""

    def tree(self, text: SentenceText) -> DependencyTree | None:
        """The tree of a sentence, or ``None`` if it is not valid and may be skipped."""
        try:
            tree = text.tree(graph=self.graphs)
            if self.most_words is not None and len(tree) > self.most_words:
                raise text.error(0, f"the sentence has {len(tree):,} words, and can have {self.most_words:,}")
            return tree
        except ConlluError as error:
            if not self.heads and text.without_heads() != text:
                return self.tree(text.without_heads())
            if self.strict:
                raise
            self.skip(error)
            return None

    def skip(self, error: ConlluError) -> None:
        """Count what is not valid, and is skipped."""
        self.skipped += 1
        self.first_error = self.first_error or str(error)

    def batches(self, texts: Iterable[SentenceText | None]) -> Iterator[Batch]:
        """The valid sentences, where no compiled reader can say so; those before an error come before it."""
        for text in texts:
            tree = None if text is None else self.tree(text)
            self.valid += tree is not None
            if text is None or tree is not None:
                yield Batch.of([] if tree is None else [tree])

    def texts(self, passage: Passage) -> Iterator[EncodedText]:
        """The sentences of a passage, up to an error; trees are made of what the compiled reader does not read."""
        reader = compiled_reader()
        assert reader is not None
        content, too_long = passage.content, None
        if self.most_words is not None and any(
            sentence.count(b"\n") >= self.most_words for sentence in content.split(b"\n\n")
        ):
            content, too_long = self._valid(passage)
        try:
            text, removed = reader(content), 0
        except ValueError as fault:
            raise ConlluError(passage.file, passage.first_line, None, str(fault)) from None
        while (lines := text.read()) is not None:
            begin, end = lines
            found = text.text[begin:end]
            line = passage.first_line + text.text.count(b"\n", 0, begin) + removed
            valid, error = self._valid(Passage(passage.file, line, found))
            if error is not None:
                text.replace(begin, len(text.text), valid)  # and read no further than to the error
                text.read()
                yield text
                raise error
            assert valid != found, "the compiled reader does not read what is valid"
            removed += found.count(b"\n") - valid.count(b"\n")
            text.replace(begin, end, valid)
        self.valid += len(text)
        yield text
        if too_long is not None:
            raise too_long

    def _valid(self, passage: Passage) -> tuple[bytes, ConlluError | None]:
        """The lines of the sentences that are valid, up to an error if there is one."""
        trees: list[DependencyTree] = []
        error = None
        try:
            for text in passage.sentences():
                tree = self.tree(text)
                trees += [] if tree is None else [tree]
        except ConlluError as found:
            error = found
        return "".join(map(to_conllu, trees)).encode().removesuffix(b"\n"), error

    def warn(self) -> None:
        """Warn about skipped sentences."""
        if self.skipped:
            n = self.skipped
            count = f"{n} line{'s' * (n > 1)}" if self.lines else f"{n} of {self.valid + n} sentences"
            message = f"skipped {count}, the first one because of {self.first_error}"
            warnings.warn(message, TreebankWarning, stacklevel=4)  # of those who iterate over trees


def document_name(path: str | os.PathLike[str]) -> str:
    """The name of the document in a file, with which ids of sentences can begin: another one for every name of a file.

    >>> document_name("texts/my notes.txt"), document_name("texts/my_notes.txt")
    ('my%20notes', 'my_notes')
    """
    # Lone surrogates are bytes of a name that is not UTF-8.
    bytes_of = partial(quote, safe="", errors="surrogateescape")
    return re.sub(r"[\s/%\udc80-\udcff]", lambda found: bytes_of(found[0]), Path(path).stem)


def _matches(path: str) -> list[str]:
    """The path itself, or the files that match it as a pattern."""
    if path == STANDARD_STREAM or (Path(path).exists() and not Path(path).is_dir()):
        return [path]
    if path.startswith(PREFIX):
        return release_files(path)
    found = sorted(glob.glob(path, recursive=True))
    matches = [match for match in found if not match.endswith(MANIFEST) and not Path(match).is_dir()]
    if not matches:
        if os.path.isdir(path):
            raise IsADirectoryError(f"{path!r} is a folder: name files, or a pattern such as {f'{path}/*.conllu'!r}")
        raise FileNotFoundError(f"there is no file {path!r}, nor does it match any as a pattern")
    return matches


def write_treebank(
    path: str | os.PathLike[str],
    trees: Iterable[AnyTree],
    *,
    to_text: Callable[[DependencyTree], str] = to_conllu,
) -> int:
    """Write trees to a file, completely or not at all, and return their number.

    Args:
        path: where to write; compressed if it ends in ``.gz``; ``"-"`` writes each tree to standard output at once.
        trees: the trees, taken one by one.
        to_text: the format, ``to_conllu`` or ``to_conllx``.

    Raises:
        TypeError: the path or the trees are something else, such as a single tree.
        ValueError: the format cannot represent one of the trees; see ``to_conllu``.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_treebank(f"{folder}/one.conllu.gz", [DependencyTree([(0, "Go")])])
    ...     list(Treebank(f"{folder}/*.gz"))
    1
    [DependencyTree([(0, 'Go')])]
    """
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"path is {quoted(path)}: give the name of the file first, and then the trees")
    if isinstance(trees, str) or is_tree(trees) or not isinstance(trees, Iterable):
        raise TypeError(f"trees is {quoted(trees)}: give a list of trees, or anything else that goes through them")
    return write_output(path, (to_text(_tree(tree)).encode() for tree in trees))


def _tree(tree: object) -> DependencyTree:
    if not is_tree(tree):
        raise TypeError(f"{quoted(tree)} is in trees, and is no tree")
    return as_tree(tree)


class Written(NamedTuple):
    """How much was written."""

    sentences: int
    words: int


def write_batches(path: str | os.PathLike[str], batches: Iterable[Batch]) -> Written:
    """Write batches of sentences to a file in CoNLL-U, completely or not at all; see ``write_treebank``.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_batches(f"{folder}/copy.conllu.gz", sample_treebank("dev").batches())
    Written(sentences=16, words=150)
    """
    sizes = [(0, 0)]

    def texts() -> Iterator[bytes]:
        for batch in batches:
            sizes.append((len(batch), batch.n_words))
            yield batch.conllu()

    write_output(path, texts())
    return Written(*map(sum, zip(*sizes, strict=True)))


def sample_treebank(part: Literal["train", "dev"] = "train") -> Treebank:
    """The small English treebank that comes with the library, for trying things out; ``"dev"`` is for evaluation.

    >>> sum(1 for _ in sample_treebank("dev"))
    16
    """
    return Treebank(Path(__file__).parent / "data" / f"sample-{part}.conllu")
