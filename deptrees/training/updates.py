"""What training strategies yield, and what they have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import attrs

from deptrees.search.beam import Derivation
from deptrees.training.inputs import RATE, is_complete
from deptrees.transition import Oracle, Transition
from deptrees.transition.oracles import INCOMPLETE
from deptrees.transition.policies import RandomSource
from deptrees.trees.tree import DependencyTree

__all__ = ["IncompleteOracle", "OnSentence", "OnUpdate", "Update", "exploration_with", "require_complete", "subsample"]


class IncompleteOracle(ValueError):
    """Training would go on after an error, where its oracle has no answer."""


@attrs.frozen
class Update:
    """A pair of derivations: a learner is to raise the score of the positive one, and to lower that of the negative.

    Both begin in the same configuration and may begin with the same steps, the changes for which cancel out.

    Args:
        positive: pairs of a configuration and the transition that is right there.
        negative: pairs of a configuration and the transition that the scorer prefers.
        weights: how much each step counts, by its number in both derivations; if not given, each counts 1.
    """

    positive: Derivation
    negative: Derivation
    weights: tuple[float, ...] | None = None

    def changes(self) -> Iterator[tuple[Any, Transition, float]]:
        """What a linear learner does: configurations and transitions, each with what to add to its score."""
        for derivation, sign in (self.positive, 1.0), (self.negative, -1.0):
            for step, (cfg, transition) in enumerate(derivation):
                yield cfg, transition, sign if self.weights is None else sign * self.weights[step]


OnSentence = Callable[[DependencyTree], DependencyTree | None]
"""Is given each sentence before it is learned from; a tree that it returns takes the place of the sentence."""
OnUpdate = Callable[[Update], object]
"""Is given each update when it has been learned from."""


def exploration_with(oracle: Oracle, rate: float | None, model: object) -> float:
    """How often to explore; by default as in training if there is a model and the oracle answers after errors."""
    if rate is None:
        rate = RATE if model is not None and is_complete(oracle.function) else 0.0
    if rate:
        require_complete(oracle)
    return rate


def require_complete(oracle: Oracle) -> None:
    """Raise ``IncompleteOracle`` if an oracle does not answer after errors."""
    if oracle.function in INCOMPLETE:
        name = getattr(oracle.function, "__name__", oracle.function)
        raise IncompleteOracle(f"{name} answers on the way to the gold tree only: to explore, use dynamic_oracle")


def subsample(tree: DependencyTree, p: float, rng: RandomSource) -> DependencyTree:
    """The tree without some of its heads, each of which is kept with probability p (Aufrant & Wisniewski 2017, 4.4).

    With a new sample in each pass over the treebank, dynamic oracles learn from a part of each sentence at a time.

    >>> from random import Random
    >>> tree = DependencyTree([(2, "I", "nsubj"), (0, "saw", "root"), (2, "her", "obj")])
    >>> subsample(tree, 0.5, Random(1))
    DependencyTree([(2, 'I', 'nsubj'), (None, 'saw'), (None, 'her')])
    """
    kept = [rng.random() < p for _ in tree]
    heads = [head if keep else None for head, keep in zip(tree.heads, kept, strict=True)]
    labels = [label if keep else None for label, keep in zip(tree.labels, kept, strict=True)]
    return tree.reattach(heads, labels)
