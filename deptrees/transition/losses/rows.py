"""The loss of a system whose rows say what they lose, and the oracles of every system that is a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import attrs

from deptrees.transition.configuration import labeled
from deptrees.transition.labels import Label, untyped
from deptrees.transition.losses.loss import LeastCosts, Loss, cheapest, oracles_from
from deptrees.transition.losses.tabular import exits, loss_obstacle
from deptrees.transition.oracles import Gold, OracleReturning, Oracles
from deptrees.transition.table.compiler import CompiledTable
from deptrees.transition.transitions import Shift, Transition
from deptrees.trees.projectivity import is_projective
from deptrees.trees.tree import DependencyTree

if TYPE_CHECKING:
    from deptrees.transition.losses.arc_costs import ArcCosts
    from deptrees.transition.systems.stack_buffer import StackBufferConfiguration, StackBufferSystem

__all__ = ["Conflicts", "RowLoss", "table_oracles"]

Conflicts = Callable[["StackBufferConfiguration", DependencyTree], int]
"""How many arcs of a projective gold tree must be given up in a configuration, though no row counts them as lost."""


@attrs.frozen(eq=False)
class RowLoss(Loss["StackBufferConfiguration"]):
    """The loss of a system whose rows say which gold arcs they lose (Goldberg & Nivre 2013, section 4).

    Against a projective gold tree, a transition costs the arcs that its row loses, and as many as it brings into
    conflict (Aufrant & Wisniewski 2017, appendix A.2, where the conflicts present before it are not subtracted);
    against any other, what it adds to an exact loss.

    There are no conflicts if the system is arc-decomposable.
    """

    table: CompiledTable
    conflicts: Conflicts | None
    exact: Loss | None

    @property
    def any_tree(self) -> bool:
        return self.exact is not None

    def __call__(self, cfg: StackBufferConfiguration, tree: DependencyTree) -> int:
        if self.exact is not None:
            return self.exact(cfg, tree)
        while not cfg.is_final:
            cfg = self.zero_cost(cfg, tree)[0](cfg)
        return len(cfg.system.wrong_words(cfg.heads, tree))

    def cost(self, transition: Transition, cfg: StackBufferConfiguration, tree: DependencyTree) -> int:
        if not is_projective(tree):
            return self._for_any_tree(cfg).cost(transition, cfg, tree)
        lost = self.table.lost[type(transition)](cfg, tree, transition)
        if self.conflicts is None:
            return lost
        return lost + self.conflicts(transition(cfg), tree) - self.conflicts(cfg, tree)

    def is_free_quickly(
        self, transition: Transition, cfg: StackBufferConfiguration, tree: DependencyTree
    ) -> bool | None:
        return not self.cost(transition, cfg, tree) if is_projective(tree) else None

    def zero_cost(
        self, cfg: StackBufferConfiguration, tree: DependencyTree, label: Label = untyped
    ) -> tuple[Transition, ...]:
        if not is_projective(tree):
            return self._for_any_tree(cfg).zero_cost(cfg, tree, label)
        if self.conflicts is None:
            return self.table.every(cfg, tree, label)
        now = self.conflicts(cfg, tree)
        free = [
            transition
            for transition in cfg.possible_transitions()
            if (lost := self.table.lost[type(transition)](cfg, tree, transition)) <= now
            and lost + self.conflicts(transition(cfg), tree) == now
        ]
        return tuple([labeled(transition, cfg, tree, label) for transition in free])

    def least_costs(self, costs: ArcCosts, system: StackBufferSystem) -> LeastCosts | None:
        return None if self.exact is None else self.exact.least_costs(costs, system)

    def _for_any_tree(self, cfg: StackBufferConfiguration) -> Loss:
        if self.exact is None:
            raise ValueError(f"the costs of {cfg.system} are known for projective gold trees only, and this one is not")
        return self.exact


def table_oracles(table: CompiledTable, system: StackBufferSystem) -> Oracles:
    """The oracles of a system that is a table."""
    # With a single root, what one arc loses depends on the others.
    rows_tell = all(row.tells_cost for row in system.rows) and not system.has_single_root
    conflicts, exact = system.conflicts(), system.loss()
    if exact is None and exits(system.rows) and loss_obstacle(system):  # preconditions lose arcs that no row names
        rows_tell = False
    loss = RowLoss(table, conflicts, exact) if rows_tell else exact
    conditions = [condition for row in system.rows for condition in row.canonical or ()]
    has_canonical = any(row.canonical is not None for row in system.rows)
    found = Oracles() if loss is None else oracles_from(loss, estimate=system.estimated_loss())
    found = attrs.evolve(found, static=table.one, derive=table.derive)
    if has_canonical:
        if any("lazy" in condition.only for condition in conditions):
            found = attrs.evolve(found, static_lazy_swap=table.one_lazy)
        if table.static_dynamic is not None:
            found = attrs.evolve(found, static_dynamic=_static_dynamic(table))
    else:
        found = attrs.evolve(found, static_prefer_shift=table.one_prefer_shift, nondeterministic=table.every)
    return found if loss is None or (rows_tell and conflicts is None) else _with_missing_heads(found, loss)


def _static_dynamic(table: CompiledTable) -> OracleReturning[tuple[Transition, ...]]:
    """The oracle that returns the correct transitions or, where each loses gold arcs, those that lose the fewest."""

    def static_dynamic(cfg: StackBufferConfiguration, tree: DependencyTree, label: Label) -> tuple[Transition, ...]:
        if correct := table.static_dynamic(cfg, tree, label):  # type: ignore[misc]
            return correct
        possible = [transition for transition in cfg.possible_transitions() if type(transition) in table.lost]
        lost = [table.lost[type(transition)](cfg, tree, transition) for transition in possible]
        return tuple([labeled(transition, cfg, tree, label) for transition in cheapest(possible, lost)])

    return static_dynamic


def _with_missing_heads(oracles: Oracles, loss: Loss) -> Oracles:
    """Oracles that ask the loss where heads are missing in the gold tree, of which these rows tell nothing."""

    def with_gaps(ask: OracleReturning[Gold] | None, otherwise: OracleReturning[Gold]) -> OracleReturning[Gold] | None:
        return ask and (lambda cfg, tree, label: (ask if tree.is_annotated else otherwise)(cfg, tree, label))

    def first(cfg: StackBufferConfiguration, tree: DependencyTree, label: Label) -> Transition:
        return loss.zero_cost(cfg, tree, label)[0]

    def prefer_shift(cfg: StackBufferConfiguration, tree: DependencyTree, label: Label) -> Transition:
        free = loss.zero_cost(cfg, tree, label)
        return free[0] if cfg.dependent(free[0]) is not None or Shift() not in free else Shift()

    return attrs.evolve(
        oracles,
        static=with_gaps(oracles.static, first),
        static_lazy_swap=with_gaps(oracles.static_lazy_swap, first),
        static_prefer_shift=with_gaps(oracles.static_prefer_shift, prefer_shift),
        nondeterministic=with_gaps(oracles.nondeterministic, loss.zero_cost),
    )
