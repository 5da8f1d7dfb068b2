"""Every system that is tested, its configurations, and the exact loss of each, computed apart from the library."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cache, reduce
from itertools import product
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from deptrees import DependencyTree, is_projective, projective_trees, random_projective_tree
from deptrees.transition import (
    ArcEagerBufferNonProjective,
    ArcEagerEdit,
    ArcEagerRegisters,
    Configuration,
    Oracle,
    Swap,
    System,
    TwoPlanar,
    cost,
    dynamic_oracle,
    loss,
    nondeterministic_oracle,
    reachable,
    static_oracle,
    static_oracle_prefer_shift,
)
from deptrees.transition.systems.registry import REGISTRY
from deptrees.trees.heads import count_cycles

EVERY_SYSTEM: list[System] = [system for registered in REGISTRY.values() for system in registered.variants]
"""All systems of the library with all of their options, each as it is by default before its variants."""
TABLES: list[Any] = [system for system in EVERY_SYSTEM if system.is_table]
PARTIAL_SYSTEMS: list[Any] = [system for system in TABLES if system.leaves_words]
"""Tables that may leave words without a head."""
EMPTY_MEANT = [system for system in PARTIAL_SYSTEMS if not system.empty_means_unknown]
"""Those that learn which words to leave without a head."""
EMPTY_UNKNOWN = [system for system in PARTIAL_SYSTEMS if system.empty_means_unknown]
"""The same systems, told that an empty head is unknown: these are compared in short sentences only."""
SYSTEMS: list[Any] = [system for system in TABLES if system.projective_only]
"""Tables that build projective trees."""
PROJECTIVE_SYSTEMS = [system for system in SYSTEMS if not (system.leaves_words or system.has_single_root)]
"""Tables that build exactly the projective trees."""
SINGLE_ROOT_SYSTEMS = [system for system in SYSTEMS if not system.leaves_words and system.has_single_root]
"""Tables that build exactly the projective trees in which ROOT has a single dependent."""
SWAP_SYSTEMS = [system for system in TABLES if Swap() in system.transition_space()]
"""Tables that build all trees, for they swap words."""
ATTARDI_SYSTEMS = [system for system in TABLES if system not in SYSTEMS + SWAP_SYSTEMS]
"""Tables that build some of the trees with crossing arcs, and say which they cannot build."""
_OTHERS = [system for system in EVERY_SYSTEM if not system.is_table]
EDIT_SYSTEMS = [system for system in _OTHERS if isinstance(system, ArcEagerEdit)]
"""Those that take words out of the tree."""
LIST_SYSTEMS = [system for system in _OTHERS if system.leaves_words and system not in EDIT_SYSTEMS]
OTHER_PROJECTIVE_SYSTEMS = [system for system in _OTHERS if system.projective_only and not system.leaves_words]
BUFFER_SYSTEMS = [system for system in _OTHERS if isinstance(system, ArcEagerBufferNonProjective)]
"""Those that are no tables, build some of the trees with crossing arcs, and say which they cannot build."""
TWO_PLANAR_SYSTEMS = [system for system in _OTHERS if isinstance(system, TwoPlanar)]
REGISTER_SYSTEMS = [system for system in _OTHERS if isinstance(system, ArcEagerRegisters)]
_ELSEWHERE = [*EDIT_SYSTEMS, *LIST_SYSTEMS, *TWO_PLANAR_SYSTEMS, *BUFFER_SYSTEMS, *REGISTER_SYSTEMS]
OTHER_NON_PROJECTIVE_SYSTEMS = [system for system in _OTHERS if system not in [*OTHER_PROJECTIVE_SYSTEMS, *_ELSEWHERE]]
"""Those that build all trees, or all in which ROOT has a single dependent."""
SEARCHED = [*SWAP_SYSTEMS, *LIST_SYSTEMS, *TWO_PLANAR_SYSTEMS, *REGISTER_SYSTEMS]
"""Those whose losses are found by a search, which takes time."""


@cache
def every_configuration(system: System, n: int) -> tuple[Configuration, ...]:
    """All that can be reached over n words, found once for all tests; for sentences of up to four words."""
    assert n <= 4
    return tuple(reachable(system, n))


@cache
def losses_of_partial_trees(n: int) -> Losses:
    """The losses of all systems against every tree over n words, annotated or in part; for up to three words."""
    assert n <= 3
    return Losses(list(partial_trees(n)))


def words(n: int) -> list[str]:
    return [f"w{position}" for position in range(1, n + 1)]


def partial_trees(n: int) -> Iterator[DependencyTree]:
    """Every tree over n words, with or without each head, projective or not."""
    for heads in product([None, *range(n + 1)], repeat=n):
        if not count_cycles(heads):
            yield DependencyTree(zip(heads, words(n), strict=True))


def trees_of(system: System, n: int) -> list[DependencyTree]:
    """Every tree over n words that a system that builds projective trees ought to build."""
    return [tree for tree in projective_trees(n) if len(tree.roots) == 1 or not system.has_single_root]


def random_tree_of(system: System, n: int, seed: int) -> DependencyTree:
    """A random projective tree that a system can build."""
    tree = random_projective_tree(n, seed)
    return with_one_root(tree) if system.has_single_root else tree


def with_one_root(tree: DependencyTree) -> DependencyTree:
    """The tree with ROOT's other dependents attached to its first one."""
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
        self.trees = gold_trees
        self.gold = np.array([[-1 if head is None else head for head in tree.heads] for tree in gold_trees], np.int8)
        assert self.gold.shape == (len(gold_trees), len(gold_trees[0]))
        self._losses: dict[Configuration, npt.NDArray[np.int8]] = {}
        self._with_successors: dict[Configuration, list[npt.NDArray[np.int8]]] = {}

    def wrong(self, cfg: Configuration) -> npt.NDArray[np.bool_]:
        """Which words have another head than the gold one, for each gold tree; words without a head have -1."""
        gold, longest = self.gold, getattr(cfg.system, "longest_arc", None)
        if longest is not None:
            gold = np.where(abs(gold - np.arange(1, gold.shape[1] + 1)) > longest, -1, gold)
        wrong: npt.NDArray[np.bool_] = (gold != _heads(cfg)) & ((gold >= 0) | (not cfg.system.empty_means_unknown))
        return wrong

    def __getitem__(self, cfg: Configuration) -> npt.NDArray[np.int8]:
        if cfg not in self._losses:
            if cfg.is_final:
                self._losses[cfg] = self.wrong(cfg).sum(axis=1, dtype=np.int8)
            else:
                successors = [self[transition(cfg)] for transition in cfg.possible_transitions()]
                self._losses[cfg] = np.min(successors, axis=0)
        return self._losses[cfg]

    def with_successors(self, cfg: Configuration) -> list[npt.NDArray[np.int8]]:
        """The losses of a configuration and of its successors, looked up once for all gold trees."""
        if cfg not in self._with_successors:
            successors = [transition(cfg) for transition in cfg.possible_transitions()]
            self._with_successors[cfg] = [self[one] for one in (cfg, *successors)]
        return self._with_successors[cfg]


