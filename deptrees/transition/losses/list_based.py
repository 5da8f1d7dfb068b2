"""The losses of the list-based systems.

An arc can still be built if its ends have not met yet, and its dependent has no head. Other gold arcs are lost; some of
the rest, the target arcs, may have to be given up because of arcs that are there:

- without projectivity, only cycles are ruled out. As every word has one head, cycles are disjoint, and giving up one
  arc breaks a cycle (Gómez-Rodríguez & Fernández-González 2015);
- with it, arcs must not cross. In a projective gold tree none do; for any other Eisner's algorithm finds a best
  reachable forest.

If 2 → 1 has been built, for example, and the gold arcs are 0 → 1, 1 → 2, then 0 → 1 is lost, and 1 → 2, whose ends have
met, too.

>>> from deptrees.transition import LeftArc, ListBasedNonProjective, Shift
>>> tree = DependencyTree([(0, "Sing"), (1, "again")])
>>> cfg = LeftArc()(Shift()(ListBasedNonProjective().initial(tree)))
>>> cfg, NonProjectiveListLoss()(cfg, tree)
(ListBasedNonProjective(): λ1 = (0,), λ2 = (1,), β = (2,), A = (2 → 1), 2)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from deptrees.transition.losses.arc_costs import ArcCosts, TargetsLoss, best_cost_to_come, gold_costs
from deptrees.transition.losses.work import count_chart
from deptrees.transition.transitions import ArcTransition, NoArc, Transition
from deptrees.trees.eisner import eisner
from deptrees.trees.heads import count_cycles, heads_are_projective
from deptrees.trees.projectivity import is_projective
from deptrees.trees.tree import DependencyTree

if TYPE_CHECKING:
    from deptrees.transition.systems.list_based import ListBasedConfiguration

__all__ = ["ListBasedLoss", "NonProjectiveListLoss", "ProjectiveListLoss"]

Heads = Sequence[int | None]


class ListBasedLoss(TargetsLoss["ListBasedConfiguration"]):
    """The loss of a list-based system."""

    def targets(self, cfg: ListBasedConfiguration, tree: DependencyTree) -> Heads:
        return [
            gold if head is None and gold is not None and cfg.can_meet(gold, word) else head
            for word, (head, gold) in enumerate(zip(cfg.heads, tree.heads, strict=True), 1)
        ]


def _is_projective_forest(heads: Heads) -> bool:
    """Whether every arc spans only descendants of its head, where words may have none."""
    # These and ROOT become dependents of one more root, which stands before it.
    with_root = (0, *[0 if head is None else head + 1 for head in heads])
    return heads_are_projective(with_root) and not count_cycles(with_root)


def _passes_over_gold_arcs(transition: Transition, cfg: ListBasedConfiguration, tree: DependencyTree) -> bool:
    """Whether a gold arc joins b0 with what it passes over: with Shift all of λ1, with NoArc the last of it."""
    b0, met = cfg.buffer[0], cfg.list1
    if isinstance(transition, ArcTransition):
        met = met[len(met) - transition.k + 1 :]
    elif isinstance(transition, NoArc):
        met = met[-1:]
    joined = tree.head_bits[b0] | tree.dependent_bits[b0]
    return any(joined >> element & 1 for element in met)


class NonProjectiveListLoss(ListBasedLoss):
    """The loss of Covington's algorithm: one arc is given up for each cycle."""

    def is_free_quickly(self, transition: Transition, cfg: ListBasedConfiguration, tree: DependencyTree) -> bool | None:
        # Where the target arcs remain the same, so does the loss.
        if isinstance(transition, ArcTransition) and not tree.has_arc(*cfg.arc(transition)):
            return None
        return None if _passes_over_gold_arcs(transition, cfg, tree) else True

    def given_up(self, cfg: ListBasedConfiguration, tree: DependencyTree, targets: Heads) -> int:
        return count_cycles(targets)

    def cost_to_come(self, cfg: ListBasedConfiguration, costs: ArcCosts) -> float:
        elements = range(len(cfg.source) + 1)
        return best_cost_to_come(cfg, costs, lambda d: [None, *[h for h in elements if cfg.can_meet(h, d)]])


class ProjectiveListLoss(ListBasedLoss):
    """The loss of the projective variant: of projective gold trees no target arc must be given up."""

    def is_free_quickly(self, transition: Transition, cfg: ListBasedConfiguration, tree: DependencyTree) -> bool | None:
        if isinstance(transition, ArcTransition) or not is_projective(tree):
            return None
        return None if _passes_over_gold_arcs(transition, cfg, tree) else True

    def given_up(self, cfg: ListBasedConfiguration, tree: DependencyTree, targets: Heads) -> int:
        if is_projective(tree) or _is_projective_forest(targets):
            return 0
        return int(self.cost_to_come(cfg, gold_costs(tuple(targets))))

    def cost_to_come(self, cfg: ListBasedConfiguration, costs: ArcCosts) -> float:
        # The best forest is the best tree with one more root, -1, before ROOT: the head of all that have no other.
        elements = np.array([-1, *cfg.list1, *cfg.list2, *cfg.buffer])
        arcs = costs[np.ix_(elements, elements)]
        start2 = 1 + len(cfg.list1)
        end = start2 + len(cfg.list2)
        lists, list2, b0 = slice(1, end), slice(start2, end), slice(end, end + 1)
        arcs[lists, lists] = arcs[list2, b0] = arcs[b0, list2] = np.inf  # these have met
        heads = np.array([-1, *cfg.heads], float)[elements]  # not a number where there is none
        arcs = np.where(np.isnan(heads), arcs, np.where(heads == elements[:, None], 0.0, np.inf))
        count_chart(len(arcs))
        return float(eisner(arcs).minimum)
