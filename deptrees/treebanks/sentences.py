"""Sentences in portions, for models that work on many at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain, pairwise, repeat
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from deptrees.treebanks.columns import Columns
from deptrees.treebanks.conllu import KeptLines, attached
from deptrees.treebanks.treebank import Treebank
from deptrees.trees.heads import check_heads
from deptrees.trees.tree import DependencyTree, Sentence, as_tree

__all__ = ["attach", "attach_one", "in_order", "portions"]

_FIRST_AT_ONCE, _MOST_AT_ONCE = (1, 1, 4, 64), 1024

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def portions(sentences: Iterable[Sentence]) -> Iterator[list[DependencyTree]]:
    """Portions of sentences, as trees: small at first, so that the first results come soon.

    A portion of a treebank ends where the next tree has not arrived yet, so that nobody has to wait for results that
    are ready.

    >>> [len(trees) for trees in portions([["Go"]] * 100)]
    [1, 1, 4, 64, 30]
    """
    trees = sentences.arriving() if isinstance(sentences, Treebank) else map(as_tree, sentences)
    sizes = chain(_FIRST_AT_ONCE, repeat(_MOST_AT_ONCE))
    portion, size = list[DependencyTree](), next(sizes)
    for tree in trees:
        if tree is not None:
            portion.append(tree)
        if portion and (tree is None or len(portion) == size):
            yield portion
            portion, size = [], next(sizes)
    if portion:
        yield portion


def in_order(work: Callable[[_Item], _Result], items: Iterable[_Item | None], threads: int) -> Iterator[_Result]:
    """Work on items in threads, lazily, with the results in the order of the items.

    Where the next item has not arrived yet, which is marked by ``None``, the results of all items before it come first.

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
            while begun and (item is None or len(begun) > 2 * threads):
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
    """Sentences with the heads and labels that a model has found for their words.

    Args:
        trees: the sentences.
        columns: the same, encoded.
        heads: the head of each word, -1 for none.
        labels: the number of its label, -1 for none.
        names: the labels.

    Raises:
        TreeError: the heads of a sentence do not form a tree.

    >>> trees = [DependencyTree([(None, "Birds"), (None, "sing")])]
    >>> [parsed] = attach(trees, Columns.encode(trees), np.array([2, 0]), np.array([0, -1]), ["nsubj"])
    >>> parsed.heads, parsed.labels
    ((2, 0), ('nsubj', None))
    """
    if not _are_trees(heads, columns.offsets):
        for found in np.split(heads, columns.offsets[1:-1]):
            check_heads(_heads(found.tolist()))
    named = [*names, None].__getitem__  # of -1, too
    all_heads, all_labels = heads.tolist(), labels.tolist()
    for tree, (start, stop) in zip(trees, pairwise(columns.offsets.tolist()), strict=True):
        yield _deferred(tree, _heads(all_heads[start:stop]), tuple(map(named, all_labels[start:stop])))


def attach_one(
    tree: DependencyTree, heads: Sequence[int], labels: Iterable[int], names: Sequence[str]
) -> DependencyTree:
    """A sentence with the heads and labels that a model found for its words; see ``attach``."""
    known = _heads(heads)
    check_heads(known)
    return _deferred(tree, known, tuple(map([*names, None].__getitem__, labels)))


def _are_trees(heads: npt.NDArray[np.int32], offsets: npt.NDArray[np.int64]) -> bool:
    """Whether the heads of all sentences are in them, and the arcs form no cycle."""
    lengths = np.diff(offsets)
    if (heads > lengths.repeat(lengths)).any():
        return False
    ends = len(heads)  # where a way up ends
    ancestors = np.append(np.where(heads > 0, heads - 1 + offsets[:-1].repeat(lengths), ends), ends)
    for _ in range(int(lengths.max(initial=0)).bit_length()):  # each round doubles how far up they are
        ancestors = ancestors[ancestors]
    return bool((ancestors == ends).all())


def _heads(numbers: Sequence[int]) -> tuple[int | None, ...]:
    return tuple(numbers) if -1 not in numbers else tuple([None if head < 0 else head for head in numbers])


def _deferred(tree: DependencyTree, heads: tuple[int | None, ...], labels: tuple[str | None, ...]) -> DependencyTree:
    kept = tree.source
    if isinstance(kept, KeptLines):
        return DependencyTree.deferred(KeptLines(kept.lines, (heads, labels)), heads, labels)
    return DependencyTree.deferred(lambda: attached(tree, heads, labels), heads, labels)
