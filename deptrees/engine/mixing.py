"""Averages of models, such as those of several seeds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from deptrees.engine.finding import AnyModel

__all__ = ["mix"]

_Model = TypeVar("_Model", bound=AnyModel)


def mix(models: Sequence[_Model], shares: Sequence[float] | None = None) -> _Model:
    """The model with the average of the weights of several models with one spec.

    Args:
        models: the models, at least one.
        shares: how much each of them counts; if not given, all count the same (uniform mixing).

    Raises:
        ValueError: there are no models, or not as many as shares, or one has another spec than the first.

    >>> from deptrees import sample_treebank
    >>> from deptrees.engine import train
    >>> one, other = (train(sample_treebank("train"), seed=seed) for seed in (1, 2))
    >>> mix([one, other], [3, 1]).spec == one.spec
    True
    """
    if not models:
        raise ValueError("there are no models to mix")
    if any(model.spec != models[0].spec for model in models):
        raise ValueError("models with different specs cannot be mixed: train them with the same system and templates")
    shares = [1.0] * len(models) if shares is None else shares
    mixed: _Model = models[0].with_weights_of(models, [share / sum(shares) for share in shares])
    return mixed
