"""The pointer and the stack-pointer."""

from typing import Any

import pytest

from deptrees import DependencyTree, random_projective_tree
from deptrees.transition import (
    Attach,
    Configuration,
    IllegalTransition,
    Oracle,
    PointerNonProjective,
    PointerProjective,
    Reduce,
    Shift,
    StackPointerNonProjective,
    StackPointerProjective,
    System,
    Transition,
    dynamic_oracle,
    loss,
    reachable,
    static_oracle,
    typed,
)
from tests.transition.configurations import follow, rebuilt

TREE = DependencyTree(
    [(2, "I", "nsubj"), (0, "saw", "root"), (4, "a", "det"), (2, "dog", "obj"), (2, "here", "advmod")]
)


def after(system: System, *transitions: Transition, n: int = 4) -> Configuration:
    found: Configuration = follow(system.initial([f"w{word}" for word in range(1, n + 1)]), transitions)
    return found


ORDERS = {"left_to_right": [1, 2, 3, 4, 5], "right_to_left": [5, 4, 3, 2, 1], "outside_in": [1, 5, 2, 4, 3]}


@pytest.mark.parametrize("kind", [PointerNonProjective, PointerProjective])
@pytest.mark.parametrize(("order", "turns"), ORDERS.items())
@pytest.mark.parametrize("function", [static_oracle, dynamic_oracle])
def test_the_orders_of_turns(kind: Any, order: str, turns: list[int], function: Any) -> None:
    cfg = kind(order=order).initial(TREE)
    for word in turns:
        assert cfg.word == word
        cfg = Attach(k=(TREE.heads[word - 1] or 0) + 1)(cfg)
    assert cfg.is_final
    for n in (1, 2, 12):
        tree = random_projective_tree(n, n)
        assert rebuilt(Oracle(kind(order=order), function), tree) == tree.heads


@pytest.mark.parametrize("kind", [PointerNonProjective, PointerProjective])
def test_each_word_in_turn_is_attached_to_its_head(kind: type[System]) -> None:
    taken = [transition for _, transition in Oracle(kind(), static_oracle, typed)(TREE)]
    assert taken == [Attach(token.label, k=token.head + 1) for token in TREE if token.head is not None]


@pytest.mark.parametrize("kind", [StackPointerNonProjective, StackPointerProjective])
def test_the_top_of_the_stack_points_at_its_dependents_and_then_at_itself(kind: type[System]) -> None:
    taken: list[Any] = [transition for _, transition in Oracle(kind(), static_oracle)(TREE)]
    assert [transition.k for transition in taken] == [2, 1, 1, 4, 3, 3, 4, 5]


