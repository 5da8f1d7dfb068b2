"""Enhanced dependencies: ELAS and EULAS as the shared tasks count them, and the arcs of each type of enhancement.

Empty nodes do not count as such: an arc through one is a path between two words, whose labels are those on the way
(Bouma, Seddah & Zeman 2020).
"""

from __future__ import annotations

from collections import Counter

import attrs
import numpy as np

from deptrees.evaluation.pairs import EvaluationError, Trees, pairs
from deptrees.evaluation.significance import SentenceCounts
from deptrees.evaluation.tables import Column, Table, array_columns
from deptrees.evaluation.words import Integers
from deptrees.messages import TooLarge
from deptrees.treebanks.treebank import Treebank
from deptrees.trees.tree import DependencyTree

__all__ = ["enhanced_counts", "evaluate_enhanced"]

_TYPES = (
    "basic",
    "case labels",
    "ellipsis",
    "relative clauses",
    "control",
    "shared heads",
    "shared dependents",
    "else",
)
_SCORES = ("ELAS", "EULAS", *_TYPES)


def evaluate_enhanced(gold: Trees, predicted: Trees) -> Table:
    """The scores of enhanced dependencies: how many arcs of the gold graphs are found, and how many found are right.

    ELAS, the labeled attachment score, counts arcs with their labels; EULAS only the universal part of labels, the part
    before the colon. Punctuation counts. The rows below have the arcs of ELAS by the type of enhancement; there an
    arc is right if its type is, too. An arc has the first of these types that fits:

    - ``basic``: the word's arc in the tree.
    - ``case labels``: the same arc with more in its label, such as the lemma of a preposition or a conjunction.
    - ``ellipsis``: it leads through an empty node.
    - ``relative clauses``: its label is ``ref``, or it leads into a relative clause from the word that the clause is
      about.
    - ``control``: it leads to the subject of an ``xcomp``, or its label ends in ``xsubj``.
    - ``shared heads``: it leads to a conjunct from the head of the first one.
    - ``shared dependents``: it has the relation that the word has in the tree, from another head, such as the conjunct
      of its head.
    - ``else``: none of these.

    Args:
        gold: a tree, or a treebank, with enhanced dependencies in DEPS.
        predicted: a tree, or a treebank with the same sentences in the same order.

    Raises:
        EvaluationError: the sentences are not the same, there are no gold arcs, or far too many paths through empty
            nodes.
        GraphError: DEPS of a sentence is no graph.

    >>> from deptrees import DependencyGraph, DependencyTree
    >>> tree = DependencyTree([(2, "She", "nsubj"), (0, "sings", "root"), (4, "and", "cc"), (2, "dances", "conj")])
    >>> arcs = [(2, 1, "nsubj"), (0, 2, "root"), (4, 3, "cc"), (2, 4, "conj")]
    >>> gold = DependencyGraph(tree, [*arcs[:3], (2, 4, "conj:and"), (4, 1, "nsubj")])
    >>> print(evaluate_enhanced(tree.with_graph(gold), tree.with_graph(DependencyGraph(tree, arcs))))
    score              gold  predicted  right  precision   recall      F1
    -----------------  ----  ---------  -----  ---------  -------  ------
    ELAS                  5          4      3     75.00%   60.00%  66.67%
    EULAS                 5          4      4    100.00%   80.00%  88.89%
    basic                 3          4      3     75.00%  100.00%  85.71%
    case labels           1          0      0          –    0.00%   0.00%
    shared dependents     1          0      0          –    0.00%   0.00%
    """
    [found] = _counted(gold, predicted)
    ours, theirs, right = (counts.sum(axis=-1) for counts in (found.gold, found.predicted, found.right))
    with np.errstate(invalid="ignore"):  # there may be none in gold, or none predicted
        shares = {"precision": right / theirs, "recall": right / ours, "F1": 2 * right / (ours + theirs)}
    counts = array_columns({"gold": ours, "predicted": theirs, "right": right})
    columns = [Column("score", found.scores, "key"), *counts, *array_columns(shares, "share")]
    return Table("Enhanced dependencies", columns, plotted=("F1",))


