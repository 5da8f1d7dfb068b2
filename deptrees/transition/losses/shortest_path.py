"""The loss as the length of a shortest path, found by A*: for systems that have no faster way.

The problem
    Configurations are the nodes of a graph and transitions its edges. A transition that attaches a word is as long as
    the word's new arc is costly, any other has length 0. Against a gold tree a wrong arc costs 1. The *cost to come* of
    a configuration is the length of a shortest path from it to a final one. The loss adds the cost of the arcs so far.
    What else has to be known, a `SearchProblem` says: a *key* on which the future depends, a *lower bound* of the cost
    to come, and where this bound is *attained*.

The algorithm (A*; Hart, Nilsson & Raphael 1968)
    Configurations wait in the order of their *total*: the cost of the cheapest path to them that has been found, and
    the lower bound of what comes after it.

    1. Take a configuration with the least total; of several the newest, which is the most advanced: where the bounds
       are right, the first descent arrives.
    2. If its own bound makes its total greater, let it wait with that one.
    3. If its bound is attained, the search ends: this total is the cost to come of the start.
    4. Otherwise let its successors wait, unless a path that is as cheap is known to a configuration with the same key.
       Their bounds are not asked yet: until it is their turn their total is that of the configuration before them.

    Invariant: on each shortest path from the start, some configuration is waiting to which the path found is shortest.
    Its total is at most the length of that path, as its bound and that of the one before it are admissible. So the
    least total is at most the cost to come of the start; and where the bound is attained, the total is the length of a
    path. Bounds need not be consistent: if a cheaper path to a key is found, it waits once more.

What is remembered for the next search with the same costs
    - On the path that was found, each configuration's cost to come is the length of the rest of the path.
    - From a configuration at a distance g from the start, parsing cannot end with less than the cost to come of the
      start minus g, or there would be a shorter path. This raises its lower bound (as in the Adaptive A* of Koenig &
      Likhachev 2005). The same holds, with the least total, of a search that was given up at a limit.

    So the costs of all transitions along a derivation take little more time than the first.

Complexity and limits
    With a perfect bound a search looks at as many configurations as a derivation has, in the worst case at
    exponentially many. Losses are exact or there are none: when it has come to too many, or where
    work is limited (see `work`), it raises LossNotFound.

In arc-standard the future depends on stack and buffer. With 0 for a bound the search knows nothing, and is right
nevertheless: after two Shifts the second word can still be attached to the first, after a third no longer.

>>> from deptrees.transition import ArcStandard, Shift
>>> class Uninformed(SearchProblem):
...     def key(self, cfg):
...         return cfg.stack, cfg.buffer
...     def bound(self, cfg):
...         return 0
>>> class UninformedLoss(ShortestPathLoss):
...     def problem(self, costs, system):
...         return Uninformed(costs)
>>> loss, tree = UninformedLoss(), DependencyTree([(0, "Sing"), (1, "it"), (1, "again")])
>>> cfg = Shift()(Shift()(ArcStandard().initial(tree)))
>>> loss(cfg, tree), loss.cost(Shift(), cfg, tree), loss.zero_cost(cfg, tree)
(0, 1, (RightArc(),))
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache
from math import inf
from typing import Any, Generic

from deptrees.messages import quoted
from deptrees.transition.configuration import Configuration
from deptrees.transition.labels import untyped
from deptrees.transition.losses.arc_costs import ArcCosts, best_tree, cost_so_far, gold_costs
from deptrees.transition.losses.loss import LeastCosts, Loss, LossNotFound, Seen
from deptrees.transition.losses.work import count_work
from deptrees.transition.system import System
from deptrees.transition.transitions import Transition
from deptrees.trees.tree import DependencyTree

__all__ = ["SearchProblem", "ShortestPathLoss"]

LIMIT = 1_000_000
"""The most configurations that a search against a gold tree looks at, and that are remembered for each problem."""
SHORT_LIMIT = 200
"""The most that a search for least costs looks at, for which a parser waits."""
LIMIT_IN_ALL = 5000
"""The most that all such searches of a sentence look at."""


class SearchProblem(ABC, Generic[Seen]):
    """What a search has to know of a system and of what arcs cost.

    In the system every word gets one head, for good, and there are no dead ends.

    Args:
        costs: the costs of all arcs. What an arc costs beyond a whole number does not count, but may tell the bound
            which of several trees to prefer.
    """

    def __init__(self, costs: ArcCosts) -> None:
        self.costs = costs

    @abstractmethod
    def key(self, cfg: Seen) -> Hashable:
        """What the future of a configuration depends on.

        Configurations of a sentence with the same key must allow the same transitions, which must add the same arcs and
        lead to the same keys. The fewer keys there are, the faster the search.
        """

    @abstractmethod
    def bound(self, cfg: Seen) -> int:
        """A lower bound of the cost to come, which may depend on nothing but the key. The greater, the faster."""

    def is_attained(self, cfg: Seen) -> bool:
        """Whether the cost to come is known to be the lower bound. It must be so of final configurations."""
        return cfg.is_final

    def steps(self, cfg: Seen) -> Iterable[tuple[Transition, ...]]:
        """The sequences of transitions that are worth trying: some cheapest derivation must begin with one of them."""
        return [(transition,) for transition in cfg.possible_transitions()]


class ShortestPathLoss(Loss[Seen]):
    """A loss that is found by search. A subclass states the search problem; it must be hashable."""

    @abstractmethod
    def problem(self, costs: ArcCosts, system: Any) -> SearchProblem[Seen]:
        """The search problem for some costs of arcs."""

    def gold_problem(self, heads: tuple[int | None, ...], system: Any) -> SearchProblem[Seen]:
        """The search problem against a gold tree: the same, unless more is known than what arcs cost."""
        return self.problem(gold_costs(heads), system)

    def __call__(self, cfg: Seen, tree: DependencyTree) -> int:
        search = self._search(cfg, tree)
        return cost_so_far(cfg, search.problem.costs) + search.cost_to_come(cfg)

    def cost(self, transition: Transition, cfg: Seen, tree: DependencyTree) -> int:
        search, after = self._search(cfg, tree), transition(cfg)
        return search.cost_of_arc(cfg, transition, after) + search.cost_to_come(after) - search.cost_to_come(cfg)

    def is_at_most(self, cfg: Seen, tree: DependencyTree, limit: int) -> bool:
        search = self._search(cfg, tree)
        return search.is_at_most(cfg, limit - cost_so_far(cfg, search.problem.costs))

    def least_costs(self, costs: ArcCosts, system: Any) -> LeastCosts:
        search = _Search(self.problem(costs, system), SHORT_LIMIT, LIMIT_IN_ALL)
        return lambda cfg: cost_so_far(cfg, costs) + search.cost_to_come(cfg)

    def free(self, cfg: Seen, tree: DependencyTree) -> Iterator[Transition]:
        # A search that only asks whether a transition costs something ends as soon as all totals are too great.
        search = self._search(cfg, tree)
        least = search.cost_to_come(cfg)
        for transition in cfg.possible_transitions():
            successor = transition(cfg)
            if search.is_at_most(successor, least - search.cost_of_arc(cfg, transition, successor)):
                yield transition

    def _search(self, cfg: Seen, tree: DependencyTree) -> _Search:
        return _gold_search(self, cfg.system, tree.heads)


@lru_cache(maxsize=64)
def _gold_search(loss: ShortestPathLoss, system: System, heads: tuple[int | None, ...]) -> _Search:
    return _Search(loss.gold_problem(heads, system), LIMIT)


class _Search:
    """The search for costs to come in one problem, given up at a limit of configurations, and what is remembered.

    With a limit for all searches of the problem together, the way of the static oracle to the best tree comes first: at
    the beginning, it is one whatever the limit, and on the way the costs are then known.
    """

    def __init__(self, problem: SearchProblem, limit: int, in_all: float = inf) -> None:
        self.problem = problem
        self._limit, self._left = limit, in_all
        self._most = int(problem.costs.max(axis=0).sum())  # no tree costs more
        self._exact: dict[Hashable, int] = {}  # the costs to come that are known
        self._at_least: dict[Hashable, int] = {}  # lower bounds of the others

    def cost_of_arc(self, cfg: Configuration, transition: Transition, successor: Configuration) -> int:
        """What the arc costs that a transition adds, if it adds one."""
        word = cfg.dependent(transition)
        return 0 if word is None else int(self.problem.costs[successor.heads[word - 1], word])

    def cost_to_come(self, cfg: Configuration) -> int:
        """The least cost of the arcs that are still to be added."""
        key = self.problem.key(cfg)
        if key not in self._exact and (self._left == inf or not self._follow_static(key, cfg)):
            self._find(cfg, self._most)
        return self._exact[key]

    def _follow_static(self, key: Hashable, cfg: Configuration) -> bool:
        """Whether the static oracle leads from a beginning to a tree that costs no more than the bound."""
        system = cfg.system
        if next(cfg.latest_transitions(), None) is not None or self.problem.is_attained(cfg):
            return False
        costs, heads = self.problem.costs, range(len(cfg.source) + 1)
        tree = cfg.source.reattach(best_tree(cfg, costs, lambda _: heads), cfg.labels)
        if system.obstacle(tree) is not None:
            return False
        way = [cfg]
        while not way[-1].is_final:
            way.append(system.oracles.static(way[-1], tree, untyped)(way[-1]))
        total = cost_so_far(way[-1], costs)
        if total > self._bound(key, cfg):
            return False
        self._exact |= {self.problem.key(one): total - cost_so_far(one, costs) for one in way}
        return True

    def is_at_most(self, cfg: Configuration, limit: int) -> bool:
        """Whether the cost to come is no greater than a limit."""
        key = self.problem.key(cfg)
        if key not in self._exact and self._bound(key, cfg) <= limit:
            self._find(cfg, limit)
        return self._exact.get(key, limit + 1) <= limit

    def _bound(self, key: Hashable, cfg: Configuration) -> int:
        """The best lower bound that is known."""
        if key in self._exact:
            return self._exact[key]
        if key not in self._at_least:
            count_work(self.problem.costs.size)
            self._at_least[key] = self.problem.bound(cfg)
        return self._at_least[key]

    def _find(self, start: Configuration, limit: int) -> None:
        """Find out the cost to come of a configuration, or that it is greater than a limit."""
        if len(self._at_least) > LIMIT:
            self._at_least.clear()
            self._exact.clear()
        key = self.problem.key(start)
        costs = {key: 0}  # of the cheapest path from the start that has been found
        before: dict[Hashable, Hashable] = {}  # the key before on this path
        waiting = {self._bound(key, start): [(0, key, start)]}  # by total, the newest last
        while (total := min(waiting)) <= limit:
            cost, key, cfg = waiting[total].pop()
            if not waiting[total]:
                del waiting[total]
            if cost > costs[key]:  # a cheaper path has been found since
                continue
            if (own_total := cost + self._bound(key, cfg)) > total:
                waiting.setdefault(own_total, []).append((cost, key, cfg))
                continue
            count_work(self.problem.costs.size)
            if key in self._exact or self.problem.is_attained(cfg):
                self._exact[key] = total - cost
                while key in before:
                    key = before[key]
                    self._exact[key] = total - costs[key]
                break
            if len(costs) > min(self._limit, self._left):
                self._left -= len(costs)
                raise LossNotFound(
                    f"{len(costs):,} configurations were not enough to find the loss of {quoted(start)}: "
                    "use a static oracle for this sentence, or leave it out"
                )
            for next_cost, successor in self._successors(cost, cfg):
                next_key = self.problem.key(successor)
                if next_cost < costs.get(next_key, next_cost + 1):
                    costs[next_key], before[next_key] = next_cost, key
                    waiting.setdefault(max(total, next_cost), []).append((next_cost, next_key, successor))
        self._left -= len(costs) - 1
        for key, cost in costs.items():
            if key in self._at_least:
                self._at_least[key] = max(self._at_least[key], total - cost)

    def _successors(self, cost: int, cfg: Configuration) -> Iterator[tuple[int, Configuration]]:
        """The configurations that steps lead to, each with the cost of the path, the first to be tried last."""
        for steps in reversed([*self.problem.steps(cfg)]):
            successor, next_cost = cfg, cost
            for transition in steps:
                here, successor = successor, transition(successor)
                next_cost += self.cost_of_arc(here, transition, successor)
            yield next_cost, successor
