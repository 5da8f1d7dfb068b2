"""Hamming losses with weights and labels (Goldberg & Nivre 2013, section 4)."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import attrs
import numpy as np

from deptrees.messages import quoted, written
from deptrees.transition.configuration import Configuration, labeled
from deptrees.transition.labels import Label, untyped
from deptrees.transition.losses.arc_costs import gold_costs
from deptrees.transition.losses.loss import LeastCosts
from deptrees.transition.oracles import OracleFunction, OracleNotDefined, check_gold
from deptrees.transition.system import System
from deptrees.transition.transitions import IllegalTransition, Transition
from deptrees.trees.token import Token
from deptrees.trees.tree import DependencyTree

__all__ = ["HammingLoss", "is_of_hamming_loss"]


def _one(_: Token) -> int:
    return 1


@attrs.frozen
class HammingLoss:
    """The weight of the wrong arcs of a best reachable tree: loss, cost and dynamic oracle with weights.

    Goldberg & Nivre 2013, section 4: Hamming loss for labeled or unlabeled arcs, and, in footnote 8, one in which gold
    arcs are weighted differently.

    Args:
        weight: returns a whole number, 0 or more, for a gold token: what it costs if the word gets another head; by
            default 1.
        labeled: whether an arc with the gold head but another label is also wrong and, in ``JointTags``, another tag
            than the gold one. In ``NonMonotonicArcEager``
            and ``SpacyArcEager``, such an arc counts as if no later one could replace it; where the root gets its label
            by itself, it counts when it has it.

    >>> from deptrees.transition import ArcHybrid, LeftArc, RightArc, Shift
    >>> tree = DependencyTree([(2, "I", "nsubj"), (0, "sing", "root"), (2, ".", "punct")])
    >>> content = HammingLoss(lambda token: 0 if token.label == "punct" else 2, labeled=True)
    >>> cfg = Shift()(Shift()(ArcHybrid().initial(tree)))
    >>> content(cfg, tree), content.cost(LeftArc("obj"), Shift()(ArcHybrid().initial(tree)), tree)
    (4, 2)
    >>> content.oracle(cfg, tree)
    (LeftArc(), RightArc(), Shift())
    """

    weight: Callable[[Token], int] = attrs.field(default=_one, repr=written)
    labeled: bool = False

    def __call__(self, cfg: Configuration, tree: DependencyTree) -> int:
        """The loss of a configuration.

        Raises:
            LossNotFound: finding it would take too long.
            OracleNotDefined: the system has no dynamic oracle, or only knows the costs of unweighted trees.
            ValueError: a weight is something else than a whole number, 0 or more.
        """
        check_gold(cfg, tree)
        found = _least_costs(self.weight, tree, cfg.system)(cfg)
        if self.labeled:
            for gold, word, head, label in zip(tree.tokens, cfg.tokens, cfg.heads, cfg.labels, strict=True):
                if head is not None and head == gold.head and label != gold.label:
                    found += self.weight(gold)
                if cfg.system.tags and None not in (word.upos, gold.upos) and word.upos != gold.upos:
                    found += self.weight(gold)
        return found

    def cost(self, transition: Transition, cfg: Configuration, tree: DependencyTree) -> int:
        """How much the loss rises with a transition.

        Raises:
            IllegalTransition: the transition is not possible.
            LossNotFound: finding it would take too long.
            OracleNotDefined: the system has no dynamic oracle, or only knows the costs of unweighted trees.
        """
        check_gold(cfg, tree)
        if not transition.is_possible(cfg):
            raise IllegalTransition(f"{transition!r} has no cost, because it is not possible in {quoted(cfg)}")
        return self(transition(cfg), tree) - self(cfg, tree)

    def oracle(self, cfg: Configuration, tree: DependencyTree, label: Label = untyped) -> tuple[Transition, ...]:
        """The oracle function that returns the transitions of cost 0.

        >>> from deptrees.transition import ArcEager, Oracle
        >>> tree = DependencyTree([(2, "I"), (0, "sing")])
        >>> [gold for _, gold in Oracle(ArcEager(), HammingLoss().oracle)(tree)]
        [(Shift(),), (LeftArc(),), (RightArc(),)]
        """
        check_gold(cfg, tree)
        least = _least_costs(self.weight, tree, cfg.system)
        now = least(cfg)
        free = [transition for transition in cfg.possible_transitions() if least(transition(cfg)) == now]
        return tuple([labeled(transition, cfg, tree, label) for transition in free])


def is_of_hamming_loss(oracle: OracleFunction) -> bool:
    """Whether an oracle function is that of a Hamming loss: it answers in every configuration, for every gold tree."""
    return isinstance(getattr(oracle, "__self__", None), HammingLoss)


def _checked(weight: int, token: Token) -> int:
    if isinstance(weight, int | np.integer) and weight >= 0:  # losses are whole numbers, and least where none is lost
        return int(weight)
    raise ValueError(f"the weight of the word {quoted(token.form)} is a whole number, 0 or more, not {quoted(weight)}")


@lru_cache(maxsize=64)
def _least_costs(weight: Callable[[Token], int], tree: DependencyTree, system: System) -> LeastCosts:
    """From a configuration to what the wrong heads of a best reachable tree weigh."""
    if system.builds_graphs:
        raise OracleNotDefined(f"{system} builds graphs: what words weigh is told of trees")
    weights = np.array([0, *[_checked(weight(token), token) for token in tree.tokens]])
    costs = gold_costs(system.gold_heads(tree), system.empty_means_unknown) * weights
    exact = system.oracles.loss
    found = None if exact is None else exact.least_costs(costs, system)
    if found is None:
        raise OracleNotDefined(f"{system} does not tell what weighted arcs cost: use a system with a dynamic oracle")
    return found
