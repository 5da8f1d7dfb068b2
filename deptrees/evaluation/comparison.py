"""Two parsers compared: where one is right and the other is wrong."""

from __future__ import annotations

import numpy as np

from deptrees.evaluation.analysis import check_words
from deptrees.evaluation.attributes import grouped
from deptrees.evaluation.predictions import Predictions
from deptrees.evaluation.tables import Column, Table
from deptrees.evaluation.words import sentence_numbers

__all__ = ["compare", "most_different"]


def compare(first: Predictions, second: Predictions, by: str = "") -> Table:
    """Where one parser is right and the other is wrong, by any combination of attributes of the gold trees.

    A parser is right about a word if head and label are the gold ones. Rows with the most words about which only one
    parser is right come first, unless the attributes have an order of their own. The sentences of a row are those with
    such words.

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
    check_words(first)
    first.check_same_gold(second)
    counted = first.annotated
    groups = grouped(by, (first.gold, counted))
    one, two = first.right_arcs, second.right_arcs
    words, both, only_one, only_two, neither = (
        np.bincount(groups.numbers[counted & which], minlength=len(groups))
        for which in (counted, one & two, one & ~two, two & ~one, ~one & ~two)
    )
    differ = counted & (one != two)
    shares = [(both + only_one) / words, (both + only_two) / words, (only_two - only_one) / words]
    columns = [
        *groups.columns,
        Column("words", words.tolist()),
        *(Column(f"LAS {number}", shares[number - 1].tolist(), "share") for number in (1, 2)),
        Column("difference", shares[2].tolist(), "share"),
        *map(
            Column, ("both", "only 1", "only 2", "neither"), map(np.ndarray.tolist, (both, only_one, only_two, neither))
        ),
    ]
    sentences = sentence_numbers(groups.numbers[differ], first.gold.sentence[differ], len(groups))
    table = Table(f"Two parsers by {by}" if by else "Two parsers", columns, sentences, plotted=("LAS 1", "LAS 2"))
    return table.sorted(groups.order((only_one + only_two).tolist()))


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
    check_words(first)
    first.check_same_gold(second)
    counted = first.annotated
    columns, other = first.predicted.columns, second.predicted.columns
    names, others = (np.array([*found.vocabularies["deprel"], ""]) for found in (columns, other))
    differ = (columns.heads != other.heads) | (names[columns.labels] != others[other.labels])
    words, different, one, two = (
        np.bincount(first.gold.sentence[counted & which], minlength=len(columns))
        for which in (counted, differ, first.right_arcs, second.right_arcs)
    )
    order = [row for row in np.argsort(-different, kind="stable").tolist() if different[row]]
    table = [Column("sentence", [row + 1 for row in order], "key")]
    for name, counts in (("words", words), ("differ", different), ("right 1", one), ("right 2", two)):
        table.append(Column(name, counts[order].tolist()))
    texts = [" ".join(token.form for token in columns.tree(row)) for row in order]
    return Table("Sentences in which two parsers differ", [*table, Column("text", texts, "text")])
