"""The losses of the stack-pointer.

A gold arc is a target arc, which can still be built, if its dependent has no head yet, and its head has none, too, or
is on the stack and can get the dependent. Target arcs make no cycles, for all are gold and none leads to a word that
has a head. So they can be built together, as long as the rest of the words can be attached, too:

- A word without a head and without a target arc can be attached to any other word without a head that is not below it,
  as soon as one of them hangs from the stack. A target arc is in the way only if all words that elements of the stack
  can get have target arcs from words without a head. Then one of these is given up.
- If ROOT is to have a single dependent, all of its target arcs but one are given up.

In the projective variant there is no such word: between two neighboring words that have heads, all words that have
none can get the same elements of the stack, and of them the ones without a target arc, too. Only arcs that cross are in
each other's way; in a projective gold tree none do, and for any other Eisner's algorithm finds a best reachable tree.

Let ROOT have got word 2, and word 2 nothing. The gold arc 2 → 1 is lost; and 1 → 3 is given up, for ROOT, which can get
words to the right of word 2 only, must get word 3:

>>> from deptrees.transition import Attach, Reduce, StackPointerNonProjective
>>> tree = DependencyTree([(2, "some"), (0, "dogs"), (1, "more")])
>>> cfg = Reduce(k=2)(Attach(k=2)(StackPointerNonProjective().initial(tree)))
>>> cfg.stack, StackPointerLoss()(cfg, tree)
((0,), 2)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce
from itertools import pairwise
from operator import or_
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from deptrees.transition.losses.arc_costs import ArcCosts, TargetsLoss, best_cost_to_come, excess_roots
from deptrees.transition.losses.work import count_chart, count_work
from deptrees.transition.transitions import Attach, Transition
from deptrees.trees.eisner import least_projective
from deptrees.trees.heads import heads_are_projective
from deptrees.trees.projectivity import is_projective
from deptrees.trees.tree import DependencyTree

if TYPE_CHECKING:
    from deptrees.transition.systems.stack_pointer import StackPointerConfiguration

__all__ = ["ProjectiveStackPointerLoss", "StackPointerLoss"]

Targets = Sequence[int | None]


class StackPointerLoss(TargetsLoss["StackPointerConfiguration"]):
    """The loss of the stack-pointer."""

    def targets(self, cfg: StackPointerConfiguration, tree: DependencyTree) -> Targets:
        headless, can_get = cfg.headless, dict(zip(cfg.stack, cfg.can_get, strict=True))
        targets = [*cfg.heads]
        for word, gold in enumerate(tree.heads, 1):
            if headless >> word & 1 and gold is not None:
                reach = cfg.around(word) >> gold if headless >> gold & 1 else can_get.get(gold, 0) >> word
                targets[word - 1] = gold if reach & 1 else None
        return targets

    def given_up(self, cfg: StackPointerConfiguration, tree: DependencyTree, targets: Targets) -> int:
        from_stack = [targets[word - 1] for word in _elements(reduce(or_, cfg.can_get))]
        none_hangs = all(head is not None and cfg.headless >> head & 1 for head in from_stack)
        return excess_roots(cfg, targets) + (none_hangs and not cfg.is_final)

    def free(self, cfg: StackPointerConfiguration, tree: DependencyTree) -> Iterable[Transition]:
        targets = self.targets(cfg, tree)
        if cfg.is_final or self.given_up(cfg, tree, targets):
            return super().free(cfg, tree)
        # No target arc may be lost: a word that has one does not get another head, and its head must not leave.
        now, top = self(cfg, tree), cfg.stack[-1]
        awaited = [word for word, head in enumerate(targets, 1) if head == top and cfg.headless >> word & 1]
        return [
            transition
            for transition in cfg.possible_transitions()
            if (targets[transition.k - 1] in (None, top) if isinstance(transition, Attach) else not awaited)
            and self(transition(cfg), tree) == now
        ]

    def cost_to_come(self, cfg: StackPointerConfiguration, costs: ArcCosts) -> float:
        return best_cost_to_come(cfg, costs, lambda word: _elements(cfg.possible_heads(word)))


class ProjectiveStackPointerLoss(StackPointerLoss):
    """The loss of the projective variant: of projective gold trees only ROOT's target arcs may have to be given up."""

    def must_give_up(self, cfg: StackPointerConfiguration, tree: DependencyTree, targets: Targets) -> bool:
        return not _are_projective(targets, tree) or excess_roots(cfg, targets) > 0

    def given_up(self, cfg: StackPointerConfiguration, tree: DependencyTree, targets: Targets) -> int:
        if _are_projective(targets, tree):
            return excess_roots(cfg, targets)
        count_work(len(targets) ** 2 // 2)
        elements, possible = _rest(cfg)
        index: dict[int | None, int] = {element: number for number, element in enumerate(elements)}
        gold = [index.get(targets[element - 1], -1) if cfg.headless >> element & 1 else -1 for element in elements]
        return _missed(possible, tuple(gold), cfg.system.single_root)

    def cost_to_come(self, cfg: StackPointerConfiguration, costs: ArcCosts) -> float:
        elements, possible = _rest(cfg)
        arcs = costs[np.ix_(elements, elements)]
        arcs[:, [not cfg.headless >> element & 1 for element in elements]] = 0
        return _least(possible, arcs, cfg.system.single_root)


def _are_projective(targets: Targets, tree: DependencyTree) -> bool:
    return is_projective(tree) or heads_are_projective(tuple(targets))


def _elements(bits: int) -> list[int]:
    return [element for element in range(bits.bit_length()) if bits >> element & 1]


def _rest(cfg: StackPointerConfiguration) -> tuple[list[int], tuple[tuple[int, ...], ...]]:
    """What is left of a sentence, in its order, and for each element the positions of its possible heads.

    That is ROOT, elements of the stack that can get words, each attached to the one below it, and words without a head.
    """
    getting = [0, *[word for word, can_get in zip(cfg.stack[1:], cfg.can_get[1:], strict=True) if can_get]]
    below = {word: 1 << head for head, word in pairwise(getting)}
    elements = sorted([*getting, *_elements(cfg.headless)])
    heads = [below.get(element) or (cfg.possible_heads(element) if element else 0) for element in elements]
    return elements, tuple(tuple(number for number, head in enumerate(elements) if of >> head & 1) for of in heads)


@lru_cache(maxsize=1 << 14)
def _missed(possible: tuple[tuple[int, ...], ...], gold: tuple[int, ...], single_root: bool) -> int:
    """How many gold arcs the best projective tree with possible heads must do without: -1 is for none."""
    heads = np.array(gold)
    return int(_least(possible, (heads >= 0) & (heads != np.arange(len(gold))[:, None]), single_root))


def _least(possible: Sequence[Sequence[int]], costs: npt.ArrayLike, single_root: bool) -> float:
    """The cost of the best projective tree with possible heads only."""
    count_chart(len(possible))
    arcs = np.full(np.shape(costs), np.inf)
    for position, heads in enumerate(possible):
        arcs[list(heads), position] = np.asarray(costs)[list(heads), position]
    return float(least_projective(arcs, single_root))
