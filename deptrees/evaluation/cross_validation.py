"""Cross-validation: each part of a treebank is parsed by a parser that was trained on the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import compress
from operator import not_
from random import Random
from typing import Protocol, runtime_checkable

from deptrees.evaluation.pairs import trees_in
from deptrees.evaluation.scores import Scores, evaluate
from deptrees.messages import counted, of_type, quoted
from deptrees.trees.tree import AnyTree, DependencyTree

__all__ = ["cross_validate", "folds"]


@runtime_checkable
class Parses(Protocol):
    """A parser: anything that returns trees for trees, whose heads are ignored."""

    def parse(self, sentences: list[DependencyTree], /) -> Iterable[DependencyTree]:
        """The parsed sentences, in order."""


def folds(
    treebank: Iterable[AnyTree], k: int = 10, seed: int = 0
) -> Iterator[tuple[list[DependencyTree], list[DependencyTree]]]:
    """Divide a treebank into k random parts; each part in turn is for testing, and the others are for training.

    The sizes of the parts differ by at most one sentence, and sentences keep their order.

    Args:
        treebank: the trees, which are all kept in memory.
        k: the number of parts.
        seed: determines which sentences are in which part.

    Yields:
        The trees to train on, and those to test on.

    Raises:
        ValueError: there are fewer than two parts, or fewer sentences than parts.

    >>> from deptrees import sample_treebank
    >>> [(len(train), len(test)) for train, test in folds(sample_treebank("dev"), k=3)]
    [(10, 6), (11, 5), (11, 5)]
    """
    trees = list(trees_in(treebank))
    if not 2 <= k <= len(trees):
        raise ValueError(
            f"{counted(len(trees), 'sentence')} cannot be divided into {k} parts: k must be from 2 to their number"
        )
    part_of = [number % k for number in range(len(trees))]
    Random(seed).shuffle(part_of)
    chosen = ([number == part for number in part_of] for part in range(k))
    return (([*compress(trees, map(not_, is_in_part))], [*compress(trees, is_in_part)]) for is_in_part in chosen)


def cross_validate(
    treebank: Iterable[AnyTree], train: Callable[[list[DependencyTree]], Parses], *, k: int = 10, seed: int = 0
) -> Iterator[Scores]:
    """Train k parsers, each on all but one of k parts of a treebank, and score each on that part.

    Args:
        treebank: the trees, which are all kept in memory.
        train: returns a parser for trees to train on, such as ``Parser.train``; use ``functools.partial`` for options.
        k: the number of parts.
        seed: determines which sentences are in which part.

    Yields:
        The scores on each part, as soon as they are known; ``sum(found, Scores())`` is the score on the whole treebank.

    Raises:
        ValueError: there are fewer than two parts, or fewer sentences than parts.
        TypeError: a parser is given, and not what trains one.

    >>> from functools import partial
    >>> from deptrees import Parser, sample_treebank
    >>> train = partial(Parser.train, epochs=2)
    >>> found = list(cross_validate(sample_treebank("dev"), train, k=2))
    >>> len(found), sum(found, Scores()).sentences
    (2, 16)
    """
    if hasattr(train, "parse") and not isinstance(train, type):
        raise TypeError(f"train is a function that trains a parser, such as Parser.train, not {quoted(train)}")
    parts = folds(treebank, k, seed)
    return (evaluate(testing, _trained(train, training).parse(testing)) for training, testing in parts)


def _trained(train: Callable[[list[DependencyTree]], Parses], trees: list[DependencyTree]) -> Parses:
    """The parser for some trees, made sure that it is one."""
    parser = train(trees)
    of_type("train", parser, Parses, "a function that returns a parser")
    return parser
