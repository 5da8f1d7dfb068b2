"""Sentences in portions, for models that work on many at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.treebanks.columns import Columns
from deptrees.treebanks.treebank import Treebank
from deptrees.trees.heads import check_heads
from deptrees.trees.tree import DependencyTree, Sentence, as_tree

__all__ = ["attach", "attach_one", "in_order", "portions"]

_MOST_AT_ONCE = 1024

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def portions(sentences: Iterable[Sentence]) -> Iterator[list[DependencyTree]]:
    """Portions of sentences, as trees: small at first, so that the first results come soon.

    A portion of a treebank ends where the next tree has not arrived yet, so that nobody waits for an answer to what
    has been read.

    >>> [len(trees) for trees in portions([["Go"]] * 10)]
    [1, 1, 2, 4, 2]
    """
    trees = sentences.arriving() if isinstance(sentences, Treebank) else map(as_tree, sentences)
    portion: list[DependencyTree] = []
    done = 0
    for tree in trees:
        if tree is not None:
            portion.append(tree)
        if portion and (tree is None or len(portion) == min(max(done, 1), _MOST_AT_ONCE)):
            yield portion
            done += len(portion)
            portion = []
    if portion:
        yield portion


def in_order(work: Callable[[_Item], _Result], items: Iterable[_Item | None], threads: int) -> Iterator[_Result]:
    """Work on items in threads, lazily, with the results in the order of the items.

    Where the next item has not arrived yet, which a ``None`` says, all before it are answered.

    >>> list(in_order(abs, [-3, -2, None, -1], threads=2))
    [3, 2, 1]
    """
    if threads == 1:
        yield from (work(item) for item in items if item is not None)
        return
    errors: list[Exception] = []
    with ThreadPoolExecutor(threads) as pool:
        begun: deque[Future[_Result]] = deque()
        for item in _up_to_an_error(items, errors):
            if item is not None:
                begun.append(pool.submit(work, item))
            while begun and (item is None or len(begun) > threads):
                yield begun.popleft().result()
    if errors:
        raise errors[0]


def _up_to_an_error(items: Iterable[_Item | None], errors: list[Exception]) -> Iterator[_Item | None]:
    """The items, and ``None`` at the end; an error is kept for later."""
    try:
        yield from items
    except Exception as error:
        errors.append(error)
    yield None


def attach(
    trees: Sequence[DependencyTree],
    columns: Columns,
    heads: npt.NDArray[np.int32],
    labels: npt.NDArray[np.int32],
    names: Sequence[str],
) -> Iterator[DependencyTree]:
    """Sentences with the heads and labels that a model found for their words.

    Args:
        trees: the sentences.
        columns: the same, encoded.
        heads: the head of each word, -1 for none.
        labels: the number of its label, -1 for none.
        names: the labels.

    >>> trees = [DependencyTree([(None, "Birds"), (None, "sing")])]
    >>> [parsed] = attach(trees, Columns.encode(trees), np.array([2, 0]), np.array([0, -1]), ["nsubj"])
    >>> parsed.heads, parsed.labels
    ((2, 0), ('nsubj', None))
    """
    found, numbers = heads.tolist(), labels.tolist()
    for tree, start in zip(trees, columns.offsets[:-1].tolist(), strict=True):
        words = slice(start, start + len(tree))
        yield attach_one(tree, found[words], numbers[words], names)


def attach_one(
    tree: DependencyTree, heads: Iterable[int], labels: Iterable[int], names: Sequence[str]
) -> DependencyTree:
    """A sentence with the heads and labels that a model found for its words; see ``attach``."""
    known_heads = tuple([None if head < 0 else head for head in heads])
    known_labels = tuple([None if label < 0 else names[label] for label in labels])
    check_heads(known_heads)

    def made() -> DependencyTree:
        arcs = zip(tree.tokens, known_heads, known_labels, strict=True)
        return attrs.evolve(tree, tokens=[token.attached(head, label) for token, head, label in arcs])

    return DependencyTree.deferred(made, known_heads, known_labels)
