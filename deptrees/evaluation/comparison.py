"""Two parsers compared: where one is right and the other is wrong."""

from __future__ import annotations

import numpy as np

from deptrees.evaluation.analysis import check_words
from deptrees.evaluation.attributes import grouped
from deptrees.evaluation.predictions import Predictions
from deptrees.evaluation.tables import Column, Table, array_columns
from deptrees.evaluation.words import sentence_numbers

__all__ = ["compare", "most_different"]


def compare(first: Predictions, second: Predictions, by: str = "") -> Table:
    """Where one parser is right and the other is wrong, by any combination of attributes of the gold trees.

    A parser is right about a word if head and label are the gold ones. Rows with the most words about which only one
    is right come first, unless the attributes have an order of their own; the sentences of a row have such words.

    Args:
        first: the trees of the first parser, compared with gold trees.
        second: the trees of the second parser, compared with the same gold trees.
        by: the attributes, separated by commas: see `deptrees.evaluation.attributes`.

    Raises:
        EvaluationError: the gold trees are not the same, there is no such attribute, or there are no words.

    >>> from deptrees import DependencyTree, Predictions
    >>> gold = DependencyTree([(2, "I", "nsubj"), (0, "saw", "root"), (4, "a", "det"), (2, "dog", "obj")])
    >>> first, second = (Predictions.of(gold, gold.reattach(heads)) for heads in ([2, 0, 2, 2], [2, 0, 4, 1]))
    >>> print(compare(first, second, "direction"))
    direction  words    LAS 1    LAS 2  difference  both  only 1  only 2  neither  sentences
    ---------  -----  -------  -------  ----------  ----  ------  ------  -------  ---------
    left           2   50.00%  100.00%      50.00%     1       0       1        0  1
    right          1  100.00%    0.00%    -100.00%     0       1       0        0  1
    root           1  100.00%  100.00%       0.00%     1       0       0        0
    """
    check_words(first, second)
    first.check_same_gold(second)
    counted = first.annotated
    groups = grouped(by, (first.gold, counted))
    one, two = first.right_arcs, second.right_arcs
    which = {"both": one & two, "only 1": one & ~two, "only 2": two & ~one, "neither": ~one & ~two}
    counts = {
        name: np.bincount(groups.numbers[counted & these], minlength=len(groups))
        for name, these in {"words": counted, **which}.items()
    }
    words, only_one, only_two = counts.pop("words"), counts["only 1"], counts["only 2"]
    right = {"LAS 1": counts["both"] + only_one, "LAS 2": counts["both"] + only_two, "difference": only_two - only_one}
    shares = array_columns({name: found / words for name, found in right.items()}, "share")
    columns = [*groups.columns, *array_columns({"words": words}), *shares, *array_columns(counts)]
    differ = counted & (one != two)
    sentences = sentence_numbers(groups.numbers[differ], first.gold.sentence[differ], len(groups))
    table = Table(f"Two parsers by {by}" if by else "Two parsers", columns, sentences, plotted=("LAS 1", "LAS 2"))
    return table.sorted(groups.order(only_one + only_two))


def most_different(first: Predictions, second: Predictions) -> Table:
    """The sentences in which two parsers differ, starting with those in which they differ in the most words.

    Args:
        first: the trees of the first parser, compared with gold trees.
        second: the trees of the second parser, compared with the same gold trees.

    Raises:
        EvaluationError: the gold trees are not the same, or there are no words.

    >>> from deptrees import DependencyTree, Predictions
    >>> gold = DependencyTree([(2, "I", "nsubj"), (0, "saw", "root"), (4, "a", "det"), (2, "dog", "obj")])
    >>> first, second = (Predictions.of(gold, gold.reattach(heads)) for heads in ([2, 0, 2, 2], [2, 0, 4, 1]))
    >>> print(most_different(first, second))
    sentence  words  differ  right 1  right 2  text
    --------  -----  ------  -------  -------  -----------
    1             4       2        3        3  I saw a dog
    """
    check_words(first, second)
    first.check_same_gold(second)
    counted = first.annotated
    columns, other = first.predicted.columns, second.predicted.columns
    names, others = (np.array([*found.vocabularies["deprel"], ""]) for found in (columns, other))
    differ = (columns.heads != other.heads) | (names[columns.labels] != others[other.labels])
    which = {"words": counted, "differ": differ, "right 1": first.right_arcs, "right 2": second.right_arcs}
    sentences = first.gold.sentence
    counts = {name: np.bincount(sentences[counted & these], minlength=len(columns)) for name, these in which.items()}
    different = counts["differ"]
    order = [row for row in np.argsort(-different, kind="stable").tolist() if different[row]]
    key = Column("sentence", [row + 1 for row in order], "key")
    found = array_columns({name: these[order] for name, these in counts.items()})
    texts = Column("text", [" ".join(token.form for token in columns.tree(row)) for row in order], "text")
    return Table("Sentences in which two parsers differ", [key, *found, texts])
