"""Costs that the engine cannot compute, from the functional layer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from deptrees.transition.configuration import System
from deptrees.transition.transitions import Transition
from deptrees.trees.tree import DependencyTree

__all__ = ["costs_along"]


def costs_along(
    system: System, transitions: Sequence[Transition], tree: DependencyTree
) -> Callable[[Sequence[int]], list[int]]:
    """A function that follows a derivation: from the rows taken since it was last asked to the cost of each row.

    Rows that are not possible get a cost of 0, which nobody reads.

    Args:
        system: the system.
        transitions: the transition of each row, without a label.
        tree: the gold tree.

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
        loss = cfg.oracles.loss
        if loss is None:
            raise ValueError(f"the costs of {system} are not known")
        return [loss.cost(transition, cfg, tree) if transition.is_possible(cfg) else 0 for transition in transitions]

    return costs
