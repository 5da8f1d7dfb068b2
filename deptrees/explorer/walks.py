"""A walk: transitions taken one after the other from the beginning of a sentence, whether they are right or wrong."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache, reduce
from typing import Any

import attrs

from deptrees.messages import quoted
from deptrees.transition.explanation import Arc, explain, lost_arcs
from deptrees.transition.labels import untyped
from deptrees.transition.losses.loss import Loss, LossNotFound
from deptrees.transition.losses.work import WORK, count_work, limited_work
from deptrees.transition.oracles import INCOMPLETE, as_oracle_function
from deptrees.transition.system import System
from deptrees.transition.transitions import Transition

__all__ = ["Option", "Setting", "Walk", "WalkError", "walk"]


class WalkError(ValueError):
    """There is no such walk; the message says why."""


@attrs.frozen
class Setting:
    """What a walk is compared with: a gold tree or graph, and an oracle that the system has.

    Words may be without a head.
    """

    system: System
    oracle: str
    tree: Any

    @cached_property
    def loss(self) -> Loss:
        """The exact loss, or its estimate where the exact one may take too long to find."""
        found = self.system.oracles.estimated_loss or self.system.oracles.loss
        if found is None:
            raise WalkError(f"{self.system} has no dynamic oracle, and so no costs")
        return found

    @property
    def is_estimated(self) -> bool:
        """Whether losses are estimates, which are never too low."""
        return self.system.oracles.estimated_loss is not None

    @cached_property
    def gold_heads(self) -> tuple[Any, ...]:
        """The head of each word in the gold tree, as the system's oracles take them."""
        return self.system.gold_heads(self.tree)

    def is_gold(self, arc: tuple[int, int]) -> bool:
        """Whether an arc is a gold arc, or may be one."""
        return self.system.is_gold_arc(arc, self.tree)


@attrs.frozen(eq=False)
class Option:
    """A possible transition, without a label, and what it would do.

    Args:
        before: the walk that it goes on from.
        transition: the transition.
    """

    before: Walk
    transition: Transition

    @property
    def cost(self) -> int | None:
        """What it adds to the loss; ``None`` if this would take too long to find."""
        setting = self.before.setting
        try:
            with limited_work(WORK):
                return setting.loss.cost(self.transition, self.before.cfg, setting.tree)
        except LossNotFound:
            return None

    @property
    def is_gold(self) -> bool:
        """Whether the oracle names it."""
        return self.transition in self.before.gold

    @property
    def after(self) -> Any:
        """The configuration after it."""
        return self.transition(self.before.cfg)

    @property
    def arcs(self) -> tuple[tuple[int, int], ...]:
        """The arcs that it adds."""
        return self.before.cfg.added_arcs(self.transition)  # type: ignore[no-any-return]

    @property
    def lost(self) -> dict[str, tuple[Arc, ...]]:
        """The gold arcs that it makes unreachable, by what its row in the system's table says; empty without one."""
        return lost_arcs(self.transition, self.before.cfg, self.before.setting.tree)

    @property
    def given_up(self) -> tuple[Arc, ...]:
        """The gold arcs that only a best tree before it has, where its row does not tell; none if that takes long."""
        cfg, tree = self.before.cfg, self.before.setting.tree
        if any(self.lost.values()) or not self.cost:
            return ()
        try:
            with limited_work(WORK):
                count_work(len(self.before.setting.gold_heads) ** 3)  # of two walks to the end
                return explain(self.transition, cfg, tree).given_up
        except LossNotFound:
            return ()


@attrs.frozen(eq=False)
class Walk:
    """Where a walk has come to: a configuration, and the options taken on the way to it.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import ArcEager
    >>> tree = DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")])
    >>> found = walk(Setting(ArcEager(root="last"), "dynamic", tree), ["Shift()", "Shift()"])
    >>> found.loss, found.lost
    (1, ((2, 1),))
    >>> [(option.transition, option.cost) for option in found.options]
    [(LeftArc(), 2), (RightArc(), 1), (Shift(), 0)]
    """

    setting: Setting
    cfg: Any
    taken: tuple[Option, ...] = ()

    @property
    def loss(self) -> int | None:
        """How many heads a best reachable tree gets wrong; ``None`` if this would take too long to find."""
        try:
            with limited_work(WORK):
                return self.setting.loss(self.cfg, self.setting.tree)
        except LossNotFound:
            return None

    @property
    def lost(self) -> tuple[Arc, ...]:
        """Gold arcs that are not reachable: those that rows of the table lose and those of words with another head."""
        if self.setting.system.builds_graphs:
            return self.cfg.lost(self.setting.tree)  # type: ignore[no-any-return]
        by_rows = {word for option in self.taken for arcs in option.lost.values() for _, word in arcs}
        taken = {arc[1] for arc in self.cfg.arcs if not self.setting.is_gold(arc)}
        return tuple([(self.setting.gold_heads[word - 1], word) for word in sorted(by_rows | taken)])

    @property
    def gold(self) -> tuple[Transition, ...]:
        """The oracle's transitions; none where it is not defined, or gives up."""
        return self._answer or ()

    @property
    def oracle_gives_up(self) -> bool:
        """Whether the oracle would take too long to answer."""
        return self._answer is None

    @cached_property
    def _answer(self) -> tuple[Transition, ...] | None:
        oracle, tree = as_oracle_function(self.setting.oracle), self.setting.tree
        must_lead_to_gold = oracle in INCOMPLETE
        if self.cfg.is_final or (must_lead_to_gold and not all(option.is_gold for option in self.taken)):
            return ()
        try:
            with limited_work(WORK):
                if must_lead_to_gold and self.setting.system.obstacle(tree) is not None:
                    return ()
                answer = oracle(self.cfg, tree, untyped)
        except LossNotFound:
            return None
        return answer if isinstance(answer, tuple) else (answer,)

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """The possible transitions; none where the configuration is final."""
        possible = () if self.cfg.is_final else self.cfg.possible_transitions()
        return tuple([Option(self, transition) for transition in possible])

    @property
    def names(self) -> tuple[str, ...]:
        """The transitions so far, as ``repr`` writes them."""
        return tuple([repr(option.transition) for option in self.taken])

    def to_the_end(self) -> Walk:
        """The walk on which the oracle goes on, as far as it has an answer."""
        found = self
        while found.gold:
            found = found.after(repr(found.gold[0]))
        return found

    def after(self, name: str) -> Walk:
        """The walk that goes on with a transition, as ``repr`` writes it without a label: ``"LeftArc(k=2)"``.

        Raises:
            WalkError: it is not possible.
        """
        return _after(self, name)


@lru_cache(maxsize=1 << 9)
def _after(before: Walk, name: str) -> Walk:
    # Remembered, for each step of the same walk asks for all those before it.
    for option in before.options:
        if repr(option.transition) == name:
            return Walk(before.setting, option.after, (*before.taken, option))
    raise WalkError(f"{quoted(name)} is not possible in {quoted(before.cfg)}")


@lru_cache(maxsize=1 << 6)
def _start(setting: Setting) -> Walk:
    return Walk(setting, setting.system.initial(setting.tree))


def walk(setting: Setting, names: Sequence[str] = ()) -> Walk:
    """The walk that takes some transitions from the beginning, named as ``repr`` writes them, without labels.

    Raises:
        WalkError: one of them is not possible, or the system has no costs.
    """
    return reduce(Walk.after, names, _start(setting))
