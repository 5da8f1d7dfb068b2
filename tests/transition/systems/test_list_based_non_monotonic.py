from typing import Any

import pytest

from deptrees import DependencyTree, all_trees
from deptrees.transition import (
    LeftArc,
    ListBasedConfiguration,
    ListBasedNonMonotonic,
    LossNotFound,
    NoArc,
    Oracle,
    RightArc,
    Shift,
    cost,
    dynamic_oracle,
    exhaustive_loss,
    loss,
    reachable,
    static_oracle,
)
from deptrees.transition.losses import list_based_non_monotonic
from deptrees.transition.losses.list_based_non_monotonic import _Gold, _State
from tests.tiers import slow
from tests.transition.configurations import Losses, follow, partial_trees, rebuilt

SYSTEM = ListBasedNonMonotonic()


def after(*transitions: Any, n: int = 3) -> Any:
    return follow(SYSTEM.initial([f"w{word}" for word in range(1, n + 1)]), transitions)


@pytest.mark.parametrize("n", [1, 2, 3, slow(4)])
def test_every_forest_is_built(n: int) -> None:
    assert {cfg.heads for cfg in reachable(SYSTEM, n) if cfg.is_final} == {tree.heads for tree in partial_trees(n)}


def test_an_arc_replaces_the_head_of_its_dependent_with_its_label() -> None:
    cfg = after(RightArc("root"), Shift(), LeftArc("nsubj"))
    assert (cfg.heads, cfg.labels) == ((2, None, None), ("nsubj", None, None))


def test_an_arc_that_would_close_a_cycle_makes_its_head_a_root() -> None:
    to_the_left = after(Shift(), RightArc("a"), Shift(), RightArc("b"), LeftArc("c"))
    assert (to_the_left.heads, to_the_left.labels) == ((3, 1, None), ("c", "a", None))
    to_the_right = after(Shift(), LeftArc("a"), Shift(), LeftArc("b"), RightArc("c"))
    assert (to_the_right.heads, to_the_right.labels) == ((None, 3, 1), (None, "b", "c"))


def test_what_is_possible_is_said() -> None:
    assert after().possible_transitions() == (RightArc(), NoArc(), Shift())
    assert after(RightArc(), Shift()).possible_transitions() == (LeftArc(), RightArc(), NoArc(), Shift())
    assert after(NoArc()).missing(NoArc()) == "λ1 ≠ []"
    assert after().missing(LeftArc()) == "i ≠ 0"


@pytest.mark.parametrize("n", [2, 3, slow(4)])
def test_losses_are_between_the_bounds_of_the_paper_and_the_lower_one_is_mostly_attained(n: int) -> None:
    """With the conflicts that are found it always is, in up to four words: the search is for longer sentences."""
    trees = list(all_trees(n))
    losses, greater = Losses(trees), 0
    for cfg in reachable(SYSTEM, n):
        assert isinstance(cfg, ListBasedConfiguration)
        state = _State.of(cfg)
        for tree, exact in zip(trees, losses[cfg].tolist(), strict=True):
            problem = _Gold(tree.heads)
            available = problem.available(state)
            lost = problem.lost(available)
            assert lost <= exact <= lost + count_simple_cycles({*arcs(cfg.heads), *arcs(available)})
            assert problem.bound(state) == exact
            greater += exact > lost
    assert greater == {2: 0, 3: 7, 4: 957}[n]


def arcs(heads: tuple[int | None, ...]) -> list[tuple[int, int]]:
    return [(head, word) for word, head in enumerate(heads, 1) if head is not None]


def count_simple_cycles(among: set[tuple[int, int]]) -> int:
    """How many cycles arcs form that pass no word twice; words may have several heads."""
    count = 0
    paths: list[tuple[int, ...]] = [(word,) for word in {word for _, word in among}]
    while paths:
        path = paths.pop()
        for head, word in among:
            if head == path[-1]:
                count += word == path[0]
                paths += [(*path, word)] * (word > path[0] and word not in path)
    return count


WRONG = after(Shift(), Shift(), LeftArc(), LeftArc(), RightArc(), Shift(), NoArc(), NoArc(), RightArc(), Shift(), n=6)
GOLD = DependencyTree([(None, "a"), (None, "b"), (6, "c"), (None, "d"), (3, "e"), (4, "f")])
"""Arcs in a conflict that is not found at once: 6 → 3, 3 → 5 and 4 → 6, where A has 0 → 3, 3 → 1, 3 → 2, 1 → 4."""


def test_where_a_conflict_is_not_found_at_once_it_is_searched() -> None:
    state, problem = _State.of(WRONG), _Gold(GOLD.heads)
    assert problem.bound(state) == 0
    assert not problem.is_attained(state, 0)
    assert loss(WRONG, GOLD) == exhaustive_loss(WRONG, GOLD) == 1
    for transition in WRONG.possible_transitions():
        exact = exhaustive_loss(transition(WRONG), GOLD) - exhaustive_loss(WRONG, GOLD)
        assert cost(transition, WRONG, GOLD) == exact


def test_a_search_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_based_non_monotonic, "LIMIT", 1)
    list_based_non_monotonic._loss.cache_clear()
    with pytest.raises(LossNotFound, match=r"^1 configurations were not enough to find a loss where arcs are replaced"):
        loss(WRONG, GOLD)


def test_oracles_undo_an_arc_that_would_be_in_the_way() -> None:
    """With 2 → 3 and 1 → 2, 3 would depend on 1, whose head it is to become. So 2 gets another head before."""
    tree = DependencyTree([(3, "a"), (None, "b"), (2, "c")])
    cfg = after(Shift(), RightArc())
    assert (static_oracle(cfg, tree), dynamic_oracle(cfg, tree)) == (RightArc(), (RightArc(),))
    while not cfg.is_final:
        cfg = static_oracle(cfg, tree)(cfg)
    assert cfg.heads == (3, 0, 2)


def test_where_nothing_has_to_be_undone_the_static_oracle_is_covington_s() -> None:
    tree = DependencyTree([(3, "Who"), (0, "did"), (2, "see")])
    assert rebuilt(Oracle(SYSTEM, static_oracle), tree) == tree.heads
    taken = [transition for _, transition in Oracle(SYSTEM, static_oracle)(tree)]
    assert taken == [Shift(), NoArc(), RightArc(), Shift(), RightArc(), LeftArc(), Shift()]
