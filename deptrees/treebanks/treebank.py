"""Treebanks: files of trees, read as streams and written completely or not at all."""

from __future__ import annotations

import glob
import gzip
import io
import os
import sys
import warnings
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Literal
from weakref import WeakSet

import attrs

from deptrees.files.output import STANDARD_STREAM, open_output
from deptrees.messages import quoted
from deptrees.treebanks.conllu import ConlluError, parse_sentence, sentence_texts, to_conllu
from deptrees.treebanks.lines import arriving_lines
from deptrees.trees.tree import DependencyTree

__all__ = ["Treebank", "TreebankWarning", "sample_treebank", "write_treebank"]


_read: WeakSet[BinaryIO] = WeakSet()
"""The standard input, once it has been read."""


class TreebankWarning(UserWarning):
    """Sentences were skipped while reading with ``strict=False``."""


@attrs.frozen(init=False)
class Treebank:
    """The trees of one or more CoNLL-U or CoNLL-X files.

    Reading is lazy and holds one sentence at a time, so files can be of any size. Iterating again reads the files
    again, except for standard input.

    Args:
        paths: files, patterns such as ``"data/*.conllu"`` (their matches are read in sorted order), or ``"-"`` for
            standard input. Files that end in ``.gz`` are decompressed.
        strict: if false, sentences that are not valid are skipped, and a ``TreebankWarning`` at the end of each
            reading says how many and why.
        keep: if it is given, only trees for which it holds are read, such as `deptrees.is_projective`.

    Raises:
        FileNotFoundError: at once, if there is no such file.
        ConlluError: while reading, with file, line, sentence and reason.

    >>> from deptrees import sample_treebank
    >>> next(iter(sample_treebank("train"))).text
    'The old dog sleeps.'
    """

    paths: tuple[str, ...]
    strict: bool = True
    keep: Callable[[DependencyTree], bool] | None = None

    def __init__(
        self,
        *paths: str | os.PathLike[str],
        strict: bool = True,
        keep: Callable[[DependencyTree], bool] | None = None,
    ) -> None:
        found = [match for path in paths for match in _matches(os.fspath(path))]
        self.__attrs_init__(tuple(found), strict, keep)

    def __iter__(self) -> Iterator[DependencyTree]:
        return filter(None, self.arriving())

    def arriving(self) -> Iterator[DependencyTree | None]:
        """The trees, and ``None`` where the next one has not arrived yet: who has read so far can be answered.

        >>> list(sample_treebank("dev").arriving()) == list(sample_treebank("dev"))  # a file is there as a whole
        True
        """
        read, skipped, first = 0, 0, ""
        for path in self.paths:
            with self._open(path) as stream:
                for text in sentence_texts(_lines(stream, path), path):
                    if text is None:
                        yield None
                        continue
                    read += 1
                    try:
                        tree = parse_sentence(text)
                    except ConlluError as error:
                        if self.strict:
                            raise
                        skipped += 1
                        first = first or str(error)
                        continue
                    if self.keep is None or self.keep(tree):
                        yield tree
        if skipped:
            message = f"skipped {skipped} of {read} sentences, the first one because of {first}"
            warnings.warn(message, TreebankWarning, stacklevel=2)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of all arcs, each once, in sorted order; found by reading the treebank once.

        >>> sample_treebank("dev").labels[:4]
        ('acl:relcl', 'advcl', 'advmod', 'amod')
        """
        return tuple(sorted({label for tree in self for label in tree.labels if label is not None}))

    @contextmanager
    def _open(self, path: str) -> Iterator[BinaryIO | gzip.GzipFile]:
        if path == STANDARD_STREAM:
            if sys.stdin is None:
                raise io.UnsupportedOperation("standard input is closed")
            if sys.stdin.buffer in _read:
                raise io.UnsupportedOperation(
                    "standard input can be read only once: save it to a file to read it again"
                )
            _read.add(sys.stdin.buffer)
            yield sys.stdin.buffer
        else:
            with gzip.open(path) if path.endswith(".gz") else open(path, "rb") as stream:
                yield stream


def _matches(path: str) -> list[str]:
    """The path itself, or the files that match it as a pattern."""
    if path == STANDARD_STREAM or (Path(path).exists() and not Path(path).is_dir()):
        return [path]
    matches = sorted(match for match in glob.glob(path, recursive=True) if not Path(match).is_dir())
    if not matches:
        raise FileNotFoundError(f"there is no file {path!r}, nor does it match any as a pattern")
    return matches


def _lines(stream: BinaryIO | gzip.GzipFile, path: str) -> Iterator[str | None]:
    """The lines of the stream; a file that cannot be decompressed is a ConlluError like any other bad file."""
    number = 1
    try:
        for line in arriving_lines(stream):
            yield line
            number += line is not None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ConlluError(path, number, None, f"the file cannot be decompressed: {error}") from None


def write_treebank(
    path: str | os.PathLike[str],
    trees: Iterable[DependencyTree],
    *,
    to_text: Callable[[DependencyTree], str] = to_conllu,
) -> int:
    """Write trees to a file, completely or not at all: the file appears when the last tree is written.

    Args:
        path: where to write; compressed if it ends in ``.gz``; ``"-"`` writes each tree to standard output at once.
        trees: the trees, taken one by one.
        to_text: the format, ``to_conllu`` or ``to_conllx``.

    Returns:
        The number of trees written.

    Raises:
        TypeError: the path is no path, or the trees are something else, such as one tree.
        ValueError: the format cannot say one of the trees; see ``to_conllu``.

    >>> from tempfile import TemporaryDirectory
    >>> from deptrees import DependencyTree, Treebank
    >>> with TemporaryDirectory() as folder:
    ...     write_treebank(f"{folder}/one.conllu.gz", [DependencyTree([(0, "Go")])])
    ...     list(Treebank(f"{folder}/*.gz"))
    1
    [DependencyTree([(0, 'Go')])]
    """
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"path is {quoted(path)}: give the name of the file first, and then the trees")
    if isinstance(trees, DependencyTree | str) or not isinstance(trees, Iterable):
        raise TypeError(f"trees is {quoted(trees)}: give a list of trees, or anything else that goes through them")
    count = 0
    with open_output(path) as stream:
        for count, tree in enumerate(trees, 1):  # noqa: B007  the result is the last number
            if not isinstance(tree, DependencyTree):
                raise TypeError(f"{quoted(tree)} is in trees, and is no tree")
            stream.write(to_text(tree).encode())
            if not stream.seekable():  # a pipe or a terminal: somebody may be waiting for it
                stream.flush()
    return count


def sample_treebank(part: Literal["train", "dev"] = "train") -> Treebank:
    """The small English treebank that comes with the library: written for it, to try things on.

    Args:
        part: ``"train"``, or ``"dev"`` for evaluation.

    >>> sum(1 for _ in sample_treebank("dev"))
    16
    """
    return Treebank(Path(__file__).parent / "data" / f"sample-{part}.conllu")
