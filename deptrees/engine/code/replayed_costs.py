"""Costs that the engine cannot compute, from the functional layer."""

from __future__ import annotations

from collections.abc import Sequence

from deptrees.transition.configuration import Configuration
from deptrees.transition.losses.loss import Loss, LossNotFound
from deptrees.transition.system import System
from deptrees.transition.transitions import Transition
from deptrees.trees.tree import DependencyTree

__all__ = ["CostReplay"]


class CostReplay:
    """A derivation, given by its rows, replayed in the functional layer, which knows what transitions cost.

    Args:
        system: the system.
        transitions: the transition of each row, without a label.
        tree: the gold tree.
        learning: whether it is for training. Searches for a loss give up sooner then, and estimates take the place of
            costs that are not found, if the system has some.

    Raises:
        ValueError: the system has no dynamic oracle.

    >>> from deptrees.transition import ArcStandard, LeftArc, RightArc, Shift
    >>> tree = DependencyTree([(2, "Birds"), (0, "sing")])
    >>> replay = CostReplay(ArcStandard(), (LeftArc(), RightArc(), Shift()), tree)
    >>> replay.take([])
    >>> replay.costs()
    [0, 0, 0]
    >>> replay.take([2])
    >>> replay.costs(), replay.is_free(1), replay.is_free(2)
    ([0, 1, 0], False, True)
    """

    def __init__(
        self, system: System, transitions: Sequence[Transition], tree: DependencyTree, *, learning: bool = False
    ) -> None:
        exact = system.oracles.loss
        if exact is None:
            raise ValueError(f"the costs of {system} are not known")
        self._exact = exact.in_training() if learning else exact
        self._estimated = system.oracles.estimated_loss if learning else None
        self._transitions, self._tree = transitions, tree
        self._cfg: Configuration = system.initial(tree)
        self._least: int | None = None  # the loss, where it is known
        self._free: dict[int, bool] = {}  # the rows of which it is known whether they cost nothing

    def take(self, rows: Sequence[int]) -> None:
        """Take rows, one after the other."""
        for row in rows:
            self._cfg = self._transitions[row](self._cfg)
            if not self._free.get(row):
                self._least = None
            self._free = {}

    def costs(self) -> list[int]:
        """The cost of each row; 0 for rows that are not possible."""
        try:
            return self._costs(self._exact)
        except LossNotFound:
            if self._estimated is None:
                raise
            return self._costs(self._estimated)

    def is_free(self, row: int) -> bool | None:
        """Whether a possible row costs nothing, often found faster than its cost; ``None`` if it is not found."""
        if row not in self._free:
            try:
                self._free[row] = self._costs_nothing(self._transitions[row](self._cfg))
            except LossNotFound:
                return None
        return self._free[row]

    def _costs(self, loss: Loss) -> list[int]:
        cfg, tree = self._cfg, self._tree
        return [
            loss.cost(transition, cfg, tree) if transition.is_possible(cfg) else 0 for transition in self._transitions
        ]

    def _costs_nothing(self, after: Configuration) -> bool:
        if self._least is None:
            self._least = self._exact(self._cfg, self._tree)
        return self._exact.is_at_most(after, self._tree, self._least)
