"""The static-dynamic oracle of arc-hybrid with swaps, beside the algorithm of its paper and exhaustive search."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from deptrees import DependencyTree, all_trees
from deptrees.transition import (
    ArcHybridSwap,
    ArcStandardSwap,
    LeftArc,
    OracleNotDefined,
    RightArc,
    Shift,
    StackBufferSystem,
    Swap,
    Transition,
    explain,
    reachable,
    static_dynamic_oracle,
)
from tests.tiers import slow
from tests.transition.configurations import partial_trees, random_tree, with_one_root

EVERY_VARIANT = pytest.mark.parametrize("system", [ArcHybridSwap(), ArcHybridSwap(single_root=True)], ids=repr)


class Published:
    """The oracle as de Lhoneux, Stymne & Nivre 2017 state it: it keeps the dependents that words can still get.

    A Shift after which the word will be swapped back takes none of them away.
    """

    def __init__(self, tree: DependencyTree) -> None:
        self.heads = [0, *(head or 0 for head in tree.heads)]
        self.order = tree.projective_order
        self.within_reach = [set(tree.dependents(position)) for position in range(len(tree) + 1)]

    def gold(self, cfg: Any) -> set[Transition]:
        """The transitions that cost nothing."""
        possible = cfg.possible_transitions()
        if Swap() in possible and self.order[cfg.stack[-1]] > self.order[cfg.buffer[0]]:
            return {Swap()}
        return {transition for transition in possible if transition != Swap() and not self._cost(transition, cfg)}

    def take(self, transition: Transition, cfg: Any) -> None:
        """Forget the dependents that words can no longer get after a transition."""
        if transition in (LeftArc(), RightArc()):
            word = cfg.stack[-1]
            self.within_reach[word].clear()
            self.within_reach[self.heads[word]].discard(word)
        elif transition == Shift() and not self._comes_back(cfg):
            word = cfg.buffer[0]
            self.within_reach[word] -= {*cfg.stack}
            if self.heads[word] in cfg.stack[:-1]:
                self.within_reach[self.heads[word]].discard(word)

    def _cost(self, transition: Transition, cfg: Any) -> int:
        if transition != Shift():
            head, word = cfg.buffer[0] if transition == LeftArc() else cfg.stack[-2], cfg.stack[-1]
            return len(self.within_reach[word]) + (head != self.heads[word] and self._has_head_in_reach(word))
        word = cfg.buffer[0]
        if self._comes_back(cfg):
            return 0
        loses_head = self.heads[word] in cfg.stack[:-1] and self._has_head_in_reach(word)
        return len(self.within_reach[word] & {*cfg.stack}) + loses_head

    def _has_head_in_reach(self, word: int) -> bool:
        return word in self.within_reach[self.heads[word]]

    def _comes_back(self, cfg: Any) -> bool:
        """Whether b0, once shifted, will be swapped."""
        word, *others = cfg.buffer
        return any(other > word and self.order[other] < self.order[word] for other in others)


@EVERY_VARIANT
@pytest.mark.parametrize("count", [60, slow(2000)])
def test_the_oracle_is_the_published_one_wherever_words_are_swapped_as_it_says(
    system: StackBufferSystem, count: int
) -> None:
    rng, mistakes = Random(1), 0
    for _ in range(count):
        tree = random_tree(rng.randint(1, 15), rng)
        cfg: Any = system.initial(with_one_root(tree) if system.has_single_root else tree)
        published = Published(cfg.source)
        while not cfg.is_final:
            gold = static_dynamic_oracle(cfg, cfg.source)
            named = published.gold(cfg)
            assert {*gold} == named or (system.has_single_root and not named), cfg
            wrong = [t for t in cfg.possible_transitions() if t != Swap() and t not in gold]
            taken = rng.choice(wrong if wrong and Swap() not in gold and rng.random() < 0.3 else gold)
            mistakes += taken in wrong
            published.take(taken, cfg)
            cfg = taken(cfg)
    assert mistakes > count


def leads_to(cfg: Any, tree: DependencyTree) -> Iterator[tuple[int | None, ...]]:
    """The heads in which the oracle's transitions may end."""
    seen, todo = {cfg}, [cfg]
    while todo:
        cfg = todo.pop()
        if cfg.is_final:
            yield cfg.heads
        after = {transition(cfg) for transition in static_dynamic_oracle(cfg, tree)} if not cfg.is_final else set()
        todo += after - seen
        seen |= after


@EVERY_VARIANT
@pytest.mark.parametrize("n", [1, 2, 3, 4, slow(5)])
def test_all_its_transitions_lead_to_the_gold_tree(system: StackBufferSystem, n: int) -> None:
    for tree in all_trees(n):
        if system.obstacle(tree) is None:
            assert {*leads_to(system.initial(tree), tree)} == {tree.heads}


@pytest.mark.parametrize("n", [1, 2, 3, slow(4)])
def test_heads_that_are_known_are_found_where_others_are_not(n: int) -> None:
    system = ArcHybridSwap()
    for tree in partial_trees(n):
        for heads in leads_to(system.initial(tree), tree):
            assert system.wrong_words(heads, tree) == []


@EVERY_VARIANT
@pytest.mark.parametrize("n", [1, 2, 3])
def test_it_has_an_answer_in_all_configurations(system: StackBufferSystem, n: int) -> None:
    trees = list(partial_trees(n))
    for cfg in reachable(system, n):
        for tree in [] if cfg.is_final else trees:
            gold = static_dynamic_oracle(cfg, tree)
            assert gold
            assert {*gold} <= {*cfg.possible_transitions()}


def test_where_each_transition_loses_arcs_it_names_those_that_lose_the_fewest() -> None:
    tree = DependencyTree([(3, "1"), (0, "2"), (0, "3")])
    cfg = Shift()(Shift()(ArcHybridSwap().initial(tree)))  # 2 should have been swapped with 1 before
    assert static_dynamic_oracle(cfg, tree) == (LeftArc(), RightArc(), Shift())


def test_what_the_rows_lose_does_not_explain_exact_costs() -> None:
    tree = DependencyTree([(0, "Sing"), (1, "it")])
    cfg = Shift()(ArcHybridSwap().initial(tree))
    assert explain(LeftArc(), cfg, tree).lost == {}


def test_other_systems_do_not_have_it() -> None:
    tree = DependencyTree([(0, "Sing")])
    with pytest.raises(OracleNotDefined, match="has no static_dynamic oracle"):
        static_dynamic_oracle(ArcStandardSwap().initial(tree), tree)
