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

**The algorithm.** Of several words with target arcs from ROOT, if it gets a single dependent, any two are a conflict.
Otherwise two searches (`swap_search`) look for a way to build all target arcs:

* A *fast* one asks nothing of the configurations that it comes to, so that some million are looked at in a second.
  Mostly a few are enough.
* A *careful* one asks in each whether two necessary conditions hold: that all can be built without a stack
  (`contractions`), and that they can be if nothing ever stands in the way (`relaxed_swaps`). If not it goes no further.
  This takes a thousand times as long, and mostly a hundred are enough.

Each looks at some configurations, then at more, in rounds, until there is an answer; it tries Shift before Swap, and
then Swap before Shift. Each first searches with the words as they are, and then with subtrees at the end of the buffer
contracted (`subtrees`): what can be built so can be built. After the last round it gives up: LossNotFound.

In one of the rounds it is asked for a third necessary condition: that all can be built if the subtrees have any number
of inner words (`inner_words`); of all target arcs, and of those of the subtrees and a few words before them.

Of the words found to be in conflict, some are taken away as long as the first rounds show that the rest is
(`minimal_conflict`).

In training searches give up sooner, and learning goes on with the next sentence: untrained parsers get into
configurations that no real parser sees, which searches take longest in.

What is known about the configurations of one gold tree is remembered. So an oracle that follows a derivation, and asks
at each step about all that may come next, mostly arrives at once where it has been before.

**Limits.** Searches take exponential time in the worst case. So all those for the loss of one configuration have a
budget in common, which ends. It counts configurations, not time, so that it is the same on every machine. Answers are
exact or there are none. Without a C compiler the fast search is slower, and so it ends sooner.

**Example.** In the order 3 2 1 the arc from 1 to 3 and the one from 2 to 1 are in conflict: 2 stands between 1 and 3
for good, and cannot be attached before 1 is. With either arc alone, all is well.

>>> from deptrees import DependencyTree
>>> from deptrees.transition import ArcStandardSwap, Shift, Swap
>>> from deptrees.transition.table import S0
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

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from operator import length_hint
from typing import Any, NamedTuple

from more_itertools import windowed

from deptrees.messages import quoted
from deptrees.transition.losses.conflicts import FindConflict, minimal_conflict
from deptrees.transition.losses.contractions import can_be_built_without_stack
from deptrees.transition.losses.inner_words import can_be_built_with_crowds
from deptrees.transition.losses.loss import LossNotFound
from deptrees.transition.losses.orders import blocking_words, competing_roots
from deptrees.transition.losses.relaxed_swaps import can_be_built_if_relaxed
from deptrees.transition.losses.subtrees import contracted_subtrees
from deptrees.transition.losses.swap_search import ReadableSearch, SwapSearch, swap_search
from deptrees.transition.losses.target_arcs import TargetArcs
from deptrees.transition.table import B0, Place
from deptrees.transition.transitions import Swap

__all__ = ["estimated_swap_conflicts", "swap_conflicts"]

_Unsettled = tuple[tuple[int, ...], tuple[int, ...]]  # stack and buffer


class Round(NamedTuple):
    """How many configurations are looked at before the next round begins."""

    fast: int
    """By searches that ask nothing."""
    careful: int
    """By searches that ask for necessary conditions."""
    crowds: int = 0
    """With crowds."""
    neighbours: tuple[int, ...] = ()
    """Of how many words before the subtrees at the end of the buffer the target arcs are looked at with these alone."""


_BEGINNING = Round(100, 0), Round(2_000, 1)
_FEW_ROUNDS = (*_BEGINNING, Round(20_000, 30, crowds=2_000))
_ROUNDS = (
    *_BEGINNING,
    Round(20_000, 100, crowds=10_000, neighbours=(3, 4, 5)),
    Round(200_000, 300),
    Round(3_000_000, 1_000),
)
_BUDGET = 5_000_000
"""For how many configurations searches may count, all in all, for the loss of one."""
_SMALL_BUDGET = 30_000
"""The same, where it gives up soon."""
_QUESTION = 300
"""For how many configurations it counts to ask about target arcs."""
_CROWD = 300
"""For how many configurations one with crowds counts."""
_REMEMBERED = 100_000
"""How many configurations are remembered for each gold tree."""


def swap_conflicts(passing: Place, *, gives_up_soon: bool = False) -> Callable[[], FindConflict]:
    """Makes the function that finds conflicts in a system that swaps words. It raises LossNotFound if it gives up.

    Args:
        passing: where the word stands that Swap lets pass the one to the left of it: s0 in arc-standard, b0 in
            arc-hybrid.
        gives_up_soon: whether it looks at few configurations only, as in training, where a sentence can be left.
    """

    def search() -> FindConflict:
        rounds, budget = (_FEW_ROUNDS, _SMALL_BUDGET) if gives_up_soon else (_ROUNDS, _BUDGET)
        return _Conflicts(passing, rounds, budget).find_conflict

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


