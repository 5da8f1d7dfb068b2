"""Exploration policies: which transition training takes next, right or wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from math import exp, inf
from random import Random
from typing import Any, Protocol, TypeVar, runtime_checkable

import attrs

from deptrees.messages import written
from deptrees.transition.transitions import Transition

__all__ = [
    "AlwaysExplore",
    "ExplorationPolicy",
    "Model",
    "NeverExplore",
    "Policy",
    "RandomSource",
    "Sample",
    "SecondBest",
]

_Some = tuple[Transition, ...]

Model = Callable[[Any, _Some, _Some], Transition | None]
"""From a configuration, its possible and its gold transitions to a prediction.

Where an oracle labels its transitions, the possible ones carry gold labels too: a model must not look at them.
"""

_Item = TypeVar("_Item")


@runtime_checkable
class RandomSource(Protocol):
    """A source of numbers from [0, 1): a ``random.Random`` or a ``numpy.random.Generator``."""

    def random(self) -> float:
        """The next number."""


class _SeededWithZero:
    """The default source, seeded at the first draw: most policies never draw, and seeding takes microseconds."""

    @cached_property
    def _rng(self) -> Random:
        return Random(0)

    def random(self) -> float:
        return self._rng.random()


@attrs.frozen
class Policy:
    """Which transition to take, given the possible and the gold ones: a callable that returns one of them.

    Args:
        model: predicts a transition; without one, or if it returns ``None``, the choice is random.
        rng: draws the random numbers; a seeded one makes every run the same. The default is seeded with 0.
    """

    model: Model | None = attrs.field(default=None, kw_only=True, repr=written)
    rng: RandomSource = attrs.field(factory=_SeededWithZero, kw_only=True, repr=False)

    def __call__(self, cfg: Any, possible: _Some, gold: _Some) -> Transition:
        """Ask the model, then choose."""
        return self.choose(cfg, possible, gold, self.predict(cfg, possible, gold))

    def predict(self, cfg: Any, possible: _Some, gold: _Some) -> Transition | None:
        """The model's prediction, ``None`` without a model."""
        return None if self.model is None else self.model(cfg, possible, gold)

    def choose(self, cfg: Any, possible: _Some, gold: _Some, predicted: Transition | None) -> Transition:
        """The transition to take, given the prediction."""
        raise NotImplementedError

    def at(self, iteration: int) -> Policy:
        """The policy for a training iteration, counted from 1."""
        return self

    def _draw(self, items: Sequence[_Item]) -> _Item:
        if not items:
            raise ValueError("there is no transition to choose from: an oracle must give at least one")
        return items[int(self.rng.random() * len(items))] if len(items) > 1 else items[0]


class NeverExplore(Policy):
    """Only gold transitions: the predicted one if it is gold, otherwise a random one.

    >>> from deptrees.transition import LeftArc, Shift
    >>> NeverExplore()(None, (LeftArc(), Shift()), (Shift(),))
    Shift()
    """

    def choose(self, cfg: Any, possible: _Some, gold: _Some, predicted: Transition | None) -> Transition:
        return predicted if predicted in gold else self._draw(gold)


class AlwaysExplore(Policy):
    """Always the prediction if it is possible, otherwise a random possible transition.

    >>> from deptrees.transition import ArcEager, Oracle, Shift, dynamic_oracle
    >>> from deptrees import DependencyTree
    >>> tree = DependencyTree([(2, "Birds"), (0, "sing")])
    >>> policy = AlwaysExplore(model=lambda cfg, possible, gold: possible[-1])
    >>> [step.taken for step in Oracle(ArcEager(), dynamic_oracle)(tree, policy).steps()]
    [Shift(), LeftArc(), RightArc()]
    """

    def choose(self, cfg: Any, possible: _Some, gold: _Some, predicted: Transition | None) -> Transition:
        if predicted is not None and predicted.is_possible(cfg):
            return predicted
        return self._draw(possible)


@attrs.frozen
class _AfterK(Policy):
    """A policy that explores after k iterations without exploration."""

    k: int = attrs.field(validator=attrs.validators.ge(0))

    def at(self, iteration: int) -> Policy:
        return self if iteration > self.k else NeverExplore(model=self.model, rng=self.rng)


