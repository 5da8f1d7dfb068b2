"""pandas: treebanks as data frames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

from deptrees.extras import require

require("pandas", "deptrees.integrations.pandas needs pandas", "pandas")

import pandas as pd

from deptrees.trees.token import COLUMNS, Token
from deptrees.trees.tree import DependencyTree

__all__ = ["from_frame", "to_frame"]

_COLUMNS = [attribute for attribute in COLUMNS.values() if attribute != "id"]


def to_frame(trees: Iterable[DependencyTree]) -> pd.DataFrame:
    """Trees as a data frame with a row for each line of a CoNLL-U file that is no comment.

    The columns are the number of the sentence, from 1; the id, which is text, such as ``3-4``; the other columns of a
    token, ``head`` as a nullable integer; and, in the first row of a sentence, its comments, with line ends between.

    >>> to_frame([DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root")])])[["sentence", "id", "form", "head"]]
       sentence id   form  head
    0         1  1  Birds     2
    1         1  2   sing     0
    """
    rows = [row for number, tree in enumerate(trees, 1) for row in _rows(number, tree)]
    frame = pd.DataFrame(rows, columns=["sentence", "id", *_COLUMNS, "comments"])
    return frame.astype({"sentence": "int64", "head": "Int64"})


def _rows(number: int, tree: DependencyTree) -> Iterator[list[object]]:
    comments = "\n".join(tree.comments) or None
    for token in tree.all_tokens:
        yield [number, str(token.id), *(getattr(token, column) for column in _COLUMNS), comments]
        comments = None


def from_frame(frame: pd.DataFrame) -> Iterator[DependencyTree]:
    """The trees of a data frame, one by one; columns that are not there are empty.

    Args:
        frame: a data frame with the columns of ``to_frame``, in the order of sentences and words.

    Raises:
        ValueError: a word has no form, as "NA" has none if pandas has read it from a file with its usual options.

    >>> trees = [DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root")])]
    >>> list(from_frame(to_frame(trees))) == trees
    True
    """
    known = frame.reindex(columns=["sentence", "id", *_COLUMNS, "comments"]).astype({"head": "Int64"}).astype(object)
    rows = known.where(known.notna(), None).to_dict("records")
    for _, found in groupby(rows, itemgetter("sentence")):
        of_sentence = [*found]
        comments = [line for row in of_sentence if row["comments"] is not None for line in row["comments"].split("\n")]
        yield DependencyTree.from_tokens(map(_token, of_sentence), comments)


def _token(row: Mapping[str, Any]) -> Token:
    if row["form"] is None:
        advice = (
            'if they are from a file, read it with keep_default_na=False, na_values=[""], or words like NA are lost'
        )
        raise ValueError(f"word {row['id']} of sentence {row['sentence']} has no form: {advice}")
    number = int(row["id"]) if str(row["id"]).isdecimal() else row["id"]
    return Token(**{column: row[column] for column in _COLUMNS}, id=number)
