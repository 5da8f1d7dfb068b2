"""What every loss can be asked, and the oracles that follow from it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from deptrees.transition.configuration import Configuration, Label, labeled, untyped
from deptrees.transition.transitions import Transition
from deptrees.trees.tree import DependencyTree

if TYPE_CHECKING:
    from deptrees.transition.losses.arc_costs import ArcCosts

__all__ = ["LeastCosts", "Loss", "LossNotFound"]

LeastCosts = Callable[[Any], int]
"""From a configuration to the least cost with which parsing can end."""


class LossNotFound(RuntimeError):
    """An exact loss would take too long to find, in a system in which it takes a search."""


class Loss(ABC):
    """How many heads the best tree within reach of a configuration gets wrong (Goldberg & Nivre 2013, section 3).

    A subclass is an algorithm. It computes the loss of a configuration; what transitions cost, and which of them cost
    nothing, follows. An algorithm that knows a faster way to one of these overrides it.

    >>> from deptrees.transition import ArcHybrid
    >>> tree = DependencyTree([(0, "Sing"), (1, "again")])
    >>> loss, cfg = ArcHybrid().loss(), ArcHybrid().initial(tree)
    >>> loss(cfg, tree), loss.zero_cost(cfg, tree)
    (0, (Shift(),))
    """

    any_tree: bool = True
    """Whether it is exact for gold trees that the system cannot build, too."""

    @abstractmethod
    def __call__(self, cfg: Configuration, tree: DependencyTree) -> int:
        """The loss of a configuration. Words whose gold head is not known are never wrong.

        Raises:
            LossNotFound: it would take too long to find.
        """

    def cost(self, transition: Transition, cfg: Configuration, tree: DependencyTree) -> int:
        """What a possible transition adds to the loss."""
        return self(transition(cfg), tree) - self(cfg, tree)

    def zero_cost(self, cfg: Configuration, tree: DependencyTree, label: Label = untyped) -> tuple[Transition, ...]:
        """The possible transitions after which the loss is least, which is to say that they cost nothing."""
        losses = {transition: self(transition(cfg), tree) for transition in cfg.possible_transitions()}
        least = min(losses.values(), default=0)
        return tuple([labeled(transition, cfg, tree, label) for transition in losses if losses[transition] == least])

    def least_costs(self, costs: ArcCosts, system: Any) -> LeastCosts | None:
        """The same for any costs of arcs, such as those of constraints; ``None`` if this algorithm cannot tell."""
        return None
