"""Which target arcs can be built together in a system that swaps words, and which are in conflict.

**The problem.** Arc-standard with Swap (Nivre 2009) moves s1 back to the buffer, so that s0 passes it; arc-hybrid with
Swap (de Lhoneux, Stymne & Nivre 2017) moves s0 to the right of b0, so that b0 passes it. Both build all trees from the
start. Further on some words have changed places, and target arcs can be in conflict. No fast method is known that
decides whether they are.

**The invariants.**

* *Two words change places at most once.* Swap exchanges only pairs in the order of the sentence, so that those in the
  opposite, descending order stay in it.
* *A word of the stack goes back to the buffer only when a later word passes it.* That word stands to the right of it,
  and has passed all that was between them. Words of the buffer are free to change places once: they can be shifted
  until they are next to each other.
* *A complete word is in no other's way once it is attached.* It can only be missed as one that passes others. A subtree
  that can be built at the front of the buffer is not even missed: its root can pass all that its words could pass.

**The algorithm** of `_SwapSearch.conflict`:

1. Of several words with target arcs from ROOT, if it gets a single dependent, any two are a conflict.
2. Search depth first for a configuration from which all target arcs are sure to be within reach
   (`deptrees.transition.losses.orders`: a sufficient condition). If there is a transition than which none is better, it
   is the only one that is tried. Otherwise safe arcs come first, then Swap, then Shift; a second search takes Swap
   before Shift only if there is a reason to, and turns back where words that block the way cannot be contracted
   (`deptrees.transition.losses.contractions`: a necessary condition).
3. If nothing is found, collect words that are likely to be in conflict: those that blocked the way, the fewest at a
   time, and the words next to them. When they are known to be in conflict, because they cannot be contracted or because
   a search has tried everything, take away words as long as the rest is known to be (`minimal_conflict`).
4. If no words are known to be in conflict, search once more, for longer, and then give up: LossNotFound.

**Limits.** Searches and contractions take exponential time in the worst case, so each looks at a limited number of
configurations or sequences. Answers are exact or there are none.

**Example.** In the order 3 2 1 the arc from 1 to 3 and the one from 2 to 1 are in conflict: 2 stands between 1 and 3
for good, and cannot be attached before 1 is. With either arc alone, all is well.

>>> from deptrees import DependencyTree
>>> from deptrees.transition import ArcStandardSwap
>>> tree = DependencyTree([(2, "What"), (0, "happened"), (1, "else")])
>>> start = cfg = ArcStandardSwap().initial(tree)
>>> for transition in (Shift(), Shift(), Swap(), Shift(), Shift(), Swap(), Swap()):
...     cfg = transition(cfg)
>>> cfg.stack, cfg.buffer
((0, 3), (2, 1))
>>> find_conflict, targets = swap_conflicts(S0), TargetArcs.remaining(cfg, tree.heads)
>>> sorted(find_conflict(cfg, targets)()), find_conflict(start, targets), find_conflict(cfg, targets.without({3}))
([1, 3], None, None)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from deptrees.messages import quoted
from deptrees.transition.losses.conflicts import FindConflict, minimal_conflict
from deptrees.transition.losses.contractions import cannot_be_contracted
from deptrees.transition.losses.loss import LossNotFound
from deptrees.transition.losses.orders import blocking_words, competing_roots
from deptrees.transition.losses.target_arcs import TargetArcs, safe_arcs
from deptrees.transition.table import B0, S0, Place
from deptrees.transition.transitions import Shift, Swap
from deptrees.trees.heads import heads_are_projective

__all__ = ["estimated_swap_conflicts", "swap_conflicts"]

_FIRST_SEARCH, _SECOND_SEARCH, _LAST_SEARCH = 40, 200, 2_000
"""How many configurations a search looks at: one that swaps whenever it can, one that needs a reason, the last one."""
_SEQUENCES, _FEW_SEQUENCES = 5_000, 500
"""How many sequences are contracted to find out whether words are in conflict, and where words block the way."""
_MAX_BLOCKING, _MAX_CONTRACTED = 12, 9
"""How many sets of blocking words are remembered, and how many words such a set may have to be contracted."""


def swap_conflicts(passing: Place) -> FindConflict:
    """The function that finds conflicts in a system that swaps words. It raises LossNotFound if that takes too long.

    Args:
        passing: where the word stands that Swap lets pass the one to the left of it: s0 in arc-standard, b0 in
            arc-hybrid.
    """
    return lambda cfg, targets: _SwapSearch(cfg, targets, passing).conflict()


def estimated_swap_conflicts(passing: Place) -> FindConflict:
    """The function that finds no conflict only where all target arcs are sure to be within reach, without a search.

    Args:
        passing: as in `swap_conflicts`.
    """

    def find_conflict(cfg: Any, targets: TargetArcs) -> Callable[[], frozenset[int]] | None:
        if _is_sure(cfg, targets, passing):
            return None
        return lambda: minimal_conflict(targets.heads, lambda words: not _is_sure(cfg, targets.of(words), passing))

    return find_conflict


def _is_sure(cfg: Any, targets: TargetArcs, passing: Place) -> bool:
    """Whether all target arcs are sure to be within reach, at once or, in arc-standard, after some Swaps in a row."""
    while not cfg.is_final and blocking_words(cfg, targets, passing) is not None:
        if passing == B0 or not Swap().is_possible(cfg):
            return False
        cfg = Swap()(cfg)
    return True


class _SwapSearch:
    """The search for a way to build some target arcs together from a configuration."""

    def __init__(self, cfg: Any, targets: TargetArcs, passing: Place) -> None:
        self._cfg = cfg
        self._targets = targets
        self._passing = passing
        self._blocking: list[frozenset[int]] = []
        self._subtrees: dict[int, tuple[int, ...]] = {}

    def conflict(self) -> Callable[[], frozenset[int]] | None:
        """``None`` if all target arcs can be built, otherwise a function that finds a minimal conflict."""
        roots = competing_roots(self._cfg, self._targets)
        if len(roots) > 1:
            return lambda: frozenset(roots[:2])
        if self._can_build(_SECOND_SEARCH):
            return None
        words: frozenset[int] = frozenset()
        while words != self._targets.heads.keys():
            words |= self._likely_next(words)
            if self._is_known_conflict(words):
                return partial(minimal_conflict, words, self._is_known_conflict)
        if self._can_build(_LAST_SEARCH):
            return None
        raise LossNotFound(
            f"{_LAST_SEARCH} configurations were not enough to find the loss of {quoted(self._cfg)}: "
            "use approximate_dynamic_oracle, or a static oracle"
        )

    def _likely_next(self, words: frozenset[int]) -> frozenset[int]:
        """Further words that may be in conflict: the fewest that blocked the way, or the nearest to those before."""
        for blocking in sorted(self._blocking, key=len):
            if not blocking <= words:
                return blocking
        others = sorted(self._targets.heads.keys() - words)
        others.sort(key=lambda word: min((abs(word - one) for one in words), default=0))
        return frozenset(others[: max(1, len(words) // 2)])

    def _is_known_conflict(self, words: Iterable[int]) -> bool:
        """Whether it can be shown that the target arcs of some words cannot all be built."""
        targets = self._targets.of(words)
        if cannot_be_contracted((*self._cfg.stack, *self._cfg.buffer), targets, _SEQUENCES):
            return True
        return _SwapSearch(self._cfg, targets, self._passing)._can_build(_LAST_SEARCH) is False

    def _can_build(self, effort: int) -> bool | None:
        """Whether all target arcs can be built; ``None`` if the search was too short to tell."""
        answer = self._search(_FIRST_SEARCH, needs_reason=False)
        return self._search(effort, needs_reason=True) if answer is None else answer

    def _search(self, effort: int, *, needs_reason: bool) -> bool | None:
        """Search depth first.

        Args:
            effort: how many configurations are looked at.
            needs_reason: whether Swap comes before Shift only where there is a reason to swap. If so, blocking words
                are remembered, and it turns back where they cannot be contracted.
        """
        todo, seen = [self._cfg], set()
        while todo:
            cfg = todo.pop()
            if (key := (cfg.stack, cfg.buffer)) in seen:
                continue
            seen.add(key)
            if cfg.is_final:
                return True
            if (successor := self._best_successor(cfg)) is not None:
                todo.append(successor)
                continue
            if (blocking := blocking_words(cfg, self._targets, self._passing)) is None:
                return True
            if needs_reason and self._is_dead_end(cfg, blocking):
                continue
            if len(seen) > effort:
                return None
            todo += self._successors(cfg, swap_first=not needs_reason or self._has_reason_to_swap(cfg))
        return False

    def _is_dead_end(self, cfg: Any, blocking: frozenset[int]) -> bool:
        """Whether it is certain that blocking words, which are remembered, cannot all get their target heads."""
        if len(self._blocking) < _MAX_BLOCKING:
            self._blocking.append(blocking)
        if len(blocking) > _MAX_CONTRACTED:
            return False
        return cannot_be_contracted((*cfg.stack, *cfg.buffer), self._targets.of(blocking), _FEW_SEQUENCES)

    def _successors(self, cfg: Any, *, swap_first: bool) -> list[Any]:
        """The configurations that come next, the most promising last."""
        shifted = [self._after_shift(cfg)] if Shift().is_possible(cfg) else []
        swapped = [Swap()(cfg)] if Swap().is_possible(cfg) else []
        attached = [after for _, after in safe_arcs(cfg, self._targets)]
        return [*shifted, *swapped, *attached] if swap_first else [*swapped, *shifted, *attached]

    def _best_successor(self, cfg: Any) -> Any:
        """The configuration after a transition than which none is better; ``None`` if no such transition is known.

        That is a safe arc, or what leads to one, unless its dependent could be missed as one that passes others.
        """
        stack = cfg.stack
        for transition, after in safe_arcs(cfg, self._targets):
            word = cfg.dependent(transition)
            if not self._could_pass(word, stack[: stack.index(word)]):
                return after
        front = cfg.buffer_position(0)
        if front <= 0:
            return None
        if self._targets.is_isolated(front):  # it gets any head as soon as it is shifted
            return None if self._could_pass(front, stack) or not Shift().is_possible(cfg) else Shift()(cfg)
        if self._passing == B0:
            root, others = self._front_subtree(cfg)
            if before_root := others[: cfg.buffer.index(root)]:
                return self._attach(cfg, before_root)
        return None

    def _could_pass(self, word: int, below: Sequence[int]) -> bool:
        """Whether a word may, sooner or later, pass one of those below it on the stack, to the profit of others.

        In arc-standard it is of no use to pass the lowest word: on the stack it is where it would be shifted to next.
        """
        words = [other for other in below if other]
        return any(other < word for other in (words if self._passing == B0 else words[1:]))

    def _has_reason_to_swap(self, cfg: Any) -> bool:
        """Whether the passing word has no more dependents to the right, and a target arc further down the stack."""
        if self._passing == S0:
            word, below, to_the_right = cfg.stack_position(0), cfg.stack[:-2], cfg.buffer
        else:
            word, below, to_the_right = cfg.buffer_position(0), cfg.stack[:-1], cfg.buffer[1:]
        heads = self._targets.heads
        if any(heads.get(other) == word for other in to_the_right):
            return False
        return any(heads.get(other) == word or heads.get(word) == other for other in below)

    def _after_shift(self, cfg: Any) -> Any:
        """The configuration after Shift, and after the subtree at the front of the buffer has been built."""
        _, others = self._front_subtree(cfg)
        return self._attach(Shift()(cfg), others)

    def _front_subtree(self, cfg: Any) -> tuple[int, tuple[int, ...]]:
        """The root and the other words, in their order, of the largest subtree that the buffer begins with.

        It is the front alone unless that is later than all words on the stack. If it is, so are the other words of the
        subtree, and its root can pass all that they could pass.
        """
        buffer = cfg.buffer
        root = ancestor = buffer[0]
        words = buffer[:1]
        if root > max(cfg.stack, default=0):
            while ancestor:
                subtree = self._projective_subtree(ancestor)
                if subtree and subtree == buffer[: len(subtree)]:
                    root, words = ancestor, subtree
                ancestor = self._targets.heads.get(ancestor, 0)
        return root, tuple(word for word in words if word != root)

    def _projective_subtree(self, root: int) -> tuple[int, ...]:
        """All words of a subtree in the order of the sentence; none if they cannot be attached in this order."""
        if root not in self._subtrees:
            heads, words = self._targets.heads, [root]
            for head in words:
                words += [word for word in heads if heads[word] == head]
            words.sort()
            places = {word: place for place, word in enumerate(words, 1)}
            projective = heads_are_projective(tuple(0 if word == root else places[heads[word]] for word in words))
            self._subtrees[root] = tuple(words) if projective else ()
        return self._subtrees[root]

    def _attach(self, cfg: Any, words: Sequence[int]) -> Any:
        """The configuration in which words from the front of the buffer have got their heads."""
        while not {*cfg.stack, *cfg.buffer}.isdisjoint(words):
            arcs = safe_arcs(cfg, self._targets)
            cfg = next((after for arc, after in arcs if cfg.dependent(arc) in words), None) or Shift()(cfg)
        return cfg
