"""Errors planted in a treebank, to learn from them what errors look like."""

from __future__ import annotations

from collections import Counter, defaultdict
from random import Random

import numpy as np
import numpy.typing as npt

from deptrees.treebanks.columns import Columns

__all__ = ["planted"]

_ANY_LABEL = 0.2
"""The share of planted labels that are drawn from all, and not from those of the same tags."""

_Integers = npt.NDArray[np.int32]


def planted(columns: Columns, share: float, seed: int) -> tuple[_Integers, _Integers, npt.NDArray[np.bool_]]:
    """The heads and labels of a treebank with errors, and which words have them.

    A third of the errors are heads, moved to a neighbor of the right one in the tree or in the sentence; a third are
    labels, most of them drawn from those of words whose own tag and whose head's tag are the same, a fifth from all;
    a third are both.

    Args:
        columns: the treebank.
        share: how many of its words get an error, up to 1.
        seed: determines which.
    """
    random, heads, labels = Random(seed), columns.heads.copy(), columns.labels.copy()
    begins = np.repeat(columns.offsets[:-1], np.diff(columns.offsets)).tolist()
    ends = np.repeat(columns.offsets[1:], np.diff(columns.offsets)).tolist()
    tags = [*columns.words["upos"].tolist(), -1]

    def tags_of(word: int, head: int) -> tuple[int, int]:
        return tags[word], tags[begins[word] + head - 1 if head else -1]

    seen: dict[object, Counter[int]] = defaultdict(Counter)
    for word, (head, label) in enumerate(zip(heads.tolist(), labels.tolist(), strict=True)):
        seen[tags_of(word, head)][label] += 1
        seen[None][label] += 1
    for word in random.sample(range(len(heads)), round(share * len(heads))):
        kind = random.randrange(3)
        if kind != 1:
            sentence = heads[begins[word] : ends[word]].tolist()
            if neighbors := _neighbors(word - begins[word] + 1, sentence):
                heads[word] = random.choice(neighbors)
        if kind != 0:
            context = None if random.random() < _ANY_LABEL else tags_of(word, int(heads[word]))
            counts = seen[context]
            others = [label for label in counts if label not in (labels[word], -1)]
            if others:
                [labels[word]] = random.choices(others, [counts[label] for label in others])
    return heads, labels, (heads != columns.heads) | (labels != columns.labels)


def _neighbors(word: int, heads: list[int]) -> list[int]:
    """The words beside the head of a word, in the tree and in the sentence, that are not below the word itself."""
    head = heads[word - 1]
    if head <= 0:
        return []
    near = {heads[head - 1], head - 1, head + 1} | {other for other, its in enumerate(heads, 1) if its == head}
    return sorted(other for other in near if 0 < other <= len(heads) and not _is_below(other, word, heads))


def _is_below(word: int, above: int, heads: list[int]) -> bool:
    for _ in heads:
        if word == above:
            return True
        word = heads[word - 1] if word > 0 else 0
    return False
