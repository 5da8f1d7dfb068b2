"""The exact loss of any configuration against any gold tree, by search: for systems that have no faster way.

The errors still to come are the length of a shortest path: configurations are the nodes, transitions the edges, and an
edge is as long as its arc is costly: against a gold tree 1 if it is an error. It is found by A* (Hart, Nilsson &
Raphael 1968), the most advanced of the most promising configurations first: where the lower bound is tight, the first
descent arrives.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import lru_cache
from typing import Any

import attrs

from deptrees.transition.configuration import Configuration, Label, System, labeled, untyped
from deptrees.transition.losses.arc_costs import ArcCosts, cost_so_far, gold_costs
from deptrees.transition.losses.loss import LeastCosts, Loss, LossNotFound
from deptrees.transition.transitions import Transition
from deptrees.trees.tree import DependencyTree

__all__ = ["ExactSearch"]

Key = Hashable

LIMIT = 1_000_000
"""How many configurations a search looks at before it gives up, and how many are remembered for each goal."""
FEW = 200
"""The same for least costs, which are asked of every transition while a parser waits."""


def _is_final(cfg: Configuration, goal: Any) -> bool:
    return cfg.is_final


def _one_by_one(cfg: Configuration, costs: ArcCosts) -> Iterable[tuple[Transition, ...]]:
    return [(transition,) for transition in cfg.possible_transitions()]


@attrs.frozen
class ExactSearch(Loss):
    """Exact losses, costs and the dynamic oracle of a system in which every word gets one head, for good.

    The goal of a search is a gold tree, which may be any tree, annotated in full or in part; or it is known what each
    arc costs, and the goal is to pay as little as can be. What a search finds out is remembered for the next ones with
    the same goal, so that all costs along a derivation take little more time than the first.

    How long a search takes depends on how often the bound is wrong. Losses are exact or there are none: a search that
    has come to a million configurations, or to two hundred for a least cost, raises LossNotFound.

    Args:
        key: what the future of a configuration depends on. Two configurations of a sentence that have the same key
            must allow the same transitions, and these must add the same arcs and lead to the same keys. The fewer keys
            there are, the faster the search.
        bound: from a configuration and the goal, which is the gold tree in losses and the costs of arcs in least costs,
            to a number of errors that are still to come, whatever follows: never too many, and the more the faster. It
            may depend on nothing but the key.
        is_tight: from the same to whether the bound is certain to be the number of errors still to come: a search goes
            no further than to a configuration of which this is known. If it is not given, this is known of final
            configurations only.
        steps: from a configuration and the costs of arcs to the sequences of transitions that are worth trying: one of
            them must be the beginning of a best derivation. If it is not given, all transitions are tried, one by one.

    >>> from deptrees.transition import ArcStandard, RightArc, Shift
    >>> search = ExactSearch(key=lambda cfg: (cfg.stack, cfg.buffer), bound=lambda cfg, tree: 0)
    >>> tree = DependencyTree([(0, "Sing"), (1, "it"), (1, "again")])
    >>> cfg = Shift()(Shift()(ArcStandard().initial(tree)))
    >>> search(cfg, tree), search.cost(Shift(), cfg, tree), search.zero_cost(cfg, tree)
    (0, 1, (RightArc(),))
    """

    key: Callable[[Any], Key]
    bound: Callable[[Any, Any], int]
    is_tight: Callable[[Any, Any], bool] = _is_final
    steps: Callable[[Any, ArcCosts], Iterable[tuple[Transition, ...]]] = _one_by_one

    def __call__(self, cfg: Configuration, tree: DependencyTree) -> int:
        futures = self._futures(cfg, tree)
        return cost_so_far(cfg, futures.costs) + futures.errors(cfg)

    def least_costs(self, costs: ArcCosts, system: System) -> LeastCosts:
        futures = _Futures(self, costs, costs, FEW)
        return lambda cfg: cost_so_far(cfg, costs) + futures.errors(cfg)

    def cost(self, transition: Transition, cfg: Configuration, tree: DependencyTree) -> int:
        futures, successor = self._futures(cfg, tree), transition(cfg)
        return futures.step(cfg, transition, successor) + futures.errors(successor) - futures.errors(cfg)

    def zero_cost(self, cfg: Configuration, tree: DependencyTree, label: Label = untyped) -> tuple[Transition, ...]:
        return tuple([labeled(transition, cfg, tree, label) for transition in self._free(cfg, tree)])

    def _free(self, cfg: Configuration, tree: DependencyTree) -> Iterator[Transition]:
        futures = self._futures(cfg, tree)
        least = futures.errors(cfg)
        for transition in cfg.possible_transitions():
            successor = transition(cfg)
            if futures.at_most(successor, least - futures.step(cfg, transition, successor)):
                yield transition

    def _futures(self, cfg: Configuration, tree: DependencyTree) -> _Futures:
        return _futures(self, cfg.system, tree.heads)


@lru_cache(maxsize=64)
def _futures(search: ExactSearch, system: System, heads: tuple[int | None, ...]) -> _Futures:
    return _Futures(search, DependencyTree((head, "") for head in heads), gold_costs(heads), LIMIT)


class _Futures:
    """What is known of the errors to come in the configurations of one system, against one goal."""

    def __init__(self, search: ExactSearch, goal: DependencyTree | ArcCosts, costs: ArcCosts, effort: int) -> None:
        self._search = search
        self._goal = goal
        self.costs = costs
        self._effort = effort
        self._exact: dict[Key, int] = {}
        self._at_least: dict[Key, int] = {}

    def step(self, cfg: Configuration, transition: Transition, successor: Configuration) -> int:
        """What a transition costs if it attaches a word."""
        word = cfg.dependent(transition)
        return 0 if word is None else int(self.costs[successor.heads[word - 1], word])

    def errors(self, cfg: Configuration) -> int:
        """How many errors are still to come."""
        key = self._search.key(cfg)
        if key not in self._exact:
            self._find(cfg, int(self.costs.max(axis=0).sum()))
        return self._exact[key]

    def at_most(self, cfg: Configuration, limit: int) -> bool:
        """Whether no more errors than ``limit`` are still to come."""
        key = self._search.key(cfg)
        if key not in self._exact and self._bound(key, cfg) <= limit:
            self._find(cfg, limit)
        return self._exact.get(key, limit + 1) <= limit

    def _bound(self, key: Key, cfg: Configuration) -> int:
        """At least how many errors are still to come, as far as is known."""
        known = self._exact.get(key)
        if known is not None:
            return known
        if key not in self._at_least:
            self._at_least[key] = self._search.bound(cfg, self._goal)
        return self._at_least[key]

    def _find(self, start: Configuration, limit: int) -> None:
        """Find out how many errors are still to come, or else that they are more than ``limit``."""
        if len(self._at_least) > LIMIT:
            self._at_least.clear()
            self._exact.clear()
        key = self._search.key(start)
        made = {key: 0}  # the errors on the best way from the start that has been found
        before: dict[Key, Key] = {}  # what comes before on this way
        waiting = {self._bound(key, start): [(0, key, start)]}  # by the errors made and to come, the newest last
        while (total := min(waiting)) <= limit:
            errors, key, cfg = waiting[total].pop()
            if not waiting[total]:
                del waiting[total]
            if errors > made[key]:  # a better way has been found since
                continue
            if len(made) > self._effort:
                raise LossNotFound(
                    f"{self._effort:,} configurations were not enough to find the loss of {start!r}: "
                    "use a static oracle for this sentence, or leave it out"
                )
            if key in self._exact or self._search.is_tight(cfg, self._goal):
                self._exact[key] = total - errors
                while key in before:
                    key = before[key]
                    self._exact[key] = total - made[key]
                break
            for steps in reversed([*self._search.steps(cfg, self.costs)]):
                successor, next_errors = cfg, errors
                for transition in steps:
                    here, successor = successor, transition(successor)
                    next_errors += self.step(here, transition, successor)
                next_key = self._search.key(successor)
                if next_errors < made.get(next_key, next_errors + 1):
                    made[next_key], before[next_key] = next_errors, key
                    next_total = next_errors + self._bound(next_key, successor)
                    waiting.setdefault(next_total, []).append((next_errors, next_key, successor))
        # From the start there are no fewer errors than the total, and so neither from wherever else they were counted.
        for key, errors in made.items():
            self._at_least[key] = max(self._at_least.get(key, 0), total - errors)
