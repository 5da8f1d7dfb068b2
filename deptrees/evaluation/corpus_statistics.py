"""What is in a treebank: labels, tags, distances, directions, and how much of it is not projective."""

from __future__ import annotations

from collections.abc import Iterable
from math import nan

import attrs
import numpy as np

from deptrees.evaluation.attributes import grouped, selected, values
from deptrees.evaluation.pairs import EvaluationError
from deptrees.evaluation.tables import Cell, Column, Table, array_columns
from deptrees.evaluation.words import Booleans, Integers, Words, known_forms, sentence_numbers
from deptrees.treebanks.columns import Columns
from deptrees.trees.tree import DependencyTree

__all__ = ["statistics"]


def statistics(
    trees: Iterable[DependencyTree],
    by: str = "",
    *,
    where: str | Iterable[str] = (),
    universal: bool = False,
    train: Iterable[DependencyTree] | None = None,
) -> Table:
    """Count the words of a treebank by any combination of attributes, or show an overview of it.

    Frequent values come first, unless the attributes have an order of their own. Sentences of a row have such words.

    Args:
        trees: the treebank, read once.
        by: the attributes, separated by commas: see `deptrees.evaluation.attributes`; none for the overview.
        where: which words count, as conditions: see ``selected``.
        universal: whether only the universal part of labels counts, the part before the colon.
        train: training data, for the attribute ``known``.

    Raises:
        EvaluationError: there is no such attribute, something is not a condition, or there are no words.

    >>> tree = DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "discuss"), (1, "about")])
    >>> print(statistics([tree], "direction,distance:1"))
    direction  distance  words   share  sentences
    ---------  --------  -----  ------  ---------
    left       0..1          1  20.00%  1
    left       2..           2  40.00%  1
    right      2..           1  20.00%  1
    root       0..1          1  20.00%  1
    >>> statistics([tree]).row("non-projective arcs")
    {'value': 1, 'share': 0.2, 'sentences': (1,)}
    """
    words = Words(Columns.encode(trees), known_forms(train))
    if universal:
        words = words.with_universal_labels()
    which = selected(words, where)
    if not which.any():
        raise EvaluationError("there is no word to count")
    if not by:
        return _overview(words, which)
    groups = grouped(by, (words, which))
    counts = np.bincount(groups.numbers[which])
    shares = array_columns({"share": counts / counts.sum()}, "share")
    sentences = sentence_numbers(groups.numbers[which], words.sentence[which], len(groups))
    columns = [*groups.columns, *array_columns({"words": counts}), *shares]
    return Table(f"Words by {by}", columns, sentences, plotted=("share",)).sorted(groups.order(counts))


def _overview(words: Words, which: Booleans) -> Table:
    """Counts of sentences and words, their shapes, and how far from projective they are."""
    sentences = len(np.unique(words.sentence[which]))
    arcs = which & (words.columns.heads >= 0)
    gaps = np.full(len(words.columns), -1, np.int64)
    np.maximum.at(gaps, words.sentence[which], values(words, "gap-degree").numbers[which])
    crossing = arcs & (values(words, "projectivity").numbers == 1)
    found = _Overview(words)
    found.add("sentences", sentences)
    found.add("words", int(which.sum()))
    found.add("words per sentence", which.sum() / sentences)
    for name in "form", "label", "tag":
        found.add(f"different {name}s", len({*np.unique(values(words, name).numbers[which]).tolist()} - {-1}))
    found.add_words("words without a head", which & (words.columns.heads < 0), which)
    directions = values(words, "direction").numbers
    for number, name in enumerate(("to the left of their head", "to the right of their head", "that depend on ROOT")):
        found.add_words(f"words {name}", arcs & (directions == number), arcs)
    found.add("mean distance to the head", _mean(values(words, "distance").numbers[arcs & (directions != 2)]))
    depths = values(words, "depth").numbers
    found.add("mean depth", _mean(depths[which & (depths > 0)]))
    found.add_words("non-projective arcs", crossing, arcs)
    found.add_sentences("non-projective sentences", np.unique(words.sentence[crossing]), sentences)
    for degree in range(int(gaps.max()) + 1):
        found.add_sentences(f"sentences of gap degree {degree}", np.flatnonzero(gaps == degree), sentences)
    return found.table()


def _mean(numbers: Integers) -> float:
    return float(numbers.mean()) if len(numbers) else nan


@attrs.define
class _Overview:
    """The rows of the overview, as they are found."""

    words: Words
    rows: list[tuple[str, Cell, float]] = attrs.field(factory=list)
    sentences: list[tuple[int, ...]] = attrs.field(factory=list)

    def add(self, name: str, value: Cell, share: float = nan, sentences: Iterable[int] = ()) -> None:
        self.rows.append((name, value, share))
        self.sentences.append(tuple(sentences))

    def add_words(self, name: str, which: Booleans, among: Booleans) -> None:
        share = float(which.sum() / among.sum()) if among.any() else nan
        self.add(name, int(which.sum()), share, (np.unique(self.words.sentence[which]) + 1).tolist())

    def add_sentences(self, name: str, found: Integers, among: int) -> None:
        self.add(name, len(found), len(found) / among, (found + 1).tolist())

    def table(self) -> Table:
        names, values, shares = zip(*self.rows, strict=True)
        columns = [Column("measure", names, "key"), Column("value", values, "number"), Column("share", shares, "share")]
        return Table("Overview", columns, self.sentences)
