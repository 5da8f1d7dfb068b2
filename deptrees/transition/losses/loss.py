"""What every loss can be asked, and the oracles that follow from it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Generic

from deptrees.transition.configuration import labeled
from deptrees.transition.labels import Label, untyped
from deptrees.transition.oracles import Oracles
from deptrees.transition.transitions import Transition
from deptrees.trees.tree import DependencyTree

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    from deptrees.transition.configuration import Configuration
    from deptrees.transition.losses.arc_costs import ArcCosts

    Seen = TypeVar("Seen", bound=Configuration, default=Any, contravariant=True)
else:
    from typing import TypeVar

    Seen = TypeVar("Seen")

__all__ = ["LeastCosts", "Loss", "LossNotFound", "Seen", "cheapest", "oracles_from"]

LeastCosts = Callable[[Any], int]
"""From a configuration to the least cost with which parsing can end."""


class LossNotFound(RuntimeError):
    """An exact loss would take too long to find, in a system in which it takes a search."""


class Loss(ABC, Generic[Seen]):
    """How many heads a best reachable tree of a configuration gets wrong (Sartorio 2015, definitions 5.7 and 5.8).

    A subclass is an algorithm for the loss of a configuration. What transitions cost (Goldberg & Nivre 2013, section
    4.1), and which cost nothing, follows; an algorithm that knows a faster way overrides it.

    >>> from deptrees.transition import ArcHybrid
    >>> tree = DependencyTree([(0, "Sing"), (1, "again")])
    >>> loss, cfg = ArcHybrid().loss(), ArcHybrid().initial(tree)
    >>> loss(cfg, tree), loss.zero_cost(cfg, tree)
    (0, (Shift(),))
    """

    @property
    def any_tree(self) -> bool:
        """Whether it is exact for gold trees that the system cannot build, too."""
        return True

    @abstractmethod
    def __call__(self, cfg: Seen, tree: DependencyTree) -> int:
        """The loss of a configuration. Words whose gold head is not known are never wrong.

        Raises:
            LossNotFound: it would take too long to find.
        """

    def is_at_most(self, cfg: Seen, tree: DependencyTree, limit: int) -> bool:
        """Whether the loss of a configuration is no greater than a limit, which may take less time to tell."""
        return self(cfg, tree) <= limit

    def is_free_quickly(self, transition: Transition, cfg: Seen, tree: DependencyTree) -> bool | None:
        """Whether a possible transition is zero-cost, by a local test; ``None`` if this does not tell."""
        return None

    def is_free(self, transition: Transition, cfg: Seen, tree: DependencyTree, now: int) -> bool:
        """Whether a possible transition costs nothing, where ``now`` is the loss of the configuration."""
        return self.is_at_most(transition(cfg), tree, now)

    def cost(self, transition: Transition, cfg: Seen, tree: DependencyTree) -> int:
        """What a possible transition adds to the loss."""
        return self(transition(cfg), tree) - self(cfg, tree)

    def zero_cost(self, cfg: Seen, tree: DependencyTree, label: Label = untyped) -> tuple[Transition, ...]:
        """The possible transitions that cost nothing, with gold labels."""
        return tuple([labeled(transition, cfg, tree, label) for transition in self.free(cfg, tree)])

    def free(self, cfg: Seen, tree: DependencyTree) -> Iterable[Transition]:
        """The same without labels: by default those after which the loss is least."""
        transitions = cfg.possible_transitions()
        return cheapest(transitions, [self(transition(cfg), tree) for transition in transitions])

    def in_training(self) -> Loss:
        """A loss that gives up sooner where it takes a search, since training can leave a sentence."""
        return self

    def least_costs(self, costs: ArcCosts, system: Any) -> LeastCosts | None:
        """The same for any costs of arcs, such as those of constraints; ``None`` if this algorithm cannot tell."""
        return None


def cheapest(transitions: Iterable[Transition], costs: Sequence[int]) -> list[Transition]:
    """The transitions that cost least."""
    least = min(costs, default=0)
    return [transition for transition, cost in zip(transitions, costs, strict=True) if cost == least]


def oracles_from(loss: Loss, estimate: Loss | None = None) -> Oracles:
    """The oracles that follow from a loss.

    The dynamic oracle names the transitions that cost nothing, the approximate one those that cost nothing by the
    estimate. On the way to the gold tree the non-deterministic oracle names the same.
    """
    return Oracles(
        nondeterministic=loss.zero_cost,
        dynamic=loss.zero_cost,
        approximate_dynamic=None if estimate is None else estimate.zero_cost,
        loss=loss,
        estimated_loss=estimate,
    )
