"""The losses of the pointer, whatever the order of turns.

Words without a head may get any that makes no cycle; their gold arcs are the target arcs. These may make cycles with
the arcs that are there. As every word has one head, cycles are disjoint: each costs one target arc, whose word can be
attached to ROOT or, if ROOT is to have a single dependent, to that one. In that case all but one of ROOT's target arcs
are lost, too; no cycle contains one of these.

In the projective variant, a word under an arc cannot be an ancestor of that arc's head either. There Eisner's algorithm
finds the best tree that has the arcs that are there.

If 2 → 1 has been built, for example, and the gold arcs are 0 → 1, 1 → 2, one head is wrong, and 1 → 2 makes a cycle:

>>> from deptrees.transition import Attach, PointerNonProjective
>>> tree = DependencyTree([(0, "Sing"), (1, "again")])
>>> cfg = Attach(k=3)(PointerNonProjective().initial(tree))
>>> cfg, PointerLoss()(cfg, tree)
(PointerNonProjective(order='left_to_right'): i = 2, A = (2 → 1), 2)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from operator import or_
from typing import TYPE_CHECKING, Any

import numpy as np

from deptrees.transition.losses.arc_costs import ArcCosts, TargetsLoss, best_cost_to_come, excess_roots, gold_costs
from deptrees.transition.losses.conflicts import minimal_conflict
from deptrees.transition.losses.loss import cheapest
from deptrees.transition.losses.work import count_chart
from deptrees.transition.transitions import Transition
from deptrees.trees.eisner import least_projective, least_projective_with
from deptrees.trees.heads import Heads, count_cycles, heads_are_projective
from deptrees.trees.tree import DependencyTree

if TYPE_CHECKING:
    from deptrees.transition.systems.pointer import PointerConfiguration

__all__ = ["PointerLoss", "ProjectivePointerLoss"]

_Interval = tuple[int, int]
"""The first and the last of the open words, which have had no turn: all between them have had none either."""

_TRIED = 3  # how many conflicts are solved one by one; more are left to Eisner's algorithm


class PointerLoss(TargetsLoss["PointerConfiguration"]):
    """The loss of the pointer: wrong heads and cycles, and ROOT's target arcs but one."""

    def targets(self, cfg: PointerConfiguration, tree: DependencyTree) -> Heads:
        before, after = slice(cfg.first - 1), slice(cfg.last, None)  # the words that have had their turns
        return (*cfg.heads[before], *tree.heads[cfg.first - 1 : cfg.last], *cfg.heads[after])

    def given_up(self, cfg: PointerConfiguration, tree: DependencyTree, targets: Sequence[int | None]) -> int:
        return count_cycles(targets) + excess_roots(cfg, targets)

    def is_free_quickly(self, transition: Any, cfg: PointerConfiguration, tree: DependencyTree) -> bool | None:
        return tree.has_arc(*cfg.arc(transition)) or None  # the target arcs remain the same

    def cost(self, transition: Any, cfg: PointerConfiguration, tree: DependencyTree) -> int:
        errors = self._to_come(cfg, tree)
        number: int = cfg.possible_heads.index(cfg.arc(transition)[0])
        return errors[number] - min(errors)

    def free(self, cfg: PointerConfiguration, tree: DependencyTree) -> Iterable[Transition]:
        return cheapest(cfg.possible_transitions(), self._to_come(cfg, tree))

    def _to_come(self, cfg: PointerConfiguration, tree: DependencyTree) -> Sequence[int]:
        """For each possible head what it adds to the number of errors, up to a number that is the same for all."""
        if cfg.is_final:
            return ()
        gold, targets = tree.heads[cfg.word - 1], self.targets(cfg, tree)
        below = _descendants(cfg.word, targets)
        roots = targets.count(0) - (gold == 0)
        excess = {True: roots, False: max(roots - 1, 0)} if cfg.system.single_root else {True: 0, False: 0}
        return [(gold not in (None, head)) + (head in below) + excess[head == 0] for head in cfg.possible_heads]

    def cost_to_come(self, cfg: PointerConfiguration, costs: ArcCosts) -> float:
        return best_cost_to_come(cfg, costs, lambda word: range(len(cfg.heads) + 1))


