"""Exploration policies: which transition training takes next, right or wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from random import Random
from typing import Any, Protocol, TypeVar

import attrs

from deptrees.transition.transitions import Transition

__all__ = ["AlwaysExplore", "ExplorationPolicy", "Model", "NeverExplore", "Policy", "RandomSource"]

Model = Callable[[Any, tuple[Transition, ...], tuple[Transition, ...]], Transition | None]
"""From a configuration, its possible and its gold transitions to a prediction.

Where an oracle labels its transitions, the possible ones carry gold labels too: a model must not look at them.
"""

_Item = TypeVar("_Item")


class RandomSource(Protocol):
    """What draws numbers from [0, 1): a ``random.Random`` or a ``numpy.random.Generator``."""

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
        model: predicts a transition; without one, or where it answers ``None``, the choice is random.
        rng: draws the random numbers. Seed it, and every run is the same run; the default is seeded with 0.
    """

    model: Model | None = attrs.field(default=None, kw_only=True)
    rng: RandomSource = attrs.field(factory=_SeededWithZero, kw_only=True, repr=False)

    def __call__(self, cfg: Any, possible: tuple[Transition, ...], gold: tuple[Transition, ...]) -> Transition:
        """Ask the model, then choose."""
        return self.choose(cfg, possible, gold, self.predict(cfg, possible, gold))

    def predict(self, cfg: Any, possible: tuple[Transition, ...], gold: tuple[Transition, ...]) -> Transition | None:
        """The model's prediction, ``None`` without a model."""
        return None if self.model is None else self.model(cfg, possible, gold)

    def choose(
        self, cfg: Any, possible: tuple[Transition, ...], gold: tuple[Transition, ...], predicted: Transition | None
    ) -> Transition:
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

    def choose(
        self, cfg: Any, possible: tuple[Transition, ...], gold: tuple[Transition, ...], predicted: Transition | None
    ) -> Transition:
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

    def choose(
        self, cfg: Any, possible: tuple[Transition, ...], gold: tuple[Transition, ...], predicted: Transition | None
    ) -> Transition:
        if predicted is not None and predicted.is_possible(cfg):
            return predicted
        return self._draw(possible)


@attrs.frozen
class ExplorationPolicy(Policy):
    """Explore at rate p, after k iterations that do not explore (Goldberg & Nivre 2013, algorithm 3).

    With probability p it does as ``AlwaysExplore``, otherwise it takes a random gold transition. The first k
    iterations, which ``at`` gives, do as ``NeverExplore``.

    Args:
        k: the number of iterations without exploration.
        p: the rate of exploration from then on.

    >>> policy = ExplorationPolicy(k=1, p=0.9)
    >>> policy.at(1), policy.at(2)
    (NeverExplore(model=None), ExplorationPolicy(model=None, k=1, p=0.9))
    """

    k: int = attrs.field(validator=attrs.validators.ge(0))
    p: float = attrs.field(validator=[attrs.validators.ge(0), attrs.validators.le(1)])

    def choose(
        self, cfg: Any, possible: tuple[Transition, ...], gold: tuple[Transition, ...], predicted: Transition | None
    ) -> Transition:
        if self.rng.random() >= self.p:
            return self._draw(gold)
        return AlwaysExplore.choose(self, cfg, possible, gold, predicted)  # type: ignore[arg-type]

    def at(self, iteration: int) -> Policy:
        return self if iteration > self.k else NeverExplore(model=self.model, rng=self.rng)
