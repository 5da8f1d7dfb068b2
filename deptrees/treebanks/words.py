"""Sentences without columns: one per line, with spaces between words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from deptrees.treebanks.conllu import ConlluError

__all__ = ["word_rows"]

_ROW = "{}\t{}" + 8 * "\t_"


def word_rows(lines: Iterable[str | None], file: str) -> Iterator[str | None]:
    r"""Lines of words as lines of CoNLL-U, with the comment ``text``; a ``None`` is passed on.

    Spaces and tabs separate words; any other white space is part of a word. Empty lines are skipped.

    Raises:
        ConlluError: a line is not UTF-8.

    >>> for row in word_rows(["Birds sing", ""], "greetings"):
    ...     print(row.replace("\t", " "))
    # text = Birds sing
    1 Birds _ _ _ _ _ _ _ _
    2 sing _ _ _ _ _ _ _ _
    <BLANKLINE>
    """
    number = 0
    for line in lines:
        if line is None:
            yield None
            continue
        number += 1
        if any("\ud800" <= character <= "\udfff" for character in line):
            raise ConlluError(file, number, None, "the line is not UTF-8")
        if words := re.findall(r"[^ \t]+", line):
            yield f"# text = {' '.join(words)}"
            yield from (_ROW.format(position, word) for position, word in enumerate(words, 1))
            yield ""
