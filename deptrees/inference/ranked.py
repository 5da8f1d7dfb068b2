"""The k best derivations, lazily (Huang & Chiang 2005, algorithm 3)."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heapify, heappop, heappush

import numpy as np
import numpy.typing as npt

__all__ = ["Ranked"]

Scores = npt.NDArray[np.float64]
_Candidate = tuple[float, int, int, int]
"""The negative score, the number of the term, and the ranks of the derivations of its two items."""


class Ranked:
    """The derivations of all items, by their ranks: those are found that are asked for.

    Args:
        terms: of an item (k, j) the scores of its terms, made of the best derivations: at […, d - k - 1].
        highest: at [k, j] the score of the best derivation.
        axioms: at [k, j] whether the item is one, and so has a single derivation.
    """

    def __init__(self, terms: Callable[[int, int], Scores], highest: Scores, axioms: npt.NDArray[np.bool_]) -> None:
        self._terms = terms
        self._highest = highest
        self._axioms = axioms
        self._items: dict[tuple[int, int], tuple[list[_Candidate], list[_Candidate], Scores]] = {}

    def nth(self, k: int, j: int, rank: int) -> float | None:
        """The score of a derivation of an item, 0 for the best; ``None`` if there are not so many."""
        if self._axioms[k, j]:
            return None if rank else 0.0
        found, heap, terms = self._item(k, j)
        while len(found) <= rank:
            if found:
                self._add_successors(k, j, found[-1], terms, heap)
            if not heap:
                return None
            found.append(heappop(heap))
        return -found[rank][0]

    def choose(self, k: int, j: int, rank: int) -> tuple[int, ...]:
        """The place of the term that a derivation of an item has, and the ranks of the derivations of its two items."""
        self.nth(k, j, rank)
        found, _, terms = self._items[k, j]
        _, number, left, right = found[rank]
        return (*map(int, np.unravel_index(number, terms.shape)), left, right)

    def _item(self, k: int, j: int) -> tuple[list[_Candidate], list[_Candidate], Scores]:
        if (k, j) not in self._items:
            terms = self._terms(k, j)
            possible = np.flatnonzero(terms > -np.inf).tolist()
            heap = [(-float(terms.flat[number]), number, 0, 0) for number in possible]
            heapify(heap)
            self._items[k, j] = [], heap, terms
        return self._items[k, j]

    def _add_successors(self, k: int, j: int, last: _Candidate, terms: Scores, heap: list[_Candidate]) -> None:
        """The term with the next derivation of either item; that of the first only while the second has its best."""
        _, number, left, right = last
        d = k + 1 + number % terms.shape[-1]
        weight = terms.flat[number] - self._highest[k, d] - self._highest[d, j]
        for one, other in [(left, right + 1), *([(left + 1, 0)] if right == 0 else [])]:
            first, second = self.nth(k, d, one), self.nth(d, j, other)
            if first is not None and second is not None:
                heappush(heap, (-(weight + first + second), number, one, other))
