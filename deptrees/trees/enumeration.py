"""Enumeration of all graphs, all trees and projective trees, and random trees: test data for parsers and oracles."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, compress, filterfalse, product
from numbers import Integral
from random import Random

from deptrees.messages import of_type, quoted
from deptrees.trees.graph import DependencyGraph
from deptrees.trees.heads import count_cycles
from deptrees.trees.tree import DependencyTree

__all__ = ["all_graphs", "all_trees", "projective_trees", "random_projective_tree"]

_MOST_ENUMERATED, _MOST_DRAWN = 100, 10_000_000


def all_trees(n: int) -> Iterator[DependencyTree]:
    """Every tree over n words, with any number of roots: (n + 1) ** (n - 1) of them.

    >>> [sum(1 for _ in all_trees(n)) for n in range(1, 5)]
    [1, 3, 16, 125]
    """
    _check(n, _MOST_ENUMERATED)
    return map(_tree, filterfalse(count_cycles, product(range(n + 1), repeat=n)))


def all_graphs(n: int) -> Iterator[DependencyGraph]:
    """Every graph over n words: 2 ** n² of them.

    >>> [sum(1 for _ in all_graphs(n)) for n in range(1, 4)]
    [2, 16, 512]
    """
    _check(n, _MOST_ENUMERATED)
    arcs = [(head, word) for word in range(1, n + 1) for head in range(n + 1) if head != word]
    forms = [f"w{word}" for word in range(1, n + 1)]
    return (DependencyGraph(forms, compress(arcs, chosen)) for chosen in product((False, True), repeat=len(arcs)))


def projective_trees(n: int) -> Iterator[DependencyTree]:
    """Every projective tree over n words, with any number of roots.

    >>> [sum(1 for _ in projective_trees(n)) for n in range(1, 7)]
    [1, 3, 12, 55, 273, 1428]
    """
    _check(n, _MOST_ENUMERATED)
    return map(_tree, _forests(1, n + 1, 0))


def _check(n: int, most: int) -> None:
    of_type("n", n, Integral, "a number of words")
    if not 0 <= n <= most:
        raise ValueError(f"n is {quoted(n)}: expected a number of words from 0 to {most:,}")


def _forests(start: int, stop: int, head: int) -> Iterator[tuple[int, ...]]:
    """The heads of every projective forest over the words start to stop - 1 whose roots depend on ``head``."""
    if start == stop:
        yield ()
        return
    for last_root in range(start, stop):
        for split in range(start, last_root + 1):
            for before in _forests(start, split, head):
                for left in _forests(split, last_root, last_root):
                    for right in _forests(last_root + 1, stop, last_root):
                        yield (*before, *left, head, *right)


def random_projective_tree(n: int, seed: int | Random) -> DependencyTree:
    """A projective tree over n words, drawn in O(n) time from the uniform distribution, by a seed or a generator.

    >>> random_projective_tree(5, seed=1).heads
    (2, 0, 2, 0, 4)
    """
    _check(n, _MOST_DRAWN)
    rng = seed if isinstance(seed, Random) else Random(seed)
    # A forest is its last root with three forests: the one before, the root's left and its right dependents. So
    # projective trees are ternary trees, written in prefix order as n nodes (+2) and 2n + 1 leaves (-1) of which
    # exactly one rotation is well formed: the one that starts after the first lowest partial sum (cycle lemma).
    steps = [2] * n + [-1] * (2 * n + 1)
    rng.shuffle(steps)
    heights = [*accumulate(steps)]
    start = heights.index(min(heights)) + 1
    return _tree(_decoded(iter(steps[start:] + steps[:start]), n))


def _decoded(steps: Iterator[int], n: int) -> tuple[int, ...]:
    """The heads that a ternary tree in prefix order stands for."""
    parents, position = [0], {0: 0}  # nodes are numbered in prefix order, words from left to right
    todo = [(0, True)]  # what is still to be done, the next thing last: read a forest below a node, or place a node
    while todo:
        node, is_forest = todo.pop()
        if not is_forest:
            position[node] = len(position)
        elif next(steps) > 0:
            new = len(parents)
            parents.append(node)
            todo += [(new, True), (new, False), (new, True), (node, True)]
    heads = [0] * n
    for node in range(1, n + 1):
        heads[position[node] - 1] = position[parents[node]]
    return tuple(heads)


def _tree(heads: tuple[int, ...]) -> DependencyTree:
    return DependencyTree((head, f"w{word}") for word, head in enumerate(heads, 1))
