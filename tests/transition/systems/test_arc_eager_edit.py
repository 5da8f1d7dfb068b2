"""Words that a speaker takes back, and what becomes of what was built with them."""

from random import Random
from typing import Any

import pytest

from deptrees import DependencyTree, Token
from deptrees.transition import (
    ArcEagerEdit,
    Edit,
    IllegalTransition,
    LeftArc,
    Oracle,
    Reduce,
    RightArc,
    Shift,
    Transition,
    dynamic_oracle,
    exhaustive_loss,
    loss,
    reachable,
    static_oracle,
)
from deptrees.transition.exhaustive import reachable_heads
from tests.tiers import slow


def reached(*transitions: Transition, n: int) -> Any:
    cfg: Any = ArcEagerEdit().initial([f"w{word}" for word in range(1, n + 1)])
    for transition in transitions:
        cfg = transition(cfg)
    return cfg


@pytest.mark.parametrize("n", [1, 2, 3, slow(4)])
def test_all_projective_trees_of_any_words_are_built_and_no_others(n: int) -> None:
    system = ArcEagerEdit()
    built = reachable_heads(system.initial(["w"] * n))
    assert built == {tree.heads for tree in system.structures(n) if system.obstacle(tree) is None}
    assert len(built) == [2, 6, 25, 126][n - 1]


@pytest.mark.parametrize("n", [3, 4, slow(5), slow(6)])
def test_losses_of_trees_with_disfluent_words_are_those_of_exhaustive_search(n: int) -> None:
    system, rng = ArcEagerEdit(), Random(n)
    configurations = [*reachable(system, n)]
    for _ in range(8):
        heads = [rng.choice([None, *range(word)]) for word in range(1, n + 1)]
        order = rng.sample(range(1, n + 1), n)
        place = {word: order[word - 1] for word in range(1, n + 1)} | {0: 0, None: None}
        found = {place[word]: place[head] for word, head in enumerate(heads, 1)}
        gold = DependencyTree((found[word], "w") for word in range(1, n + 1))
        for cfg in rng.sample(configurations, min(len(configurations), 200)):
            assert loss(cfg, gold) == exhaustive_loss(cfg, gold)


def test_edit_takes_out_what_is_on_the_right_and_frees_what_is_on_the_left() -> None:
    cfg = reached(Shift(), LeftArc(), Shift(), RightArc(), RightArc(), Reduce(), Reduce(), n=5)
    assert (cfg.stack, cfg.front, cfg.heads) == ((2,), 5, (2, None, 2, 3, None))
    edited = Edit()(cfg)
    assert (edited.stack, edited.disfluent, edited.heads) == ((1,), (2, 3, 4), (None,) * 5)
    assert edited.labels == (None,) * 5


def test_dependents_of_the_front_of_the_buffer_stay() -> None:
    cfg = Edit()(reached(Shift(), Shift(), LeftArc(), n=3))
    assert (cfg.heads, cfg.disfluent) == ((None, 3, None), (1,))


def test_edit_needs_a_word() -> None:
    with pytest.raises(IllegalTransition, match="s0 exists"):
        Edit()(ArcEagerEdit().initial(["um"]))


def test_words_of_a_reparandum_are_disfluent() -> None:
    words = [
        Token("to", head=2, label="case"),
        Token("Boston", head=4, label="reparandum"),
        Token("to", head=4, label="case"),
        Token("Denver", head=0, label="root"),
    ]
    tree, system = DependencyTree(words), ArcEagerEdit()
    assert system.gold_heads(tree) == (None, None, 4, 0)
    *_, (cfg, last) = Oracle(system, static_oracle)(tree)
    assert last(cfg).disfluent == (1, 2)
    assert dynamic_oracle(reached(Shift(), LeftArc(), Shift(), n=4), tree) == (Edit(), Shift())


def test_what_cannot_be_built_is_named() -> None:
    system = ArcEagerEdit()
    on_disfluent = DependencyTree([(2, "w"), (None, "w")])
    assert "word 1 depends on word 2, which is disfluent" in str(system.obstacle(on_disfluent))
    crossing = DependencyTree([(3, "w"), (4, "w"), (0, "w"), (3, "w")])
    assert "projective" in str(system.obstacle(crossing))
    assert system.obstacle(crossing.reattach([3, None, 0, 3])) is None
