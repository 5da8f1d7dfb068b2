"""Checking a transition system by enumeration: what must be true of every system, for all short sentences."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from deptrees.messages import of_type
from deptrees.transition.configuration import Configuration, SentenceConfiguration
from deptrees.transition.enumeration import reachable
from deptrees.transition.exhaustive import exhaustive_loss, reachable_heads
from deptrees.transition.oracles import static_oracle
from deptrees.transition.system import System
from deptrees.transition.systems.registry import as_tree_system
from deptrees.transition.transitions import IllegalTransition, Transition
from deptrees.trees.projectivity import is_projective
from deptrees.trees.tree import DependencyTree

__all__ = ["SystemFault", "check_system", "is_arc_decomposable"]


_MOST_STEPS = 200
"""How long a derivation may be, of a sentence that is short enough to be checked; systems that swap need n² + n."""


class SystemFault(AssertionError):
    """A transition system has a fault; the message names the transition, the configuration and the gold tree."""


def check_system(system: System, n: int) -> int:
    """Compare a system with exhaustive search, in every configuration reachable in sentences of up to n words.

    Every derivation must come to an end within 200 transitions, and one that has no transition left must be final.
    Final configurations must have the trees that the system claims to build, and no others. The dynamic oracle must
    return exactly the transitions that cost nothing, and costs and losses must be exact; the non-deterministic oracle
    must be right wherever the gold tree is reachable, and the static oracle on its way to it. Oracles that the system
    does not have are not checked.

    The system may be your own, and nothing that it does wrong stops the check in another way than by a `SystemFault`.
    Four words take seconds, each further one a hundred times as long.

    Returns:
        The number of pairs of a configuration and a gold tree that were compared.

    Raises:
        SystemFault: one of these is not true of the system, or it raises an error.
        TypeError: it is no system.

    >>> from deptrees.transition import ArcHybrid
    >>> check_system(ArcHybrid(), 3)
    570
    """
    of_type("system", system, System, "a transition system, such as ArcEager()")
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
    with _faulty_if_it_raises(f"{system}.initial(...)"):
        start = system.initial([f"w{word}" for word in range(1, n + 1)])
        hash(start)
    _check_ends(start, {}, set())
    trees = []
    for tree in system.structures(n):
        with _faulty_if_it_raises(f"the static oracle, or what {system} says of {tree!r},"):
            trees += [tree] if _is_to_be_compared(system, tree) else []
    pairs = 0
    for cfg in reachable(system, n):
        if cfg.is_final:
            with _faulty_if_it_raises("the answer, or what is said of it,", cfg):
                _check_final(cfg)
            continue
        for tree in trees:
            with _faulty_if_it_raises(f"an oracle or the loss, for the gold heads {tree.heads},", cfg):
                fault = next(_faults(cfg, tree), None)
            if fault:
                raise SystemFault(f"{fault} in {cfg!r}, gold heads {tree.heads}")
            pairs += 1
    return pairs


@contextmanager
def _faulty_if_it_raises(what: str, cfg: object = None) -> Iterator[None]:
    """Make an error of the system a fault that says what raised it, and in which configuration."""
    try:
        yield
    except SystemFault:
        raise
    except Exception as error:
        where = "" if cfg is None else f" in {cfg!r}"
        raise SystemFault(f"{what} raises {type(error).__name__} ({error}){where}") from error


def _check_ends(
    cfg: SentenceConfiguration, way: dict[SentenceConfiguration, Transition], ended: set[SentenceConfiguration]
) -> None:
    """All derivations must come to an end, and where one does, the configuration must be final.

    Args:
        cfg: where they begin.
        way: the configurations that lead to it, each with the transition that was taken.
        ended: those whose derivations come to an end.
    """
    if len(way) == _MOST_STEPS:
        last = [*way.values()][-1]
        raise SystemFault(f"parsing does not come to an end: {_MOST_STEPS} transitions, as {last!r}, lead to {cfg!r}")
    for transition, successor in _steps(cfg):
        way[cfg] = transition
        if successor in way:
            loop = ", ".join(map(repr, [*way.values()][[*way].index(successor) :]))
            raise SystemFault(f"parsing may never come to an end: {loop} lead back to {successor!r}")
        if successor not in ended:
            _check_ends(successor, way, ended)
    way.pop(cfg, None)
    ended.add(cfg)


def _steps(cfg: SentenceConfiguration) -> list[tuple[Transition, SentenceConfiguration]]:
    """The possible transitions, each with what it leads to; there must be one if the configuration is not final."""
    with _faulty_if_it_raises("is_final or possible_transitions()", cfg):
        possible = () if cfg.is_final else cfg.possible_transitions()
        if not possible and not cfg.is_final:
            raise SystemFault(f"no transition is possible in {cfg!r}: {'; '.join(_missing(cfg))}")
    steps = []
    for transition in possible:
        with _faulty_if_it_raises(f"{transition!r}, said to be possible,", cfg):
            steps.append((transition, transition(cfg)))
            hash(steps[-1])
    return steps


def _missing(cfg: SentenceConfiguration) -> Iterator[str]:
    """Why transitions are not possible."""
    for transition in cfg.system.transition_space():
        try:
            transition(cfg)
        except IllegalTransition as error:
            yield f"{transition!r} requires that {error.missing}"


def _is_to_be_compared(system: System, tree: Any) -> bool:
    """Whether the oracles take a tree; what the system says of it must be true, and the static oracle lead to it."""
    obstacle, fault = system.obstacle(tree), f"{system} cannot build {tree!r}, and does not say "
    if obstacle is not None and system.builds_plain_trees and is_projective(tree) and len(tree.roots) == 1:
        raise SystemFault(f"{fault}that it does not build all plain trees")
    if obstacle is not None and not system.oracles.take_any_tree:
        return False
    if exhaustive_loss(system.initial(tree), tree) == 0:
        _follow_static_oracle(system, tree)
    elif obstacle is None:
        raise SystemFault(f"{fault}so")
    return True


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


def _faults(cfg: SentenceConfiguration, tree: DependencyTree) -> Iterator[str]:
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