def left(cfg: Any) -> tuple[tuple[int, ...], ...]:
    """What is left to parse in a configuration of stacks, registers and a buffer."""
    return tuple(cfg.parts.values())


def _heads(cfg: Configuration) -> npt.NDArray[np.int8]:
    """The head of each word, -1 if it has none."""
    return np.array([-1 if head is None else head for head in cfg.heads], np.int8)


class Kinds:
    """Of the gold trees that differ in a configuration by nothing but errors made before, one of each kind.

    It is for systems in which heads are for good. Trees are of the same kind if they agree on the heads of all words
    that have none yet, and both are projective or neither is. The errors still to come are then the same, which is
    asserted of what exhaustive search finds. All trees that are still within reach are chosen, too, for there oracles
    may find the answer in another way.

    Args:
        losses: the losses, and the gold trees.
        alike: if it is given, which of these configurations come in the same kinds. Those of one kind have the same
            left, the same words without a head, the same possible transitions and the same errors to come against every
            tree; each of them gets a part of what is chosen.
    """

    def __init__(self, losses: Losses, alike: Sequence[Configuration] = ()) -> None:
        self._losses = losses
        self._projective = np.array([is_projective(tree) for tree in losses.trees], np.int8)
        self._members: dict[tuple[int, ...], tuple[npt.NDArray[np.intp], ...]] = {}
        numbers: dict[Hashable, int] = {}
        self._kinds = {cfg: numbers.setdefault(self._kind(cfg), len(numbers)) for cfg in alike}
        self._sizes = Counter(self._kinds.values())
        self._turns: Counter[int] = Counter()

    def __call__(self, cfg: Configuration) -> list[int]:
        """The numbers of the chosen trees, of each kind not always the same where something else is left to parse."""
        heads, losses = _heads(cfg), self._losses[cfg]
        by_kind, first, size = self._of_each_kind(tuple(np.flatnonzero(heads < 0).tolist()))
        to_come = self._to_come(cfg)[by_kind]
        assert (to_come == np.repeat(to_come[first], size)).all(), cfg
        chosen = by_kind[first + hash(cfg.neighbors()) % size][self._part(cfg, len(first))]
        return np.union1d(chosen, np.flatnonzero(losses == 0)).tolist()  # type: ignore[no-any-return]

    def _part(self, cfg: Configuration, count: int) -> slice:
        """Which of the kinds of trees it is a configuration's turn to be compared with."""
        if cfg not in self._kinds:
            return slice(None)
        kind = self._kinds[cfg]
        turn = self._turns[kind]
        self._turns[kind] += 1
        return slice(turn % count, None, self._sizes[kind])

    def _kind(self, cfg: Configuration) -> Hashable:
        without_head = tuple(head is None for head in cfg.heads)
        return left(cfg), without_head, cfg.possible_transitions(), hash(self._to_come(cfg).tobytes())

    def _to_come(self, cfg: Configuration) -> npt.NDArray[np.int8]:
        """The errors to come against each tree."""
        made = (self._losses.wrong(cfg) & (_heads(cfg) >= 0)).sum(axis=1, dtype=np.int8)
        to_come: npt.NDArray[np.int8] = self._losses[cfg] - made
        return to_come

    def _of_each_kind(self, headless: tuple[int, ...]) -> tuple[npt.NDArray[np.intp], ...]:
        """The numbers of the trees ordered by kind, where each kind begins, and how many are of it."""
        if headless not in self._members:
            columns = np.column_stack([self._projective, self._losses.gold[:, headless]])
            kind = np.unique(columns, axis=0, return_inverse=True)[1].reshape(-1)
            size = np.bincount(kind)
            self._members[headless] = np.argsort(kind, kind="stable"), np.cumsum(size) - size, size
        return self._members[headless]


