"""A search for a way to build target arcs in a system that swaps words, depth first.

It goes from a configuration to those that may come next (`deptrees.transition.losses.swaps.steps`) until all target
arcs are built or nothing is left to try. What is found out is remembered: if all target arcs can be built, they can be
from each configuration on the way; if everything after one has been tried, they cannot be from it. So a search that was
too short goes on where it has not been yet when it is asked again. A long one begins by asking what follows if two
words change places (`deptrees.transition.losses.swaps.precedences.is_refuted`).

`swap_search` makes one that is compiled, where it is installed, and looks at some hundred thousand configurations in
a second instead of a few thousand. It takes the same steps, and gives the same answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias

from deptrees.transition.losses.swaps.contractions import can_be_built_without_stack
from deptrees.transition.losses.swaps.precedences import is_refuted
from deptrees.transition.losses.swaps.relaxed_swaps import can_be_built_if_relaxed
from deptrees.transition.losses.swaps.steps import HybridSteps, StandardSteps, State
from deptrees.transition.losses.swaps.subtrees import contracted_subtrees
from deptrees.transition.losses.target_arcs import TargetArcs
from deptrees.transition.table import B0, S0

if TYPE_CHECKING:
    from deptrees.transition.losses.swaps.compiled_search import CompiledSearch

__all__ = ["ReadableSearch", "SwapSearch", "swap_search"]

SwapSearch: TypeAlias = "ReadableSearch | CompiledSearch"
"""A search of either kind, for the target arcs of one gold tree."""

_Words = tuple[int, ...]

_LONG = 20_000  # an effort for which more is tried in the beginning


def swap_search(*, is_hybrid: bool, has_single_root: bool) -> SwapSearch:
    """A search in arc-hybrid or in arc-standard: compiled if possible."""
    try:
        compiled = import_module("deptrees.transition.losses.swaps.compiled_search")
    except ImportError:
        return ReadableSearch(is_hybrid=is_hybrid, has_single_root=has_single_root)
    search: SwapSearch = compiled.CompiledSearch(is_hybrid=is_hybrid, has_single_root=has_single_root)
    return search


class ReadableSearch:
    """The search in Python, for the target arcs of one gold tree.

    Args:
        is_hybrid: whether the system is arc-hybrid; otherwise it is arc-standard.
        has_single_root: whether ROOT gets a single dependent.
    """

    cost = 100
    """How many configurations of the compiled search are looked at in the time of one of this search."""

    def __init__(self, *, is_hybrid: bool, has_single_root: bool) -> None:
        kind = HybridSteps if is_hybrid else StandardSteps
        self._passing = B0 if is_hybrid else S0
        self._steps = lru_cache(maxsize=64)(partial(kind, has_single_root=has_single_root))
        """The steps toward target arcs that are asked for again and again."""
        self._known: dict[State, bool] = {}
        self.looked_at = 0
        """How many configurations were looked at to answer the last question."""

    def __len__(self) -> int:
        """The number of configurations for which it is known whether all target arcs can be built."""
        return len(self._known)

    contracted = staticmethod(contracted_subtrees)

    def can_be_built(
        self, stack: _Words, buffer: _Words, targets: TargetArcs, effort: int, *, eager: int = 0
    ) -> bool | None:
        """Whether all target arcs can be built; ``None`` if the search was too short to tell.

        In the buffer words may be missing that no word waits for. Up to ``effort`` configurations are looked at. For
        ``eager`` words, by the bits of a number, Swap is tried before Shift wherever they can pass another.
        """
        words = (*stack, *buffer)
        steps = self._steps(targets, max(words))
        self.looked_at = 0
        way: list[tuple[State, Iterator[State]]] = []
        start: State = (stack, buffer, targets.waiting & sum([1 << word for word in words]))
        if effort >= _LONG and self._is_known(start) is None and is_refuted(stack, buffer, targets, self._passing):
            self._known[start] = False
        state: State | None = start
        while state and not (answer := self._is_known(state)):
            if answer is None:
                if self.looked_at == effort:
                    return None
                self.looked_at += 1
                after = steps.after(state, eager=eager)
                is_dead_end = len(after) > 1 and self._is_dead_end(state, targets)
                way.append((state, iter(()) if is_dead_end else reversed(after)))
            while way and (state := next(way[-1][1], None)) is None:
                self._known[way.pop()[0]] = False
            if not way:
                return False
        self._known.update({known: True for known, _ in way})
        return True

    def _is_known(self, state: State) -> bool | None:
        return self._known.get(state) if state[2] else True

    def _is_dead_end(self, state: State, targets: TargetArcs) -> bool:
        """Whether a necessary condition tells that not all target arcs can be built."""
        stack, buffer, _ = state
        if can_be_built_without_stack((*stack, *buffer), targets) is False:
            return True
        return not can_be_built_if_relaxed(stack, buffer, targets, self._passing)
