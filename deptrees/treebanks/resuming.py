"""Work on a treebank that resumes where it was interrupted."""

from __future__ import annotations

import mmap
import os
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO

from deptrees.files.output import PARTIAL, open_resumable
from deptrees.treebanks.conllu import to_conllu
from deptrees.treebanks.treebank import Treebank
from deptrees.trees.tree import DependencyTree

__all__ = ["ResumeError", "resume_treebank"]


class ResumeError(ValueError):
    """What has been written is not the beginning of what is to be written."""


def resume_treebank(
    path: str | os.PathLike[str],
    sentences: Iterable[DependencyTree],
    parse: Callable[[Iterator[DependencyTree]], Iterable[DependencyTree]],
) -> None:
    """Write the trees of sentences to a file, continuing what an interrupted call has written.

    Until all are written, the trees are in ``path.partial``. A call keeps the complete trees that it finds there and
    skips as many sentences, after comparing their words. It is up to the caller that everything else, such as the
    model, is the same.

    Args:
        path: where to write.
        sentences: all sentences, the same as in the interrupted call.
        parse: makes a tree of each sentence.

    Raises:
        ResumeError: the trees in ``path.partial`` are of other sentences.
        OSError: the file cannot be written, or another process is writing it.

    >>> from tempfile import TemporaryDirectory
    >>> from deptrees import sample_treebank
    >>> with TemporaryDirectory() as folder:
    ...     path = f"{folder}/parsed.conllu"
    ...     resume_treebank(path, sample_treebank("dev"), lambda sentences: sentences)
    ...     os.listdir(folder), list(Treebank(path)) == list(sample_treebank("dev"))
    (['parsed.conllu'], True)
    """
    with open_resumable(path) as file:
        _cut(file)
        remaining = iter(sentences)
        for number, tree in enumerate(Treebank(f"{os.fspath(path)}{PARTIAL}"), 1):
            sentence = next(remaining, None)
            if sentence is None or [token.form for token in sentence] != [token.form for token in tree]:
                raise ResumeError(
                    f"sentence {number} in {os.fspath(path)}{PARTIAL} is not that of the input: delete the file to "
                    "begin anew"
                )
        for tree in parse(remaining):
            file.write(to_conllu(tree).encode())


def _cut(file: BinaryIO) -> None:
    """Take away what comes after the last whole sentence."""
    if file.seek(0, os.SEEK_END):
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            end = content.rfind(b"\n\n")
        file.truncate(0 if end < 0 else end + 2)
        file.seek(0, os.SEEK_END)
