"""Why a transition costs what it costs: the gold arcs that it loses, and best reachable trees."""

from __future__ import annotations

from typing import Any

import attrs

from deptrees.transition.configuration import SentenceConfiguration
from deptrees.transition.losses.work import LONG_WORK, limited_work
from deptrees.transition.oracles import cost, dynamic_oracle
from deptrees.transition.systems.stack_buffer import StackBufferConfiguration
from deptrees.transition.transitions import Transition
from deptrees.trees.tree import TreeOrGraph

__all__ = ["Arc", "Explanation", "explain", "lost_arcs"]

Arc = tuple[int | None, int]
"""A head and its dependent; the head is ``None`` where the gold tree means the word to have none."""


@attrs.frozen
class Explanation:
    """What a transition does to the gold tree.

    Args:
        cost: how many more heads are wrong in the best tree after it than before it.
        lost: the gold arcs that it loses, by the entry of its row in the system's table; empty if the rows do not tell.
        before: a best reachable tree, or graph, before the transition.
        after: a best reachable one after it.
        given_up: the gold arcs that are in ``before`` but not in ``after``.
    """

    transition: Transition
    cost: int
    lost: dict[str, tuple[Arc, ...]]
    before: TreeOrGraph
    after: TreeOrGraph
    given_up: tuple[Arc, ...]

    def __str__(self) -> str:
        lines = [f"{self.transition!r} costs {self.cost}"]
        lines += [f"loses of {reason}: {_written(arcs)}" for reason, arcs in self.lost.items()]
        if not {*self.given_up} <= {arc for arcs in self.lost.values() for arc in arcs}:
            lines.append(f"gives up: {_written(self.given_up)}")
        heads = [f"best heads before it: {self.before.heads}", f"best heads after it:  {self.after.heads}"]
        return "\n".join([*lines, *heads])


def _written(arcs: tuple[Arc, ...]) -> str:
    return ", ".join(f"{'∅' if head is None else head} → {word}" for head, word in arcs)


def explain(transition: Transition, cfg: SentenceConfiguration, tree: TreeOrGraph) -> Explanation:
    """Why a possible transition costs what it costs, against a gold tree.

    If lost arcs do not explain the whole cost, as in systems that are not arc-decomposable or with gold trees that are
    not projective, the two best trees still do. There may be other trees that are just as good.

    Raises:
        IllegalTransition: the transition is not possible.
        LossNotFound: finding it would take too long.
        OracleNotDefined: the system has no dynamic oracle.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import ArcEager, Shift
    >>> tree = DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")])
    >>> cfg = Shift()(ArcEager(root="last").initial(tree))
    >>> print(explain(Shift(), cfg, tree))
    Shift() costs 1
    loses of b0 → σ ∩ unattached: 2 → 1
    best heads before it: (2, 0, 4, 2)
    best heads after it:  (0, 0, 4, 2)
    """
    with limited_work(LONG_WORK):
        price = cost(transition, cfg, tree)
        before, after = _best(cfg, tree), _best(transition(cfg), tree)
    wrong_before, wrong_after = [cfg.system.wrong_arcs(best.heads, tree) for best in (before, after)]
    given_up = tuple([arc for arc in wrong_after if arc not in wrong_before and cfg.system.is_gold_arc(arc, tree)])
    lost = lost_arcs(transition, cfg, tree)
    return Explanation(transition, price, lost, before.answer(), after.answer(), given_up)


def lost_arcs(transition: Transition, cfg: SentenceConfiguration, tree: Any) -> dict[str, tuple[Arc, ...]]:
    """The gold arcs that a possible transition makes unreachable, by the entry of its row in the system's table.

    It is empty if the system is not a table.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import ArcEager, Shift
    >>> tree = DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")])
    >>> lost_arcs(Shift(), Shift()(ArcEager(root="last").initial(tree)), tree)
    {'b0 → σ ∩ unattached': ((2, 1),)}
    """
    if not isinstance(cfg, StackBufferConfiguration):
        return {}
    gold = cfg.system.gold_heads(tree)
    lost = cfg.table.losses(cfg, tree, transition)
    return {str(reason): tuple([(gold[word - 1], word) for word in words]) for reason, words in lost.items()}


def _best(cfg: SentenceConfiguration, tree: TreeOrGraph) -> Any:
    """A final configuration of a best reachable tree or graph."""
    while not cfg.is_final:
        cfg = dynamic_oracle(cfg, tree)[0](cfg)
    return cfg
