"""The costs of table systems, and the oracles that follow from them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import attrs

from deptrees.transition.configuration import Label, Oracles, labeled
from deptrees.transition.losses.arc_costs import LeastCost
from deptrees.transition.losses.conflicts import ClashLoss
from deptrees.transition.table.compiler import Program
from deptrees.transition.transitions import Shift, Transition
from deptrees.trees.projectivity import is_projective
from deptrees.trees.tree import DependencyTree

if TYPE_CHECKING:
    from deptrees.transition.systems.stack_buffer import StackBufferConfiguration, StackBufferSystem

__all__ = ["Conflicts", "Loss", "table_oracles"]

Conflicts = Callable[[Any, DependencyTree], int]
"""How many arcs of a projective gold tree must be given up in a configuration, though no row counts them as lost."""

Loss = Callable[[Any, DependencyTree], int]
"""How many heads the best tree within reach of a configuration gets wrong."""


def table_oracles(program: Program, system: StackBufferSystem) -> Oracles:
    """The oracles of a system that is a table."""
    canonical = any(row.canonical is not None for row in system.rows)
    # With a single root, what one arc loses depends on the others.
    rows_tell = all(row.loses is not None for row in system.rows) and not system.has_single_root
    if not rows_tell and system.loss() is None:
        if canonical:
            return Oracles(program.one, derive=program.derive)
        return Oracles(program.one, program.one_prefer_shift, derive=program.derive, nondeterministic=program.every)
    costs = _Costs(program, rows_tell, system.conflicts(), system.loss())
    estimate = system.estimated_loss()
    defined = Oracles(
        derive=program.derive,
        dynamic=costs.dynamic,
        approximate_dynamic=estimate and attrs.evolve(costs, rows_tell=False, loss=estimate).dynamic,
        cost=costs.cost,
        least_cost=costs.loss.table if isinstance(costs.loss, LeastCost | ClashLoss) else None,
        any_tree=costs.loss is not None,
    )
    if rows_tell and costs.conflicts is None:
        return attrs.evolve(
            defined, static=program.one, static_prefer_shift=program.one_prefer_shift, nondeterministic=program.every
        )
    if canonical:
        defined = attrs.evolve(defined, static=costs.static, nondeterministic=costs.dynamic)
        lazy = any("lazy" in condition.only for row in system.rows for condition in row.canonical or ())
        return attrs.evolve(defined, static_lazy_swap=costs.static_lazy_swap) if lazy else defined
    return attrs.evolve(
        defined,
        static=costs.static,
        static_prefer_shift=costs.static_prefer_shift,
        nondeterministic=costs.nondeterministic,
    )


@attrs.frozen
class _Costs:
    """The costs of a system's transitions, and the oracles that follow from them.

    If the rows say what they lose, a transition costs the arcs that it loses, and as many as it brings into conflict
    (Aufrant & Wisniewski 2017, appendix A.2, where the conflicts present before it are not subtracted). Otherwise, and
    for gold trees that are not projective, it costs what it adds to the loss.
    """

    program: Program
    rows_tell: bool
    conflicts: Conflicts | None
    loss: Loss | None

    def cost(self, cfg: StackBufferConfiguration, tree: DependencyTree, transition: Transition) -> int:
        if not self._rows_tell(tree):
            return self._loss(transition(cfg), tree) - self._loss(cfg, tree)
        lost = self.program.lost[type(transition)](cfg, tree, transition)
        if self.conflicts is None:
            return lost
        return lost + self.conflicts(transition(cfg), tree) - self.conflicts(cfg, tree)

    def dynamic(self, cfg: StackBufferConfiguration, tree: DependencyTree, label: Label) -> tuple[Transition, ...]:
        if not self._rows_tell(tree):
            free = self._least(cfg, tree)
        elif self.conflicts is not None:
            conflicts_now = self.conflicts(cfg, tree)
            free = [
                transition
                for transition in cfg.possible_transitions()
                if (lost := self.program.lost[type(transition)](cfg, tree, transition)) <= conflicts_now
                and lost + self.conflicts(transition(cfg), tree) == conflicts_now
            ]
        else:
            return self.program.every(cfg, tree, label)
        return tuple([labeled(transition, cfg, tree, label) for transition in free])

    # Where rows do not tell all, they tell what is correct for fully annotated trees only.

    def static(self, cfg: StackBufferConfiguration, tree: DependencyTree, label: Label) -> Transition:
        return self.program.one(cfg, tree, label) if tree.is_annotated else self.dynamic(cfg, tree, label)[0]

    def static_prefer_shift(self, cfg: StackBufferConfiguration, tree: DependencyTree, label: Label) -> Transition:
        if tree.is_annotated:
            return self.program.one_prefer_shift(cfg, tree, label)
        free = self.dynamic(cfg, tree, label)
        return free[0] if type(free[0]) in self.program.dependents or Shift() not in free else Shift()

    def static_lazy_swap(self, cfg: StackBufferConfiguration, tree: DependencyTree, label: Label) -> Transition:
        return self.program.one_lazy(cfg, tree, label) if tree.is_annotated else self.dynamic(cfg, tree, label)[0]

    def nondeterministic(
        self, cfg: StackBufferConfiguration, tree: DependencyTree, label: Label
    ) -> tuple[Transition, ...]:
        return self.program.every(cfg, tree, label) if tree.is_annotated else self.dynamic(cfg, tree, label)

    def _rows_tell(self, tree: DependencyTree) -> bool:
        return self.rows_tell and is_projective(tree)

    def _least(self, cfg: StackBufferConfiguration, tree: DependencyTree) -> list[Transition]:
        """The possible transitions behind which the loss is least."""
        if isinstance(self.loss, ClashLoss):
            return self.loss.free(cfg, tree)
        losses = {transition: self._loss(transition(cfg), tree) for transition in cfg.possible_transitions()}
        least = min(losses.values())
        return [transition for transition in losses if losses[transition] == least]

    def _loss(self, cfg: StackBufferConfiguration, tree: DependencyTree) -> int:
        if self.loss is None:
            raise ValueError(f"the costs of {cfg.system} are known for projective gold trees only, and this one is not")
        return self.loss(cfg, tree)