class _Conflicts:
    """Finds out which target arcs can be built together in the configurations of one gold tree, and remembers it.

    Args:
        passing: as in `swap_conflicts`.
        rounds: the searches for an answer.
        budget: for how many configurations searches may count for a loss.
    """

    def __init__(self, passing: Place, rounds: Sequence[Round], budget: int) -> None:
        self._passing, self._rounds, self._budget = passing, rounds, budget
        self._searches: tuple[SwapSearch, SwapSearch] | None = None
        """The fast one and the careful one."""
        self._left: dict[_Unsettled, int] = {}
        """What is left of the budget of each configuration, known by its stack and buffer."""

    def find_conflict(self, cfg: Any, targets: TargetArcs) -> Callable[[], frozenset[int]] | None:
        """``None`` if all target arcs can be built, otherwise a function that finds a conflict."""
        roots = competing_roots(cfg, targets)
        if len(roots) > 1:
            return lambda: frozenset(roots[:2])
        if self._searches is None or sum(map(len, self._searches)) > _REMEMBERED:
            self._searches = self._new_searches(has_single_root=cfg.system.has_single_root)
        self._left.setdefault((cfg.stack, cfg.buffer), self._budget)
        conflict = self._conflict(cfg, targets, self._rounds)
        if conflict is None:
            raise LossNotFound(
                f"{self._budget:,} configurations were not enough to find the loss of {quoted(cfg)}: "
                "use approximate_dynamic_oracle, or a static oracle"
            )
        return partial(self._minimal, conflict, cfg, targets) if conflict else None

    def _new_searches(self, *, has_single_root: bool) -> tuple[SwapSearch, SwapSearch]:
        system = {"is_hybrid": self._passing == B0, "has_single_root": has_single_root}
        return swap_search(**system), ReadableSearch(**system, is_dead_end=self._is_dead_end)

    def _is_dead_end(self, stack: Sequence[int], buffer: Sequence[int], targets: TargetArcs) -> bool:
        """Whether a necessary condition tells that not all target arcs can be built."""
        if can_be_built_without_stack((*stack, *buffer), targets) is False:
            return True
        return not can_be_built_if_relaxed(stack, buffer, targets, self._passing)

    def _minimal(self, conflict: frozenset[int], cfg: Any, targets: TargetArcs) -> frozenset[int]:
        """A conflict from which short searches show that no word can be taken away."""
        return minimal_conflict(conflict, lambda words: bool(self._conflict(cfg, targets.of(words), _FEW_ROUNDS)))

    def _conflict(self, cfg: Any, targets: TargetArcs, rounds: Sequence[Round]) -> frozenset[int] | None:
        """Words whose target arcs are in conflict, none if all can be built; ``None`` if it takes longer to tell."""
        self._left[cfg.stack, cfg.buffer] -= _QUESTION
        answers = (answer for each in rounds for answer in self._answers(cfg, targets, each))
        return next((answer for answer in answers if answer is not None), None)

    def _answers(self, cfg: Any, targets: TargetArcs, efforts: Round) -> Iterator[frozenset[int] | None]:
        """What `_conflict` may answer after a round: what takes least time comes first."""
        assert self._searches
        stack, buffer = cfg.stack, cfg.buffer
        conflict = {True: frozenset[int](), False: frozenset(targets.heads), None: None}
        subtrees = contracted_subtrees(stack, buffer, targets)
        for search, effort in zip(self._searches, (efforts.fast, efforts.careful), strict=True):
            for is_eager in (False, True):
                ask = partial(self._ask, (stack, buffer), search, targets, effort, is_eager=is_eager)
                yield conflict[ask(buffer)]
                yield conflict[(subtrees.heads and ask(subtrees.buffer)) or None]
        for some in self._likely_conflicts(cfg, targets, subtrees.tail, efforts) if subtrees.heads else ():
            yield some if self._can_be_built_with_crowds(cfg, targets.of(some), efforts.crowds) is False else None

    def _ask(
        self,
        unsettled: _Unsettled,
        search: SwapSearch,
        targets: TargetArcs,
        effort: int,
        buffer: tuple[int, ...],
        *,
        is_eager: bool,
    ) -> bool | None:
        """Search with what is left of the budget."""
        effort = max(0, min(effort, self._left[unsettled] // search.cost))
        answer = search.can_be_built(unsettled[0], buffer, targets, effort, eager=is_eager)
        self._left[unsettled] -= search.cost * search.looked_at
        return answer

    @staticmethod
    def _likely_conflicts(
        cfg: Any, targets: TargetArcs, tail: frozenset[int], efforts: Round
    ) -> Iterator[frozenset[int]]:
        """Sets of words that may be in conflict: all, or those of the tail and some neighbours before it."""
        words = targets.heads.keys()
        if efforts.crowds:
            yield frozenset(words)
        before = [word for word in (*cfg.stack, *cfg.buffer) if word in words and word not in tail]
        for some in chain(*(windowed(before, size) for size in efforts.neighbours if size < len(before))):
            yield frozenset(words & {*tail, *some})

    def _can_be_built_with_crowds(self, cfg: Any, targets: TargetArcs, effort: int) -> bool | None:
        """Whether a necessary condition holds for some target arcs; ``None`` if the effort is not enough to tell."""
        unsettled = cfg.stack, cfg.buffer
        subtrees, single = contracted_subtrees(*unsettled, targets), cfg.system.has_single_root
        counted = iter(range(max(0, min(effort, self._left[unsettled] // _CROWD))))
        before = length_hint(counted)
        can_be_built = can_be_built_with_crowds(
            cfg.stack, subtrees, targets, self._passing, counted, has_single_root=single
        )
        self._left[unsettled] -= _CROWD * (before - length_hint(counted))
        return can_be_built
