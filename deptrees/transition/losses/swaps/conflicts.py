"""Which target arcs can be built together in a system that swaps words, and which are in conflict.

**The problem.** Arc-standard with Swap (Nivre 2009) moves s1 back to the buffer, so that s0 passes it; arc-hybrid with
Swap (de Lhoneux, Stymne & Nivre 2017) moves s0 to the right of b0, so that b0 passes it. Both build all trees from the
start. Further on, some words have changed places, and target arcs can be in conflict. No fast method is known to
decide whether they are, and there is reason to believe that there is none: docs/swaps.md.

**The invariants.**

* *Two words change places at most once.* Swap exchanges only pairs in the order of the sentence, so that those in the
  opposite, descending order stay in it.
* *A word of the stack goes back to the buffer only when a later word passes it.* That word stands to the right of it,
  and has passed all that was between them.
* *What can be built from a configuration depends only on stack and buffer*, and on the words that wait for a head.
  Where all target arcs can be built, they can be after one of the steps that are tried (`steps`). So what a search
  finds out about one configuration, it finds out about others on its way (`search`).

**The algorithm.** Of several words with target arcs from ROOT, if it gets a single dependent, any two are a conflict.
Otherwise a search looks for a way to build all target arcs. Where it has a choice it asks whether necessary conditions
hold, and goes no further if not: that all can be built without a stack (`contractions`), that no word has to be
attached before itself and those that have to leave the stack can (`precedences`, `releases`), and that all can be built
if nothing ever stands in the way (`relaxed_swaps`).

It looks at some configurations, then at more, in rounds, until there is an answer. In each round it tries Shift before
Swap, and then Swap before Shift; in one round also the one for half of the words and the other for the rest, in several
ways. No order is best: each finds in a few steps what takes others millions. It first searches with the subtrees at the
end of the buffer contracted (`subtrees`), which suffices, then with the words as they are. After the last round it
gives up: LossNotFound. Words are taken out of a conflict as long as the first rounds show that the rest is still one.

In training, searches give up sooner, and learning goes on with the next sentence: untrained parsers get into
configurations that no real parser sees, and there searches take longest. What is known about the configurations of one
gold tree is remembered: an oracle that follows a derivation mostly arrives at once where it has been before.

**Limits.** Searches take exponential time in the worst case. So all searches for the loss of one configuration share a
budget of configurations, not of time: the speed of the machine does not matter. Answers are exact or there are none.
There are fewer without a C compiler, for the search is slower, and so it ends sooner; and where the compiler has no
integers of 128 bits, as on Windows, no necessary conditions are asked where more than 63 words are left.

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

from collections.abc import Callable, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from deptrees.messages import quoted
from deptrees.transition.losses.conflicts import FindConflict, minimal_conflict
from deptrees.transition.losses.loss import LossNotFound
from deptrees.transition.losses.swaps.orders import blocking_words, competing_roots
from deptrees.transition.losses.swaps.search import SwapSearch, swap_search
from deptrees.transition.losses.target_arcs import TargetArcs
from deptrees.transition.losses.work import count_work
from deptrees.transition.table import B0, Place
from deptrees.transition.transitions import Swap

if TYPE_CHECKING:
    from deptrees.transition.systems.stack_buffer import StackBufferConfiguration

__all__ = ["estimated_swap_conflicts", "swap_conflicts"]

_Unsettled = tuple[tuple[int, ...], tuple[int, ...]]  # stack and buffer
_Round = tuple[int, tuple[int, ...]]


_SHIFT_OR_SWAP_FIRST = 0, (1 << 64) - 1
_MIXED = 0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0, 0xFF00FF00FF00FF00
"""The words whose numbers have the lowest bit set, the next, and so on."""
_EVERY_ORDER = (*_SHIFT_OR_SWAP_FIRST, *chain.from_iterable((some, some ^ _SHIFT_OR_SWAP_FIRST[1]) for some in _MIXED))
"""For which words Swap is tried before Shift."""

_FEW_ROUNDS = (100, _SHIFT_OR_SWAP_FIRST), (2_000, _SHIFT_OR_SWAP_FIRST)
_ROUNDS = (*_FEW_ROUNDS, (20_000, _EVERY_ORDER), (200_000, _SHIFT_OR_SWAP_FIRST))
"""How many configurations a search looks at before the next one begins, and which orders it tries."""
_BUDGET = 1_000_000  # how many configurations searches may look at, all in all, for the loss of one
_SMALL_BUDGET = 25_000  # the same, counted in words, where it gives up soon: with few words there is little to look at
_QUESTION = 30  # for how many configurations it counts to ask about target arcs
_REMEMBERED = 100_000  # how many configurations are remembered for each gold tree


def swap_conflicts(passing: Place, *, gives_up_soon: bool = False) -> Callable[[], FindConflict]:
    """Makes the function that finds conflicts in a system that swaps words. It raises LossNotFound if it gives up.

    Args:
        passing: where the word stands that Swap lets pass the one to the left of it: s0 in arc-standard, b0 in
            arc-hybrid.
        gives_up_soon: whether it looks at few configurations only, as in training, where a sentence can be left.
    """

    def search() -> FindConflict:
        return _Conflicts(passing, gives_up_soon=gives_up_soon).find_conflict

    return search


def estimated_swap_conflicts(passing: Place) -> Callable[[], FindConflict]:
    """Makes the function that takes no search: it finds no conflict only where target arcs are sure to be built."""

    def find_conflict(cfg: StackBufferConfiguration, targets: TargetArcs) -> Callable[[], frozenset[int]] | None:
        if _is_sure(cfg, targets, passing):
            return None
        return lambda: minimal_conflict(targets.heads, lambda words: not _is_sure(cfg, targets.of(words), passing))

    return lambda: find_conflict


def _is_sure(cfg: StackBufferConfiguration, targets: TargetArcs, passing: Place) -> bool:
    """Whether all target arcs are sure to be reachable, at once or, in arc-standard, after some Swaps in a row."""
    while not cfg.is_final and blocking_words(cfg, targets, passing) is not None:
        if passing == B0 or not Swap().is_possible(cfg):
            return False
        cfg = Swap()(cfg)
    return True


class _Conflicts:
    """Finds out which target arcs can be built together in the configurations of one gold tree, and remembers it."""

    def __init__(self, passing: Place, *, gives_up_soon: bool) -> None:
        self._passing, self._gives_up_soon = passing, gives_up_soon
        self._search: SwapSearch | None = None
        self._left: dict[_Unsettled, int] = {}
        """What is left of the budget of each configuration, known by its stack and buffer."""

    def find_conflict(self, cfg: StackBufferConfiguration, targets: TargetArcs) -> Callable[[], frozenset[int]] | None:
        """``None`` if all target arcs can be built, otherwise a function that finds a conflict."""
        roots = competing_roots(cfg, targets)
        if len(roots) > 1:
            return lambda: frozenset(roots[:2])
        if self._search is None or len(self._search) > _REMEMBERED:
            self._search = swap_search(is_hybrid=self._passing == B0, has_single_root=cfg.system.has_single_root)
        stack, buffer = unsettled = cfg.stack, cfg.buffer
        budget = _SMALL_BUDGET // len(stack + buffer) if self._gives_up_soon else _BUDGET
        self._left.setdefault(unsettled, budget)
        can_be_built = self._can_be_built(unsettled, targets, _ROUNDS)
        if can_be_built is None:
            raise LossNotFound(
                f"{budget:,} configurations were not enough to find the loss of {quoted(cfg)}: "
                "use approximate_dynamic_oracle, or a static oracle"
            )

        def is_conflict(words: Sequence[int]) -> bool:
            return self._can_be_built(unsettled, targets.of(words), _FEW_ROUNDS) is False

        return None if can_be_built else lambda: minimal_conflict(targets.heads, is_conflict)

    def _can_be_built(self, unsettled: _Unsettled, targets: TargetArcs, rounds: Sequence[_Round]) -> bool | None:
        """Whether all target arcs can be built; ``None`` if it takes longer to tell."""
        assert self._search is not None
        stack, buffer = unsettled
        self._left[unsettled] -= _QUESTION
        contracted = self._search.contracted(stack, buffer, targets)
        for effort, eager in ((effort, eager) for effort, orders in rounds for eager in orders):
            if contracted != buffer and self._ask(unsettled, contracted, targets, effort, eager):
                return True
            answer = self._ask(unsettled, buffer, targets, effort, eager)
            if answer is not None:
                return answer
        return None

    def _ask(
        self, unsettled: _Unsettled, buffer: tuple[int, ...], targets: TargetArcs, effort: int, eager: int
    ) -> bool | None:
        """Search with what is left of the budget."""
        assert self._search is not None
        effort = max(0, min(effort, self._left[unsettled] // self._search.cost))
        answer = self._search.can_be_built(unsettled[0], buffer, targets, effort, eager=eager)
        self._left[unsettled] -= self._search.cost * self._search.looked_at
        count_work(self._search.cost * self._search.looked_at * len(unsettled[0] + unsettled[1]))
        return answer
