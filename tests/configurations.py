"""All configurations of a system, and the exact loss of each, computed apart from the library."""

from collections.abc import Iterator
from itertools import product
from random import Random

import numpy as np
import numpy.typing as npt

from deptrees import DependencyTree, TreeError, projective_trees, random_projective_tree
from deptrees.transition import (
    ArcEager,
    ArcEagerPartial,
    ArcEagerSpan,
    ArcHybrid,
    ArcHybridPartial,
    ArcHybridSpan,
    ArcStandard,
    ArcSwift,
    Configuration,
    NonMonotonicArcEager,
    StackBufferSystem,
)

PROJECTIVE_SYSTEMS: list[StackBufferSystem] = [
    system(root=root)
    for system in (ArcStandard, ArcHybrid, ArcEager, NonMonotonicArcEager, ArcSwift)
    for root in ("first", "last")
]
"""Those that build exactly the projective trees."""
SINGLE_ROOT_SYSTEMS: list[StackBufferSystem] = [
    system
    for kind in (ArcStandard, ArcHybrid, ArcEager, NonMonotonicArcEager, ArcSwift)
    for system in (kind(single_root=True), kind(root="last", single_root=True), kind(root="none"))
]
"""Those that build exactly the projective trees in which ROOT has one child."""
PARTIAL_SYSTEMS: list[StackBufferSystem] = [
    system
    for root in ("first", "last")
    for system in (
        ArcEagerPartial(root=root),
        ArcHybridPartial(root=root),
        ArcEagerSpan(1, root=root),
        ArcHybridSpan(2, root=root),
    )
]
"""Those that may leave words without a head."""
SYSTEMS = PROJECTIVE_SYSTEMS + SINGLE_ROOT_SYSTEMS + PARTIAL_SYSTEMS


def words(n: int) -> list[str]:
    return [f"w{position}" for position in range(1, n + 1)]


def partial_trees(n: int) -> Iterator[DependencyTree]:
    """Every tree over n words, with or without each head, projective or not."""
    for heads in product([None, *range(n + 1)], repeat=n):
        try:
            yield DependencyTree(zip(heads, words(n), strict=True))
        except TreeError:
            continue


def trees_of(system: StackBufferSystem, n: int) -> list[DependencyTree]:
    """Every tree over n words that a system that builds projective trees ought to build."""
    return [tree for tree in projective_trees(n) if len(tree.roots) == 1 or not system.has_single_root]


def random_tree_of(system: StackBufferSystem, n: int, seed: int) -> DependencyTree:
    """A random projective tree that a system can build."""
    tree = random_projective_tree(n, seed)
    if not system.has_single_root:
        return tree
    first, *others = tree.roots
    return tree.reattach([first if word in others else head for word, head in enumerate(tree.heads, 1)])


def random_tree(n: int, rng: Random) -> DependencyTree:
    """A tree over n words in which most arcs cross."""
    order = rng.sample(range(1, n + 1), n)
    heads = {word: rng.choice([0, *order[:index]]) for index, word in enumerate(order)}
    return DependencyTree((heads[word], f"w{word}") for word in range(1, n + 1))


class Losses:
    """For every configuration the loss against each of some gold trees: the fewest wrong heads it can end with.

    Final configurations are compared with the gold trees; the loss of any other is the least of its successors'.
    """

    def __init__(self, gold_trees: list[DependencyTree]) -> None:
        n = len(gold_trees[0])
        self.gold = np.array([[-1 if head is None else head for head in tree.heads] for tree in gold_trees])
        assert self.gold.shape == (len(gold_trees), n)
        self._losses: dict[Configuration, npt.NDArray[np.intp]] = {}

    def __getitem__(self, cfg: Configuration) -> npt.NDArray[np.intp]:
        if cfg not in self._losses:
            if cfg.is_final:
                heads = np.array([-2 if head is None else head for head in cfg.heads])
                self._losses[cfg] = ((self.gold != heads) & (self.gold >= 0)).sum(axis=1)
            else:
                successors = [self[transition(cfg)] for transition in cfg.possible_transitions()]
                self._losses[cfg] = np.min(successors, axis=0)
        return self._losses[cfg]
