"""The inputs of training: a treebank and an oracle, in all their forms."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import SupportsIndex

from deptrees.evaluation.pairs import EvaluationError
from deptrees.messages import quoted
from deptrees.transition.exhaustive import exhaustive_oracle
from deptrees.transition.hamming import is_of_hamming_loss
from deptrees.transition.oracles import NamedOracle, OracleFunction, as_oracle_function
from deptrees.transition.policies import AlwaysExplore, ExplorationPolicy, NeverExplore
from deptrees.transition.system import System
from deptrees.treebanks.columns import Columns
from deptrees.treebanks.treebank import Treebank
from deptrees.trees.tree import AnyTree, DependencyTree, trees_of

__all__ = [
    "ON_ERROR",
    "RATE",
    "Exploration",
    "MeaninglessOption",
    "columns_of",
    "development_trees",
    "exploration_of",
    "is_complete",
    "oracle_for",
    "oracle_name",
    "rate_in",
    "rates_of",
    "whole_number",
]

Exploration = float | tuple[float, ...]
"""How often to explore: the rate from the second epoch on, or that of each epoch, the last for all that follow."""

RATE = 0.9
"""How often training explores by default, where it can (Goldberg & Nivre 2013)."""

ON_ERROR = ("go_on", "early", "aggressive")
"""What local training can do after an update."""


class MeaninglessOption(ValueError):
    """An option is chosen that would change nothing because of what else is chosen; ``why`` follows "means nothing".

    >>> raise MeaninglessOption("update", "without a beam")
    Traceback (most recent call last):
    deptrees.training.inputs.MeaninglessOption: update means nothing without a beam
    """

    def __init__(self, option: str, why: str) -> None:
        super().__init__(option, why)
        self.option, self.why = option, why

    def __str__(self) -> str:
        return f"{self.option} means nothing {self.why}"


def development_trees(treebank: Iterable[AnyTree]) -> list[DependencyTree]:
    """The trees to evaluate on after each epoch, or an ``EvaluationError`` if no word of theirs has a head.

    >>> development_trees([DependencyTree([(None, "Sing")])])
    Traceback (most recent call last):
    deptrees.evaluation.pairs.EvaluationError: no word of the development data has a head: there is nothing to evaluate
    on
    """
    trees = list(trees_of(treebank))
    if not any(tree.arcs for tree in trees):
        raise EvaluationError("no word of the development data has a head: there is nothing to evaluate on")
    return trees


def whole_number(name: str, value: SupportsIndex, least: int, most: int | None = None) -> int:
    """A value that is called ``name``, if it is a whole number in a range, of any size without ``most``.

    Raises:
        TypeError: it is not a whole number.
        ValueError: it is out of range.

    >>> whole_number("beam", 2.5, 1, 64)
    Traceback (most recent call last):
    TypeError: beam is a whole number, not 2.5
    >>> whole_number("seed", -1, 0)
    Traceback (most recent call last):
    ValueError: seed is a whole number, 0 or more, not -1
    """
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {quoted(value)}") from None
    if number < least or (most is not None and number > most):
        numbers = f"{least} or more" if most is None else f"from {least} to {most}"
        raise ValueError(f"{name} is a whole number, {numbers}, not {number}")
    return number


def columns_of(treebank: Columns | Iterable[AnyTree]) -> Columns:
    """A treebank as numbers, which it may be already, or a ``TypeError``; no trees are made of files.

    >>> len(columns_of([DependencyTree([(0, "Sing")])]))
    1
    """
    if isinstance(treebank, Columns):
        return treebank
    return Columns.encode(treebank if isinstance(treebank, Treebank) else trees_of(treebank))


def oracle_for(system: System, given: OracleFunction | str | None) -> OracleFunction:
    """The oracle function that is given or named; by default the one that the system learns best from.

    >>> from deptrees.transition import ArcEager, ArcHybridSwap
    >>> [oracle_name(oracle_for(system, None)) for system in (ArcEager(), ArcHybridSwap())]
    ['dynamic', 'static_dynamic']
    """
    return as_oracle_function(system.learns_best_from if given is None else given)


def oracle_name(oracle: OracleFunction | str) -> str:
    """The name of an oracle: of one of the library's a short one, of any other where it is defined.

    >>> from deptrees.transition import dynamic_oracle, exhaustive_oracle
    >>> oracle_name(dynamic_oracle), oracle_name(exhaustive_oracle)
    ('dynamic', 'deptrees.transition.exhaustive.exhaustive_oracle')
    """
    function = as_oracle_function(oracle)
    if isinstance(function, NamedOracle):
        return function.name
    kind = function if hasattr(function, "__qualname__") else type(function)
    return f"{kind.__module__}.{kind.__qualname__}"


def is_complete(oracle: OracleFunction) -> bool:
    """Whether an oracle is known to answer in every configuration, as it must where training explores."""
    is_known = oracle is exhaustive_oracle or is_of_hamming_loss(oracle)
    return is_known or (isinstance(oracle, NamedOracle) and oracle.is_complete)


def rates_of(exploration: Exploration) -> tuple[float, ...]:
    """How often to explore in each epoch, the last for all later ones; an error if it is not a rate, or several.

    >>> rates_of(0.9), rates_of((0, 0.3, 0.6))
    ((0.0, 0.9), (0, 0.3, 0.6))
    """
    try:
        rates = (0.0, exploration) if isinstance(exploration, (int, float)) else tuple(exploration)
        in_range = all(0 <= rate <= 1 for rate in rates)
    except TypeError:
        raise TypeError(f"exploration is a number from 0 to 1, or a tuple of them, not {exploration!r}") from None
    if not rates or not in_range:
        raise ValueError(f"exploration is the share of steps that explore: from 0 to 1, not {exploration}")
    return rates


def rate_in(exploration: Exploration, epoch: int) -> float:
    """How often to explore in an epoch, counted from 1.

    >>> [rate_in(0.9, epoch) for epoch in (1, 2, 3)], [rate_in((0, 0.3, 0.6), epoch) for epoch in (1, 2, 3, 4)]
    ([0.0, 0.9, 0.9], [0, 0.3, 0.6, 0.6])
    """
    rates = rates_of(exploration)
    return rates[min(epoch, len(rates)) - 1]


def exploration_of(policy: object) -> Exploration | None:
    """How often a policy explores, if training with it is training with this ``exploration``; otherwise ``None``.

    Its model and its random numbers do not matter: training has its own.

    >>> from deptrees.transition import SecondBest
    >>> exploration_of(ExplorationPolicy(k=1, p=0.9)), exploration_of(AlwaysExplore()), exploration_of(NeverExplore())
    (0.9, (1.0,), 0.0)
    >>> exploration_of(SecondBest(k=1, p=0.9))
    """
    kind = type(policy)  # a subclass may choose otherwise
    if kind is NeverExplore:
        return 0.0
    if kind is AlwaysExplore:
        return (1.0,)
    if isinstance(policy, ExplorationPolicy) and kind is ExplorationPolicy:
        return policy.p if policy.k == 1 else (*[0.0] * policy.k, policy.p)
    return None
