"""Trees of highest score or least cost, projective or not: Chu & Liu 1965, Edmonds 1967."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from heapq import heappop, heappush
from itertools import count
from operator import itemgetter

__all__ = ["Head", "best_heads", "ranked_heads"]

Head = int | None
Scores = Sequence[Mapping[Head, float]]


def best_heads(scores: Scores) -> list[Head]:
    """The tree with the highest sum of scores, projective or not (Chu & Liu 1965, Edmonds 1967).

    Scores are those of each head that a word can have; ``None`` is no head. A tree with such heads must exist.

    >>> best_heads([{2: 5, 0: 1}, {1: 5, 0: 3}])
    [2, 0]
    """
    heads = _best_heads(dict(enumerate(scores, 1)))
    return [heads[word] for word in range(1, len(scores) + 1)]


def ranked_heads(scores: Scores, *, single_root: bool = False) -> Iterator[tuple[list[Head], float]]:
    """All trees with the sums of their scores, highest first, lazily (Lawler 1972).

    Each tree divides the remaining ones by the first word whose head differs; the best of every part waits in a queue.
    So a tree takes as many calls of ``best_heads`` as there are words or, with exactly one word below ROOT, possible
    roots as well.

    >>> for heads, score in ranked_heads([{2: 5, 0: 1}, {1: 5, 0: 3}]):
    ...     print(heads, score)
    [2, 0] 8
    [0, 1] 6
    [0, 0] 4
    """
    queue: list[tuple[float, int, list[Head], Scores, int]] = []
    number = count()

    def divide(left: Scores, first: int) -> None:
        heads = _best_single_root(left) if single_root else _best_if_any(left)
        if heads is not None:
            heappush(queue, (-_total(left, heads), next(number), heads, left, first))

    divide(scores, 0)
    while queue:
        negative, _, heads, left, first = heappop(queue)
        yield heads, -negative
        for word in range(first, len(heads)):
            same = [{head: found[head]} for head, found in zip(heads[:word], left, strict=False)]
            other = {head: score for head, score in left[word].items() if head != heads[word]}
            divide([*same, other, *left[word + 1 :]], word)


def _total(scores: Scores, heads: Sequence[Head]) -> float:
    return sum(found[head] for found, head in zip(scores, heads, strict=True))


def _best_single_root(scores: Scores) -> list[Head] | None:
    """The best tree with a single root, if there is one."""

    def below(root: int, word: int) -> Mapping[Head, float]:
        return {head: score for head, score in scores[word].items() if (head == 0) == (word == root)}

    words = range(len(scores))
    found = [_best_if_any([below(root, word) for word in words]) for root in words if 0 in scores[root]]
    return max((heads for heads in found if heads is not None), key=partial(_total, scores), default=None)


def _best_if_any(scores: Scores) -> list[Head] | None:
    """The best tree, if there is one: if every word can be reached from ROOT, or from a word without a head."""
    reached: set[Head] = {0, None}
    while len(reached) < len(scores) + 2:
        new = {word for word, heads in enumerate(scores, 1) if word not in reached and not reached.isdisjoint(heads)}
        if not new:
            return None
        reached |= new
    return best_heads(scores)


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
