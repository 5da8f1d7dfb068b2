"""The loss of a system that also tags words: that of the same system without tags, which no tag changes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import attrs

from deptrees.transition.losses.arc_costs import ArcCosts
from deptrees.transition.losses.loss import LeastCosts, Loss
from deptrees.transition.transitions import Transition
from deptrees.trees.tree import DependencyTree

if TYPE_CHECKING:
    from deptrees.transition.systems.joint_tags import JointTagsConfiguration

__all__ = ["JointTagsLoss"]


@attrs.frozen
class JointTagsLoss(Loss["JointTagsConfiguration"]):
    """The loss of a system that also tags words.

    Args:
        untagged: the loss of the same system without tags.
    """

    untagged: Loss

    @property
    def any_tree(self) -> bool:
        return self.untagged.any_tree

    def __call__(self, cfg: JointTagsConfiguration, tree: DependencyTree) -> int:
        return self.untagged(cfg.untagged, tree)

    def is_at_most(self, cfg: JointTagsConfiguration, tree: DependencyTree, limit: int) -> bool:
        return self.untagged.is_at_most(cfg.untagged, tree, limit)

    def cost(self, transition: Transition, cfg: JointTagsConfiguration, tree: DependencyTree) -> int:
        return self.untagged.cost(cfg.without_tag(transition), cfg.untagged, tree)

    def free(self, cfg: JointTagsConfiguration, tree: DependencyTree) -> Iterable[Transition]:
        return map(cfg.tagging, self.untagged.free(cfg.untagged, tree))

    def in_training(self) -> Loss:
        return JointTagsLoss(self.untagged.in_training())

    def least_costs(self, costs: ArcCosts, system: Any) -> LeastCosts | None:
        least = self.untagged.least_costs(costs, system.untagged)
        return least and (lambda cfg: least(cfg.untagged))