def enhanced_counts(gold: Trees, *predicted: Trees) -> list[SentenceCounts]:
    """The counts behind F1 of enhanced dependencies, for ``confidence_intervals`` and ``paired_test``.

    Args:
        gold: a tree, or a treebank, with enhanced dependencies in DEPS.
        predicted: trees or treebanks with the same sentences, one or several, each from another parser.

    Returns:
        The counts of each parser, of the scores that any of them has.

    Raises: see ``evaluate_enhanced``.

    >>> from deptrees import DependencyTree, Token
    >>> tree = DependencyTree([Token("Sing", 0, "root", deps="0:root")])
    >>> [counts] = enhanced_counts([tree, tree], [tree, tree])
    >>> counts.scores, counts.right.tolist()
    (('ELAS', 'EULAS', 'basic'), [[2, 2], [2, 2], [2, 2]])
    """
    every = _counted(gold, *predicted)
    return [SentenceCounts(found.scores, 2 * found.right, found.gold + found.predicted) for found in every]


@attrs.frozen(eq=False)
class _Counted:
    """For each score and each sentence, how many arcs there are in gold, are predicted, and are right."""

    scores: tuple[str, ...]
    gold: Integers
    predicted: Integers
    right: Integers


def _counted(gold: Trees, *predicted: Trees) -> list[_Counted]:
    names = np.array(_SCORES)
    found = [[_counts(*pair) for pair in pairs(gold, trees)] for trees in predicted]
    every = np.array(found, np.int64).reshape(len(predicted), -1, 3, len(names))  # by parser, sentence, kind and score
    if not every[:, :, 0].any():
        name = ", ".join(gold.paths) if isinstance(gold, Treebank) else "the gold trees"
        raise EvaluationError(f"there are no enhanced dependencies in {name}: DEPS is empty")
    counted = every.any(axis=(0, 1, 2))
    scores = tuple(names[counted].tolist())
    return [_Counted(scores, *parser.transpose(1, 2, 0)[:, counted]) for parser in every]


def _counts(gold: DependencyTree, predicted: DependencyTree) -> list[list[int]]:
    """For each score, how many arcs there are in gold, how many are predicted, and how many of these are right."""
    sides = [_arcs(gold), _arcs(predicted)]
    return [
        *[[arcs.total() for arcs in side] for side in sides],
        [sum(count * theirs[arc] for arc, count in ours.items()) for ours, theirs in zip(*sides, strict=True)],
    ]


def _arcs(tree: DependencyTree) -> list[Counter[tuple[object, ...]]]:
    """The arcs that count for each score; of EULAS, one may be there several times."""
    try:
        found = tree.graph.paths
    except TooLarge as error:
        raise EvaluationError(f"{tree.name}: {error}") from None
    paths = [(head, word, tuple(">".join(labels).split(">"))) for head, word, labels in found]
    by_type = {name: Counter[tuple[object, ...]]() for name in _TYPES}
    for path in paths:
        by_type[_type(tree, *path)][path] = 1
    universal = [(head, word, tuple(map(_universal, labels))) for head, word, labels in paths]
    return [Counter(paths), Counter(universal), *by_type.values()]


def _type(tree: DependencyTree, head: int, word: int, labels: tuple[str, ...]) -> str:
    """The type of enhancement that an arc is, see ``evaluate_enhanced``."""
    label, basic = labels[-1], tree.labels[word - 1] or ""
    above, of_head = (tree.heads[head - 1], _universal(tree.labels[head - 1])) if head else (None, "")
    relation, basic_relation = _universal(label), _universal(basic)
    if len(labels) > 1:
        return "ellipsis"
    if head == tree.heads[word - 1] and relation == basic_relation:
        return "basic" if label == basic else "case labels"
    if label == "ref" or (of_head == "acl" and above == word):
        return "relative clauses"
    if label.endswith(":xsubj") or (of_head == "xcomp" and relation == "nsubj"):
        return "control"
    if basic_relation == "conj" and relation != "conj":
        return "shared heads"
    return "shared dependents" if relation == basic_relation else "else"


def _universal(label: str | None) -> str:
    return (label or "").partition(":")[0]
