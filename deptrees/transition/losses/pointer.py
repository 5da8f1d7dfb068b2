"""The losses of the left-to-right pointer.

Words without a head may get any that makes no cycle. The gold arcs of these words are the target arcs. Together with
the arcs that are there they may make cycles. As every word has one head, cycles are disjoint: each costs one target
arc, and one is enough, for a word that gives up its target arc can be attached to ROOT or, if ROOT is to have a single
dependent, to that one. In that case all but one of ROOT's target arcs are lost, too; no cycle contains one of these.

In the projective variant more can be in the way than a cycle: an arc over a word forbids it to be an ancestor of that
arc's head. There Eisner's algorithm finds the best tree that has the arcs that are there.

If 2 → 1 has been built, for example, and the gold arcs are 0 → 1, 1 → 2, one head is wrong, and 1 → 2 makes a cycle:

>>> from deptrees.transition import Attach, PointerNonProjective
>>> tree = DependencyTree([(0, "Sing"), (1, "again")])
>>> cfg = Attach(k=3)(PointerNonProjective().initial(tree))
>>> cfg, PointerLoss()(cfg, tree)
(PointerNonProjective(): i = 2, A = (2 → 1), 2)
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from deptrees.transition.configuration import Label, labeled, untyped
from deptrees.transition.losses.arc_costs import (
    ArcCosts,
    best_tree,
    cost_so_far,
    cost_to_come,
    gold_costs,
)
from deptrees.transition.losses.loss import LeastCosts, Loss
from deptrees.transition.transitions import Transition
from deptrees.trees.eisner import least_projective
from deptrees.trees.heads import count_cycles
from deptrees.trees.tree import DependencyTree

__all__ = ["PointerLoss", "ProjectivePointerLoss"]

Heads = tuple[int | None, ...]


class _PointerLoss(Loss):
    """What the two losses have in common: heads are compared all at once."""

    @abstractmethod
    def _to_come(self, cfg: Any, tree: DependencyTree) -> Sequence[int]:
        """For each possible head the errors to come with it, up to a number that is the same for all."""

    def cost(self, transition: Transition, cfg: Any, tree: DependencyTree) -> int:
        to_come = self._to_come(cfg, tree)
        number: int = cfg.possible_heads.index(cfg.arc(transition)[0])
        return to_come[number] - min(to_come)

    def zero_cost(self, cfg: Any, tree: DependencyTree, label: Label = untyped) -> tuple[Transition, ...]:
        to_come = self._to_come(cfg, tree)
        least = min(to_come, default=0)
        transitions = zip(cfg.possible_transitions(), to_come, strict=True)
        return tuple([labeled(transition, cfg, tree, label) for transition, errors in transitions if errors == least])


class PointerLoss(_PointerLoss):
    """The loss of the left-to-right pointer: wrong heads and cycles, and ROOT's target arcs but one."""

    def __call__(self, cfg: Any, tree: DependencyTree) -> int:
        targets = _targets(cfg, tree)
        excess = max(targets.count(0) - 1, 0) if cfg.system.single_root else 0
        return _wrong(cfg, tree) + count_cycles(targets) + excess

    def _to_come(self, cfg: Any, tree: DependencyTree) -> Sequence[int]:
        if cfg.is_final:
            return ()
        gold, targets = tree.heads[cfg.word - 1], _targets(cfg, tree)
        below = _descendants(cfg.word, targets)
        roots = targets.count(0) - (gold == 0)
        excess = {True: roots, False: max(roots - 1, 0)} if cfg.system.single_root else {True: 0, False: 0}
        return [(gold not in (None, head)) + (head in below) + excess[head == 0] for head in cfg.possible_heads]

    def least_costs(self, costs: ArcCosts, system: Any) -> LeastCosts:
        def least(cfg: Any) -> int:
            best = best_tree(cfg, costs, lambda word: range(len(cfg.heads) + 1))
            return cost_so_far(cfg, costs) + cost_to_come(cfg, best, costs)

        return least


class ProjectivePointerLoss(_PointerLoss):
    """The loss of the projective variant: that of the best projective tree that has the arcs that are there."""

    def __call__(self, cfg: Any, tree: DependencyTree) -> int:
        return _wrong(cfg, tree) + min(self._to_come(cfg, tree), default=0)

    def _to_come(self, cfg: Any, tree: DependencyTree) -> Sequence[int]:
        word = cfg.word
        return _least(cfg.heads[: word - 1], cfg.possible_heads, tree.heads[word - 1 :], cfg.system.single_root)

    def least_costs(self, costs: ArcCosts, system: Any) -> LeastCosts:
        def least(cfg: Any) -> int:
            arcs = _with_arcs_so_far(cfg.heads[: cfg.word - 1], costs)
            return cost_so_far(cfg, costs) + int(least_projective(arcs, system.single_root))

        return least


@lru_cache(maxsize=1 << 12)
def _least(made: Heads, possible: tuple[int, ...], gold: Heads, single_root: bool) -> Sequence[int]:
    """For each possible head of the next word how many words, from this one on, get a wrong head in the best tree.

    Args:
        made: the heads of the words before it.
        possible: the possible heads.
        gold: the gold heads from this word on.
        single_root: whether ROOT gets a single dependent.
    """
    if not possible:
        return ()
    arcs = _with_arcs_so_far(made, gold_costs((*made, *gold)))
    of_each = np.repeat(arcs[None], len(possible), axis=0)
    others = np.array(possible)[:, None] != np.arange(len(arcs))
    of_each[:, :, len(made) + 1][others] = np.inf
    return [int(cost) for cost in least_projective(of_each, single_root)]


def _with_arcs_so_far(made: Heads, costs: ArcCosts) -> ArcCosts:
    """The costs of the arcs between ROOT and the words where the first words keep their heads, which costs nothing."""
    arcs: ArcCosts = costs[:-1].copy()
    arcs[:, 1 : len(made) + 1] = np.inf
    arcs[np.array(made, np.intp), np.arange(1, len(made) + 1)] = 0
    return arcs


def _wrong(cfg: Any, tree: DependencyTree) -> int:
    return sum(None not in (head, gold) and head != gold for head, gold in zip(cfg.heads, tree.heads, strict=True))


def _targets(cfg: Any, tree: DependencyTree) -> Heads:
    """For each word the head it has, or else its gold head."""
    return (*cfg.heads[: cfg.word - 1], *tree.heads[cfg.word - 1 :])


def _descendants(word: int, heads: Heads) -> set[int]:
    """The words from which following the heads leads to a word, and the word itself, whose own head is not asked."""
    found, todo = {word}, [word]
    while todo:
        head = todo.pop()
        new = {other for other, its_head in enumerate(heads, 1) if its_head == head} - found
        found |= new
        todo += new
    return found
