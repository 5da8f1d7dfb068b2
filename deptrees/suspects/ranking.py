"""Annotations that are probably wrong, the most probable ones first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from math import nan
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.engine.confidence import PlattScaling
from deptrees.evaluation.pairs import EvaluationError, trees_in
from deptrees.evaluation.tables import Cell, Column, Table
from deptrees.messages import counted, of_type
from deptrees.suspects.evidence import REASONS, Evidence
from deptrees.suspects.opinions import Opinion, opinions
from deptrees.suspects.planting import planted
from deptrees.suspects.punctuation import by_rule
from deptrees.treebanks.columns import Columns
from deptrees.treebanks.conllu import to_conllu
from deptrees.treebanks.validation import faults_in
from deptrees.trees.heads import TreeError
from deptrees.trees.tree import AnyTree, DependencyTree

__all__ = ["corrected", "suspects"]

_PUNCTUATION = "punctuation"
"""The reason of marks that are not where the guidelines attach them."""

_PLANTED = 0.05
"""The share of words in which errors are planted, and so the share of errors that is expected."""
_WORTH_TELLING = 0.5
"""By how much the logarithm of the odds has to fall for a reason to be told."""

_Integers = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float64]
_Booleans = npt.NDArray[np.bool_]
_Arcs = tuple[_Integers, _Integers]


def suspects(
    treebank: Iterable[AnyTree], *, k: int = 5, seed: int = 1, on_part: Callable[[str], object] = lambda _: None
) -> Table:
    """The words of a treebank whose head or label is probably wrong, the most probable ones first.

    Evidence is what parsers of different systems find that were trained on the other parts of the treebank, how words
    of the same tags and the same forms are annotated elsewhere in it, variation n-grams (Dickinson & Meurers 2003;
    Boyd, Dickinson & Meurers 2008), what `Treebank.faults` finds, and where the guidelines of Universal Dependencies
    attach punctuation. How much each weighs is learned from errors that are planted in a copy.

    Args:
        treebank: the trees, which are all kept in memory. Words without a head are passed over.
        k: the number of parts.
        seed: determines which sentences are in which part, and which errors are planted.
        on_part: called with how far it is, after each parser that was trained.

    Returns:
        A row for each word that has a head: its sentence, its number, its form, its head and label, what would be right
        instead, why, and the probability that it is wrong. The probabilities are those of a treebank in which a
        twentieth of the words is wrong in the ways of the planted errors.

    Raises:
        EvaluationError: there are fewer sentences than parts, or no word has a head or a label.
        ValueError: there are fewer than two parts.

    >>> from deptrees import sample_treebank
    >>> table = suspects(sample_treebank("dev"), k=2)
    >>> [column.name for column in table.columns]
    ['sentence', 'word', 'form', 'head', 'label', 'other_head', 'other_label', 'why', 'probability']
    """
    trees = [*trees_in(treebank)]
    columns = Columns.of_trees(trees)
    if k < 2:
        raise ValueError(f"k is {k}: there must be at least two parts")
    if len(trees) < k:
        raise EvaluationError(
            f"{counted(len(trees), 'sentence')} cannot be divided into {k} parts: there are too few to compare"
        )
    if not ((columns.heads >= 0) & (columns.labels >= 0)).any():
        raise EvaluationError("no word has a head and a label: there is nothing that could be wrong")
    said: list[Opinion] = []
    for part in opinions(trees, columns, k, seed):
        if isinstance(part, str):
            on_part(part)
        else:
            said.append(part)
    evidence = Evidence(columns, said)
    judge = _Judge.learned(evidence, columns, seed)

    own = columns.heads, columns.labels
    rows, faults = evidence(*own), _faults(trees)
    of_rule, chance = by_rule(columns)
    misplaced = of_rule != columns.heads
    wrong = 1 - judge.right(rows) * np.where(misplaced, 1 - chance, 1)
    wrong[[*faults]] = 1
    others = [*((opinion.heads, opinion.labels) for opinion in said), (own[0], evidence.usual_labels(*own))]
    heads, labels = judge.best(evidence, own, others)
    instead = np.where(misplaced, of_rule, heads), np.where(misplaced, columns.labels, labels)
    reasons = [
        faults.get(word) or ", ".join([*([_PUNCTUATION] if is_misplaced else []), *told])
        for word, (is_misplaced, told) in enumerate(zip(misplaced.tolist(), judge.reasons(rows), strict=True))
    ]
    return _table(columns, wrong, instead, reasons)


def _table(columns: Columns, wrong: _Floats, instead: _Arcs, reasons: Sequence[str]) -> Table:
    """All words that have a head, the most probably wrong ones first."""
    order = np.argsort(-wrong, kind="stable")
    order = order[columns.heads[order] >= 0]
    sentences = np.repeat(np.arange(len(columns)), np.diff(columns.offsets))[order]
    labels = np.array([*columns.vocabularies["deprel"], ""], object)
    forms = np.array(columns.vocabularies["form"], object)[columns.words["form"]]
    heads, other_heads, numbers, other_numbers = (
        it[order] for it in (columns.heads, instead[0], columns.labels, instead[1])
    )
    differs = (heads != other_heads) | (numbers != other_numbers)
    return Table(
        "Suspects",
        [
            Column("sentence", (sentences + 1).tolist(), "key"),
            Column("word", (order - columns.offsets[sentences] + 1).tolist(), "key"),
            Column("form", forms[order].tolist(), "text"),
            Column("head", heads.tolist()),
            Column("label", labels[numbers].tolist(), "text"),
            Column("other_head", [head if it else nan for head, it in zip(other_heads.tolist(), differs, strict=True)]),
            Column("other_label", np.where(differs, labels[other_numbers], "").tolist(), "text"),
            Column("why", [reasons[word] for word in order.tolist()], "text"),
            Column("probability", wrong[order].round(4).tolist(), "share"),
        ],
    )


def corrected(treebank: Iterable[AnyTree], table: Table) -> Iterator[DependencyTree]:
    """The trees with what the rows of a table of suspects have instead, the first ones first, if it leaves them trees.

    Args:
        treebank: the trees that the suspects are of.
        table: the suspects.

    >>> tree = DependencyTree([(2, "Birds", "obj"), (0, "sing", "root")])
    >>> names = ["sentence", "word", "other_head", "other_label"]
    >>> table = Table("", [Column(name, [it], "key") for name, it in zip(names, (1, 1, 2, "nsubj"))])
    >>> [*corrected([tree], table)]
    [DependencyTree([(2, 'Birds', 'nsubj'), (0, 'sing', 'root')])]
    """
    of_type("table", table, Table, "a table of suspects")
    changes: dict[Cell, list[tuple[Any, ...]]] = defaultdict(list)
    for sentence, *change in zip(*map(table.__getitem__, _CHANGE), strict=True):
        if change[-1]:
            changes[sentence].append(tuple(change))
    for number, tree in enumerate(trees_in(treebank), 1):
        for word, head, label in changes[number]:
            heads, labels = [*tree.heads], [*tree.labels]
            heads[word - 1], labels[word - 1] = head, label
            with suppress(TreeError):
                tree = tree.reattach(heads, labels)
        yield tree


_CHANGE = ("sentence", "word", "other_head", "other_label")


@attrs.frozen(eq=False)
class _Judge:
    """How probable it is that annotations are right, by the evidence for them.

    Args:
        scaling: the probability, which errors that were planted have taught.
        usual: the evidence for the average word.
    """

    scaling: PlattScaling
    usual: _Floats

    @classmethod
    def learned(cls, evidence: Evidence, columns: Columns, seed: int) -> _Judge:
        """Learned from a treebank in which errors are planted; what is there already counts as right."""
        rows, known = evidence(columns.heads, columns.labels), columns.heads >= 0
        heads, labels, wrong = planted(columns, _PLANTED, seed)
        worse = evidence(heads, labels)[wrong]
        right = np.repeat([True, False], [known.sum(), len(worse)])
        return cls(PlattScaling.fit(np.concatenate([rows[known], worse]), right), rows[known].mean(axis=0))

    def right(self, rows: _Floats) -> _Floats:
        """The probabilities, for a row of evidence each."""
        return self.scaling(rows)

    def best(self, evidence: Evidence, own: _Arcs, others: Sequence[_Arcs]) -> _Arcs:
        """For each word the most probable one of other annotations, its own where there is none."""
        best, most = own, np.full(len(own[0]), -1.0)
        for heads, labels in others:
            right = self.right(evidence(heads, labels))
            better = (right > most) & ((heads != own[0]) | (labels != own[1]))
            best = np.where(better, heads, best[0]), np.where(better, labels, best[1])
            most = np.where(better, right, most)
        return best

    def reasons(self, rows: _Floats) -> list[list[str]]:
        """For each word the sorts of evidence that speak against it more than against others, the strongest first."""
        against = np.array(self.scaling.weights) * (self.usual - rows)
        ends = np.cumsum([*REASONS.values()])[:-1]
        sums = np.column_stack([part.sum(axis=1) for part in np.split(against, ends, axis=1)])
        names = [*REASONS]
        return [
            [names[it] for it in order if found[it] > _WORTH_TELLING]
            for order, found in zip(np.argsort(-sums, axis=1).tolist(), sums.tolist(), strict=True)
        ]


def _faults(trees: Sequence[DependencyTree]) -> dict[int, str]:
    """What is wrong with words by the rules of CoNLL-U, by their positions in the treebank."""
    found, begin = {}, 0
    for tree in trees:
        lines = to_conllu(tree).split("\n")[:-1]
        for fault in faults_in(lines, "", unfinished=True):
            number = lines[fault.line - 1].partition("\t")[0]
            if number.isdecimal():
                found[begin + int(number) - 1] = fault.reason
        begin += len(tree)
    return found
