"""Error analysis: scores, precision and confusions by any combination of attributes, each with its sentences."""

from __future__ import annotations

import numpy as np

from deptrees.evaluation.attributes import grouped, values
from deptrees.evaluation.pairs import EvaluationError
from deptrees.evaluation.predictions import Predictions
from deptrees.evaluation.scores import Scores
from deptrees.evaluation.tables import Column, Table, array_columns
from deptrees.evaluation.words import sentence_numbers
from deptrees.messages import of_type

__all__ = ["analyze", "check_words", "confusions", "precision_and_recall"]


def check_words(*predictions: Predictions) -> None:
    """Raise a ``TypeError`` if something is no predictions, and an ``EvaluationError`` if there is nothing in them."""
    for each in predictions:
        of_type("predictions", each, Predictions, "what Predictions.of(gold, predicted) makes")
        if not len(each):
            raise EvaluationError("no word that counts has a gold head: there is nothing to evaluate")


def analyze(predictions: Predictions, by: str = "") -> Table:
    """Scores by any combination of attributes of the gold trees.

    Rows are in the order of the attributes if all have one, as numbers do; otherwise those with the most errors, words
    with a wrong head or label, come first. The sentences of a row are those with errors.

    Args:
        predictions: predicted trees, compared with gold trees.
        by: the attributes, separated by commas: see `deptrees.evaluation.attributes`.

    Raises:
        EvaluationError: there is no such attribute, or there are no words.

    >>> from deptrees import DependencyTree, Predictions
    >>> gold = DependencyTree([(2, "I", "nsubj"), (0, "saw", "root"), (4, "a", "det"), (2, "dog", "obj")])
    >>> print(analyze(Predictions.of(gold, gold.reattach([2, 0, 2, 2])), "direction"))
    direction  words  errors      UAS      LAS   labels    exact  sentences
    ---------  -----  ------  -------  -------  -------  -------  ---------
    left           2       1   50.00%   50.00%  100.00%    0.00%  1
    right          1       0  100.00%  100.00%  100.00%  100.00%
    root           1       0  100.00%  100.00%  100.00%  100.00%
    """
    check_words(predictions)
    groups = grouped(by, (predictions.gold, predictions.chosen))
    found = Scores.by_group(predictions, groups.numbers, len(groups))
    errors = [scores.words - scores.correct_arcs for scores in found]
    measures = sum(found, Scores()).measures
    columns = [
        *groups.columns,
        Column("words", [scores.words for scores in found]),
        Column("errors", errors),
        *(Column(name, [scores.share(name) for scores in found], "share") for name in measures),
    ]
    wrong = predictions.annotated & ~predictions.right_arcs
    sentences = sentence_numbers(groups.numbers[wrong], predictions.gold.sentence[wrong], len(found))
    table = Table(f"Scores by {by}" if by else "Scores", columns, sentences, plotted=("LAS",))
    return table.sorted(groups.order(errors))


def precision_and_recall(predictions: Predictions, by: str = "label") -> Table:
    """How many of the arcs with an attribute are found, and how many of those predicted with it are right.

    An arc is right if its head and label are. Recall is the share of right arcs among those with the attribute in the
    gold tree, precision among those with it in the predicted tree, F1 their harmonic mean (McDonald & Nivre 2007).

    Args:
        predictions: predicted trees, compared with gold trees.
        by: the attributes, separated by commas.

    Raises:
        EvaluationError: there is no such attribute, or there are no words.

    >>> from deptrees import DependencyTree, Predictions
    >>> gold = DependencyTree([(2, "I", "nsubj"), (0, "saw", "root"), (4, "a", "det"), (2, "dog", "obj")])
    >>> predicted = gold.reattach([2, 0, 4, 2], ["nsubj", "root", "det", "nsubj"])
    >>> print(precision_and_recall(Predictions.of(gold, predicted)).sorted([0, 1]))
    label  gold  predicted  right  precision   recall      F1  sentences
    -----  ----  ---------  -----  ---------  -------  ------  ---------
    nsubj     1          2      1     50.00%  100.00%  66.67%  1
    obj       1          0      0          –    0.00%   0.00%  1
    """
    check_words(predictions)
    counted = predictions.annotated
    parsed = counted & (predictions.predicted.columns.heads >= 0)
    groups = grouped(by, (predictions.gold, counted), (predictions.predicted, parsed))
    ours, theirs = np.split(groups.numbers, 2)
    right = counted & predictions.right_arcs
    gold, predicted, both = (
        np.bincount(group[which], minlength=len(groups))
        for group, which in ((ours, counted), (theirs, parsed), (ours, right & (ours == theirs)))
    )
    with np.errstate(invalid="ignore"):  # there may be none in gold, or none predicted
        shares = {"precision": both / predicted, "recall": both / gold, "F1": 2 * both / (gold + predicted)}
    wrong = np.concatenate([counted & ~right, parsed & ~right])
    sentences = sentence_numbers(groups.numbers[wrong], np.tile(predictions.gold.sentence, 2)[wrong], len(groups))
    counts = array_columns({"gold": gold, "predicted": predicted, "right": both})
    columns = [*groups.columns, *counts, *array_columns(shares, "share")]
    table = Table(f"Precision and recall by {by}", columns, sentences, plotted=("precision", "recall"))
    return table.sorted(groups.order(gold + predicted - 2 * both))


def confusions(predictions: Predictions, of: str = "label") -> Table:
    """Which values of an attribute are predicted for which: the non-empty cells of a confusion matrix.

    Cells in which gold and predicted values differ come first, then the most frequent ones. ``share`` is that of the
    words with the gold value, and the sentences of a cell are those with such words.

    Args:
        predictions: predicted trees, compared with gold trees.
        of: the attribute, such as ``"label"`` or ``"head-tag"``.

    Raises:
        EvaluationError: there is no such attribute, or there are no words.

    >>> from deptrees import DependencyTree, Predictions
    >>> gold = DependencyTree([(2, "I", "nsubj"), (0, "saw", "root"), (4, "a", "det"), (2, "dog", "obj")])
    >>> found = confusions(Predictions.of(gold, gold.reattach(gold.heads, ["nsubj", "root", "det", "nsubj"])))
    >>> print(found.sorted([0, 1]))
    gold   predicted  words    share  sentences
    -----  ---------  -----  -------  ---------
    obj    nsubj          1  100.00%  1
    nsubj  nsubj          1  100.00%  1
    """
    check_words(predictions)
    counted = predictions.annotated
    sides = values(predictions.gold, of), values(predictions.predicted, of)
    pairs = np.stack([side.numbers[counted] for side in sides], axis=1)
    cells, group, words = np.unique(pairs, axis=0, return_inverse=True, return_counts=True)
    gold_values, of_gold = np.unique(pairs[:, 0], return_counts=True)
    shares = words / of_gold[np.searchsorted(gold_values, cells[:, 0])]
    golds, others = ([*map(side.name, cells[:, place].tolist())] for place, side in enumerate(sides))
    keys = [Column("gold", golds, "key"), Column("predicted", others, "key")]
    columns = [*keys, *array_columns({"words": words}), *array_columns({"share": shares}, "share")]
    sentences = sentence_numbers(group.reshape(-1), predictions.gold.sentence[counted], len(words))
    order = sorted(range(len(words)), key=lambda row: (golds[row] == others[row], -words[row]))
    return Table(f"Confusions of {of}", columns, sentences, plotted=("share",)).sorted(order)
