"""The exact loss where gold arcs can rule one another out: the fewest arcs to give up so that the others can be built.

**The problem.** In a system that swaps words, or whose arcs pass over words, it may be that each of several gold arcs
can still be built, but not all. The loss of a configuration has three parts:

* the wrong heads of words that are settled;
* the gold arcs that have lost their head: it is settled, and gets no more dependents;
* the fewest *target arcs* (`deptrees.transition.losses.target_arcs`) to give up for the others to be built together.

This module computes the third part. A *conflict* is a set of words whose target arcs cannot all be built; it is minimal
if all but any one of them can. One word alone is a conflict if its target arc cannot be built.

**The invariant.** What contains a conflict is a conflict. So target arcs can be built together if, and only if, they
contain no conflict; what is given up is a *hitting set* of all minimal ones: it has a word of each. And a smallest
hitting set of some conflicts is never larger than one of all.

**The algorithm** finds conflicts only as they are needed (an implicit hitting set problem; Chandrasekaran et al.
2011):

1. Give up a smallest hitting set of the conflicts known so far; at first it is empty.
2. Look for a conflict among the other target arcs, in the way of the system. If there is none, these were the fewest:
   fewer words do not even hit the conflicts that are known.
3. Otherwise remember it, and further ones that share no word with it, each of which costs one more. Go back to 1.

**Limits.** Smallest hitting sets take time exponential in the number of conflicts in the worst case; real sentences
have few. A dynamic oracle only asks whether the loss is greater than before: the algorithm stops as soon as it is.

**Example.** The arc from *hearing* to *on* crosses the one from *scheduled* to *today*, and the one from ROOT. Without
arcs that pass over words not all can be built; which to give up is free, so there is one error:

>>> from deptrees import DependencyTree
>>> from deptrees.transition import Attardi, dynamic_oracle
>>> from deptrees.transition.losses.attardi import attardi_conflicts
>>> from deptrees.transition.losses.target_arcs import TargetArcs
>>> words = [(2, "A"), (4, "hearing"), (4, "is"), (0, "scheduled"), (2, "on"), (7, "the"), (5, "issue"), (4, "today")]
>>> tree = DependencyTree(words)
>>> loss, cfg = Attardi(degree=1).loss(), Attardi(degree=1).initial(tree)
>>> conflict = attardi_conflicts()(cfg, TargetArcs.remaining(cfg, tree.heads))
>>> sorted(conflict()), loss(cfg, tree)
([2, 5], 1)
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence, Set
from functools import cache, lru_cache
from itertools import count
from typing import TYPE_CHECKING, TypeVar

import attrs

from deptrees.transition.losses.arc_costs import ArcCosts
from deptrees.transition.losses.loss import LeastCosts, Loss
from deptrees.transition.losses.target_arcs import TargetArcs
from deptrees.transition.losses.work import count_work
from deptrees.transition.transitions import Transition
from deptrees.trees.tree import DependencyTree

if TYPE_CHECKING:
    from deptrees.transition.systems.stack_buffer import StackBufferConfiguration, StackBufferSystem

__all__ = ["ConflictLoss", "FindConflict", "minimal_conflict", "smallest_hitting_set"]

_BRANCH = 50  # the work of a branch in the search for a smallest hitting set, in units of `limited_work`

_Unsettled = tuple[tuple[int, ...], tuple[int, ...]]  # stack and buffer

_Element = TypeVar("_Element")

FindConflict = Callable[["StackBufferConfiguration", TargetArcs], Callable[[], frozenset[int]] | None]
"""From a configuration and target arcs to ``None`` if all can be built, otherwise to a function that finds a conflict,
minimal as far as is known: often it is enough to know that there is one, which takes less time."""


@attrs.frozen
class ConflictLoss(Loss["StackBufferConfiguration"]):
    """The loss of systems in which target arcs can be in conflict, for any gold tree.

    In the system a word leaves stack and buffer when it gets its head, which is final, and the future depends on stack
    and buffer only. What is found out is remembered for the next configurations with the same gold tree.

    Args:
        finder: makes the function that finds conflicts, one for each gold tree, about which it may remember something.
        search: tells the least costs for any costs of arcs.
        finder_in_training: the same as ``finder``, for a function that gives up sooner, if there is one.
    """

    finder: Callable[[], FindConflict]
    search: Loss
    finder_in_training: Callable[[], FindConflict] | None = None

    def __call__(self, cfg: StackBufferConfiguration, tree: DependencyTree) -> int:
        return _made(cfg, tree) + self._to_come(cfg, tree)(cfg)

    def is_at_most(self, cfg: StackBufferConfiguration, tree: DependencyTree, limit: int) -> bool:
        return self._to_come(cfg, tree).at_most(cfg, limit - _made(cfg, tree)) is not None

    def cost(self, transition: Transition, cfg: StackBufferConfiguration, tree: DependencyTree) -> int:
        to_come, after = self._to_come(cfg, tree), transition(cfg)
        return to_come(after) + _new_errors(cfg, after, tree.heads) - to_come(cfg)

    def free(self, cfg: StackBufferConfiguration, tree: DependencyTree) -> Iterable[Transition]:
        to_come = self._to_come(cfg, tree)
        successors = [(transition, transition(cfg)) for transition in cfg.possible_transitions()]
        known = [(transition, after, _new_errors(cfg, after, tree.heads)) for transition, after in successors]
        # Exact losses are found with the first limit. With estimates, all transitions may seem to cost something.
        for limit in count(to_come(cfg)) if known else ():
            free = [transition for transition, after, new in known if to_come.at_most(after, limit - new) is not None]
            if free:
                return free
        return ()

    def in_training(self) -> Loss:
        return self if self.finder_in_training is None else attrs.evolve(self, finder=self.finder_in_training)

    def least_costs(self, costs: ArcCosts, system: StackBufferSystem) -> LeastCosts | None:
        return self.search.least_costs(costs, system)

    def _to_come(self, cfg: StackBufferConfiguration, tree: DependencyTree) -> _ErrorsToCome:
        return _errors_to_come(self.finder, cfg.system, tree.heads)


def _made(cfg: StackBufferConfiguration, tree: DependencyTree) -> int:
    """How many words have a wrong head."""
    heads = zip(cfg.heads, tree.heads, strict=True)
    return sum(head is not None and gold not in (None, head) for head, gold in heads)


def _new_errors(cfg: StackBufferConfiguration, after: StackBufferConfiguration, gold: Sequence[int | None]) -> int:
    """How many wrong heads the transition between two configurations has given: one or none."""
    if cfg.attached_bits == after.attached_bits:
        return 0
    head, dependent = after.latest_arc
    return int(gold[dependent - 1] not in (head, None))


@lru_cache(maxsize=32)
def _errors_to_come(finder: Callable[[], FindConflict], system: object, gold: tuple[int | None, ...]) -> _ErrorsToCome:
    return _ErrorsToCome(gold, finder())


class _ErrorsToCome:
    """The errors of unsettled words, in the configurations of one system, against one gold tree."""

    def __init__(self, gold: tuple[int | None, ...], find_conflict: FindConflict) -> None:
        self._gold = TargetArcs({word: head for word, head in enumerate(gold, 1) if head is not None})
        self._find_conflict = find_conflict
        self._lost = cache(self._gold.lost)
        self._targets = cache(self._gold.between)
        self._exact: dict[_Unsettled, int] = {}
        self._conflicts: dict[_Unsettled, list[frozenset[int]]] = {}

    def __call__(self, cfg: StackBufferConfiguration) -> int:
        """How many errors are to come."""
        errors = self.at_most(cfg, len(self._gold.heads))
        assert errors is not None  # there are no more errors than words with a gold head
        return errors

    def at_most(self, cfg: StackBufferConfiguration, limit: int) -> int | None:
        """How many errors are to come, or ``None`` if they are more than a limit."""
        if limit < 0:
            return None
        unsettled = cfg.stack_bits | cfg.buffer_bits
        lost = self._lost(unsettled)
        if lost > limit:
            return None
        key = cfg.stack, cfg.buffer
        if key not in self._exact:
            conflicts = self._conflicts.setdefault(key, [])
            given_up = self._given_up(cfg, self._targets(unsettled), limit - lost, conflicts)
            if given_up is None:
                return None
            self._exact[key] = lost + given_up
        return self._exact[key] if self._exact[key] <= limit else None

    def _given_up(
        self, cfg: StackBufferConfiguration, targets: TargetArcs, limit: int, conflicts: list[frozenset[int]]
    ) -> int | None:
        """The fewest target arcs to give up so that all others can be built; adds to the conflicts that are known."""
        while len(given_up := smallest_hitting_set(conflicts)) <= limit:
            others = targets.without(given_up)
            disjoint = 0  # conflicts in others that share no word: at least one word has to be given up for each
            while (conflict := self._find_conflict(cfg, others)) is not None:
                disjoint += 1
                if disjoint > limit:
                    return None
                conflicts.append(conflict())
                others = others.without(conflicts[-1])
            if not disjoint:
                return len(given_up)
        return None


def smallest_hitting_set(sets: Sequence[Set[_Element]]) -> frozenset[_Element]:
    """The fewest elements of which every set has one, by branch and bound.

    >>> sorted(smallest_hitting_set([{1, 2}, {2, 3}, {3, 4}, {4, 5, 2}]))
    [2, 3]
    """
    best = frozenset[_Element]().union(*sets)

    def search(rest: list[Set[_Element]], chosen: frozenset[_Element]) -> None:
        """Look for a smaller hitting set that consists of the chosen elements and a hitting set of the rest."""
        nonlocal best
        count_work(_BRANCH)
        if len(chosen) + _count_disjoint(rest) >= len(best) or not all(rest):
            return
        if not rest:
            best = chosen
            return
        smallest: Set[_Element] = min(rest, key=len)
        tried: set[_Element] = set()
        for element in sorted(smallest, key=lambda element: -sum(element in other for other in rest)):
            # All hitting sets with an element that has been tried are known: it is taken out.
            search([other - tried for other in rest if element not in other], chosen | {element})
            tried.add(element)

    search(list(sets), frozenset())
    return best


def _count_disjoint(sets: Iterable[Set[_Element]]) -> int:
    """How many sets are found that share no element: never more than the elements that it takes to hit all sets."""
    found, used = 0, set[_Element]()
    for one in sorted(sets, key=len):
        if used.isdisjoint(one):
            found, used = found + 1, used | one
    return found


def minimal_conflict(words: Iterable[int], is_conflict: Callable[[Sequence[int]], bool]) -> frozenset[int]:
    """A minimal conflict among words, found with a binary search for each of its words.

    ``is_conflict`` tells whether some of them are known to be in conflict. If all of them are not, they are the answer.

    >>> sorted(minimal_conflict(range(100), lambda words: {3, 50, 51} <= set(words)))
    [3, 50, 51]
    """
    needed: list[int] = []
    others = sorted(words)
    if not is_conflict(others):
        return frozenset(others)
    while others and not is_conflict(needed):
        # With others up to and including the last they are in conflict, and no longer without the last: it is needed.
        last = bisect_left(range(len(others)), True, key=lambda end: is_conflict([*needed, *others[:end]])) - 1
        needed.append(others[last])
        del others[last:]
    return frozenset(needed)
