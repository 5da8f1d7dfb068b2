"""Weighted sets: of derivations, such as those in a beam, and of what derivations have in common."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

import attrs
import numpy as np
import numpy.typing as npt

__all__ = ["WeightedSet"]

_Item = TypeVar("_Item")
_Key = TypeVar("_Key", bound=Hashable)


def _logarithms(scores: npt.ArrayLike) -> npt.NDArray[np.float64]:
    return np.array(scores, np.float64)


@attrs.frozen(eq=False)
class WeightedSet(Generic[_Item]):
    """Things with weights, whose logarithms are their scores: the derivations in a beam, or what they are grouped by.

    A beam has some of all derivations, so the sum of its weights is a lower bound of the sum of all, which it reaches
    if the beam is as wide as there are derivations. Probabilities and entropy are those among the things in the set.

    Args:
        items: the things.
        scores: the logarithm of the weight of each.

    Raises:
        ValueError: there is nothing in the set, or not one score for each.

    >>> from deptrees.search import BeamSearch, Ranking
    >>> from deptrees.transition import ArcHybrid
    >>> ranking = Ranking(ArcHybrid(), lambda configurations: [[1, 0, 2]] * len(configurations), normalize=True)
    >>> *_, beam = BeamSearch(ranking, size=8)(["Birds", "sing"])
    >>> found = WeightedSet(beam, [hypothesis.score for hypothesis in beam])
    >>> len(beam), round(abs(found.log_sum), 6), found.probabilities.round(3).tolist()
    (3, 0.0, [0.665, 0.245, 0.09])
    >>> heads = found.by(lambda hypothesis: hypothesis.config.heads[0])
    >>> heads.items, heads.probabilities.round(3).tolist()
    ((0, 2), [0.755, 0.245])
    """

    items: tuple[_Item, ...] = attrs.field(converter=tuple)
    scores: npt.NDArray[np.float64] = attrs.field(converter=_logarithms)

    def __attrs_post_init__(self) -> None:
        if not self.items or self.scores.shape != (len(self.items),):
            raise ValueError(f"{len(self.items)} things with weights need as many scores, and at least one")

    def __len__(self) -> int:
        return len(self.items)

    @property
    def log_sum(self) -> float:
        """The logarithm of the sum of the weights."""
        return float(np.logaddexp.reduce(self.scores))

    @property
    def probabilities(self) -> npt.NDArray[np.float64]:
        """The share of each in the sum of the weights."""
        return np.exp(self.scores - self.log_sum)

    @property
    def entropy(self) -> float:
        """How uncertain it is which of them is meant, in bits."""
        shares = self.probabilities[self.probabilities > 0]
        return float(abs(shares @ np.log2(shares)))

    def by(self, key: Callable[[_Item], _Key]) -> WeightedSet[_Key]:
        """The sums of the weights of those with the same key, such as a tree or a word's head, the greatest first."""
        sums: dict[_Key, float] = {}
        for item, score in zip(self.items, self.scores, strict=True):
            of_item = key(item)
            sums[of_item] = np.logaddexp(sums.get(of_item, -np.inf), score)
        found = sorted(sums, key=sums.__getitem__, reverse=True)
        return WeightedSet(found, [sums[of_item] for of_item in found])

    def sample(self, rng: np.random.Generator, count: int) -> list[_Item]:
        """Some of them, drawn with their probabilities, each time from all."""
        return [self.items[number] for number in rng.choice(len(self), count, p=self.probabilities)]
