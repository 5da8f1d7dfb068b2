"""Sentences in portions, for models that work on many at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from more_itertools import take

from deptrees.trees.tree import DependencyTree, Sentence, as_tree

__all__ = ["portions"]

_MOST_AT_ONCE = 1024


def portions(sentences: Iterable[Sentence]) -> Iterator[list[DependencyTree]]:
    """Portions of sentences, as trees: small at first, so that the first results come soon.

    >>> [len(trees) for trees in portions([["Go"]] * 10)]
    [1, 1, 2, 4, 2]
    """
    trees = map(as_tree, sentences)
    done = 0
    while portion := take(min(max(done, 1), _MOST_AT_ONCE), trees):
        yield portion
        done += len(portion)
