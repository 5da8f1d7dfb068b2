"""What a system can do: all its configurations, and all the ways to a tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from deptrees.messages import of_type
from deptrees.transition.configuration import BaseConfiguration, Configuration, SentenceConfiguration
from deptrees.transition.losses.loss import LossNotFound
from deptrees.transition.oracles import check_gold, nondeterministic_oracle
from deptrees.transition.system import System
from deptrees.transition.transitions import Transition
from deptrees.trees.tree import DependencyTree, TreeOrGraph

__all__ = ["count_derivations", "derivations", "reachable"]


def reachable(system: System, n: int) -> Iterator[Configuration]:
    """Every configuration that is reachable in a sentence of n words, without duplicates, the initial one first.

    >>> from deptrees.transition import ArcHybrid
    >>> [sum(1 for _ in reachable(ArcHybrid(), n)) for n in range(1, 5)]
    [3, 11, 46, 214]
    """
    of_type("system", system, System, "a transition system, such as ArcEager()")
    start = system.initial([f"w{word}" for word in range(1, n + 1)])
    found, todo = {start}, [start]
    while todo:
        cfg = todo.pop()
        yield cfg
        if not cfg.is_final:
            new = {transition(cfg) for transition in cfg.possible_transitions()} - found
            found |= new
            todo += new


def derivations(system: System, tree: TreeOrGraph) -> Iterator[tuple[Transition, ...]]:
    """All derivations of a tree or graph, lazily: sequences of transitions, unlabeled, that add its arcs and no others.

    Raises:
        OracleNotDefined: the system has no non-deterministic oracle.

    >>> from deptrees.transition import ArcStandard
    >>> tree = DependencyTree([(0, "Sing"), (1, "again")])
    >>> list(derivations(ArcStandard(), tree))
    [(Shift(), Shift(), RightArc(), RightArc())]
    """
    of_type("system", system, System, "a transition system, such as ArcEager()")
    path: list[Transition] = []
    branches = [_steps(system.initial(tree), tree)]
    while branches:
        transition, cfg = next(branches[-1], (None, None))
        if cfg is None or transition is None:
            branches.pop()
            del path[len(branches) - 1 :]
        elif cfg.is_final:
            yield (*path, transition)
        else:
            path.append(transition)
            branches.append(_steps(cfg, tree))


def count_derivations(system: System, tree: Any) -> int:
    """How many derivations a tree or a graph has: the measure of a system's spurious ambiguity.

    Derivations that meet in a configuration are counted together from there on. In systems that swap words, each
    further word makes ten times as many configurations: with nine words three million, which take some minutes.

    Raises:
        OracleNotDefined: the system has no non-deterministic oracle.

    >>> from deptrees.transition import ArcStandard, EasyFirst
    >>> tree = DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")])
    >>> count_derivations(ArcStandard(), tree), count_derivations(EasyFirst(), tree)
    (2, 3)
    """
    of_type("system", system, System, "a transition system, such as ArcEager()")
    steps, start = _cheapest_steps(system), system.initial(tree)
    check_gold(start, tree)
    total, layer = 0, {start: [1]}
    while layer:
        meeting: dict[BaseConfiguration, list[int]] = {}  # lists of one number: to look up a configuration takes time
        for cfg, [paths] in layer.items():
            if cfg.is_final:
                total += paths
                continue
            for _, successor in steps(cfg, tree):
                meeting.setdefault(successor, [0])[0] += paths
        layer = meeting
    return total


_Steps = Iterator[tuple[Transition, Any]]

Layer = dict[Configuration, tuple[tuple[Transition, Configuration], ...]]
"""Configurations, each with the transitions that go on from it and the configurations to which they lead."""


def derivation_graph(system: System, tree: DependencyTree, most: int | None = None) -> list[Layer]:
    """All derivations of a tree as a graph, in layers: the configurations after the same number of transitions.

    Raises:
        OracleNotDefined: the system has no non-deterministic oracle.
        ValueError: there are more configurations than ``most``.

    >>> from deptrees.transition import ArcStandard
    >>> layers = derivation_graph(ArcStandard(), DependencyTree([(2, "I"), (0, "saw"), (2, "it")]))
    >>> [len(layer) for layer in layers]
    [1, 1, 1, 2, 2, 1, 1]
    """
    layers, seen = [], 0
    for layer in _layers(system, tree):
        seen += len(layer)
        if most is not None and seen > most:
            raise ValueError(f"the derivations of {tree.name} have more than {most} configurations: take fewer words")
        layers.append(layer)
    leading: set[Configuration] = set()  # to the tree, as opposed to those from which nothing leads there
    found: list[Layer] = []
    for layer in reversed(layers):
        kept = {cfg: tuple([step for step in steps if step[1] in leading]) for cfg, steps in layer.items()}
        found.append({cfg: steps for cfg, steps in kept.items() if steps or cfg.is_final})
        leading = set(found[-1])
    return found[::-1]


def _layers(system: System, tree: DependencyTree) -> Iterator[Layer]:
    """The configurations after as many transitions, the initial one first; some may lead nowhere."""
    steps = _cheapest_steps(system)
    layer: Layer = {system.initial(tree): ()}
    while layer:
        layer = {cfg: () if cfg.is_final else tuple(steps(cfg, tree)) for cfg in layer}
        yield layer
        layer = {successor: () for going_on in layer.values() for _, successor in going_on}


def _cheapest_steps(system: System) -> Callable[[Any, DependencyTree], _Steps]:
    """What finds the steps fastest that may lead to the tree."""
    return _steps if system.oracles.approximate_dynamic is None else _attempts


def _steps(cfg: SentenceConfiguration, tree: TreeOrGraph) -> _Steps:
    """The correct ones of `_gold_steps`; all where finding these takes too long: what leads nowhere derives nothing."""
    try:
        return _gold_steps(cfg, nondeterministic_oracle(cfg, tree), tree)
    except LossNotFound:
        return _gold_steps(cfg, cfg.possible_transitions(), tree)


def _attempts(cfg: Any, tree: DependencyTree) -> _Steps:
    """Those of `_gold_steps` by which no word goes before its dependents: found faster than by a search."""
    for transition, successor in _gold_steps(cfg, cfg.possible_transitions(), tree):
        dependent, left = cfg.dependent(transition), successor.stack_bits | successor.buffer_bits
        gone = dependent is not None and not left >> dependent & 1
        if not gone or not any(left >> word & 1 for word in tree.dependents(dependent)):
            yield transition, successor


def _gold_steps(cfg: SentenceConfiguration, transitions: Iterable[Transition], tree: TreeOrGraph) -> _Steps:
    """Those of some transitions that add no other arc than the tree's, each with the configuration it leads to."""
    for transition in transitions:
        if all(tree.has_arc(*arc) for arc in cfg.added_arcs(transition)):
            yield transition, transition(cfg)
