"""The oracle that tries everything: exponential, but right for any system. All others are tested against it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from deptrees.messages import quoted
from deptrees.transition.configuration import SentenceConfiguration, labeled
from deptrees.transition.labels import Label, untyped
from deptrees.transition.oracles import check_gold
from deptrees.transition.transitions import Transition, name_wrong_type

__all__ = ["exhaustive_loss", "exhaustive_oracle", "reachable_heads"]


@lru_cache(maxsize=1 << 18)
def reachable_heads(cfg: SentenceConfiguration) -> frozenset[tuple[Any, ...]]:
    """The heads of every final configuration that is reachable from a configuration.

    Results are remembered, so all configurations of a sentence together cost as much as the first. Six words can
    take seconds, and each further one many times as long.

    >>> from deptrees.transition import ArcHybrid
    >>> sorted(reachable_heads(ArcHybrid().initial(["Birds", "sing"])))
    [(0, 0), (0, 1), (2, 0)]
    """
    try:
        if cfg.is_final:
            return frozenset([cfg.heads])
        return frozenset().union(*(reachable_heads(transition(cfg)) for transition in cfg.possible_transitions()))
    except AttributeError:
        name_wrong_type(cfg)
        raise


def exhaustive_loss(cfg: SentenceConfiguration, tree: object) -> int:
    """How many heads a best reachable tree gets wrong, or how many arcs a graph: found by looking at every one.

    Raises:
        ValueError: no final configuration is reachable, which `check_system` finds out about a system.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import ArcStandard, Shift
    >>> tree = DependencyTree([(0, "Sing"), (1, "again")])
    >>> exhaustive_loss(ArcStandard().initial(tree), tree)
    0
    """
    check_gold(cfg, tree)
    if not (reached := reachable_heads(cfg)):
        raise ValueError(f"no final configuration is reachable from {quoted(cfg)}: see check_system")
    return min(len(cfg.system.wrong_arcs(heads, tree)) for heads in reached)


def exhaustive_oracle(cfg: SentenceConfiguration, tree: object, label: Label = untyped) -> tuple[Transition, ...]:
    """All transitions of cost 0, found by trying everything: for any system and gold tree, but only short sentences.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import ArcStandard, Oracle
    >>> tree = DependencyTree([(0, "Sing"), (1, "again")])
    >>> [gold for _, gold in Oracle(ArcStandard(), exhaustive_oracle)(tree)]
    [(Shift(),), (Shift(),), (RightArc(),), (RightArc(),)]
    """
    check_gold(cfg, tree)
    losses = {transition: exhaustive_loss(transition(cfg), tree) for transition in cfg.possible_transitions()}
    return tuple(
        labeled(transition, cfg, tree, label) for transition in losses if losses[transition] == min(losses.values())
    )
