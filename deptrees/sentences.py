"""Sentences on their way through a model: what may come in, and in which portions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from deptrees.token import Token
from deptrees.transition.configuration import sentence
from deptrees.tree import DependencyTree

__all__ = ["Sentence", "as_tree", "portions"]

Sentence = DependencyTree | Iterable[str | Token]
"""What can be tagged and parsed: a tree, of which only the words count, or words."""

_MOST_AT_ONCE = 1024


def as_tree(source: Sentence) -> DependencyTree:
    """The sentence as a tree; words become one without heads.

    Raises:
        TypeError: it is a string: a word where a sentence is expected.

    >>> as_tree(["Birds", "sing"]).heads
    (None, None)
    """
    if isinstance(source, str):
        raise TypeError(f"{source!r} is not a sentence: put the words of each sentence in a list of its own")
    return sentence(source)


def portions(sentences: Iterable[Sentence]) -> Iterator[list[DependencyTree]]:
    """Sentences to be worked on together: few at first, so that whoever waits for the first does not wait long.

    >>> [len(trees) for trees in portions([["Go"]] * 10)]
    [1, 1, 2, 4, 2]
    """
    trees = map(as_tree, sentences)
    done = 0
    while portion := list(islice(trees, min(max(done, 1), _MOST_AT_ONCE))):
        yield portion
        done += len(portion)
