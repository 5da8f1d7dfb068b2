"""A check of a transition system by enumeration: what every system must hold, for all short sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from deptrees.transition.configuration import System
from deptrees.transition.derivations import reachable
from deptrees.transition.exhaustive import exhaustive_loss
from deptrees.trees.enumeration import all_trees
from deptrees.trees.projectivity import is_projective
from deptrees.trees.tree import DependencyTree

__all__ = ["SystemFault", "check_system"]


class SystemFault(AssertionError):
    """A transition system does not hold what it must; the message names the configuration and the gold tree."""


def check_system(system: System, n: int) -> int:
    """Hold a system against exhaustive search, in every configuration that sentences of up to n words can come to.

    Every configuration that is not final has a possible transition. Every tree that the system says it can build is
    within reach. The dynamic oracle names exactly the transitions that cost nothing, and costs and losses are exact;
    the static and the non-deterministic oracle are right wherever the gold tree is within reach. What an oracle that
    the system lacks would say is not asked.

    Args:
        system: the system, the library's or your own.
        n: the greatest number of words. Four take seconds; each word more takes a hundred times as long.

    Returns:
        The number of pairs of a configuration and a gold tree that were compared.

    Raises:
        SystemFault: the system does not hold one of these.

    >>> from deptrees.transition import ArcHybrid
    >>> check_system(ArcHybrid(), 3)
    570
    """
    return sum(_check_length(system, length) for length in range(1, n + 1))


def _check_length(system: System, n: int) -> int:
    trees = [tree for tree in all_trees(n) if system.oracles.take_any_tree or system.obstacle(tree) is None]
    for tree in trees:
        _require(
            system.obstacle(tree) is not None or exhaustive_loss(system.initial(tree), tree) == 0,
            f"{system} says that it can build {tree!r}, and cannot",
        )
    pairs = 0
    for cfg in reachable(system, n):
        _require(cfg.is_final != bool(cfg.possible_transitions()), f"no transition is possible in {cfg!r}")
        for tree in () if cfg.is_final else trees:
            if is_projective(tree) or system.oracles.take_any_tree or not system.projective_only:
                for fault in _faults(cfg, tree):
                    raise SystemFault(f"{fault} in {cfg!r} with the gold tree {tree!r}")
                pairs += 1
    return pairs


def _require(holds: bool, fault: str) -> None:
    if not holds:
        raise SystemFault(fault)


def _faults(cfg: Any, tree: DependencyTree) -> Iterator[str]:
    """What is wrong with the oracles and the costs of a configuration."""
    oracles, now = cfg.oracles, exhaustive_loss(cfg, tree)
    costs = {transition: exhaustive_loss(transition(cfg), tree) - now for transition in cfg.possible_transitions()}
    free = tuple([transition for transition in costs if costs[transition] == 0])
    if oracles.loss is not None:
        if (found := oracles.loss(cfg, tree)) != now:
            yield f"the loss is {now}, not {found}"
        for transition, cost in costs.items():
            if (found := oracles.loss.cost(transition, cfg, tree)) != cost:
                yield f"{transition!r} costs {cost}, not {found}"
    for name in ("dynamic", "nondeterministic") if now == 0 else ("dynamic",):
        oracle = getattr(oracles, name)
        if oracle is not None and (answer := oracle(cfg, tree, lambda token: ())) != free:
            yield f"the {name} oracle says {answer}, and the transitions {free} cost nothing,"
    if now == 0 and oracles.static is not None and (taken := oracles.static(cfg, tree, lambda token: ())) not in free:
        yield f"the static oracle says {taken!r}, and the transitions {free} cost nothing,"