def _rate() -> Any:
    return attrs.field(validator=[attrs.validators.ge(0), attrs.validators.le(1)])


@attrs.frozen
class ExplorationPolicy(_AfterK):
    """Explore at rate p, after k iterations that do not explore (Goldberg & Nivre 2013, algorithm 3).

    With probability p it acts like ``AlwaysExplore``; otherwise it takes a random gold transition. In the first k
    iterations, which ``at`` counts, it acts like ``NeverExplore``.

    Args:
        k: the number of iterations without exploration.
        p: the rate of exploration from then on.

    >>> policy = ExplorationPolicy(k=1, p=0.9)
    >>> policy.at(1), policy.at(2)
    (NeverExplore(model=None), ExplorationPolicy(model=None, k=1, p=0.9))
    """

    p: float = _rate()

    def choose(self, cfg: Any, possible: _Some, gold: _Some, predicted: Transition | None) -> Transition:
        if self.rng.random() >= self.p:
            return self._draw(gold)
        return AlwaysExplore.choose(self, cfg, possible, gold, predicted)  # type: ignore[arg-type]


@attrs.frozen
class _Ranked(_AfterK):
    """A policy that looks at all of its model's scores."""

    def _ranked(self, cfg: Any) -> list[tuple[Transition, float]]:
        ranked: Callable[[Any], list[tuple[Transition, float]]] | None = getattr(self.model, "ranked", None)
        if ranked is None:
            raise ValueError(f"{type(self).__name__} needs a model that ranks transitions, such as a Ranking")
        return ranked(cfg)


@attrs.frozen
class SecondBest(_Ranked):
    """Take the best transition or, with probability p, the second best, after k iterations with gold ones.

    The model must rank the transitions. In training strategies the strategy's own ranking is the model.

    Args:
        k: the number of iterations without exploration.
        p: the probability of the second best transition from then on.

    >>> from deptrees.search import Ranking
    >>> from deptrees.transition import ArcHybrid, Shift
    >>> ranking = Ranking(ArcHybrid(), lambda configurations: [[1, 0, 2]] * len(configurations))
    >>> cfg = Shift()(ArcHybrid().initial(["Birds", "sing"]))
    >>> SecondBest(k=1, p=1, model=ranking)(cfg, cfg.possible_transitions(), (Shift(),))
    LeftArc()
    """

    p: float = _rate()

    def choose(self, cfg: Any, possible: _Some, gold: _Some, predicted: Transition | None) -> Transition:
        best, *others = [transition for transition, _ in self._ranked(cfg)]
        return others[0] if others and self.rng.random() < self.p else best


@attrs.frozen
class Sample(_Ranked):
    """Draw a transition by its score, after k iterations with gold ones.

    Transitions are drawn with probability p^α, scaled to a sum of 1, where p is the softmax of the scores. α = 1
    samples by score; a larger α draws the best more often, and with α = 0 all are equally likely. The model is as in
    ``SecondBest``.

    Args:
        k: the number of iterations without exploration.
        alpha: the exponent α.

    >>> from deptrees.search import Ranking
    >>> from deptrees.transition import ArcHybrid, Shift
    >>> ranking = Ranking(ArcHybrid(), lambda configurations: [[1, 0, 2]] * len(configurations))
    >>> cfg = Shift()(ArcHybrid().initial(["Birds", "sing"]))
    >>> policy = Sample(k=0, alpha=1, model=ranking)
    >>> drawn = [policy(cfg, cfg.possible_transitions(), (Shift(),)) for _ in range(1000)]
    >>> [drawn.count(transition) for transition in ranking.space.transitions]
    [245, 91, 664]
    """

    alpha: float = attrs.field(default=1.0, validator=[attrs.validators.ge(0), attrs.validators.lt(inf)])

    def choose(self, cfg: Any, possible: _Some, gold: _Some, predicted: Transition | None) -> Transition:
        ranked = self._ranked(cfg)
        highest = ranked[0][1]
        weighted = [(transition, exp(self.alpha * (score - highest))) for transition, score in ranked]
        left = self.rng.random() * sum(weight for _, weight in weighted)
        for transition, weight in weighted:
            left -= weight
            if left < 0:
                return transition
        return transition  # where rounding leaves a rest