def test_the_two_orders() -> None:
    tree = DependencyTree([(3, "the"), (3, "old"), (0, "man"), (3, "there")])
    inside_out, left_to_right = (
        [transition.k for _, transition in Oracle(StackPointerProjective(order=order), "static")(tree)]
        for order in ("inside_out", "left_to_right")
    )
    assert inside_out == [3, 2, 2, 1, 1, 4]
    assert left_to_right == [3, 1, 1, 2, 2, 4]


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_pointer_s_configurations_are_the_forests_in_which_the_first_words_have_heads(n: int) -> None:
    forests = [(n + 1 - attached) * (n + 1) ** attached // (n + 1) for attached in range(n + 1)]  # Cayley's formula
    assert sum(1 for _ in reachable(PointerNonProjective(), n)) == sum(forests)


@pytest.mark.parametrize("function", [static_oracle, dynamic_oracle])
@pytest.mark.parametrize("kind", [PointerProjective, StackPointerProjective, StackPointerNonProjective])
def test_long_trees_are_rebuilt(kind: type[System], function: Any) -> None:
    tree = random_projective_tree(30, 1)
    assert rebuilt(Oracle(kind(), function), tree) == tree.heads


def test_cycles_cost_one_arc_each() -> None:
    cfg = after(PointerNonProjective(), Attach(k=3), Attach(k=5))  # 2 → 1, 4 → 2
    assert loss(cfg, DependencyTree([(2, "a"), (0, "b"), (0, "c"), (2, "d")])) == 2  # 0 → 2, and 2 → 4 makes a cycle


@pytest.mark.parametrize(
    ("cfg", "transition", "missing"),
    [
        (after(PointerNonProjective()), Shift(), "it belongs to this system"),
        (after(PointerNonProjective(), *[Attach()] * 4), Attach(), "there is a word left"),
        (after(PointerNonProjective()), Attach(k=6), "1 ≤ k ≤ 5"),
        (after(PointerNonProjective()), Attach(k=0), "1 ≤ k ≤ 5"),
        (after(PointerNonProjective()), Attach(k=2), "no path leads from 1 to 1"),
        (after(PointerNonProjective(), Attach(k=3)), Attach(k=2), "no path leads from 2 to 1"),
        (after(PointerNonProjective(single_root=True), Attach()), Attach(), "ROOT has no dependent"),
        (after(PointerProjective(), Attach(k=4)), Attach(), "0 → 2 crosses no arc"),
        (
            after(PointerProjective("outside_in"), Attach(k=5)),
            Attach(k=3),
            "no arc spans 2, which leads to its head",
        ),
        (after(StackPointerProjective()), Shift(), "it belongs to this system"),
        (after(StackPointerProjective(), Attach(), n=1), Reduce(), "there is a word without a head"),
        (after(StackPointerProjective(), Attach()), Reduce(k=2), "k = s0, which is 1"),
        (after(StackPointerProjective()), Reduce(k=0), "no word without a head needs 0"),
        (after(StackPointerProjective(), Attach(k=2)), Reduce(k=2), "no word without a head needs 2"),
        (after(StackPointerProjective()), Attach(k=5), "1 ≤ k ≤ 4"),
        (after(StackPointerProjective(), Attach()), Attach(), "word 1 has no head"),
        (
            after(StackPointerNonProjective(), Attach(k=2), Attach(k=3), Reduce(k=3)),
            Attach(),
            "2 can get 1 after the dependents that it has",
        ),
        (after(StackPointerProjective(), Attach(k=2)), Attach(k=3), "each word without a head can still get one"),
    ],
)
def test_illegal_transitions_say_what_is_missing(cfg: Configuration, transition: Transition, missing: str) -> None:
    assert not transition.is_possible(cfg)
    with pytest.raises(IllegalTransition) as error:
        transition(cfg)
    assert str(error.value) == f"{transition!r} requires that {missing}, in {cfg!r}"


def test_features_see_the_pair_that_k_stands_for() -> None:
    assert after(PointerProjective(), Attach(k=3)).neighbors(k=5) == ((2, 1, 3), (4, 3, -1))
    assert after(StackPointerProjective(), Attach(k=3)).neighbors(k=1) == ((3, 2, 4), (1, 0, 2))
    assert after(StackPointerProjective()).neighbors(k=4) == ((0, -1, 1), (4, 3, -1))


def test_configurations_show_their_parts() -> None:
    assert (
        repr(after(PointerProjective(), Attach(k=3))) == "PointerProjective(order='left_to_right'): i = 2, A = (2 → 1)"
    )
    cfg = after(StackPointerNonProjective(), Attach("root", k=3))
    assert repr(cfg) == "StackPointerNonProjective(order='inside_out'): σ = (0, 3), A = (0 → 3)"
    assert cfg == after(StackPointerNonProjective(), Attach("root", k=3)) != after(StackPointerNonProjective())


def test_labels_belong_to_attach_only() -> None:
    assert StackPointerProjective().transition_space(["a", "b"]) == (Attach("a"), Attach("b"), Reduce())


@pytest.mark.parametrize("kind", [PointerNonProjective, PointerProjective, StackPointerProjective])
def test_an_empty_sentence_is_parsed_at_once(kind: type[System]) -> None:
    assert kind().initial([]).is_final


@pytest.mark.parametrize("kind", [StackPointerProjective, PointerProjective])
def test_other_orders_are_refused(kind: Any) -> None:
    with pytest.raises(ValueError, match="order"):
        kind(order="inside")
