"""A walk: transitions taken one after the other from the beginning of a sentence, whether they are right or wrong."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache, reduce

import attrs
from more_itertools import first

from deptrees.messages import quoted
from deptrees.transition.configuration import Configuration
from deptrees.transition.explanation import Arc, lost_arcs
from deptrees.transition.labels import untyped
from deptrees.transition.losses.loss import Loss
from deptrees.transition.oracles import INCOMPLETE, as_oracle_function
from deptrees.transition.system import System
from deptrees.transition.transitions import Transition
from deptrees.trees.tree import DependencyTree

__all__ = ["Option", "Setting", "Walk", "WalkError", "walk"]


class WalkError(ValueError):
    """There is no such walk; the message says why."""


@attrs.frozen
class Setting:
    """What a walk is compared with: a gold tree, and an oracle that the system has; words may be without a head."""

    system: System
    oracle: str
    tree: DependencyTree

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
    def gold_heads(self) -> tuple[int | None, ...]:
        """The head of each word in the gold tree, as the system's oracles take them."""
        return self.system.gold_heads(self.tree)

    def is_gold(self, arc: tuple[int, int]) -> bool:
        """Whether an arc is a gold arc, or may be one."""
        return self.system.is_gold_arc(arc, self.tree)


@attrs.frozen
class Option:
    """A possible transition, without a label, and what it would do.

    Args:
        transition: the transition.
        cost: what it adds to the loss.
        is_gold: whether the oracle names it.
        arc: the head and the dependent that it joins, if it adds an arc.
        lost: the gold arcs that it makes unreachable, by what its row in the system's table says; empty without one.
    """

    transition: Transition
    cost: int
    is_gold: bool
    arc: tuple[int, int] | None
    lost: dict[str, tuple[Arc, ...]]


@attrs.frozen(eq=False)
class Walk:
    """Where a walk has come to: a configuration, and the options taken on the way to it.

    >>> from deptrees.transition import ArcEager
    >>> tree = DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")])
    >>> found = walk(Setting(ArcEager(root="last"), "dynamic", tree), ["Shift()", "Shift()"])
    >>> found.loss, found.lost
    (1, ((2, 1),))
    >>> [(option.transition, option.cost) for option in found.options]
    [(LeftArc(), 2), (RightArc(), 1), (Shift(), 0)]
    """

    setting: Setting
    cfg: Configuration
    taken: tuple[Option, ...] = ()

    @cached_property
    def loss(self) -> int:
        """How many heads a best reachable tree gets wrong."""
        return self.setting.loss(self.cfg, self.setting.tree)

    @property
    def lost(self) -> tuple[Arc, ...]:
        """Gold arcs that are not reachable: those that rows of the table lose and those of words with another head."""
        by_rows = {word for option in self.taken for arcs in option.lost.values() for _, word in arcs}
        taken = {arc[1] for arc in self.cfg.arcs if not self.setting.is_gold(arc)}
        return tuple([(self.setting.gold_heads[word - 1], word) for word in sorted(by_rows | taken)])

    @cached_property
    def gold(self) -> tuple[Transition, ...]:
        """The oracle's transitions; none where it is not defined."""
        oracle = as_oracle_function(self.setting.oracle)
        if self.cfg.is_final or (oracle in INCOMPLETE and not self._leads_to_gold):
            return ()
        answer = oracle(self.cfg, self.setting.tree, untyped)
        return answer if isinstance(answer, tuple) else (answer,)

    @property
    def _leads_to_gold(self) -> bool:
        """Whether the system can build the gold tree, and all transitions so far were the oracle's."""
        can_build = self.setting.system.obstacle(self.setting.tree) is None
        return can_build and all(option.is_gold for option in self.taken)

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """The possible transitions; none where the configuration is final."""
        possible = () if self.cfg.is_final else self.cfg.possible_transitions()
        return tuple([self._option(transition) for transition in possible])

    def _option(self, transition: Transition) -> Option:
        cfg, tree = self.cfg, self.setting.tree
        dependent = cfg.dependent(transition)
        return Option(
            transition,
            self.setting.loss.cost(transition, cfg, tree),
            transition in self.gold,
            None if dependent is None else first(arc for arc in transition(cfg).arcs if arc[1] == dependent),
            lost_arcs(transition, cfg, tree),
        )

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
            return Walk(before.setting, option.transition(before.cfg), (*before.taken, option))
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
