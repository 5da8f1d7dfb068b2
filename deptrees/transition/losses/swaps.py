"""Which target arcs can be built together in a system that swaps words, and which are in conflict.

**The problem.** Arc-standard with Swap (Nivre 2009) moves s1 back to the buffer, so that s0 passes it; arc-hybrid with
Swap (de Lhoneux, Stymne & Nivre 2017) moves s0 to the right of b0, so that b0 passes it. Both build all trees from the
start. Further on some words have changed places, and target arcs can be in conflict. No fast method is known that
decides whether they are, and there is reason to believe that there is none: docs/swaps.md.

**The invariants.**

* *Two words change places at most once.* Swap exchanges only pairs in the order of the sentence, so that those in the
  opposite, descending order stay in it.
* *A word of the stack goes back to the buffer only when a later word passes it.* That word stands to the right of it,
  and has passed all that was between them.
* *What can be built from a configuration depends on stack and buffer only*, and on the words that wait for a head. What
  a search has found out about one it has found out about all those that it came through. If all target arcs can be
  built, they can be from each configuration on the way. If not, and nothing is left to be tried, they can be from none
  that it looked at: where they can be, they can be after one of the steps that are tried (`swap_steps`).

**The algorithm** of `_SwapSearch` asks one after the other, until there is an answer:

1. Of several words with target arcs from ROOT, if it gets a single dependent, any two are a conflict.
2. Go on as long as nothing but one step is left to be tried (`deptrees.transition.losses.swap_steps`): if all target
   arcs can be built, they can be after it. Where it leads is often known, as an oracle has been there before.
3. Contract subtrees at the end of the buffer (`deptrees.transition.losses.subtrees`), and search depth first, from a
   configuration to those that may come next, until all target arcs are built or nothing is left to be tried. Nothing
   else is asked of a configuration, so that some hundred thousand are looked at in a second; mostly a few are enough.
   What can be built with contracted subtrees can be built.
4. Ask for two necessary conditions: that all can be built without a stack (`contractions`), and that they can be if
   nothing ever stands in the way (`relaxed_swaps`).
5. Search again, with the words of the subtrees. Where the search comes to an end, it asks for the conditions on the way
   there. From the first configuration in which one does not hold nothing can be built: it turns back to before that.
6. Ask for a third necessary condition: that all can be built if the subtrees have any number of inner words
   (`inner_words`). Ask it for all target arcs, and for those of the subtrees and a few words before them.
7. Search for longer, as in step 5, and then give up: LossNotFound.
8. Of the words found to be in conflict, take some away as long as steps 2 to 6, with less effort, show that the rest is
   (`minimal_conflict`).

In training a search gives up sooner, and learning goes on with the next sentence: untrained parsers get into
configurations that no real parser sees, which searches take longest in.

What is known about the configurations of one gold tree is remembered. So an oracle that follows a derivation, and asks
at each step about all that may come next, mostly arrives after a step or two where it has been before.

**Limits.** Searches take exponential time in the worst case. So each looks at a limited number of configurations, and
all those for the loss of one configuration have a budget in common, which ends. It counts configurations, not time, so
that it is the same on every machine. Answers are exact or there are none.

**Example.** In the order 3 2 1 the arc from 1 to 3 and the one from 2 to 1 are in conflict: 2 stands between 1 and 3
for good, and cannot be attached before 1 is. With either arc alone, all is well.

>>> from deptrees import DependencyTree
>>> from deptrees.transition import ArcStandardSwap, Shift, Swap
>>> tree = DependencyTree([(2, "What"), (0, "happened"), (1, "else")])
>>> start = cfg = ArcStandardSwap().initial(tree)
>>> for transition in (Shift(), Shift(), Swap(), Shift(), Shift(), Swap(), Swap()):
...     cfg = transition(cfg)
>>> cfg.stack, cfg.buffer
((0, 3), (2, 1))
>>> find_conflict, targets = swap_conflicts(S0)(), TargetArcs.remaining(cfg, tree.heads)
>>> sorted(find_conflict(cfg, targets)()), find_conflict(start, targets), find_conflict(cfg, targets.without({3}))
([1, 3], None, None)
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import cache, lru_cache, partial
from itertools import chain, islice
from typing import Any, NamedTuple

from more_itertools import nth, windowed

from deptrees.messages import quoted
from deptrees.transition.losses.conflicts import FindConflict, minimal_conflict
from deptrees.transition.losses.contractions import can_be_built_without_stack
from deptrees.transition.losses.inner_words import can_be_built_with_crowds
from deptrees.transition.losses.loss import LossNotFound
from deptrees.transition.losses.orders import blocking_words, competing_roots
from deptrees.transition.losses.relaxed_swaps import can_be_built_if_relaxed
from deptrees.transition.losses.subtrees import contracted_subtrees
from deptrees.transition.losses.swap_steps import HybridSteps, StandardSteps, State, Steps
from deptrees.transition.losses.target_arcs import TargetArcs
from deptrees.transition.table import B0, S0, Place
from deptrees.transition.transitions import Swap

__all__ = ["estimated_swap_conflicts", "swap_conflicts"]


class Search(NamedTuple):
    """One way to search."""

    effort: int
    """How many configurations it looks at."""
    eager: bool = False
    """Whether it takes Swap whenever it is possible."""
    turns_back: bool = False
    """Whether it turns back to where necessary conditions hold, when it comes to an end."""


class Effort(NamedTuple):
    """How much is done to find out whether target arcs can be built."""

    searches: tuple[Search, ...]
    """The searches, one after the other."""
    crowds: int
    """How many configurations with crowds are looked at."""
    neighbours: tuple[int, ...] = ()
    """Of how many words before the subtrees at the end of the buffer the target arcs are looked at alone."""
    last: tuple[Search, ...] = ()
    """The searches after which it gives up."""


Budget = Iterator[int]
"""What may be done for a loss: it ends when no more configurations may be looked at."""

_CONTRACTED = (Search(300), Search(1_000, eager=True))
_SHORT = Effort((Search(2_000, turns_back=True),), crowds=2_000)
_LONG = Effort(
    (Search(5_000, turns_back=True),),
    crowds=10_000,
    neighbours=(3, 4, 5),
    last=(Search(5_000, eager=True, turns_back=True), Search(20_000, turns_back=True)),
)
_BUDGET = 200_000
"""How many configurations are looked at, all in all, for the loss of one."""
_SMALL_BUDGET = 6_000
"""The same, where it gives up soon."""
_QUESTION = 3
"""For how many configurations it counts, times the number of words, to ask about target arcs without a search."""
_CROWD = 5
"""For how many configurations one with crowds counts, as it takes longer to look at."""
_TURN = 3
"""For how many configurations it counts, times the number of words, to look for the first dead end on a way."""
_REMEMBERED = 20_000
"""How many configurations are remembered for each gold tree."""


def swap_conflicts(passing: Place, *, gives_up_soon: bool = False) -> Callable[[], FindConflict]:
    """Makes the function that finds conflicts in a system that swaps words. It raises LossNotFound if it gives up.

    Args:
        passing: where the word stands that Swap lets pass the one to the left of it: s0 in arc-standard, b0 in
            arc-hybrid.
        gives_up_soon: whether it looks at few configurations only, as in training, where a sentence can be left.
    """

    def search() -> FindConflict:
        effort, budget = (_SHORT, _SMALL_BUDGET) if gives_up_soon else (_LONG, _BUDGET)
        return _SwapSearch(passing, effort, budget).find_conflict

    return search


def estimated_swap_conflicts(passing: Place) -> Callable[[], FindConflict]:
    """Makes the function that finds no conflict only where target arcs are sure to be within reach, without a search.

    Args:
        passing: as in `swap_conflicts`.
    """

    def find_conflict(cfg: Any, targets: TargetArcs) -> Callable[[], frozenset[int]] | None:
        if _is_sure(cfg, targets, passing):
            return None
        return lambda: minimal_conflict(targets.heads, lambda words: not _is_sure(cfg, targets.of(words), passing))

    return lambda: find_conflict


def _is_sure(cfg: Any, targets: TargetArcs, passing: Place) -> bool:
    """Whether all target arcs are sure to be within reach, at once or, in arc-standard, after some Swaps in a row."""
    while not cfg.is_final and blocking_words(cfg, targets, passing) is not None:
        if passing == B0 or not Swap().is_possible(cfg):
            return False
        cfg = Swap()(cfg)
    return True


class _SwapSearch:
    """Finds out which target arcs can be built together in the configurations of one gold tree, and remembers it.

    Args:
        passing: as in `swap_conflicts`.
        effort: how much is done to find out whether all target arcs of a configuration can be built.
        budget: how many configurations may be looked at for a loss.
    """

    def __init__(self, passing: Place, effort: Effort, budget: int) -> None:
        self._passing, self._effort, self._budget = passing, effort, budget
        self._steps = lru_cache(maxsize=64)(StandardSteps if passing == S0 else HybridSteps)
        """The steps towards target arcs that are asked for again and again."""
        self._known: dict[State, bool] = {}
        """Whether all words that wait for a target head can get it."""
        self._budgets: dict[tuple[tuple[int, ...], tuple[int, ...]], Budget] = {}
        """What is left to be looked at for the loss of each configuration, known by its stack and buffer."""

    def find_conflict(self, cfg: Any, targets: TargetArcs) -> Callable[[], frozenset[int]] | None:
        """``None`` if all target arcs can be built, otherwise a function that finds a conflict."""
        roots = competing_roots(cfg, targets)
        if len(roots) > 1:
            return lambda: frozenset(roots[:2])
        if len(self._known) > _REMEMBERED:
            self._known.clear()
        budget = self._budgets.setdefault((cfg.stack, cfg.buffer), iter(range(self._budget)))
        conflict = self._conflict(cfg, targets, self._effort, budget)
        if conflict is None:
            raise LossNotFound(
                f"{self._budget:,} configurations were not enough to find the loss of {quoted(cfg)}: "
                "use approximate_dynamic_oracle, or a static oracle"
            )
        return partial(self._minimal, conflict, cfg, targets, budget) if conflict else None

    def _minimal(self, conflict: frozenset[int], cfg: Any, targets: TargetArcs, budget: Budget) -> frozenset[int]:
        """A conflict from which short searches show that no word can be taken away."""
        return minimal_conflict(conflict, lambda words: bool(self._conflict(cfg, targets.of(words), _SHORT, budget)))

    def _conflict(self, cfg: Any, targets: TargetArcs, effort: Effort, budget: Budget) -> frozenset[int] | None:
        """Words whose target arcs are in conflict, none if all can be built; ``None`` if it takes longer to tell."""
        stack, buffer = cfg.stack, cfg.buffer
        words = [*stack, *buffer]
        if nth(budget, _QUESTION * len(words)) is None:
            return None
        steps = self._steps(targets, max(words), has_single_root=cfg.system.has_single_root)
        start = stack, buffer, targets.waiting & sum([1 << word for word in words])
        while (can_be_built := self._is_known(start)) is None and len(after := steps.after(start, eager=False)) == 1:
            start = after[0]  # if all can be built, they can be after the one step that is left to be tried
        if can_be_built is not None:
            return frozenset() if can_be_built else frozenset(targets.heads)
        answers = self._answers(cfg, targets, effort, start, steps, budget)
        conflict = next((answer for answer in answers if answer is not None), None)
        if conflict is not None:
            self._known[start] = not conflict
        return conflict

    def _answers(
        self, cfg: Any, targets: TargetArcs, effort: Effort, start: State, steps: Steps, budget: Budget
    ) -> Iterator[frozenset[int] | None]:
        """What `_conflict` may answer: what takes least time comes first."""
        stack, buffer, _ = start
        words = frozenset(targets.heads)
        conflict = {True: frozenset[int](), False: words, None: None}
        subtrees = contracted_subtrees(stack, buffer, targets)
        small = stack, subtrees.buffer, subtrees.waiting
        contracted = (self._search(search, small, steps, targets, budget) for search in _CONTRACTED)
        can_be_contracted = next((answer for answer in contracted if answer is not None), None)
        yield conflict[can_be_contracted] if can_be_contracted or not subtrees.heads else None
        yield words if self._is_dead_end(targets, start) else None
        for search in effort.searches:
            yield conflict[self._search(search, start, steps, targets, budget)]
        for some in self._likely_conflicts(cfg, targets, subtrees.tail, effort.neighbours):
            is_possible = self._can_be_built_with_crowds(cfg, targets.of(some), effort.crowds, budget)
            yield some if is_possible is False else None
        for search in effort.last:
            yield conflict[self._search(search, start, steps, targets, budget)]

    @staticmethod
    def _likely_conflicts(
        cfg: Any, targets: TargetArcs, tail: frozenset[int], neighbours: tuple[int, ...]
    ) -> Iterator[frozenset[int]]:
        """Sets of words that may be in conflict: all, or those of the tail and some neighbours before it."""
        words = targets.heads.keys()
        yield frozenset(words)
        before = [word for word in (*cfg.stack, *cfg.buffer) if word in words and word not in tail]
        for some in chain(*(windowed(before, size) for size in neighbours if size < len(before))):
            yield frozenset(words & {*tail, *some})

    def _can_be_built_with_crowds(self, cfg: Any, targets: TargetArcs, effort: int, budget: Budget) -> bool | None:
        """Whether a necessary condition holds for some target arcs; ``None`` if the effort is not enough to tell."""
        subtrees = contracted_subtrees(cfg.stack, cfg.buffer, targets)
        single = cfg.system.has_single_root
        counted = islice(budget, 0, effort * _CROWD, _CROWD)
        return can_be_built_with_crowds(cfg.stack, subtrees, targets, self._passing, counted, has_single_root=single)

    def _search(self, search: Search, start: State, steps: Steps, targets: TargetArcs, budget: Budget) -> bool | None:
        """Whether all words that wait can get their target heads; ``None`` if the search was too short to tell."""
        todo, before = [start], {start: start}
        others = {start: 0}
        """How many states were left to be looked at when one was: those that are added after it come after it."""
        is_dead_end = cache(partial(self._is_dead_end, targets))
        counted = islice(budget, search.effort)
        while todo:
            state = todo.pop()
            answer = self._is_known(state)
            if answer:
                self._known.update(dict.fromkeys(self._way(before, state), True))
                return True
            if answer is False:
                continue
            if next(counted, None) is None:
                return None
            others[state] = len(todo)
            successors = [after for after in steps.after(state, eager=search.eager) if after not in before]
            for after in successors:
                before[after] = state
            todo += successors
            if search.turns_back and not successors:
                way = self._way(before, state)
                first = bisect_left(way, True, key=is_dead_end)
                if first < len(way):
                    del todo[others[way[first]] :]
                if nth(counted, _TURN * len(way[0][0] + way[0][1])) is None:
                    return None
        self._known.update(dict.fromkeys(before, False))
        return False

    def _is_dead_end(self, targets: TargetArcs, state: State) -> bool:
        """Whether a necessary condition tells that not all target arcs can be built."""
        stack, buffer, _ = state
        if can_be_built_without_stack((*stack, *buffer), targets) is False:
            return True
        return not can_be_built_if_relaxed(stack, buffer, targets, self._passing)

    def _is_known(self, state: State) -> bool | None:
        """Whether all words that wait can get their target heads; ``None`` if it is not known."""
        return self._known.get(state) if state[2] else True

    @staticmethod
    def _way(before: dict[State, State], state: State) -> list[State]:
        """The states from the first to another, each after the one before it."""
        way = [state]
        while state != before[state]:
            state = before[state]
            way.append(state)
        return way[::-1]
