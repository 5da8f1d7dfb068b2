"""Costs that the engine cannot compute, from the functional layer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from deptrees.transition.configuration import Configuration, System
from deptrees.transition.losses.loss import Loss, LossNotFound
from deptrees.transition.transitions import Transition
from deptrees.trees.tree import DependencyTree

__all__ = ["costs_along"]


def costs_along(
    system: System, transitions: Sequence[Transition], tree: DependencyTree, *, estimate: bool = False
) -> Callable[[Sequence[int]], list[int]]:
    """A function that follows a derivation: from the rows taken since it was last asked to the cost of each row.

    Rows that are not possible get a cost of 0, which nobody reads.

    Args:
        system: the system.
        transitions: the transition of each row, without a label.
        tree: the gold tree.
        estimate: whether estimates take the place of costs that would take too long to find, if the system has some.

    >>> from deptrees.transition import ArcStandard, LeftArc, RightArc, Shift
    >>> tree = DependencyTree([(2, "Birds"), (0, "sing")])
    >>> costs = costs_along(ArcStandard(), (LeftArc(), RightArc(), Shift()), tree)
    >>> costs([]), costs([2])
    ([0, 0, 0], [0, 1, 0])
    """
    cfg = system.initial(tree)

    def costs(rows: Sequence[int]) -> list[int]:
        nonlocal cfg
        for row in rows:
            cfg = transitions[row](cfg)
        exact, estimated = cfg.oracles.loss, cfg.oracles.estimated_loss
        if exact is None:
            raise ValueError(f"the costs of {system} are not known")
        try:
            return _costs(exact, transitions, cfg, tree)
        except LossNotFound:
            if not estimate or estimated is None:
                raise
            return _costs(estimated, transitions, cfg, tree)

    return costs


def _costs(loss: Loss, transitions: Sequence[Transition], cfg: Configuration, tree: DependencyTree) -> list[int]:
    return [loss.cost(transition, cfg, tree) if transition.is_possible(cfg) else 0 for transition in transitions]