class ProjectivePointerLoss(PointerLoss):
    """The loss of the projective variant: that of the best projective tree that has the arcs that are there.

    Gold arcs that cross one of these are lost. Mostly the others can be built together, which is seen quickly.
    """

    def targets(self, cfg: PointerConfiguration, tree: DependencyTree) -> Heads:
        heads = super().targets(cfg, tree)
        with_head_before, crossed = _with_head_before(tree.heads), 0  # words, as the bits of an integer
        for word in (*range(1, cfg.first), *range(cfg.last + 1, len(heads) + 1)):
            head = cfg.heads[word - 1]
            left, right = (word, head) if word < head else (head, word)
            head_inside = with_head_before[right] & ~with_head_before[left + 1]
            head_outside = with_head_before[left] | ~with_head_before[right + 1]
            inside, outside = (1 << right) - (2 << left), ~((2 << right) - (1 << left))
            crossed |= inside & head_outside | outside & head_inside
        crossed &= (2 << cfg.last) - (1 << cfg.first)
        return tuple([None if crossed >> word & 1 else head for word, head in enumerate(heads, 1)])

    def given_up(self, cfg: PointerConfiguration, tree: DependencyTree, targets: Sequence[int | None]) -> int:
        return _given_up(tuple(targets), (cfg.first, cfg.last), cfg.system.single_root)

    def must_give_up(self, cfg: PointerConfiguration, tree: DependencyTree, targets: Sequence[int | None]) -> bool:
        return not _can_be_completed(tuple(targets), cfg.system.single_root)

    def is_free_quickly(self, transition: Any, cfg: PointerConfiguration, tree: DependencyTree) -> bool | None:
        if not tree.has_arc(*cfg.arc(transition)):
            return None
        # The target arcs remain the same. If they can be built together, they still can.
        return _can_be_completed(self.targets(cfg, tree), cfg.system.single_root) or None

    def free(self, cfg: PointerConfiguration, tree: DependencyTree) -> Iterable[Transition]:
        targets, single_root = self.targets(cfg, tree), cfg.system.single_root
        if cfg.is_final or not _can_be_completed(targets, single_root):
            return cheapest(cfg.possible_transitions(), self._to_come(cfg, tree))
        before, own, after = targets[: cfg.word - 1], targets[cfg.word - 1], targets[cfg.word :]
        lost = [
            own != head and (own is not None or not _can_be_completed((*before, head, *after), single_root))
            for head in cfg.possible_heads
        ]
        return cheapest(cfg.possible_transitions(), lost)

    def _to_come(self, cfg: PointerConfiguration, tree: DependencyTree) -> Sequence[int]:
        heads, open_words = super().targets(cfg, tree), (cfg.first, cfg.last)
        return _least(heads, open_words, cfg.word, cfg.possible_heads, cfg.system.single_root)

    def cost_to_come(self, cfg: PointerConfiguration, costs: ArcCosts) -> float:
        arcs = _with_arcs_so_far(cfg.heads, (cfg.first, cfg.last), costs)
        return float(least_projective(arcs, cfg.system.single_root))


@lru_cache(maxsize=1 << 12)
def _least(
    heads: Heads, open_words: _Interval, word: int, possible: tuple[int, ...], single_root: bool
) -> Sequence[int]:
    """For each possible head of a word how many open words get another head than this one in the best tree."""
    if not possible:
        return ()
    count_chart(len(heads))
    trees = least_projective_with(_with_arcs_so_far(heads, open_words, gold_costs(heads)), single_root)
    return [int(cost) for cost in trees.incomplete[list(possible), word]]


def _with_arcs_so_far(heads: Heads, open_words: _Interval, costs: ArcCosts) -> ArcCosts:
    """The costs of the arcs between ROOT and the words where all but the open words keep their heads at no cost."""
    arcs: ArcCosts = costs[:-1].copy()
    first, last = open_words
    made = np.array([*range(1, first), *range(last + 1, len(heads) + 1)], np.intp)
    arcs[:, made] = np.inf
    arcs[np.array([heads[word - 1] for word in made], np.intp), made] = 0
    return arcs


@lru_cache(maxsize=64)
def _with_head_before(heads: Heads) -> Sequence[int]:
    """For each position up to one after the last the words whose head stands before it, as the bits of an integer."""
    with_head = [0] * (len(heads) + 1)
    for word, head in enumerate(heads, 1):
        if head is not None:
            with_head[head] |= 1 << word
    return [0, *accumulate(with_head, or_)]


@lru_cache(maxsize=64)
def _given_up(targets: Heads, open_words: _Interval, single_root: bool) -> int:
    """How many target arcs, which are those of open words, have to be given up to build the others."""
    for most in range(_TRIED):
        if _suffices(most, targets, open_words, single_root):
            return most
    count_chart(len(targets))
    return int(least_projective(_with_arcs_so_far(targets, open_words, gold_costs(targets)), single_root))


def _suffices(most: int, targets: Heads, open_words: _Interval, single_root: bool) -> bool:
    """Whether it is enough to give up ``most`` target arcs: of what cannot be built together, one at a time."""
    if not most or _can_be_completed(targets, single_root):
        return _can_be_completed(targets, single_root)

    first, last = open_words

    def is_conflict(words: Sequence[int]) -> bool:
        kept = [targets[word - 1] if word in words else None for word in range(first, last + 1)]
        return not _can_be_completed((*targets[: first - 1], *kept, *targets[last:]), single_root)

    with_target = [word for word in range(first, last + 1) if targets[word - 1] is not None]
    return any(
        _suffices(most - 1, (*targets[: word - 1], None, *targets[word:]), open_words, single_root)
        for word in minimal_conflict(with_target, is_conflict)
    )


@lru_cache(maxsize=64)
def _can_be_completed(heads: Heads, single_root: bool) -> bool:
    """Whether there is a projective tree with these heads, perhaps one in which ROOT has a single dependent."""
    return (not single_root or heads.count(0) < 2) and not count_cycles(heads) and heads_are_projective(heads)


def _descendants(word: int, heads: Heads) -> set[int]:
    """A word, whose own head is not asked, and all from which following the heads leads to it."""
    found = {word}
    while new := {other for other, head in enumerate(heads, 1) if head in found} - found:
        found |= new
    return found
