"""Checking a transition system by enumeration: what must be true of every system, for all short sentences."""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from typing import Any

from deptrees.transition.configuration import Configuration, SentenceConfiguration
from deptrees.transition.enumeration import reachable
from deptrees.transition.exhaustive import exhaustive_loss, reachable_heads
from deptrees.transition.oracles import static_oracle
from deptrees.transition.system import System
from deptrees.transition.systems.registry import as_tree_system
from deptrees.trees.projectivity import is_projective
from deptrees.trees.tree import DependencyTree

__all__ = ["SystemFault", "check_system", "is_arc_decomposable"]


class SystemFault(AssertionError):
    """A transition system has a fault; the message names the configuration and the gold tree."""


def check_system(system: System, n: int) -> int:
    """Compare a system with exhaustive search, in every configuration reachable in sentences of up to n words.

    Every derivation must come to an end, and one that has no transition left must be final. Final configurations must
    have the trees that the system claims to build, and no others. The dynamic oracle must return exactly the
    transitions that cost nothing, and costs and losses must be exact; the non-deterministic oracle must be right
    wherever the gold tree is reachable, and the static oracle on its way to it. Oracles that the system does not
    have are not checked.

    The system may be your own. Four words take seconds, each further one a hundred times as long.

    Returns:
        The number of pairs of a configuration and a gold tree that were compared.

    Raises:
        SystemFault: one of these is not true of the system.

    >>> from deptrees.transition import ArcHybrid
    >>> check_system(ArcHybrid(), 3)
    570
    """
    return sum(_check_length(system, length) for length in range(1, n + 1))


def is_arc_decomposable(system: System, n: int) -> bool:
    """Whether gold arcs that are each reachable are so together, in all configurations (Goldberg & Nivre 2013, 4.2).

    The gold arcs are those of each tree of up to n words that the system can build; in systems that learn which words
    to leave without a head, an empty head counts as an arc. If a system is arc-decomposable, the arcs that a transition
    loses, looked at one by one, add up to its cost. Four words take seconds.

    Raises:
        UnknownSystem: the system builds graphs.

    >>> from deptrees.transition import ArcEager, ArcHybrid, ArcStandard
    >>> [is_arc_decomposable(system, 3) for system in (ArcHybrid(), ArcEager(root="last"), ArcStandard())]
    [True, True, False]
    """
    trees = as_tree_system(system)
    return all(_is_decomposable(cfg) for length in range(1, n + 1) for cfg in reachable(trees, length))


def _is_decomposable(cfg: Configuration) -> bool:
    """Whether the reachable arcs of each tree are so together."""
    within_reach = reachable_heads(cfg)
    each_word = [set(heads) for heads in zip(*within_reach, strict=True)]
    if cfg.system.empty_means_unknown:
        each_word = [heads - {None} for heads in each_word]
    together = [{*enumerate(heads)} for heads in within_reach]
    return all(
        any(arcs <= others for others in together)
        for tree in reachable_heads(cfg.system.initial(cfg.source))
        for arcs in [{(word, head) for word, head in enumerate(tree) if head in each_word[word]}]
    )


def _check_length(system: System, n: int) -> int:
    _check_ends(system, n)
    trees = []
    for tree in system.structures(n):
        obstacle, fault = system.obstacle(tree), f"{system} cannot build {tree!r}, and does not say "
        if obstacle is not None and system.builds_plain_trees and is_projective(tree) and len(tree.roots) == 1:
            raise SystemFault(f"{fault}that it does not build all plain trees")
        if obstacle is not None and not system.oracles.take_any_tree:
            continue
        trees.append(tree)
        if exhaustive_loss(system.initial(tree), tree) == 0:
            _follow_static_oracle(system, tree)
        elif obstacle is None:
            raise SystemFault(f"{fault}so")
    pairs = 0
    for cfg in reachable(system, n):
        if cfg.is_final:
            _check_final(cfg)
            continue
        for tree in trees:
            for fault in _faults(cfg, tree):
                raise SystemFault(f"{fault} in {cfg!r}, gold heads {tree.heads}")
            pairs += 1
    return pairs


def _check_ends(system: System, n: int) -> None:
    """All derivations must come to an end, and where one does, the configuration must be final."""
    cfg = system.initial(["w"] * n)
    following: dict[Any, list[Any]] = {}
    try:
        for cfg in reachable(system, n):
            following[cfg] = [] if cfg.is_final else [transition(cfg) for transition in cfg.possible_transitions()]
            if not following[cfg] and not cfg.is_final:
                raise SystemFault(f"no transition is possible in {cfg!r}")
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise SystemFault(f"{type(error).__name__} ({error}) in {cfg!r}") from error
    try:
        TopologicalSorter(following).prepare()
    except CycleError as error:
        raise SystemFault(f"parsing may never come to an end: transitions lead back to {error.args[1][0]!r}") from None


def _follow_static_oracle(system: System, tree: DependencyTree) -> None:
    """The static oracle, if there is one, must take transitions that cost nothing, from the beginning to the end."""
    cfg = system.initial(tree)
    while system.oracles.static is not None and not cfg.is_final:
        taken = static_oracle(cfg, tree)
        free = [transition for transition in cfg.possible_transitions() if exhaustive_loss(transition(cfg), tree) == 0]
        if taken not in free:
            fault = f"the static oracle says {taken!r}, and the transitions {free} cost nothing, in {cfg!r}"
            raise SystemFault(f"{fault}, gold heads {tree.heads}")
        cfg = taken(cfg)


def _check_final(cfg: SentenceConfiguration) -> None:
    """A final configuration must hold a tree, a part of one, or a graph, that the system says it can build."""
    tree, system = cfg.answer(), cfg.system
    if not system.leaves_words and not tree.is_annotated:
        raise SystemFault(f"a word has no head in {cfg!r}, and {system} does not say that it leaves words")
    if (system.builds_graphs or not system.leaves_words) and (obstacle := system.obstacle(tree)) is not None:
        raise SystemFault(f"{cfg!r} is final, and yet {obstacle}")


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