def _swaps(cfg: Configuration) -> bool:
    """Whether the system swaps words: its static oracles are defined along their own derivations only."""
    return Swap() in cfg.system.transition_space()


def assert_oracles_are_exact(cfg: Configuration, losses: Losses, chosen: Sequence[int] | None = None) -> int:
    """Compare the loss, the costs of all transitions and the oracles with exhaustive search; the number of gold trees.

    Args:
        cfg: the configuration; of final ones only the loss is asked.
        losses: the losses, and the gold trees.
        chosen: the numbers of the gold trees to compare with; if it is not given, all.
    """
    numbers = range(len(losses.trees)) if chosen is None else chosen
    least, *after = [found[numbers].tolist() for found in losses.with_successors(cfg)]
    for number, now in zip(numbers, least, strict=True):
        assert loss(cfg, losses.trees[number]) == now, (cfg, losses.trees[number])
    if cfg.is_final or not numbers:
        return len(numbers)
    transitions = cfg.possible_transitions()
    for number, now, *left in zip(numbers, least, *after, strict=True):
        tree = losses.trees[number]
        best = tuple([transition for transition, then in zip(transitions, left, strict=True) if then == now])
        assert dynamic_oracle(cfg, tree) == best, (cfg, tree)
        for transition, then in zip(transitions, left, strict=True):
            assert cost(transition, cfg, tree) == then - now, (transition, cfg, tree)
        if now == 0:
            assert nondeterministic_oracle(cfg, tree) == best, (cfg, tree)
            if not _swaps(cfg):
                assert static_oracle(cfg, tree) in best, (cfg, tree)
            if cfg.oracles.static_prefer_shift:
                assert static_oracle_prefer_shift(cfg, tree) in best, (cfg, tree)
    return len(numbers)


def rebuilt(oracle: Oracle, tree: DependencyTree) -> tuple[int | None, ...]:
    """The heads at the end of a derivation of a tree."""
    *_, step = oracle(tree).steps()
    cfg: Configuration = step.taken(step.config)
    return cfg.heads


def follow(cfg: Any, transitions: Iterable[Any]) -> Any:
    """The configuration that transitions lead to, one after the other."""
    return reduce(lambda cfg, transition: transition(cfg), transitions, cfg)


def assert_costs_add_up(system: Any, tree: DependencyTree, rng: Random) -> None:
    """The loss at the start and the costs of random transitions make the number of wrong heads in the end."""
    cfg = system.initial(tree)
    total = loss(cfg, tree)
    while not cfg.is_final:
        transition = rng.choice(cfg.possible_transitions())
        total += cost(transition, cfg, tree)
        cfg = transition(cfg)
    assert total == Losses([tree]).wrong(cfg).sum()
    # Walks at random go wrong somewhere, unless the system takes hardly any gold head.
    assert total > 0 or system.gold_heads(tree).count(None) > len(tree) / 2
