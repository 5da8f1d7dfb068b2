"""Sentences on their way through a model, in portions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from more_itertools import take

from deptrees.trees.tree import DependencyTree, Sentence, as_tree

__all__ = ["portions"]

_MOST_AT_ONCE = 1024


def portions(sentences: Iterable[Sentence]) -> Iterator[list[DependencyTree]]:
    """Sentences to be worked on together: few at first, so that whoever waits for the first does not wait long.

    >>> [len(trees) for trees in portions([["Go"]] * 10)]
    [1, 1, 2, 4, 2]
    """
    trees = map(as_tree, sentences)
    done = 0
    while portion := take(min(max(done, 1), _MOST_AT_ONCE), trees):
        yield portion
        done += len(portion)
