"""Trees of greatest score, that is of least cost, projective or not: Chu & Liu 1965, Edmonds 1967."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter

__all__ = ["Head", "best_heads"]

Head = int | None
"""The head of a word; ``None`` where it has no head."""


def best_heads(scores: Sequence[Mapping[Head, float]]) -> list[Head]:
    """The tree with the greatest sum of scores, projective or not (Chu & Liu 1965, Edmonds 1967).

    Args:
        scores: for each word the score of each head that it can have, ``None`` standing for no head. A tree with such
            heads must exist.

    >>> best_heads([{2: 5, 0: 1}, {1: 5, 0: 3}])
    [2, 0]
    """
    heads = _best_heads(dict(enumerate(scores, 1)))
    return [heads[word] for word in range(1, len(scores) + 1)]


def _best_heads(scores: Mapping[Head, Mapping[Head, float]]) -> dict[Head, Head]:
    heads: dict[Head, Head] = {word: max(found, key=found.__getitem__) for word, found in scores.items()}
    cycle = _cycle(heads)
    if not cycle:
        return heads
    # Contract the cycle to one word. A head outside the cycle scores what is gained by giving it to the best word in
    # the cycle, in place of that word's own head there. A dependent of the cycle depends on the word in the cycle that
    # scores most.
    whole = min(-1, *[word - 1 for word in scores if word is not None])
    entries: dict[Head, tuple[float, Head]] = {}
    for word in cycle:
        for head, score in scores[word].items():
            if head not in cycle:
                gain = score - scores[word][heads[word]]
                entries[head] = max(entries.get(head, (gain, word)), (gain, word), key=itemgetter(0))
    contracted: dict[Head, Mapping[Head, float]] = {whole: {head: gain for head, (gain, _) in entries.items()}}
    inside: dict[Head, Head] = {}
    for word, found in scores.items():
        if word not in cycle:
            outside = {head: score for head, score in found.items() if head not in cycle}
            if len(outside) < len(found):
                inside[word] = max(found.keys() & cycle, key=found.__getitem__)
                outside[whole] = found[inside[word]]
            contracted[word] = outside
    found_heads = _best_heads(contracted)
    entered = found_heads.pop(whole)
    rest = {word: inside[word] if head == whole else head for word, head in found_heads.items()}
    return {**heads, **rest, entries[entered][1]: entered}


def _cycle(heads: Mapping[Head, Head]) -> set[Head]:
    """The words of a cycle, none if there is no cycle."""
    done: set[Head] = set()
    for start in heads:
        path: list[Head] = []
        word: Head = start
        while word in heads and word not in done:
            done.add(word)
            path.append(word)
            word = heads[word]
        if word in path:
            return set(path[path.index(word) :])
    return set()
