"""Work on a treebank that resumes where it was interrupted."""

from __future__ import annotations

import mmap
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import BinaryIO

from more_itertools import peekable

from deptrees.files.output import PARTIAL, open_resumable
from deptrees.treebanks.batch import Batch
from deptrees.treebanks.treebank import Treebank

__all__ = ["ResumeError", "resume_batches"]


class ResumeError(ValueError):
    """What has been written is not the beginning of what is to be written."""


def resume_batches(
    path: str | os.PathLike[str], batches: Iterable[Batch], parse: Callable[[Iterator[Batch]], Iterable[Batch]]
) -> None:
    """Write the parses of sentences to a file, continuing what an interrupted call with the same sentences has written.

    Until all are written, the parses are in ``path.partial``; in the end they are compressed if the path ends in
    ``.gz``. A call keeps the complete sentences that it finds there and skips as many, after comparing their words. It
    is up to the caller that everything else, such as the model, is the same.

    Raises:
        ResumeError: the sentences in ``path.partial`` are other ones.
        OSError: the file cannot be written, or another process is writing it.

    >>> from tempfile import TemporaryDirectory
    >>> from deptrees import sample_treebank
    >>> with TemporaryDirectory() as folder:
    ...     path = f"{folder}/parsed.conllu"
    ...     resume_batches(path, sample_treebank("dev").batches(), lambda batches: batches)
    ...     os.listdir(folder), list(Treebank(path)) == list(sample_treebank("dev"))
    (['parsed.conllu'], True)
    """
    with open_resumable(path) as file:
        _cut(file)
        done = peekable(_forms(Treebank(f"{os.fspath(path)}{PARTIAL}").batches()))
        for batch in parse(_remaining(batches, done, path)):
            file.write(batch.conllu())


def _remaining(
    batches: Iterable[Batch], done: peekable[Sequence[str]], path: str | os.PathLike[str]
) -> Iterator[Batch]:
    """The sentences that have not been parsed yet."""
    number = 0
    for batch in batches:
        skipped = 0
        for forms in _forms([batch]) if done else ():
            if not done:
                break
            number, skipped = number + 1, skipped + 1
            if forms != next(done):
                raise _other_sentence(number, path)
        if not len(batch) or skipped < len(batch):
            yield Batch.of(batch.trees[skipped:]) if skipped else batch
    if done:
        raise _other_sentence(number + 1, path)


def _other_sentence(number: int, path: str | os.PathLike[str]) -> ResumeError:
    place = f"sentence {number} in {os.fspath(path)}{PARTIAL}"
    return ResumeError(f"{place} is not that of the input: delete the file to begin anew")


def _forms(batches: Iterable[Batch]) -> Iterator[Sequence[str]]:
    """The words of each sentence."""
    for batch in batches:
        columns = batch.columns
        forms = [*map(columns.vocabularies["form"].__getitem__, columns.words["form"].tolist())]
        yield from (forms[start:stop] for start, stop in pairwise(columns.offsets.tolist()))


def _cut(file: BinaryIO) -> None:
    """Take away what comes after the last whole sentence."""
    if file.seek(0, os.SEEK_END):
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            end = content.rfind(b"\n\n")
        file.truncate(0 if end < 0 else end + 2)
        file.seek(0, os.SEEK_END)
