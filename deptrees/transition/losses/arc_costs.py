"""Losses in which each word costs what its head costs, against a gold tree or against anything else that is known."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from deptrees.transition.configuration import Configuration
from deptrees.transition.losses.loss import LeastCosts, Loss, LossNotFound, Seen
from deptrees.transition.system import System
from deptrees.transition.transitions import Transition
from deptrees.trees.projectivity import is_projective
from deptrees.trees.spanning_trees import Head, best_heads
from deptrees.trees.tree import DependencyTree

__all__ = [
    "MOST_WORDS",
    "ArcCosts",
    "ArcCostsLoss",
    "CostToComeLoss",
    "LostArcsLoss",
    "TargetsLoss",
    "best_cost_to_come",
    "best_tree",
    "cost_so_far",
    "cost_to_come",
    "excess_roots",
    "gold_costs",
    "wrong_heads",
]

MOST_WORDS = 3000
"""The most words of a sentence whose exact losses are found: more would take minutes, and over 1 GB of memory."""

ArcCosts = npt.NDArray[np.float64]
"""An array of shape (n + 2, n + 1): at [h, d] what it costs that the head of word d is h, at [n + 1, d] that it has
none. The column of ROOT, which is no word, is 0."""


def gold_costs(heads: tuple[int | None, ...], empty_means_unknown: bool = True) -> ArcCosts:
    """Every word without its gold head costs 1.

    A word without a gold head costs nothing or, unless ``empty_means_unknown``, 1 if it has a head.

    Raises:
        LossNotFound: there are more than ``MOST_WORDS``.

    >>> gold_costs((2, 0, None))[:, 1:].tolist()
    [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.0, 0.0]]
    >>> gold_costs((2, 0, None), empty_means_unknown=False)[:, 3].tolist()
    [1.0, 1.0, 1.0, 1.0, 0.0]
    """
    if len(heads) > MOST_WORDS:
        raise LossNotFound(
            f"a sentence has {len(heads):,} words: exact losses are found in up to {MOST_WORDS:,}; "
            "use a static oracle for it, or leave it out"
        )
    none = len(heads) + 1
    gold = np.array([none if head is None else head for head in heads])
    costs: ArcCosts = np.zeros((none + 1, none))
    costs[:, 1:] = np.arange(none + 1)[:, None] != gold
    if empty_means_unknown:
        costs[:, 1:][:, gold == none] = 0
    return costs


def cost_so_far(cfg: Configuration, costs: ArcCosts) -> int:
    """What the arcs of a configuration cost.

    >>> from deptrees.transition import ArcHybrid, LeftArc, Shift
    >>> cfg = LeftArc()(Shift()(ArcHybrid().initial(["round", "and", "round"])))
    >>> cost_so_far(cfg, gold_costs((3, 0, 2)))
    1
    """
    return int(sum(costs[head, word] for head, word in cfg.arcs))


def cost_to_come(cfg: Configuration, heads: Sequence[Head], costs: ArcCosts) -> int:
    """What the heads of a tree cost, of those words that have none in a configuration."""
    so_far = enumerate(zip(cfg.heads, heads, strict=True), 1)
    return int(sum(costs[-1 if head is None else head, word] for word, (made, head) in so_far if made is None))


def wrong_heads(heads: Iterable[Head], tree: DependencyTree) -> int:
    """How many words have another head than their gold head, where this is known; ``None`` is another."""
    return sum([gold is not None and gold != head for gold, head in zip(tree.heads, heads, strict=True)])


def best_tree(cfg: Configuration, costs: ArcCosts, choices: Callable[[int], Iterable[Head]]) -> list[Head]:
    """The heads of the best tree, projective or not, that has the arcs of a configuration.

    ``choices`` gives the heads that a word without one can have, ``None`` among them if it can do without.

    >>> from deptrees.transition import ArcStandard
    >>> cfg = ArcStandard().initial(["round", "and", "round"])
    >>> best_tree(cfg, gold_costs((2, 3, 1)), lambda word: range(4))
    [0, 3, 1]
    """
    to_head = costs.T.tolist()
    from_root = 1 + costs.sum() if cfg.system.has_single_root else 0.0  # so much that one root will do
    scores: list[dict[Head, float]] = []
    for word, head in enumerate(cfg.heads, 1):
        found = {
            other: -to_head[word][-1 if other is None else other]
            for other in (choices(word) if head is None else [head])
            if other != word
        }
        scores.append({**found, 0: found[0] - from_root} if 0 in found else found)
    return best_heads(scores)


def best_cost_to_come(cfg: Configuration, costs: ArcCosts, choices: Callable[[int], Iterable[Head]]) -> int:
    """What ``best_tree`` costs beside the arcs of the configuration."""
    return cost_to_come(cfg, best_tree(cfg, costs, choices), costs)


class CostToComeLoss(Loss[Seen]):
    """A loss that knows the least cost of the arcs to come, whatever arcs cost."""

    @abstractmethod
    def cost_to_come(self, cfg: Seen, costs: ArcCosts) -> float:
        """The least cost of the arcs that are still to be added."""

    def least_costs(self, costs: ArcCosts, system: object) -> LeastCosts:
        return lambda cfg: cost_so_far(cfg, costs) + int(self.cost_to_come(cfg, costs))


class TargetsLoss(CostToComeLoss[Seen]):
    """The gold arcs that are lost, and those of the others, the target arcs, that must be given up."""

    def __call__(self, cfg: Seen, tree: DependencyTree) -> int:
        targets = self.targets(cfg, tree)
        return wrong_heads(targets, tree) + self.given_up(cfg, tree, targets)

    def is_at_most(self, cfg: Seen, tree: DependencyTree, limit: int) -> bool:
        targets = self.targets(cfg, tree)
        spare = limit - wrong_heads(targets, tree)
        if spare <= 0:
            return spare == 0 and not self.must_give_up(cfg, tree, targets)
        return self.given_up(cfg, tree, targets) <= spare

    @abstractmethod
    def targets(self, cfg: Seen, tree: DependencyTree) -> Sequence[int | None]:
        """For each word its head; if it has none, its gold head, or ``None`` if that arc can no longer be built."""

    @abstractmethod
    def given_up(self, cfg: Seen, tree: DependencyTree, targets: Sequence[int | None]) -> int:
        """How many target arcs must be given up."""

    def must_give_up(self, cfg: Seen, tree: DependencyTree, targets: Sequence[int | None]) -> bool:
        """Whether any must be, which may take less time to tell."""
        return self.given_up(cfg, tree, targets) > 0


def excess_roots(cfg: Seen, targets: Sequence[int | None]) -> int:
    """How many target arcs from ROOT must be given up since it gets a single dependent."""
    return max(targets.count(0) - 1, 0) if cfg.system.single_root else 0


class ArcCostsLoss(Loss[Seen]):
    """The least cost with which parsing can end where every word without its gold head costs 1."""

    @abstractmethod
    def least_costs(self, costs: ArcCosts, system: Any) -> LeastCosts: ...

    def __call__(self, cfg: Seen, tree: DependencyTree) -> int:
        return _least_costs_of_tree(self, cfg.system.gold_heads(tree), cfg.system)(cfg)


class LostArcsLoss(ArcCostsLoss[Seen]):
    """The same in an arc-decomposable system: for projective gold trees, transitions cost the gold arcs that they lose.

    For other trees, what loses none costs nothing, as the projective part that a best reachable tree has of the gold
    tree stays reachable; otherwise the loss before and after a transition tells.
    """

    @abstractmethod
    def lost(self, transition: Transition, cfg: Seen, tree: DependencyTree) -> int:
        """How many gold arcs can be built before a possible transition and not after it."""

    def cost(self, transition: Transition, cfg: Seen, tree: DependencyTree) -> int:
        lost = self.lost(transition, cfg, tree)
        return lost if not lost or is_projective(tree) else super().cost(transition, cfg, tree)

    def is_free_quickly(self, transition: Transition, cfg: Seen, tree: DependencyTree) -> bool | None:
        if not self.lost(transition, cfg, tree):
            return True
        return False if is_projective(tree) else None

    def free(self, cfg: Seen, tree: DependencyTree) -> Iterable[Transition]:
        quick = {transition: self.is_free_quickly(transition, cfg, tree) for transition in cfg.possible_transitions()}
        now = self(cfg, tree) if None in quick.values() else 0
        return [
            transition
            for transition, free in quick.items()
            if free or (free is None and self.is_free(transition, cfg, tree, now))
        ]


@lru_cache(maxsize=64)
def _least_costs_of_tree(loss: ArcCostsLoss, heads: tuple[int | None, ...], system: System) -> LeastCosts:
    return loss.least_costs(gold_costs(heads, system.empty_means_unknown), system)
