"""What is in a treebank before a parser is trained on it, and what follows for training."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import nan
from typing import Any

import numpy as np

from deptrees.evaluation.corpus_statistics import statistics
from deptrees.evaluation.pairs import trees_in
from deptrees.evaluation.tables import Column, Table
from deptrees.messages import listed
from deptrees.trees.eisner import eisner
from deptrees.trees.projectivity import is_projective
from deptrees.trees.tree import DependencyTree

__all__ = ["diagnose"]

_COLUMNS = {"lemma": "LEMMA", "tag": "UPOS", "xpos": "XPOS", "feats": "FEATS"}

_Row = tuple[str, float, float, str]  # what is counted, how many, among how many, and what follows if there are any


def diagnose(train: Iterable[DependencyTree], dev: Iterable[DependencyTree] | None = None) -> Table:
    """Look at a treebank before a parser is trained on it.

    Args:
        train: the trees to learn from, held in memory.
        dev: development data, which should have no sentence of these.

    Returns:
        How much there is of what matters for training, its share, and what follows.

    Raises:
        EvaluationError: there are no words.

    >>> what = DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "discuss"), (1, "about")])
    >>> table = diagnose([what, what], [what])
    >>> table.row("heads that no projective system finds")
    {'value': 2, 'share': 0.2, 'what follows': 'their UAS is at most 80.00%; arc-hybrid-swap finds all'}
    >>> table.row("sentences of dev that are in train")["share"]
    1.0
    """
    trees = [*trees_in(train)]
    rows = [*_sizes(trees), *_labels(trees), *_missing(trees), *_shapes(trees)]
    if dev is not None:
        rows += _compared(trees, [*trees_in(dev)])
    names, values, among, follows = zip(*rows, strict=True)
    columns = [
        Column("measure", names, "key"),
        Column("value", values, "number"),
        Column("share", [value / n if n else nan for value, n in zip(values, among, strict=True)], "share"),
        Column("what follows", [text if value else "" for value, text in zip(values, follows, strict=True)], "text"),
    ]
    return Table("Diagnosis", columns)


def _sizes(trees: list[DependencyTree], where: str = "") -> Iterator[_Row]:
    overview = statistics(trees)
    for name in ("sentences", "words", "words per sentence", "different forms"):
        yield f"{name}{where}", overview.row(name)["value"], 0, ""


def _labels(trees: list[DependencyTree]) -> Iterator[_Row]:
    counts = _counts(trees, "label")
    once = [label for label, count in counts.items() if count == 1]
    yield "different labels", len(counts), 0, ""
    yield "labels seen once", len(once), len(counts), f"hardly learned: {listed(once)}"


def _missing(trees: list[DependencyTree]) -> Iterator[_Row]:
    """What columns and comments lack."""
    n = sum(map(len, trees))
    yield "words without HEAD", n - _arcs(trees), n, "learned from with a dynamic oracle, as that of arc-eager"
    for attribute, name in _COLUMNS.items():
        empty = _counts(trees, attribute).get("_", 0)
        yield f"words without {name}", empty, n, f"no {name} is predicted" if empty == n else ""
    without = sum(tree.text is None for tree in trees)
    yield 'sentences without "# text"', without, len(trees), "no tokenizer" if without == len(trees) else ""


def _shapes(trees: list[DependencyTree]) -> Iterator[_Row]:
    several, crossing = (sum(len(tree.roots) > 1 for tree in trees), [it for it in trees if not is_projective(it)])
    yield "sentences with several roots", several, len(trees), "built with --no-single-root alone"
    yield (
        "non-projective sentences",
        len(crossing),
        len(trees),
        "learned from with a dynamic oracle, or by projectivize",
    )
    lost, n = _arcs(crossing) - sum(map(_most_projective, crossing)), _arcs(trees)
    follows = f"their UAS is at most {1 - lost / max(n, 1):.2%}; arc-hybrid-swap finds all"
    yield "heads that no projective system finds", lost, n, follows
    yield "sentences that are there twice", len(trees) - len({*map(_forms, trees)}), len(trees), ""


def _compared(trees: list[DependencyTree], dev: list[DependencyTree]) -> Iterator[_Row]:
    """What development data is like, and how it differs."""
    yield from _sizes(dev, " of dev")
    learned, n = {*map(_forms, trees)}, sum(map(len, dev))
    shared = sum(_forms(tree) in learned for tree in dev)
    yield "sentences of dev that are in train", shared, len(dev), "scores on them are too high"
    yield "words of dev that are not in train", _counts(dev, "known", train=trees).get("unknown", 0), n, ""
    new = _counts(dev, "label").keys() - _counts(trees, "label").keys()
    yield "labels of dev that are not in train", len(new), 0, f"never predicted: {listed(sorted(new))}"


def _arcs(trees: Iterable[DependencyTree]) -> int:
    return sum(len(tree.arcs) for tree in trees)


def _counts(trees: list[DependencyTree], attribute: str, **known: Any) -> Mapping[str, int]:
    """How many words have each value of an attribute."""
    table = statistics(trees, attribute, **known)
    return dict(zip(table[attribute], table["words"], strict=True))  # type: ignore[arg-type]


def _most_projective(tree: DependencyTree) -> int:
    """How many of a tree's arcs a projective tree can have."""
    cost = np.zeros((len(tree) + 1, len(tree) + 1))
    cost[tuple(zip(*tree.arcs, strict=True))] = -1
    return -round(eisner(cost).minimum)


def _forms(tree: DependencyTree) -> tuple[str, ...]:
    return tuple([token.form for token in tree])
